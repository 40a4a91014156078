"""Shared by OLR sections 3 to 5: clients with a theta, minibatch paths written out, and the facts about powers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np

from surrogate import Theta
from theorems.domain import STEPS, Cursor, Domain, clients, grid, rate
from theorems.engines.prove import identity, reals, smt
from theorems.population import Population
from theorems.statement import Comparison, Hypothesis

__all__ = [
    "GAMMA_SMALL",
    "STEPS",
    "THETAS",
    "coordinates",
    "distortion",
    "expected_inner",
    "geometric_sum_is_closed",
    "ordered_powers",
    "paths",
    "population_domain",
    "shared",
    "spectral_mapping",
    "surrogate_field",
]

THETAS = (
    Theta.sum(1),
    Theta.sum(2),
    Theta.last(2),
    Theta([1, "1/2"]),
    Theta.last(3),
    Theta([0, 3, 0, 1]),
    Theta.sum(20),
    Theta.last(50),
    Theta.sum(10**5),
)

GAMMA_SMALL = Hypothesis(
    "0 <= gamma < 1/L",
    lambda s: [
        Comparison("", s.gamma * s.p.L, "<", s.gamma * 0 + 1),
        Comparison("sign", s.gamma, ">=", s.gamma * 0),
    ],
)


def population_domain(
    n: Sequence[int] = (1,), d: Sequence[int] = (1, 2), theta: Sequence[Theta] = THETAS, says: str = "", **options: Any
) -> Domain:
    """Clients with mu I <= A_i <= L I, a client rate (0 included) below 1/L, and a theta."""

    def decode(cursor: Cursor, n: int, d: int, theta: Theta) -> SimpleNamespace:
        p = clients(cursor, n, d, **options)
        return SimpleNamespace(p=p, gamma=rate(cursor, p.L, zero=True), K=theta.steps, theta=theta)

    return Domain(decode, grid(n=n, d=d, theta=theta), says or "clients with mu I <= A_i <= L I, 0 <= gamma < 1/L")


def distortion(p: Population, gamma: Any, theta: Theta) -> Any:
    """Q_i = sum_k theta_k (I - gamma A_i)^(k-1) by (8), as matrices (..., n, d, d), by Horner."""
    eye = p.spectral(p.lam * 0 + 1)
    step = eye - gamma.reshape(gamma.shape + (1, 1, 1)) * p.A
    Q = eye * theta.weights[-1]
    for weight in reversed(theta.weights[:-1]):
        Q = Q @ step + eye * weight
    return Q


def coordinates(label: str, lhs: Any, relation: Any, rhs: Any) -> list[Comparison]:
    """One comparison a coordinate of vectors or matrices (batch, ...)."""
    spots = list(np.ndindex(lhs.shape[1:]))
    names = ["".join(str(k) for k in spot) for spot in spots]
    return [
        Comparison(f"{label}{name}", lhs[(slice(None), *spot)], relation, rhs[(slice(None), *spot)])
        for spot, name in zip(spots, names, strict=True)
    ]


def paths(count: int, batch: int, steps: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every sequence S_1, ..., S_steps of minibatches drawn with replacement: all equally likely."""
    yield from product(product(range(count), repeat=batch), repeat=steps)


def shared(count: int, batch: int, steps: int) -> Fraction:
    """The probability of one path."""
    return Fraction(1, count ** (batch * steps))


def expected_inner(grad: Any, x: Any, gamma: Any, weights: Sequence[Any], count: int, batch: int) -> Any:
    """E of Algorithm 2's answer over all minibatches of one client; ``grad(x, z)`` for example z of ``count``."""
    total: Any = 0
    for path in paths(count, batch, len(weights)):
        y = x
        for weight, drawn in zip(weights, path, strict=True):
            g = sum(grad(y, z) for z in drawn) / batch
            total = total + g * weight
            y = y - gamma * g
    return total / count ** (batch * len(weights))


def surrogate_field(p: Population, gamma: Any, theta: Theta, x: Any) -> Any:
    """Q_i A_i (x - c_i) of every client, (..., n, d)."""
    return (distortion(p, gamma, theta) @ p.A @ (x[..., None, :] - p.c)[..., None])[..., 0]


def ordered_powers() -> None:
    """0 <= a <= b gives 0 <= a^k <= b^k for every k: the step from k to k + 1, with p = a^k and q = b^k."""
    a, b, p, q = reals("a b p q")
    smt([0 <= a, a <= b, 0 <= p, p <= q], p * a <= q * b)
    smt([0 < a, a <= b, 0 < p, p <= q], p * a > 0)


def geometric_sum_is_closed() -> None:
    """z sum_{k<K} (1 - z)^k = 1 - (1 - z)^K for every K: the step, with S the sum and P = (1 - z)^K."""
    import sympy

    z, P = sympy.symbols("z P")
    S = (1 - P) / z
    identity((z * 1, 1 - (1 - z)), (z * (S + P), 1 - P * (1 - z)))


def spectral_mapping() -> None:
    """A v = lam v gives Q v = q(lam) v: Horner's step Q <- Q (I - gamma A) + theta_k I, with Q v = q v."""
    import sympy

    gamma, lam, q, theta, v = sympy.symbols("gamma lambda q theta v")
    identity((q * (v - gamma * (lam * v)) + theta * v, (q * (1 - gamma * lam) + theta) * v))
