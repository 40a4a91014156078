"""LADA Remark 3.9: a best alpha inside (0, 1)."""

from theorems.fedlada.common import below, need
from theorems.vocabulary import *


def instance(cursor: Cursor, K: int) -> Instance:
    """Psi's last three terms: P (1-alpha) + Q alpha + R ((1-alpha)/alpha)^2; G_g = eps_v = d = L = S = 1, a = 1/K."""
    beta, noise, spread, size = cursor.many(4)
    beta1 = beta * K / (K + 1)
    a = 1 / (beta * 0 + K)
    Gc = 2 + 2 * beta1**2 * noise / K + 4 * (spread + size)
    P = 6 * (1 + K) * K * Gc  # eta_l^2 C2 G_c / (1 - alpha), L = 1
    Q = 24 * (1 - beta1) * K * (1 + a) * (1 + K) / (1 + a - beta1) * (noise + spread + size)
    return Instance(nb=cursor.nb, K=K, beta1=beta1, noise=noise, spread=spread, size=size, P=P, Q=Q)


def printed(s: Instance) -> list[Comparison]:
    r"""a minimiser inside

    \exists\alpha\in(0,1):\ \alpha=\arg\min\big(P(1-\alpha)+Q\alpha+R(\tfrac{1-\alpha}\alpha)^2\big)

    The sum's slope at alpha = 1 is Q - P: some alpha < 1 does better only if it is positive.
    """
    return [that("slope at alpha = 1", s.Q - s.P) > 0]


def corrected(s: Instance) -> list[Comparison]:
    r"""if and only if Q > P, that is C_3 sigma^2/alpha > C_2 G_c/(1-alpha): the noise must outweigh the gradients

    Q>P,\quad P=\frac{C_2G_c}{1-\alpha},\ Q=\frac{C_3\sigma^2}\alpha

    With Q <= P no alpha beats 1: alpha = 1/2 and 9/10 do not.
    """
    P = s.nb.maximum(s.P, s.Q)
    half, most = (P + s.Q) / 2, P / 10 + s.Q * 9 / 10
    return [that("alpha = 1/2", s.Q) <= half, that("alpha = 9/10", s.Q) <= most]


def prove() -> None:
    """z3 and sympy: For Q <= P every alpha in (0, 1] gives at least Q, the value at alpha = 1 (z3). For Q > P the slope
    at 1 is Q - P > 0 and some alpha < 1 is better (z3), while the sum is unbounded as alpha -> 0, so the best alpha
    lies inside.
    """
    P, Q, R, x = reals("P Q R x")
    smt([0 < x, x <= 1, R >= 0, Q <= P], P * (1 - x) + Q * x >= Q)
    # Q > P: at x = 1 - t with t (R/x^2) < Q - P the sum is below Q
    t = reals("t")
    smt([0 < t, t < 1, x == 1 - t, R >= 0, R * t < (Q - P) * x * x], (P * t + Q * x - Q) * x * x + R * t * t < 0)
    alpha = sympy.Symbol("alpha")
    p, q, r = sympy.symbols("p q r")
    total = p * (1 - alpha) + q * alpha + r * ((1 - alpha) / alpha) ** 2
    identity((sympy.diff(total, alpha).subs(alpha, 1), q - p))


STATEMENT = Statement(
    kind="existence",
    location="Remark 3.9, section 3.4",
    says="Some alpha in (0, 1) minimises the sum of Psi's last three terms.",
    reading="With the coefficients of Theorem 3.5: 1 - alpha (printed in the remark as alpha (1 - alpha), which "
    "changes nothing at alpha = 1), alpha and ((1-alpha)/alpha)^2; rates fixed.",
    severity="missing-hypothesis",
    domain=Domain(instance, grid(K=(1, 2, 5, 20)), "sigma_l^2, sigma_g^2, sigma_u^2 in [0, 1], 0 < beta1 < K/(K+1)"),
    hypotheses=(
        need(
            "0 < beta1 < K/(K+1); sigma_l, sigma_g, sigma_u > 0",
            below("beta1"),
            lambda s: (s.beta1 * (s.K + 1), "<", s.K),
            below("noise"),
            below("spread"),
            below("size"),
        ),
    ),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="G_c >= 2 G_g^4/eps_v^4 + 4 G^2 (sigma_g^2 + sigma_u^2) makes P >= Q unless sigma_l^2 dominates: the bound "
    "then prefers alpha = 1, local Adam.",
)
