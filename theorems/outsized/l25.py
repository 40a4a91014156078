"""OLR Lemma 25: one round's descent towards the surrogate's minimizer."""

from surrogate import bounds
from theorems.domain import NEAR_ONE
from theorems.outsized.common import ASSUMPTION_2, rates_below
from theorems.outsized.common_moments import (
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
    variance_bound,
)
from theorems.outsized.common_rates import prove_phi_spectrum
from theorems.vocabulary import *


def largest_rate(s: Instance) -> Any:
    """(2 L_gamma - mu_gamma) / L_gamma^2: at least 1/L_gamma and (22), below 2/L_gamma."""
    return (2 * s.L - s.mu) / (s.L * s.L)


def instance(
    cursor: Cursor, n: int, d: int, K: int, sampling: str, noise: int, wide: bool = False, top: int = 1, loose: int = 1
) -> Instance:
    """eta up to loose mu_gamma/L_gamma^2; wide: up to (2 L_gamma - mu_gamma)/L_gamma^2; gamma < top/L."""
    s = at_client_rate(cursor, n, d, K, sampling, noise, top)
    limit = largest_rate(s) if wide else bounds.lemma_25_rate(s.p.mu, s.p.L, s.gamma, K)
    loosely = cursor.nb.number(NEAR_ONE) if wide else loose  # at eta = 1/mu_gamma = 1/L_gamma both sides vanish
    s.eta, s.start = (1 - cursor.take()) * loosely * limit, off_rest(cursor, d)
    return s


def descended(s: Instance) -> Any:
    """E|x_{t+1} - x*_gamma|^2 from x_t = x*_gamma + start."""
    around = law(s, s.gamma, resting(s, s.gamma))
    return trace(around.advance(s.start, outer(s.start), s.eta)[1])


def printed(s: Instance) -> list[Comparison]:
    r"""one round's descent

    \mathbb E\|x_{t+1}-x_\gamma^*\|^2\le(1-\eta_t\mu_\gamma)\mathbb E\|x_t-x_\gamma^*\|^2+\eta_t^2\frac{KG^2}{MB}
    """
    given = (s.p.mu, s.gamma, s.eta, s.K, largest_noise(s), s.M, s.B)
    return [that(s.sampling, descended(s)) <= bounds.lemma_25(*given, squares(s.start))]


def corrected(s: Instance) -> list[Comparison]:
    added = s.eta**2 * floor(s, s.gamma, resting(s, s.gamma), s.eta * s.L)
    return [that(s.sampling, descended(s)) <= (1 - s.eta * s.mu) * squares(s.start) + added]


def strong_convexity(s: Instance) -> list[Comparison]:
    r"""strong convexity and smoothness

    \langle\nabla\tilde f_\gamma,x-x^*_\gamma\rangle\ge\tilde f_\gamma-\tilde f_\gamma^*+\tfrac{\mu_\gamma}2\|x%
      -x^*_\gamma\|^2

    (37) to (39) at start = x - x*_gamma, where f~ - f~* = start'A~start / 2.
    """
    A, e = s.p.hessian(s.p.filtered(s.gamma, s.theta)), s.start
    gradient = (A @ e[..., None])[..., 0]
    a, size = (gradient * e).sum(axis=-1), squares(e)
    return [
        that("(37)", a / 2 + s.mu / 2 * size) <= a,
        that("(38)", s.mu / 2 * size) <= a / 2,
        that("(39)", squares(gradient)) <= s.L**2 * size,
    ]


def prove() -> None:
    """z3 and sympy: E|e - eta q|^2 = |(I - eta A~)e|^2 + eta^2 E|q - E q|^2, and M E|q - E q|^2 <= K G^2/B + Var_i(A~_i
    e + g_i) with g_i = grad f~_i(x*_gamma), E|g_i|^2 = V (Lemma 23 corrected). By Young's inequality Var_i(A~_i e +
    g_i) <= (2/r) Var_i(A~_i e) + 2 V/(2 - r), r = eta L_gamma. Var_i(A~_i e) = E|A~_i e|^2 - |A~e|^2, and what is left
    is a quadratic in the Rayleigh quotient a (z3). It is largest for M = 1; without sampling it is smaller still.
    """
    prove_phi_spectrum()
    a, mu, L, eta = reals("a mu L eta")  # a: Rayleigh quotient of A~ at e
    box = [0 < mu, mu <= a, a <= L, eta >= 0, eta * L * L <= 2 * L - mu]
    # |(I - eta A~)e|^2 + (2 eta/L)(E|A~_i e|^2 - |A~e|^2), E|A~_i e|^2 <= ((L + mu) a - mu L)|e|^2, |A~e| >= a|e|
    spread = (L + mu) * a - mu * L
    smt(box, L * (1 - 2 * eta * a + eta * eta * a * a) + 2 * eta * (spread - a * a) <= L * (1 - eta * mu))
    smt([0 < mu, mu <= a, a <= L], a * a <= (L + mu) * a - mu * L)  # the spectrum of A~_i
    smt([*box, 0 < eta], 2 / (eta * L) >= 1)  # so |A~e|^2 has a coefficient <= 0
    u, v, s = sympy.symbols("u v s", positive=True)  # |u + v|^2 <= (1 + s)|u|^2 + (1 + 1/s)|v|^2
    identity(((1 + s) * u**2 + (1 + 1 / s) * v**2 - (u + v) ** 2, (s * u - v) ** 2 / s))
    r = sympy.Symbol("r", positive=True)  # r = eta L, 1 + s = 2/r gives 1 + 1/s = 2/(2 - r)
    identity((1 + 1 / (2 / r - 1), 2 / (2 - r)))


