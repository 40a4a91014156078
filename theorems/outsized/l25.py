"""OLR Lemma 25: one round's descent towards the surrogate's minimizer."""

from surrogate import bounds
from theorems.outsized.common import ASSUMPTION_2, rates_below
from theorems.outsized.common_moments import (
    at_client_rate,
    drawn,
    ends_are,
    floor,
    largest_noise,
    law,
    one_round_domain,
    resting,
    sound_domain,
    variance_bound,
)
from theorems.outsized.common_rates import prove_phi_spectrum
from theorems.vocabulary import *


def instance(
    cursor: Cursor, n: int, K: int, M: int, noise: int, wide: bool = False, top: int = 1, loose: int = 1
) -> Instance:
    """eta up to loose mu_gamma/L_gamma^2; wide: up to 1/(3 L_gamma), or 1/L_gamma with all clients; gamma < top/L."""
    s = at_client_rate(cursor, n, K, M, noise, top)
    limit = bounds.lemma_25_rate(s.p.mu, s.p.L, s.gamma, K) if not wide else 1 / s.L if M == 0 else 1 / (3 * s.L)
    s.eta, s.e = (1 - cursor.take()) * loose * limit, 2 * cursor.take()
    return s


def descended(s: Instance) -> Any:
    """E|x_{t+1} - x*_gamma|^2 from x_t = x*_gamma + e."""
    around = law(s, s.gamma, resting(s, s.gamma))
    return around.advance(s.e, s.e * s.e, s.eta)[1]


def printed(s: Instance) -> list[Comparison]:
    limit = bounds.lemma_25(s.p.mu, s.gamma, s.eta, s.K, largest_noise(s), drawn(s), s.B, s.e**2)
    return [Comparison("descent", descended(s), "<=", limit)]


def corrected(s: Instance) -> list[Comparison]:
    shrink = 1 - s.eta * s.mu if s.M else (1 - s.eta * s.mu) ** 2
    added = s.eta**2 * floor(s, s.gamma, resting(s, s.gamma))
    return [Comparison("sampled" if s.M else "full", descended(s), "<=", shrink * s.e**2 + added)]


def strong_convexity(s: Instance) -> list[Comparison]:
    """(37) to (39) in d = 1, at e, where f~ - f~* = a e^2 / 2."""
    a = (s.p.w * law(s, s.gamma, resting(s, s.gamma)).slope).sum(axis=-1)
    return [
        Comparison("(37)", a * s.e**2 / 2 + s.mu / 2 * s.e**2, "<=", a * s.e**2),
        Comparison("(38)", s.mu / 2 * s.e**2, "<=", a * s.e**2 / 2),
        Comparison("(39)", a * s.e, "<=", s.L * s.e),
    ]


def prove() -> Proof:
    prove_phi_spectrum()
    a, mu, L, eta = reals("a mu L eta")  # a: Rayleigh quotient of A~ at e
    box = [0 < mu, mu <= a, a <= L, eta >= 0]
    smt([*box, eta * L <= 1], (1 - eta * a) * (1 - eta * a) <= (1 - eta * mu) * (1 - eta * mu))
    smt([*box, 3 * eta * L <= 1], 1 - 2 * eta * a + eta * eta * L * a + 2 * eta * eta * L * a <= 1 - eta * mu)
    u, v = sympy.symbols("u v")
    identity(((u - v) ** 2 + (u + v) ** 2, 2 * u**2 + 2 * v**2))  # |u - v|^2 <= 2|u|^2 + 2|v|^2
    s = reals("s")
    smt([0 <= s, s <= L], s * s <= L * s)  # E A~_i^2 <= L A~
    return Proof(
        "z3 and sympy",
        "E|e - eta q|^2 = |(I - eta A~) e|^2 + eta^2 Var q. With all clients the noise is independent of e and the "
        "spectrum of A~ lies in [mu_gamma, L_gamma]. With M draws Var q <= (K G^2/B + E|A~_i e - A~_i (c_i - "
        "x~)|^2)/M <= (K G^2/B + 2 L_gamma e'A~e + 2 V)/M, and the multiple of e'A~e is absorbed for 3 eta L_gamma <= "
        "1.",
    )


