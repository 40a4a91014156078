"""One round with linear losses (constant gradients g_i), independent noise +- sigma, theta frozen: exact moments."""

from itertools import combinations

from theorems.fedlada.common import boxed, mean
from theorems.vocabulary import *


def round_domain(*sizes: tuple[int, int, int]) -> Domain:
    """Sizes are (m, S, K)."""
    return boxed(
        "m clients with constant gradients, S drawn, K local steps, noise +- sigma, theta frozen",
        tuple({"m": m, "S": S, "K": K} for m, S, K in sizes),
        beta1=(0, 1),
        theta=(0, 4),
        sigma=(0, 1),
        g=(-1, 1, "m"),
    )


def weights(s: Instance) -> list[Any]:
    """What step j adds to sum_tau m_tau: (1 - beta1) sum_{tau >= j} beta1^(tau - j) = 1 - beta1^(K - j + 1)."""
    return [1 - s.beta1 ** (s.K - j + 1) for j in range(1, s.K + 1)]


def drawn_square(values: list[Any], S: int) -> Any:
    """E |(1/S) sum_{i in S} a_i|^2 over all subsets of size S."""
    return mean([(sum(chosen) / S) ** 2 for chosen in combinations(values, S)])


def moment(s: Instance) -> Any:
    """E |(1/(SK)) sum_{i in S, tau} m_{i,tau} theta|^2."""
    return drift(s) + s.theta**2 * s.sigma**2 * sum(v * v for v in weights(s)) / (s.S * s.K**2)


def drift(s: Instance) -> Any:
    """The same without noise, mbar for m."""
    return drawn_square([s.theta * g * sum(weights(s)) / s.K for g in s.g], s.S)


def prove_noise() -> None:
    """Weights of noise, Young, and independence: what any clients reduce to."""
    beta, p = sympy.symbols("beta p")
    identity(((1 - beta) * 1, 1 - beta), (beta * (1 - p) + (1 - beta), 1 - beta * p))  # one more step behind j
    x, y, w = reals("x y w")
    smt([], (x + y) ** 2 <= 2 * x**2 + 2 * y**2)
    smt([0 <= w, w <= 1], w**2 * x**2 <= x**2)
    x, past = sympy.symbols("x past")
    identity(((past + x) ** 2 - past**2 - x**2, 2 * past * x))  # E of the right side is 0 given the past
