"""OLR Theorem 27: fixed client rate, decaying server rate."""

from surrogate import bounds
from theorems.outsized import l25
from theorems.outsized.common import ASSUMPTION_2, rates_below
from theorems.outsized.common_moments import (
    ROUNDS,
    at_client_rate,
    ends_are,
    floor,
    largest_noise,
    law,
    off_rest,
    one_round_domain,
    outer,
    resting,
    sound_domain,
    squares,
    trace,
)
from theorems.vocabulary import *


def printed_offset(s: Instance) -> Any:
    """2 kappa~^2."""
    return bounds.theorem_27_offset(s.p.mu, s.p.L, s.gamma, s.K)


def least_offset(s: Instance) -> Any:
    """2 kappa~^2/(2 kappa~ - 1) - 1 with kappa~ = L_gamma/mu_gamma: about kappa~."""
    kappa = s.L / s.mu
    return 2 * kappa * kappa / (2 * kappa - 1) - 1


def instance(
    cursor: Cursor, n: int, d: int, K: int, sampling: str, noise: int, wide: bool = False, top: int = 1, least: int = 1
) -> Instance:
    """b = 2 (L_gamma/mu_gamma)^2 times least to least + 2; wide: the least that we ask for, or more; gamma < top/L."""
    s = at_client_rate(cursor, n, d, K, sampling, noise, top)
    factor = least + 2 * cursor.take()
    s.b = least_offset(s) + 2 * (factor - least) * s.L / s.mu if wide else factor * printed_offset(s)
    s.start = off_rest(cursor, d)
    return s


def first_rate(s: Instance) -> Any:
    return bounds.theorem_27_rate(s.p.mu, s.p.L, s.gamma, s.K, 1, s.b)


def trajectory(s: Instance) -> list[Any]:
    """E|x_t - x*_gamma|^2 for t = 1..ROUNDS."""
    around = law(s, s.gamma, resting(s, s.gamma))
    m, S = s.start, outer(s.start)
    found = [trace(S)]
    for t in range(1, ROUNDS):
        m, S = around.advance(m, S, bounds.theorem_27_rate(s.p.mu, s.p.L, s.gamma, s.K, t, s.b))
        found.append(trace(S))
    return found


def compared(s: Instance, noise: Any = None) -> list[Comparison]:
    r"""decay like 1/t

    \mathbb E\|x_t-x_\gamma^*\|^2\le\frac{\nu_\gamma}{b_\gamma+t}

    ``noise``: of a round, where it is not the printed one.
    """
    given = (s.p.mu, s.p.L, s.gamma, s.K, largest_noise(s), s.M, s.B)
    return [
        that(f"{s.sampling}, t = {t}", square) <= bounds.theorem_27(*given, t, squares(s.start), s.b, noise)
        for t, square in enumerate(trajectory(s), 1)
        if t in (2, ROUNDS)
    ]


def corrected(s: Instance) -> list[Comparison]:
    return compared(s, floor(s, s.gamma, resting(s, s.gamma), first_rate(s) * s.L))


def prove() -> None:
    """z3 and sympy: Induction on t with t^ = b + t >= 2: (1 - 2/t^) nu/t^ + 4 F/(mu^2 t^^2) <= nu/(t^ + 1) as nu >= 4
    F/mu^2, from the corrected Lemma 25, whose condition on eta_t is met from eta_1 on.
    """
    l25.prove()
    t, nu, F, mu, L, b = reals("t nu F mu L b")
    smt([t >= 2, nu >= 4 * F, F >= 0], ((t - 2) * nu + 4 * F) * (t + 1) <= nu * t * t)
    start = [0 < mu, mu <= L, (b + 1) * (2 * L - mu) * mu >= 2 * L * L]  # eta_1 = 2/(mu (b + 1))
    smt([*start, t >= b + 1], 2 * L * L <= (2 * L - mu) * mu * t)
    smt(start, b + 1 >= 2)
    k, c = sympy.symbols("k c", positive=True)  # 2/(2 - eta_1 L_gamma), c = b + 1
    identity((2 / (2 - 2 * k / c), c / (c - k)))


