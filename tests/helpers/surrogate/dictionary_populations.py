"""Small rational populations with every eigenvalue below 1: gamma <= 1 is a stable client rate for all of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from surrogate import exact


def hessian(B: list[list[int]]) -> list[list[Fraction]]:
    """(B B^T + I) / trace: positive definite, largest eigenvalue <= 1."""
    d = len(B)
    A = [[Fraction(sum(B[j][m] * B[k][m] for m in range(d)) + int(j == k)) for k in range(d)] for j in range(d)]
    trace = sum(A[j][j] for j in range(d))
    return [[a / trace for a in row] for row in A]


def fixed(n: int = 3, d: int = 2, seed: int = 0) -> exact.Quadratics:
    """A heterogeneous population, the same at every call: unequal weights, Hessians that do not commute."""
    rng = np.random.default_rng(seed)
    B = rng.integers(-3, 4, size=(n, d, d)).tolist()
    c = [[Fraction(int(v), 3) for v in row] for row in rng.integers(-4, 5, size=(n, d))]
    shares = [Fraction(i + 1) for i in range(n)]
    return exact.Quadratics([hessian(b) for b in B], c, [w / sum(shares) for w in shares])


@st.composite
def populations(draw: Any, n: int | None = None, d: int | None = None) -> exact.Quadratics:
    """Any small population: d = 1, one client, equal clients and commuting ones among them (unless n, d are given)."""
    n, d = n or draw(st.integers(1, 4)), d or draw(st.integers(1, 3))
    entry = st.integers(-3, 3)
    square = st.lists(st.lists(entry, min_size=d, max_size=d), min_size=d, max_size=d)
    point = st.lists(st.fractions(-2, 2, max_denominator=4), min_size=d, max_size=d)
    A = [hessian(draw(square)) for _ in range(n)]
    c = [draw(point) for _ in range(n)]
    shares = [Fraction(draw(st.integers(1, 4))) for _ in range(n)]
    return exact.Quadratics(A, c, [w / sum(shares) for w in shares])


def floats(values: Any) -> Any:
    """An array of rationals as float64."""
    return np.array([float(v) for v in np.ravel(values)]).reshape(np.shape(values))
