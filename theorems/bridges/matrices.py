"""Bridges on square matrices that need not be symmetric: norms, inverses, fixed points, repeated affine steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from surrogate._types import Numbers
from surrogate.numbers import FLOATS, Kind
from theorems.bridges.bridge import Sides, bridge
from theorems.bridges.means import mean
from theorems.statement import Comparison

__all__ = [
    "affine_steps",
    "determinant",
    "inverse_at_least",
    "matrix_laws",
    "matrix_sum",
    "operator_norms",
    "symmetric_norm",
    "weighted_rest",
]


def _positive(rng: np.random.Generator) -> dict[str, Any]:
    M = rng.normal(size=(1, 3, 3))
    M = M @ np.swapaxes(M, -1, -2) + np.eye(3)
    return {"nb": FLOATS, "M": M, "v": rng.normal(size=(1, 3)), "low": np.linalg.eigvalsh(M)[..., 0]}


@bridge("a matrix undoes its inverse", "Horn and Johnson, Matrix Analysis, section 5.6", _positive)
def inverse_at_least(nb: Kind, M: Numbers, v: Numbers, low: Numbers) -> Sides:
    """M symmetric with eigenvalues of at least a > 0: |v| = |M M^-1 v| <= |M| |M^-1 v|."""
    return (
        [
            Comparison("positive", low, ">", low * 0),
            Comparison("least", low[..., None], "<=", nb.eigenvalues(M)),
        ],
        [Comparison("inverse", nb.length(v), "<=", nb.opnorm(M) * nb.length(nb.solve(M, v)))],
    )


def _affine(rng: np.random.Generator) -> dict[str, Any]:
    c, x = rng.normal(size=(2, 1, 3))
    return {"Z": rng.normal(size=(1, 3, 3)), "c": c, "x": x, "count": int(rng.integers(1, 6))}


@bridge("repeated affine steps", "distributive law of matrices, step by step; Neumann's sum", _affine)
def affine_steps(Z: Numbers, c: Numbers, x: Numbers, count: int) -> Sides:
    """t steps y - Z (y - c) from x end at y_t with x - y_t = (I - (I - Z)^t)(x - c) = sum_(k<t) (I - Z)^k Z (x - c)."""
    step, y, power, total = _eye(Z) - Z, x, _eye(Z), x * 0
    for _ in range(count):
        y = y - _apply(Z, y - c)
        total = total + _apply(power, _apply(Z, x - c))
        power = step @ power
    moved = _apply(_eye(Z) - power, x - c)
    return [], [Comparison("end", x - y, "==", moved), Comparison("sum", moved, "==", total)]


def _fields(rng: np.random.Generator) -> dict[str, Any]:
    w = rng.uniform(0.1, 1, size=(1, 4))
    M = rng.uniform(-0.3, 0.3, size=(1, 4, 3, 3)) + np.eye(3)
    return {"nb": FLOATS, "w": w / w.sum(), "M": M, "c": rng.normal(size=(1, 4, 3)), "x": rng.normal(size=(1, 3))}


@bridge("rest of a weighted field", "linear algebra: distributive law of matrices", _fields)
def weighted_rest(nb: Kind, w: Numbers, M: Numbers, c: Numbers, x: Numbers) -> Sides:
    """M = sum w_i M_i invertible, r = M^-1 sum w_i M_i c_i: sum w_i M_i (x - c_i) = M (x - r) at every x."""
    whole = mean(w, M)
    rest, size = nb.solve(whole, mean(w, _apply(M, c))), nb.abs(determinant(whole))
    return [Comparison("invertible", size, ">", size * 0)], [
        Comparison("field", mean(w, _apply(M, x[..., None, :] - c)), "==", _apply(whole, x - rest))
    ]


def _pair(rng: np.random.Generator) -> dict[str, Any]:
    A, B = rng.normal(size=(2, 1, 3, 3))
    return {"nb": FLOATS, "A": A, "B": B, "v": rng.normal(size=(1, 3))}


@bridge("operator norms", "Horn and Johnson, Matrix Analysis, section 5.6", _pair)
def operator_norms(nb: Kind, A: Numbers, B: Numbers, v: Numbers) -> Sides:
    """0 <= |A|, |A + B| <= |A| + |B|, |A B| <= |A| |B|, |A v| <= |A| |v|."""
    size, other = nb.opnorm(A), nb.opnorm(B)
    return [], [
        Comparison("sign", size, ">=", size * 0),
        Comparison("sum", nb.opnorm(A + B), "<=", size + other),
        Comparison("product", nb.opnorm(A @ B), "<=", size * other),
        Comparison("image", nb.length(_apply(A, v)), "<=", size * nb.length(v)),
    ]


def _symmetric(rng: np.random.Generator) -> dict[str, Any]:
    A = rng.normal(size=(4, 3, 3))
    A = A + np.swapaxes(A, -1, -2)
    return {"nb": FLOATS, "A": A, "most": abs(np.linalg.eigvalsh(A)).max(axis=-1) + rng.uniform(0, 1, size=4)}


@bridge("norm of a symmetric matrix", "Horn and Johnson, Matrix Analysis, section 5.6", _symmetric)
def symmetric_norm(nb: Kind, A: Numbers, most: Numbers | None = None) -> Sides:
    """A symmetric: |lambda| <= |A| for its eigenvalues; where all have |lambda| <= m, |A| <= m."""
    values, size = nb.eigenvalues(A), nb.opnorm(A)
    if most is None:
        return symmetric(A), _between(values, size)
    below = Comparison("norm", size, "<=", most)
    return [*symmetric(A), *_between(values, most)], [*_between(values, size), below]


def _between(values: Numbers, size: Numbers) -> list[Comparison]:
    ends = size[..., None]
    return [Comparison("least", -ends, "<=", values), Comparison("largest", values, "<=", ends)]


def symmetric(A: Numbers) -> list[Comparison]:
    """A_jk = A_kj."""
    return [Comparison("symmetric", A[..., j, k], "==", A[..., k, j]) for k in range(A.shape[-1]) for j in range(k)]


def _several(rng: np.random.Generator) -> dict[str, Any]:
    A = rng.normal(size=(1, 4, 3, 3))
    return {"nb": FLOATS, "A": A @ np.swapaxes(A, -1, -2), "b": rng.normal(size=(1, 4, 3))}


@bridge(
    "Cauchy-Schwarz for a sum of matrices", "Steele, The Cauchy-Schwarz Master Class, chapter 1; Horn and Johnson, 5.6",
    _several,
)  # fmt: skip
def matrix_sum(nb: Kind, A: Numbers, b: Numbers) -> Sides:
    """A_k symmetric and A_k >= 0: |sum A_k b_k|^2 <= |sum A_k| sum b_k^T A_k b_k.

    It is |B u|^2 <= |B B^T| |u|^2 with the blocks A_k^(1/2) of B and A_k^(1/2) b_k of u.
    """
    moved = _apply(A, b)
    total, forms = moved.sum(axis=-2), (b * moved).sum(axis=-1).sum(axis=-1)
    return (
        [
            *symmetric(A),
            Comparison("A >= 0", nb.eigenvalues(A), ">=", b * 0),
        ],
        [
            Comparison("sum", (total * total).sum(axis=-1), "<=", nb.opnorm(A.sum(axis=-3)) * forms),
            Comparison("forms", b[..., 0, 0] * 0, "<=", forms),
        ],
    )


def _laws(rng: np.random.Generator) -> dict[str, Any]:
    A, B = rng.normal(size=(2, 1, 3, 3))
    return {"A": A, "B": B, "v": rng.normal(size=(1, 3))}


@bridge("laws of matrices", "distributive and associative law", _laws)
def matrix_laws(A: Numbers, B: Numbers, v: Numbers) -> Sides:
    """(A - B) v = A v - B v and (A B) v = A (B v)."""
    return [], [
        Comparison("difference", _apply(A - B, v), "==", _apply(A, v) - _apply(B, v)),
        Comparison("product", _apply(A @ B, v), "==", _apply(A, _apply(B, v))),
    ]


def determinant(M: Numbers) -> Any:
    """Of (..., d, d), by its first row."""
    if M.shape[-1] == 1:
        return M[..., 0, 0]
    minors = [determinant(np.delete(M[..., 1:, :], k, axis=-1)) for k in range(M.shape[-1])]
    return sum((-1) ** k * M[..., 0, k] * minor for k, minor in enumerate(minors))


def _apply(M: Numbers, v: Numbers) -> Any:
    return (M @ v[..., None])[..., 0]


def _eye(M: Numbers) -> Any:
    return np.eye(M.shape[-1], dtype=int) + M * 0
