"""Where FedDA rests: the telescoped sum of momenta, and the resting points of its three servers in d = 1."""

from theorems.fedda.common import numeric, vanishes
from theorems.fedda.listing_fedda import average, server
from theorems.vocabulary import *


def weighted_rest(s: Instance, theta: list[Any], mu: Scalar = 0) -> tuple[Any, Any]:
    """x with sum_i p_i sum_k theta_k (1 - eta (a_i + mu))^(k-1) a_i (x - c_i) = 0, and the momentum there."""
    r = numeric(s)
    spread, pull, slopes = r.x * 0, r.x * 0, [r.x * 0] * s.T
    steps = [[(1 - r.eta * (r.a[..., i] + mu)) ** k for k in range(s.T)] for i in range(s.n)]
    for i, p in enumerate(r.p):
        D = sum(t * power for t, power in zip(theta, steps[i], strict=True))
        spread, pull = spread + p * D * r.a[..., i], pull + p * D * r.a[..., i] * r.c[..., i]
    x = pull / spread
    for i, p in enumerate(r.p):
        slopes = [g + p * a * r.a[..., i] * (x - r.c[..., i]) for g, a in zip(slopes, steps[i], strict=True)]
    old = sum(r.beta ** (s.T - 1 - k) * g for k, g in enumerate(slopes))
    return x, (1 - r.beta) * old / (1 - r.beta**s.T)


def rest_of_round(s: Instance, mu: Any = 0) -> list[Comparison]:
    """FedAvg's resting point (with mu: FedProx's, of T gradient steps) is one of the round (28), (29)."""
    r = numeric(s)
    x, m = weighted_rest(s, [1] * s.T, mu)
    W, momentum, _ = server(r.grads, r.p, x, m, r, s.T, mu)
    return [that("W rests", W) == x, that("m rests", momentum) == m]


def momenta_telescope() -> None:
    """(1 - beta) P = beta (m_0 - m_T) + (1 - beta) sum_t g_t for every T: the induction from T to T + 1."""
    beta, first, m, g, S = sympy.symbols("beta first m g S")
    held = beta * (first - m) + (1 - beta) * S  # (1 - beta) P
    new = beta * m + (1 - beta) * g
    vanishes(held + (1 - beta) * new - (beta * (first - new) + (1 - beta) * (S + g)), "sum of momenta")


def gradients(r: Any) -> tuple[Any, Any, Any]:
    """One round from (x, m): P, m(E+1), and the sum over the steps of the clients' mean gradient."""
    _, momentum, P = server(r.grads, r.p, r.x, r.m, r, r.T)
    y, total = [r.x] * r.n, r.x * 0
    for _ in range(r.T):
        local = [g(w) for g, w in zip(r.grads, y, strict=True)]
        y = [w - r.eta * v for w, v in zip(y, local, strict=True)]
        total = total + average(r.p, local)
    return P, momentum, total
