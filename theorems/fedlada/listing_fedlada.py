"""LADA Algorithm 3, one round in one coordinate, as it is printed: plain, step by step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from surrogate._types import Scalar

Gradient = Callable[[int, Any], Any]  # (local step, point) -> stochastic gradient
Scale = Callable[[int, Any, Any, Any], tuple[Any, Any, Any]]  # (step, v, vhat, g) -> (v, vhat, theta)


def client(
    x: Scalar,
    vhat: Any,
    g_a: Scalar,
    gradient: Gradient,
    scale: Scale,
    taus: Sequence[int],
    alpha: Scalar,
    beta1: Scalar,
    eta_l: Scalar,
) -> tuple[Any, Any, Any]:
    """Lines 5 to 14: (x - x_{i,last}, vhat_{i,last}, sum of m theta). ``taus`` are the values that line 6 runs through.

    v_{i,0} is not printed; vhat_{i,0} serves. g_{i,tau} is taken at x_{i,tau-1}, where the iteration stands.
    """
    y, m, v, path = x, 0, vhat, 0
    for tau in taus:
        g = gradient(tau, y)
        m = beta1 * m + (1 - beta1) * g
        v, vhat, theta = scale(tau, v, vhat, g)
        y = y - eta_l * (alpha * m * theta + (1 - alpha) * g_a)
        path = path + m * theta
    return x - y, vhat, path


def server(x: Scalar, deltas: Sequence[Any], K: int, eta_g: Scalar, eta_l: Scalar) -> tuple[Any, Any]:
    """Lines 17 and 18: (x^{t+1}, g_a^{t+1})."""
    after = x - eta_g * (sum(deltas[1:], deltas[0]) / len(deltas))
    return after, (x - after) / (eta_g * eta_l * K)
