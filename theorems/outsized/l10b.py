"""Ours, sharper than OLR Lemma 10, and Corollary 14 for every gamma < 1/L: the extremes of each power by itself."""

from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW
from theorems.outsized.common_spectrum import last_eigenvalue_increases, spectral_mapping
from theorems.vocabulary import *

FEW = (
    Theta.last(1),
    Theta.last(2),
    Theta.sum(2),
    Theta.last(3),
    Theta([2, 0, 1]),
    Theta.last(10),
    Theta.sum(10),
    Theta.last(50),
)


def decode(cursor: Cursor, n: int, d: int, theta: Theta) -> Instance:
    """1/1000 <= gamma L <= 1 - 1/1000, weighted clients."""
    p = clients(cursor, n, d, weighted=True)
    gamma = (1 + (cursor.take() - cursor.take()) * cursor.nb.number(Fraction(998, 1000))) / (2 * p.L)
    return Instance(p=p, gamma=gamma, K=theta.steps, theta=theta)


def power(s: Instance, k: int, lam: Scalar) -> Any:
    """lam (1 - gamma lam)^(k-1), which climbs until lam = 1/(k gamma) and falls from there."""
    return lam * s.p.nb.power(1 - s.gamma * lam, k - 1)


def ends(s: Instance) -> tuple[Any, Any]:
    """sum theta_k times the least and the largest value of the k-th power on [mu, L]."""
    nb, mu, L = s.p.nb, s.p.mu, s.p.L
    low = high = s.gamma * 0
    for k, theta in enumerate(s.theta.weights, start=1):
        if theta:
            peak = nb.minimum(nb.maximum(1 / (k * s.gamma), mu), L)
            low = low + theta * nb.minimum(power(s, k, mu), power(s, k, L))
            high = high + theta * power(s, k, peak)
    return low, high


def compare(s: Instance) -> list[Comparison]:
    r"""between the sums of the extremes of each power

    \sum_k\theta_k\min_{\lambda\in\{\mu,L\}}\lambda(1-\gamma\lambda)^{k-1}\preceq\nabla^2\tilde f\preceq\sum_k\theta_k%
      \max_{\mu\le\lambda\le L}\lambda(1-\gamma\lambda)^{k-1}

    The surrogate's Hessian between the two; both at least as good as Lemma 10's.
    """
    nb, (low, high) = s.p.nb, ends(s)
    values = nb.eigenvalues(s.p.hessian(s.p.filtered(s.gamma, s.theta)))
    q = nb.filter(s.gamma * s.p.mu, s.theta), nb.filter(s.gamma * s.p.L, s.theta)
    return [
        that("smoothness", values[..., -1]) <= high,
        that("strong convexity", low) <= values[..., 0],
        that("at most Lemma 10's", high) <= q[0] * s.p.L,
        that("at least Lemma 10's", q[1] * s.p.mu) <= low,
    ]


def prove() -> None:
    """sympy and z3: lambda (1 - gamma lambda)^(k-1) has slope (1 - gamma lambda)^(k-2) (1 - k gamma lambda) for
    symbolic k: on [mu, L] it is largest at 1/(k gamma) clipped to [mu, L] and least at an end. Sums with theta_k >= 0
    and averages over clients keep these bounds; Lemma 10's pair the largest factor with the largest lambda and lie
    outside (z3).

    Unimodal powers: the sign of the slope is that of 1 - k gamma lambda; Lemma 10's ends are outside.
    """
    spectral_mapping()
    last_eigenvalue_increases()
    low, mid, high, at_low, at_mid, at_high = reals("low mid high at_low at_mid at_high")
    ordered = [0 < low, low <= mid, mid <= high, 0 < at_high, at_high <= at_mid, at_mid <= at_low]
    smt(ordered, at_mid * mid <= at_low * high)
    smt(ordered, at_high * low <= at_mid * mid)
    S, T, p, q, theta = reals("S T p q theta")
    smt([S <= T, 0 <= theta, p <= q], S + theta * p <= T + theta * q)


STATEMENT = Statement(
    kind="upper bound",
    location="ours, next to Lemma 10 and Corollary 14",
    says="For gamma < 1/L the surrogate's Hessian lies between sum theta_k min(mu (1 - gamma mu)^(k-1), L (1 - gamma "
    "L)^(k-1)) and sum theta_k lambda_k (1 - gamma lambda_k)^(k-1), lambda_k = 1/(k gamma) clipped to [mu, L].",
    reading="Not in the paper: never weaker than Lemma 10, and the whole range gamma < 1/L where Corollary 14 stops "
    "at 1/(K L).",
    note="For Theta_K both ends are attained by single clients: it is the best bound in mu, L, gamma and K.",
    domain=Domain(decode, grid(n=(1, 2, 3), d=(1, 2), theta=FEW), "weighted clients, 1/1000 <= gamma L <= 999/1000"),
    hypotheses=(ASSUMPTION_2, GAMMA_BELOW),
    printed=claim_of(compare, prove=prove),
)