SCHEDULE = Hypothesis(
    "b >= 2 L_gamma^2/mu_gamma^2",
    lambda s: [that(s.b) >= printed_offset(s), *ends_are(s)],
    sound_domain(instance, "all clients, G = 0, b >= 0", least=0),
)
LEAST = Hypothesis("b + 1 >= 2 kappa~^2/(2 kappa~ - 1)", lambda s: [that(s.b) >= least_offset(s), *ends_are(s)])
BELOW = rates_below(without=sound_domain(instance, "all clients, G = 0, gamma < 2/L", top=2))

STATEMENT = Statement(
    kind="convergence",
    location="Theorem 27, section 7.1",
    says="With eta_t = (2/mu_gamma)/(b + t), b >= 2 L_gamma^2/mu_gamma^2, E|x_t - x*_gamma|^2 <= nu/(b + t), "
    "nu = max{4 K G^2/(mu_gamma^2 M B), (b + 1)|x_1 - x*_gamma|^2}.",
    reading=l25.STATEMENT.reading,
    headline=True,
    severity="substantive",
    domain=one_round_domain(instance, f"x_1 anywhere, t <= {ROUNDS}, 0 <= gamma < 1/L"),
    hypotheses=(ASSUMPTION_2, BELOW, SCHEDULE),
    printed=claim_of(compared),
    corrected=Claim(
        "as printed, even for b + 1 >= 2 kappa~^2/(2 kappa~ - 1), kappa~ = L_gamma/mu_gamma, with all clients, and "
        "with sampled ones where they share a minimizer; else with rho V_gamma (b + 1)/(b + 1 - kappa~) added to "
        f"K G^2/B in nu: {l25.SAMPLED}",
        r"\mathbb E\|x_t-x_\gamma^*\|^2\le\frac{\nu_\gamma}{b_\gamma+t},\ \nu_\gamma=\max\left\{\frac4{\mu_"
        r"\gamma^2M}\left(\frac{KG^2}B+\frac{(b_\gamma+1)\rho V_\gamma}{b_\gamma+1-\tilde\kappa}\right),(b_\gamma+1)"
        r"\|x_1-x_\gamma^*\|^2\right\},\ b_\gamma+1\ge\frac{2\tilde\kappa^2}{2\tilde\kappa-1}",
        corrected,
        prove,
        one_round_domain(
            lambda cursor, **discrete: instance(cursor, **discrete, wide=True),
            f"x_1 anywhere, t <= {ROUNDS}, 0 <= gamma < 1/L, b + 1 >= 2 kappa~^2/(2 kappa~ - 1)",
        ),
        (ASSUMPTION_2, BELOW, LEAST),
    ),
    steps=(
        Step(
            "eta_t <= a/b <= mu_gamma/L_gamma^2",
            Claim(
                "Lemma 25's condition (22); the '=' printed for the second sign is right for the least b",
                r"\eta_t\le a_\gamma/b_\gamma\le\mu_\gamma/L_\gamma^2",
                lambda s: [
                    that("eta_1", first_rate(s)) <= 2 / (s.mu * s.b),
                    that("a/b", 2 / (s.mu * s.b)) <= bounds.lemma_25_rate(s.p.mu, s.p.L, s.gamma, s.K),
                ],
            ),
        ),
        Step(
            "(40): Lemma 25 for every round",
            Claim(
                "one round from x_1",
                r"\mathbb E\|x_2-x_\gamma^*\|^2\le(1-\eta_1\mu_\gamma)\|x_1-x_\gamma^*\|^2+\eta_1^2KG^2/(MB)",
                lambda s: [
                    that(s.sampling, trajectory(s)[1])
                    <= bounds.lemma_25(
                        s.p.mu, s.gamma, first_rate(s), s.K, largest_noise(s), s.M, s.B, squares(s.start)
                    )
                ],
            ),
            "with the corrected Lemma 25",
        ),
    ),
    note="b may be linear in the condition number where the paper asks for its square.",
)