def prove_strong_convexity() -> None:
    """z3: In an eigenbasis of A~, whose spectrum lies in [mu_gamma, L_gamma] (Lemma 24)."""
    prove_phi_spectrum()
    a, mu, L = reals("a mu L")  # a: any eigenvalue of A~
    smt([0 < mu, mu <= a, a <= L], a / 2 + mu / 2 <= a)
    smt([0 < mu, mu <= a, a <= L], a * a <= L * L)


def below_largest(s: Instance) -> list[Comparison]:
    return [that(s.eta * (s.L * s.L)) <= 2 * s.L - s.mu, that("sign", s.eta) >= s.eta * 0, *ends_are(s)]


STEP_SIZE = Hypothesis(
    "0 <= eta <= mu_gamma / L_gamma^2 (22)",
    lambda s: [
        that(s.eta) <= bounds.lemma_25_rate(s.p.mu, s.p.L, s.gamma, s.K),
        that("sign", s.eta) >= s.eta * 0,
        *ends_are(s),
    ],
    sound_domain(instance, "all clients, G = 0, eta up to 3 mu_gamma/L_gamma^2", loose=3),
)
LARGEST = Hypothesis("0 <= eta <= (2 L_gamma - mu_gamma) / L_gamma^2", below_largest)
BELOW = rates_below(without=sound_domain(instance, "all clients, G = 0, gamma < 2/L", top=2))
WIDE = one_round_domain(
    lambda cursor, **discrete: instance(cursor, **discrete, wide=True),
    "x_t anywhere, 0 <= gamma < 1/L, eta <= (2 L_gamma - mu_gamma)/L_gamma^2",
)
SAMPLED = "rho = 1 for independent draws, (n - M)/(n - 1) for M distinct clients of n, so 0 with all clients"

STATEMENT = Statement(
    kind="upper bound",
    location="Lemma 25, section 7.1",
    says="For eta_t <= mu_gamma/L_gamma^2, E|x_{t+1} - x*_gamma|^2 <= (1 - eta_t mu_gamma) E|x_t - x*_gamma|^2 + "
    "eta_t^2 K G^2/(M B).",
    reading="0 <= gamma < 1/L (missing, see OLR.L24). M clients are drawn independently; distinct ones, and all of "
    "them (M = n), are judged, too.",
    headline=True,
    severity="substantive",
    domain=one_round_domain(instance, "x_t anywhere, 0 <= gamma < 1/L, 0 < eta <= mu_gamma/L_gamma^2"),
    hypotheses=(ASSUMPTION_2, BELOW, STEP_SIZE),
    printed=claim_of(printed),
    corrected=Claim(
        "as printed, even for eta <= (2 L_gamma - mu_gamma)/L_gamma^2, with all clients, and with sampled ones where "
        f"they share a minimizer; else with 2 rho V_gamma/(2 - eta L_gamma) added to K G^2/B: {SAMPLED}, V_gamma = "
        "E_i|grad f~_i(x*_gamma)|^2 <= L_gamma^2 sigma_c^2",
        r"\mathbb E\|x_{t+1}-x_\gamma^*\|^2\le(1-\eta_t\mu_\gamma)\mathbb E\|x_t-x_\gamma^*\|^2+\frac{\eta_t^2}M"
        r"\left(\frac{KG^2}B+\frac{2\rho V_\gamma}{2-\eta_tL_\gamma}\right),\quad\eta_t\le\frac{2L_\gamma-\mu_\gamma}"
        r"{L_\gamma^2}",
        corrected,
        prove,
        WIDE,
        (ASSUMPTION_2, BELOW, LARGEST),
    ),
    steps=(
        Step("(37), (38) and (39)", claim_of(strong_convexity, prove=prove_strong_convexity)),
        Step(
            "E|q_t|^2 <= E|grad f~_gamma(x_t)|^2 + K G^2/(M B)",
            Claim(
                "Lemma 23's variance",
                r"\mathbb E\|q_t\|^2\le\mathbb E\|\nabla\tilde f_\gamma(x_t)\|^2+KG^2/(MB)",
                lambda s: [
                    that(s.sampling, law(s, s.gamma, resting(s, s.gamma)).variance(s.start)) <= variance_bound(s)
                ],
            ),
            "plus Var_i(grad f~_i(x_t))/M for sampled clients",
        ),
    ),
    note="Our step condition is weaker than (22) and than 1/L_gamma, and cannot be weakened: along an eigenvector of "
    "L_gamma it is what (1 - eta L_gamma)^2 <= 1 - eta mu_gamma asks for. So the conjecture after the lemma holds for "
    "quadratics (OLR.D7). V_gamma cannot be dropped: at x_t = x*_gamma the left side is eta^2 rho V_gamma/M for G = 0.",
)