def prove_strong_convexity() -> Proof:
    prove_phi_spectrum()
    a, mu, L = reals("a mu L")  # a: any eigenvalue of A~
    smt([0 < mu, mu <= a, a <= L], a / 2 + mu / 2 <= a)
    smt([0 < mu, mu <= a, a <= L], a * a <= L * L)
    return Proof("z3", "In an eigenbasis of A~, whose spectrum lies in [mu_gamma, L_gamma] (Lemma 24).")


STEP_SIZE = Hypothesis(
    "0 <= eta <= mu_gamma / L_gamma^2 (22)",
    lambda s: [
        Comparison("", s.eta, "<=", bounds.lemma_25_rate(s.p.mu, s.p.L, s.gamma, s.K)),
        Comparison("sign", s.eta, ">=", s.eta * 0),
        *ends_are(s),
    ],
    sound_domain(instance, "all clients, G = 0, eta up to 3 mu_gamma/L_gamma^2", loose=3),
)
BELOW = rates_below(without=sound_domain(instance, "all clients, G = 0, gamma < 2/L", top=2))

STATEMENT = Statement(
    id="OLR.L25",
    kind="upper bound",
    location="Lemma 25, section 7.1",
    says="For eta_t <= mu_gamma/L_gamma^2, E|x_{t+1} - x*_gamma|^2 <= (1 - eta_t mu_gamma) E|x_t - x*_gamma|^2 + "
    "eta_t^2 K G^2/(M B).",
    reading="0 <= gamma < 1/L (missing, see OLR.L24). M sampled clients, or all of them (M = 0 in an instance, n "
    "in the bound).",
    headline=True,
    severity="substantive",
    domain=one_round_domain(instance, "d = 1, x_t anywhere, 0 <= gamma < 1/L, 0 < eta <= mu_gamma/L_gamma^2"),
    hypotheses=(ASSUMPTION_2, BELOW, STEP_SIZE),
    printed=Claim(
        "one round's descent",
        r"\mathbb E\|x_{t+1}-x_\gamma^*\|^2\le(1-\eta_t\mu_\gamma)\mathbb E\|x_t-x_\gamma^*\|^2+\eta_t^2\frac"
        r"{KG^2}{MB}",
        printed,
    ),
    corrected=Claim(
        "for eta <= 1/(3 L_gamma) with (K G^2/B + 2 V_gamma)/M, V_gamma = E_i|grad f~_i(x*_gamma)|^2 <= L_gamma^2 "
        "sigma_c^2; with all clients for eta <= 1/L_gamma, without V_gamma and with (1 - eta mu_gamma)^2",
        r"\mathbb E\|x_{t+1}-x_\gamma^*\|^2\le(1-\eta_t\mu_\gamma)\mathbb E\|x_t-x_\gamma^*\|^2+\frac{\eta_t^2}M"
        r"\left(\frac{KG^2}B"
        r"+2V_\gamma\right),\quad\eta_t\le\frac1{3L_\gamma}",
        corrected,
        prove,
        one_round_domain(
            lambda cursor, **discrete: instance(cursor, **discrete, wide=True),
            "d = 1, x_t anywhere, 0 <= gamma < 1/L, eta up to 1/(3 L_gamma), or 1/L_gamma with all clients",
        ),
    ),
    steps=(
        Step(
            "(37), (38) and (39)",
            Claim(
                "strong convexity and smoothness",
                r"\langle\nabla\tilde f_\gamma,x-x^*_\gamma\rangle\ge\tilde f_\gamma-\tilde "
                r"f_\gamma^*+\tfrac{\mu_\gamma}2\|x-x^*_\gamma\|^2",
                strong_convexity,
                prove_strong_convexity,
            ),
        ),
        Step(
            "E|q_t|^2 <= E|grad f~_gamma(x_t)|^2 + K G^2/(M B)",
            Claim(
                "Lemma 23's variance",
                r"\mathbb E\|q_t\|^2\le\mathbb E\|\nabla\tilde f_\gamma(x_t)\|^2+KG^2/(MB)",
                lambda s: [Comparison("", law(s, s.gamma, resting(s, s.gamma)).variance(s.e), "<=", variance_bound(s))],
            ),
            "plus Var_i(grad f~_i(x_t))/M for sampled clients",
        ),
    ),
    note="Our step condition is the weaker one whenever L_gamma >= 3 mu_gamma, and with all clients (22) is not "
    "needed at all: the conjecture after the lemma holds for quadratics (OLR.D7).",
)
