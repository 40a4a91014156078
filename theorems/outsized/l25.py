"""OLR Lemma 25: one round's descent towards the surrogate's minimizer."""

from surrogate import bounds
from theorems.bridges import averages_of_vectors, form, forms_grow, lengths
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
from theorems.outsized.lemmas import column, phi_bounds
from theorems.outsized.lemmas_rounds import descent
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


def derive(proof: Derivation, s: Instance) -> None:
    """One round at a fixed x_t."""
    phi_bounds(proof, s.p, s.gamma, s.K)
    descent(proof, s, s.gamma, resting(s, s.gamma), s.start, outer(s.start), s.eta)


def derive_strong_convexity(proof: Derivation, s: Instance) -> None:
    """mu |e|^2 <= e^T A e and |A e| <= L |e|, as all A_i have their spectra in [mu, L]."""
    p, (mu, L), values = s.p, (s.mu, s.L), s.p.filtered(s.gamma, s.theta)
    phi_bounds(proof, p, s.gamma, s.K)
    a, u, v, x = reals("a mu L x")
    test = np.broadcast_to(s.start[..., None, :], p.c.shape)
    proof.cross(forms_grow, "mu |e|^2 <= e^T A e", p=p, low=column(mu) + values * 0, high=values, v=test)
    inner, size = form(p, values, test, test), squares(s.start)
    proof.leaf("(37)", [u * x <= a], a / 2 + u / 2 * x <= a, a=inner, mu=mu, x=size)
    proof.leaf("(38)", [u * x <= a], u / 2 * x <= a / 2, a=inner, mu=mu, x=size)
    proof.leaf("phi >= -L", [0 < u, u <= x, x <= v], -v <= x, mu=column(mu), L=column(L), x=values)
    proof.cross(averages_of_vectors, "|A e| <= L |e|", p=p, values=values, v=test, most=L)
    gradient = (p.hessian(values) @ s.start[..., None])[..., 0]
    proof.cross(lengths, "|A e|", nb=s.nb, v=gradient)
    proof.leaf("(39)", [0 <= a, a <= x], a * a <= x * x, a=s.nb.length(gradient), x=L * s.nb.length(s.start))


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
        derive=derive,
        domain=WIDE,
        given=(ASSUMPTION_2, BELOW, LARGEST),
    ),
    steps=(
        Step("(37), (38) and (39)", claim_of(strong_convexity, derive=derive_strong_convexity)),
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
