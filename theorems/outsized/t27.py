"""OLR Theorem 27: fixed client rate, decaying server rate."""

from surrogate import bounds
from theorems.bridges import larger
from theorems.outsized import l25
from theorems.outsized.common import ASSUMPTION_2, rates_below
from theorems.outsized.common_moments import (
    ROUNDS,
    at_client_rate,
    ends_are,
    excess,
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
from theorems.outsized.lemmas import column, phi_bounds
from theorems.outsized.lemmas_rounds import descent, noise_floor
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


def derive(proof: Derivation, s: Instance) -> None:
    """Induction on t with T = b + t >= 2: (1 - 2/T) nu/T + 4 F/(mu^2 T^2) <= nu/(T + 1), as nu >= 4 F/mu^2."""
    rate_towards_rest(proof, s)


def derive_rate(proof: Derivation, s: Instance) -> None:
    """b >= 2 kappa~^2 > 0."""
    phi_bounds(proof, s.p, s.gamma, s.K)
    b, u, v, x = reals("b mu L x")
    here, values = {"mu": s.mu, "L": s.L, "b": s.b}, s.p.filtered(s.gamma, s.theta)
    proof.leaf("phi > 0", [0 < u, u <= x], 0 < x, mu=column(s.mu), x=values)
    proof.leaf("L_gamma > 0", [0 < x, x <= v], 0 < v, L=column(s.L), x=values)
    least = [b >= 2 * (v / u) * (v / u), u > 0, v > 0]
    proof.leaf("b > 0", least, b > 0, **here)
    proof.leaf("eta_1 <= a/b", [b > 0, u > 0], 2 / u / (b + 1) <= 2 / (u * b), **here)
    proof.leaf("a/b <= mu_gamma/L_gamma^2", least, 2 / (u * b) <= u / (v * v), **here)


def rate_towards_rest(
    proof: Derivation, s: Instance, noise: Callable[[Any], Any] | None = None
) -> tuple[Any, dict[int, tuple[Any, Any]]]:
    """E|e|^2 <= nu/(b + t), e = x_t - x*_gamma, for t = 2 .. ROUNDS; nu, and mean and second moments of e by t.

    ``noise``: derives from F at eta_1 another number of at least 4 F/mu^2, for nu.
    """
    phi_bounds(proof, s.p, s.gamma, s.K)
    rest, nb, first = resting(s, s.gamma), s.nb, squares(s.start)
    around, m, S, start = law(s, s.gamma, rest), s.start, outer(s.start), s.b + 1
    moments: dict[int, tuple[Any, Any]] = {}
    e, f, h, q, u, v, x, y, T, E = reals("e F F_1 nu mu L x y T E")
    here = {"mu": s.mu, "L": s.L}
    proof.leaf("mu_gamma <= L_gamma", [u <= x, x <= v], u <= v, mu=column(s.mu), L=column(s.L),
               x=s.p.filtered(s.gamma, s.theta))  # fmt: skip
    proof.leaf("L_gamma > 0", [0 < u, u <= v], 0 < v, **here)
    proof.leaf("kappa~ >= 1", [0 < u, u <= v], v / u >= 1, **here)
    for t in range(1, ROUNDS):
        now, eta = s.b + t, bounds.theorem_27_rate(s.p.mu, s.p.L, s.gamma, s.K, t, s.b)
        _rate_is_small(proof, s, t)
        after, F = descent(proof, s, s.gamma, rest, m, S, eta)
        if t == 1:
            top, V = noise_floor(proof, s, s.gamma, rest, eta * s.L)
            most = noise(top) if noise else 4 * top / s.mu**2
            nu = nb.maximum(most, start * first)
            proof.cross(larger, nb=nb, x=most, y=start * first)
            if noise:
                proof.leaf("nu >= 4 F/mu^2", [e <= f, f <= q], e <= q, e=4 * top / s.mu**2, F=most, nu=nu)
            proof.leaf("t = 1", [T * e <= q, T >= 2], e <= q / T, e=first, T=start, nu=nu)
            proof.leaf("nu >= 0", [h >= 0, u > 0, 4 * h / (u * u) <= q], 0 <= q, **here, F_1=top, nu=nu)
        _noise_falls(proof, s, V, t)
        small = {"T": now, "F": F, "F_1": top, "mu": s.mu, "nu": nu, "E": after, "e": trace(S)}
        eta_t = 2 / u / T
        proof.leaf("eta_t^2 F <= nu / (b + t)^2", [f <= h, 4 * h / (u * u) <= q, u > 0, T >= 2],
                   eta_t * eta_t * f <= q / (T * T), **small)  # fmt: skip
        proof.leaf("a round", [E <= (1 - x) * e + y, e <= q / T, x == 2 / T, y <= q / (T * T), q >= 0, T >= 2],
                   E <= q / (T + 1), **small, x=eta * s.mu, y=eta * eta * F)  # fmt: skip
        m, S = around.advance(m, S, eta)
        moments[t + 1] = m, S
    return nu, moments


def _rate_is_small(proof: Derivation, s: Instance, t: int) -> None:
    """0 <= eta_t <= (2 L - mu)/L^2 and eta_t mu = 2/(b + t), b + t >= 2."""
    b, k, n, u, v, T = reals("b kappa t mu L T")
    known = {"mu": s.mu, "L": s.L, "T": s.b + t, "kappa": s.L / s.mu, "b": s.b, "t": s.nb.number(t)}
    least = [k >= 1, b >= 2 * k * k / (2 * k - 1) - 1, n >= 1]
    proof.setting("t >= 1", t, 1)
    proof.leaf("b + t >= 2", least, b + n >= 2, **known)
    proof.leaf("2 kappa~^2 <= (2 kappa~ - 1)(b + t)", least, 2 * k * k <= (2 * k - 1) * (b + n), **known)
    eta = 2 / u / T
    proof.leaf("eta_t >= 0", [u > 0, T >= 2], 0 <= eta, **known)
    proof.leaf("eta_t mu = 2/(b + t)", [u > 0, T >= 2], eta * u == 2 / T, **known)
    proof.leaf("eta_t <= (2 L - mu)/L^2", [2 * (v / u) * (v / u) <= (2 * (v / u) - 1) * T, u > 0, T >= 2],
               eta * v * v <= 2 * v - u, **known)  # fmt: skip


def _noise_falls(proof: Derivation, s: Instance, V: Any, t: int) -> None:
    """F at eta_t is at most F at eta_1, as 2/(2 - eta L) grows with eta."""
    a, b, c, g, n, u, v, w = reals("a b rho noise t mu L V")
    first, now = s.b + 1, s.b + t
    now_, first_ = 2 / s.mu / now * s.L, 2 / s.mu / first * s.L
    share, noise = s.nb.number(excess(s)) / s.M, s.K * largest_noise(s) * largest_noise(s) / s.B / s.M
    proof.leaf("b + 1 <= b + t", [n >= 1], b + 1 <= b + n, b=s.b, t=s.nb.number(t))
    proof.leaf("eta_t L <= eta_1 L", [a <= b, a >= 2, u > 0, v > 0], 2 / u / b * v <= 2 / u / a * v,
               a=first, b=now, mu=s.mu, L=s.L)  # fmt: skip
    proof.leaf("1 / (2 - eta L) falls", [a <= b, b < 2, w >= 0, c >= 0], c * (2 * w / (2 - a)) <= c * (2 * w / (2 - b)),
               a=now_, b=first_, V=V, rho=share)  # fmt: skip
    proof.leaf("F_t <= F_1", [a <= b], g + a <= g + b, noise=noise,
               a=share * (2 * V / (2 - now_)), b=share * (2 * V / (2 - first_)))  # fmt: skip


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
        derive=derive,
        domain=one_round_domain(
            lambda cursor, **discrete: instance(cursor, **discrete, wide=True),
            f"x_1 anywhere, t <= {ROUNDS}, 0 <= gamma < 1/L, b + 1 >= 2 kappa~^2/(2 kappa~ - 1)",
        ),
        given=(ASSUMPTION_2, BELOW, LEAST),
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
                derive=derive_rate,
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
