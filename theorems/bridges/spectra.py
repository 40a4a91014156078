"""Bridges from spectra to matrices: means of symmetric matrices, inverses, resting points."""

from __future__ import annotations

from typing import Any

import numpy as np

from surrogate._types import Numbers
from surrogate.numbers import FLOATS, Kind
from theorems.bridges.bridge import Sides, bridge
from theorems.bridges.means import weights_of
from theorems.population import Population
from theorems.statement import Comparison

__all__ = [
    "averages",
    "averages_norm",
    "averages_of_vectors",
    "deviation_norm",
    "inverse",
    "population",
    "resting_point",
]


def population(rng: np.random.Generator, n: int = 3, d: int = 3) -> Population:
    """Random clients in floats."""
    R = np.linalg.qr(rng.normal(size=(1, n, d, d)))[0]
    w = rng.uniform(0.01, 1, size=(1, n))
    return Population(FLOATS, rng.uniform(0.1, 2, size=(1, n, d)), R, rng.normal(size=(1, n, d)), w / w.sum())


def _bounded(rng: np.random.Generator) -> dict[str, Any]:
    p = population(rng)
    values = rng.normal(size=(1, 3, 3))
    return {"p": p, "values": values, "low": values.min(axis=(-1, -2)), "high": values.max(axis=(-1, -2))}


@bridge("means keep spectral bounds", "Horn and Johnson, Matrix Analysis, theorem 4.3.1 (Weyl)", _bounded)
def averages(p: Population, values: Numbers, low: Numbers, high: Numbers) -> Sides:
    """Spectra of all M_i in [a, b], weights of at least 0 that sum to 1: the spectrum of sum w_i M_i is in [a, b]."""
    eigenvalues = p.nb.eigenvalues(p.hessian(values))
    return (
        [
            *weights_of(p.w),
            Comparison("least", low[..., None, None], "<=", values),
            Comparison("largest", values, "<=", high[..., None, None]),
        ],
        [
            Comparison("least", low[..., None], "<=", eigenvalues),
            Comparison("largest", eigenvalues, "<=", high[..., None]),
        ],
    )


def _moved(rng: np.random.Generator) -> dict[str, Any]:
    p, values = population(rng), rng.normal(size=(1, 3, 3))
    return {"p": p, "values": values, "v": rng.normal(size=(1, 3, 3)), "most": np.abs(values).max(axis=(-1, -2))}


@bridge("means of moved vectors", "Minkowski and Jensen; |M v| <= |M| |v|", _moved)
def averages_of_vectors(p: Population, values: Numbers, v: Numbers, most: Numbers) -> Sides:
    """Spectra of all M_i in [-b, b]: |sum w_i M_i v_i| <= b sqrt(sum w_i |v_i|^2)."""
    moved = p.mean((p.spectral(values) @ v[..., None])[..., 0])
    size = p.nb.sqrt(p.mean((v * v).sum(axis=-1)))
    return (
        [
            *weights_of(p.w),
            Comparison("largest", values, "<=", most[..., None, None]),
            Comparison("least", -most[..., None, None], "<=", values),
        ],
        [Comparison("moved", p.nb.length(moved), "<=", most * size)],
    )


def _positive(rng: np.random.Generator) -> dict[str, Any]:
    p = population(rng)
    M = p.hessian(p.lam)
    return {"nb": FLOATS, "M": M, "v": rng.normal(size=(1, 3)), "low": np.linalg.eigvalsh(M)[..., 0]}


@bridge("inverse of a positive definite matrix", "Horn and Johnson, Matrix Analysis, section 7.1", _positive)
def inverse(nb: Kind, M: Numbers, v: Numbers, low: Numbers) -> Sides:
    """M symmetric with eigenvalues of at least a > 0: |M^-1 v| <= |v| / a."""
    if not np.all(np.abs(M - np.swapaxes(M, -1, -2)) <= 1e-9):
        raise ValueError("the matrix is not symmetric")
    return (
        [
            Comparison("positive", low, ">", low * 0),
            Comparison("least", low[..., None], "<=", nb.eigenvalues(M)),
        ],
        [Comparison("inverse", nb.length(nb.solve(M, v)), "<=", nb.length(v) / low)],
    )


def _resting(rng: np.random.Generator) -> dict[str, Any]:
    return {"p": population(rng), "values": rng.uniform(0.1, 3, size=(1, 3, 3)), "a": np.array([1.7])}


@bridge("resting point identity", "linear algebra; accepted by Coq as Clients.displacement", _resting)
def resting_point(p: Population, values: Numbers, a: Numbers, reference: Numbers | None = None) -> Sides:
    """sum w_i M_i (x - c_i) = 0 and sum w_i B_i (y - c_i) = 0 give M (x - y) = -sum w_i (M_i - a B_i) (y - c_i).

    B_i = A_i and y = x* unless a ``reference`` spectrum is given.
    """
    base = p.lam if reference is None else reference
    other = p.rest(base)
    rest = p.mean((p.spectral(values - a[..., None, None] * base) @ (other[..., None, :] - p.c)[..., None])[..., 0])
    moved = p.rest(values) - other
    return [], [Comparison("displacement", p.nb.length(moved), "==", p.nb.length(p.nb.solve(p.hessian(values), rest)))]


def _symmetric(rng: np.random.Generator) -> dict[str, Any]:
    p, values = population(rng), rng.normal(size=(1, 3, 3))
    return {"p": p, "values": values, "most": np.abs(values).max(axis=(-1, -2))}


@bridge("norm of a mean of symmetric matrices", "Horn and Johnson, Matrix Analysis, section 5.6", _symmetric)
def averages_norm(p: Population, values: Numbers, most: Numbers) -> Sides:
    """Spectra of all M_i in [-b, b]: the operator norm of sum w_i M_i is at most b."""
    return (
        [
            *weights_of(p.w),
            Comparison("largest", values, "<=", most[..., None, None]),
            Comparison("least", -most[..., None, None], "<=", values),
        ],
        [Comparison("norm", p.nb.opnorm(p.hessian(values)), "<=", most)],
    )


def _semidefinite(rng: np.random.Generator) -> dict[str, Any]:
    p = population(rng)
    return {"p": p, "values": p.lam, "most": p.L}


@bridge("distance to the mean of semidefinite matrices", "Horn and Johnson, Matrix Analysis, 4.2.2", _semidefinite)
def deviation_norm(p: Population, values: Numbers, most: Numbers) -> Sides:
    """Spectra of all M_i in [0, b]: |M_i - sum w_j M_j| <= b for every i."""
    M = p.spectral(values)
    return (
        [
            *weights_of(p.w),
            Comparison("least", values, ">=", values * 0),
            Comparison("largest", values, "<=", most[..., None, None]),
        ],
        [Comparison("deviation", p.nb.opnorm(M - p.mean(M)[..., None, :, :]), "<=", most[..., None])],
    )
