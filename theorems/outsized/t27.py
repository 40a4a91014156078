"""OLR Theorem 27: fixed client rate, decaying server rate."""

from surrogate import bounds
from theorems.outsized import l25
from theorems.outsized.common import ASSUMPTION_2, rates_below
from theorems.outsized.common_moments import (
    ROUNDS,
    at_client_rate,
    drawn,
    ends_are,
    floor,
    largest_noise,
    law,
    one_round_domain,
    resting,
    sound_domain,
)
from theorems.vocabulary import *


def least_offset(s: Instance) -> Any:
    return bounds.theorem_27_offset(s.p.mu, s.p.L, s.gamma, s.K)


def instance(
    cursor: Cursor, n: int, K: int, M: int, noise: int, wide: bool = False, top: int = 1, least: int = 1
) -> Instance:
    """b = 2 (L_gamma/mu_gamma)^2 times least to least + 2; wide: 6 L_gamma/mu_gamma times that; gamma < top/L."""
    s = at_client_rate(cursor, n, K, M, noise, top)
    s.b = (least + 2 * cursor.take()) * (6 * s.L / s.mu if wide else least_offset(s))
    s.e = 2 * cursor.take()
    return s


def first_rate(s: Instance) -> Any:
    return bounds.theorem_27_rate(s.p.mu, s.p.L, s.gamma, s.K, 1, s.b)


def trajectory(s: Instance) -> list[Any]:
    """E|x_t - x*_gamma|^2 for t = 1..ROUNDS."""
    around = law(s, s.gamma, resting(s, s.gamma))
    e, e2 = s.e, s.e * s.e
    squares = [e2]
    for t in range(1, ROUNDS):
        e, e2 = around.advance(e, e2, bounds.theorem_27_rate(s.p.mu, s.p.L, s.gamma, s.K, t, s.b))
        squares.append(e2)
    return squares


def compared(s: Instance, noise: Any = None) -> list[Comparison]:
    """``noise``: of a round, where it is not the printed one."""
    given = (s.p.mu, s.p.L, s.gamma, s.K, largest_noise(s), drawn(s), s.B)
    return [
        Comparison(f"t = {t}", square, "<=", bounds.theorem_27(*given, t, s.e**2, s.b, noise))
        for t, square in enumerate(trajectory(s), 1)
        if t in (2, ROUNDS)
    ]


def corrected(s: Instance) -> list[Comparison]:
    return compared(s, floor(s, s.gamma, resting(s, s.gamma)))


def prove() -> Proof:
    l25.prove()
    t, nu, F, mu, L, b = reals("t nu F mu L b")
    smt([t > 2, nu >= 4 * F, F >= 0], ((t - 2) * nu + 4 * F) * (t + 1) <= nu * t * t)
    smt([0 < mu, mu <= L, b * mu >= 6 * L, t >= b], 2 * 3 * L <= mu * t)  # eta = 2/(mu t) <= 1/(3 L)
    return Proof(
        "z3",
        "Induction on t with t^ = b + t: (1 - 2/t^) nu/t^ + 4 F/(mu^2 t^^2) <= nu/(t^ + 1) as nu >= 4 F/mu^2, from the "
        "corrected Lemma 25, whose condition eta_t <= 1/(3 L_gamma) is what b >= 6 L_gamma/mu_gamma gives.",
    )


SCHEDULE = Hypothesis(
    "b >= 2 L_gamma^2/mu_gamma^2",
    lambda s: [
        Comparison("", s.b, ">=", least_offset(s)),
        *ends_are(s),
    ],
    sound_domain(instance, "all clients, G = 0, b >= 0", least=0),
)
BELOW = rates_below(without=sound_domain(instance, "all clients, G = 0, gamma < 2/L", top=2))

STATEMENT = Statement(
    id="OLR.T27",
    kind="convergence",
    location="Theorem 27, section 7.1",
    says="With eta_t = (2/mu_gamma)/(b + t), b >= 2 L_gamma^2/mu_gamma^2, E|x_t - x*_gamma|^2 <= nu/(b + t), "
    "nu = max{4 K G^2/(mu_gamma^2 M B), (b + 1)|x_1 - x*_gamma|^2}.",
    reading=l25.STATEMENT.reading,
    headline=True,
    severity="substantive",
    domain=one_round_domain(instance, f"d = 1, x_1 anywhere, t <= {ROUNDS}, 0 <= gamma < 1/L"),
    hypotheses=(ASSUMPTION_2, BELOW, SCHEDULE),
    printed=Claim("decay like 1/t", r"\mathbb E\|x_t-x_\gamma^*\|^2\le\frac{\nu_\gamma}{b_\gamma+t}", compared),
    corrected=Claim(
        "with b >= 6 L_gamma/mu_gamma and nu = max{4 (K G^2/B + 2 V_gamma)/(mu_gamma^2 M), (b + 1)|x_1 - x*_gamma|^2}; "
        "with all clients without V_gamma",
        r"\mathbb E\|x_t-x_\gamma^*\|^2\le\frac{\nu_\gamma}{b_\gamma+t},\ \nu_\gamma=\max\left\{\frac4{\mu_"
        r"\gamma^2M}\left(\frac{KG^2}B"
        r"+2V_\gamma\right),(b_\gamma+1)\|x_1-x_\gamma^*\|^2\right\},\ b_\gamma\ge\frac{6L_\gamma}{\mu_\gamma}",
        corrected,
        prove,
        one_round_domain(
            lambda cursor, **discrete: instance(cursor, **discrete, wide=True), f"d = 1, t <= {ROUNDS}, b >= 6 kappa~"
        ),
    ),
    steps=(
        Step(
            "eta_t <= a/b = mu_gamma/L_gamma^2",
            Claim(
                "with equality",
                r"a_\gamma/b_\gamma=\mu_\gamma/L_\gamma^2",
                lambda s: [Comparison("", 2 / (s.mu * s.b), "==", bounds.lemma_25_rate(s.p.mu, s.p.L, s.gamma, s.K))],
            ),
            "a/b <= mu_gamma/L_gamma^2, with equality only for the least b",
        ),
        Step(
            "(40): Lemma 25 for every round",
            Claim(
                "one round from x_1",
                r"\mathbb E\|x_2-x_\gamma^*\|^2\le(1-\eta_1\mu_\gamma)\|x_1-x_\gamma^*\|^2+\eta_1^2KG^2/(MB)",
                lambda s: [
                    Comparison(
                        "",
                        trajectory(s)[1],
                        "<=",
                        bounds.lemma_25(s.p.mu, s.gamma, first_rate(s), s.K, largest_noise(s), drawn(s), s.B, s.e**2),
                    )
                ],
            ),
            "with the corrected Lemma 25",
        ),
    ),
    note="b may be linear in the condition number where the paper asks for its square.",
)
