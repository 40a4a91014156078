"""Bridges on vectors: inner products, lengths of sums, directions, diagonal scaling, steps on a smooth function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from surrogate._types import Numbers, Scalar
from surrogate.numbers import FLOATS, Kind
from theorems.bridges.bridge import Sides, bridge
from theorems.statement import Comparison

__all__ = [
    "combined",
    "dented",
    "descent_lemma",
    "directions",
    "equal_lengths",
    "inner_products",
    "lipschitz_gradient",
    "scaling",
    "triangle",
]


def _pair(rng: np.random.Generator) -> dict[str, Any]:
    return {"nb": FLOATS, "u": rng.normal(size=(1, 3)), "v": rng.normal(size=(1, 3))}


@bridge("Cauchy-Schwarz of two vectors", "Steele, The Cauchy-Schwarz Master Class, chapter 1", _pair)
def inner_products(nb: Kind, u: Numbers, v: Numbers) -> Sides:
    """-|u| |v| <= <u, v> <= |u| |v|."""
    inner, most = (u * v).sum(axis=-1), nb.length(u) * nb.length(v)
    return [], [Comparison("at least", -most, "<=", inner), Comparison("at most", inner, "<=", most)]


def _many(rng: np.random.Generator) -> dict[str, Any]:
    return {"nb": FLOATS, "vectors": list(rng.normal(size=(4, 1, 3)))}


@bridge("triangle inequality", "Hardy, Littlewood, Polya, Inequalities, section 2.11", _many)
def triangle(nb: Kind, vectors: Sequence[Any]) -> Sides:
    """0 <= |sum_k v_k| <= sum_k |v_k|."""
    whole, parts = vectors[0], nb.length(vectors[0])
    for v in vectors[1:]:
        whole, parts = whole + v, parts + nb.length(v)
    size = nb.length(whole)
    return [], [Comparison("triangle", size, "<=", parts), Comparison("length", size, ">=", size * 0)]


def _same(rng: np.random.Generator) -> dict[str, Any]:
    u = rng.normal(size=(1, 3))
    return {"nb": FLOATS, "u": u, "v": u * 1}


@bridge("lengths of equal vectors", "definition of the Euclidean norm", _same)
def equal_lengths(nb: Kind, u: Numbers, v: Numbers) -> Sides:
    """u_k = v_k for every k: |u| = |v|."""
    return [Comparison("coordinates", u, "==", v)], [Comparison("lengths", nb.length(u), "==", nb.length(v))]


def _weighted(rng: np.random.Generator) -> dict[str, Any]:
    return {"nb": FLOATS, "weights": list(rng.uniform(0, 2, size=(4, 1))), "vectors": list(rng.normal(size=(4, 1, 3)))}


@bridge("norm of a combination", "Hardy, Littlewood, Polya, Inequalities, section 2.11", _weighted)
def combined(nb: Kind, weights: Sequence[Any], vectors: Sequence[Any]) -> Sides:
    """a_k >= 0: 0 <= |sum_k a_k v_k| <= sum_k a_k |v_k|."""
    whole: Any = sum(a[..., None] * v for a, v in zip(weights, vectors, strict=True))
    parts: Any = sum(a * nb.length(v) for a, v in zip(weights, vectors, strict=True))
    size = nb.length(whole)
    return (
        [Comparison("weights", a, ">=", a * 0) for a in weights],
        [Comparison("norm", size, "<=", parts), Comparison("length", size, ">=", size * 0)],
    )


@bridge("directions of two vectors", "Dunkl and Williams 1964, A simple norm inequality: its first step", _pair)
def directions(nb: Kind, u: Numbers, v: Numbers) -> Sides:
    """u not 0: | |v| u/|u| - v | <= 2 |u - v|."""
    size = nb.length(u)
    turned = (nb.length(v) / size)[..., None] * u
    return (
        [Comparison("not 0", size, ">", size * 0)],
        [Comparison("directions", nb.length(turned - v), "<=", 2 * nb.length(u - v))],
    )


def _scaled(rng: np.random.Generator) -> dict[str, Any]:
    D = rng.uniform(0.1, 2, size=(1, 3))
    return {**_pair(rng), "v": D, "low": D.min(axis=-1), "high": D.max(axis=-1)}


@bridge("diagonal scaling of a vector", "Horn and Johnson, Matrix Analysis, section 5.6", _scaled)
def scaling(nb: Kind, u: Numbers, v: Numbers, low: Numbers, high: Numbers) -> Sides:
    """0 <= a <= d_j <= b for every j: a |u| <= |(d_j u_j)| <= b |u|."""
    size, scaled = nb.length(u), nb.length(v * u)
    return (
        [
            Comparison("sign", low, ">=", low * 0),
            Comparison("least", low[..., None], "<=", v),
            Comparison("largest", v, "<=", high[..., None]),
        ],
        [
            Comparison("at least", low * size, "<=", scaled),
            Comparison("at most", scaled, "<=", high * size),
            Comparison("length", size, ">=", size * 0),
        ],
    )


def _smooth(rng: np.random.Generator) -> dict[str, Any]:
    A, (theta, reach) = rng.uniform(0, 2, size=(1, 3)), rng.uniform(0, 1, size=(2, 1, 1))
    x, y, c = rng.normal(size=(3, 1, 3))
    return {"A": A, "c": c, "x": x, "y": y, "L": A.max(axis=-1), "theta": theta, "reach": reach + 0.1}


def _steep(rng: np.random.Generator) -> dict[str, Any]:
    A = rng.uniform(-2, 2, size=(1, 3))
    x, y, c = rng.normal(size=(3, 1, 3))
    return {"A": A, "c": c, "x": x, "y": y, "L": np.abs(A).max(axis=-1)}


@bridge("Lipschitz gradient", "Nesterov, Introductory Lectures on Convex Optimization, lemma 1.2.2", _steep)
def lipschitz_gradient(A: Numbers, c: Numbers, x: Numbers, y: Numbers, L: Numbers) -> Sides:
    """Hessians between -L and L: |grad f(y) - grad f(x)|^2 <= L^2 |y - x|^2.

    Here f is sum_j A_j (x_j - c_j)^2 / 2 with -L <= A_j <= L.
    """
    change, way, most = A * (y - c) - A * (x - c), y - x, L[..., None]
    return (
        [Comparison("at least", -most, "<=", A), Comparison("at most", A, "<=", most)],
        [Comparison("Lipschitz", (change * change).sum(axis=-1), "<=", L * L * (way * way).sum(axis=-1))],
    )


def dented(u: Numbers, theta: Scalar, reach: Scalar) -> tuple[Any, Any]:
    """u^2/2 (1 - theta + theta/(1 + u^2/r^2)) and its derivative; for theta near 1 it is bounded, and not convex."""
    far = 1 + u * u / (reach * reach)
    return u * u * (1 - theta + theta / far) / 2, u * (1 - theta + theta / (far * far))


@bridge("descent lemma", "Nesterov, Introductory Lectures on Convex Optimization, lemma 1.2.3", _smooth)
def descent_lemma(
    A: Numbers, c: Numbers, x: Numbers, y: Numbers, L: Numbers, theta: Numbers | None = None, reach: Scalar = 1
) -> Sides:
    """A gradient with Lipschitz constant L: f(y) <= f(x) + <grad f(x), y - x> + L/2 |y - x|^2.

    Here f is sum_j A_j (x_j - c_j)^2 / 2 with A_j <= L, or, with A_j >= 0 and 0 <= theta <= 1, its ``dented`` kin.
    """
    bent = x[..., :1] * 0 if theta is None else theta
    (before, slope), (after, _) = (dented(z - c, bent, reach) for z in (x, y))
    inner, square = (A * slope * (y - x)).sum(axis=-1), ((y - x) ** 2).sum(axis=-1)
    signs = [Comparison("A >= 0", A, ">=", A * 0), Comparison("theta >= 0", bent, ">=", bent * 0)]
    signs.append(Comparison("theta <= 1", bent, "<=", bent * 0 + 1))
    return (
        [Comparison("Lipschitz", A, "<=", L[..., None]), *(signs if theta is not None else [])],
        [Comparison("descent", (A * after).sum(axis=-1), "<=", (A * before).sum(axis=-1) + inner + L * square / 2)],
    )
