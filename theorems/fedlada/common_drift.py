"""The two relations between drift eps_k and S_k in B.2.2, gamma a root of (19), L = 1, X = 4 gamma kappa < 1."""

from theorems.fedlada.common import below, need
from theorems.vocabulary import *

DRIFT = need(
    "0 < beta1 < 1, 0 < alpha < 1, a > 0, G_theta > 0, 0 < X < 1",
    below("beta1"),
    below("beta1", 1),
    below("alpha"),
    below("alpha", 1),
    below("a"),
    below("G"),
    below("X"),
    below("X", 1),
)


def decode(cursor: Cursor) -> Instance:
    beta1, alpha, a, G, X, eps, S, first, second, g_a, sigma = cursor.many(11)
    return Instance(
        nb=cursor.nb, beta1=beta1, alpha=alpha, a=2 * a, G=2 * G, X=X, eps_before=eps, S_before=S,
        slack=[first, second], g_a2=g_a, sigma2=sigma,
    )  # fmt: skip


def drift_domain() -> Domain:
    return Domain(decode, ({},), "beta1, alpha, X in (0, 1), a, G_theta in (0, 2), any eps_{k-1}, S_{k-1}, m k = 1")


def solved(s: Instance) -> Instance:
    """gamma, q, p, C of (20), eta_l^2 from (19), and the eps_k, S_k that meet both relations up to slack."""
    kappa = (1 - s.beta1) * s.G**2
    gamma = s.X / (4 * kappa)
    push = gamma * (s.X * s.beta1 + 1 + s.a - s.beta1) / (1 + s.a)  # alpha (1 + 1/a) eta_l^2, by (19)
    first = (1 - s.alpha) / s.alpha * push * s.G**2 * s.g_a2
    second = 4 * kappa * s.sigma2
    right1, right2 = first * s.slack[0], second * s.slack[1]
    eps = ((1 + s.a) * s.eps_before + push * (s.beta1 * s.S_before + right2) + right1) / (1 - 4 * kappa * push)
    S = s.beta1 * s.S_before + 4 * kappa * eps + right2
    C = (first + gamma * second) / (1 - s.X)
    return Instance(
        gamma=gamma, kappa=kappa, push=push, eps=eps, S=S, C=C, p=(1 + s.a) / (1 - s.X), q=gamma * s.beta1 / (1 + s.a)
    )
