"""Bridges on quadratic forms x^T M x and their weighted means: order, Cauchy-Schwarz, least squares, lengths."""

from __future__ import annotations

from typing import Any

import numpy as np

from surrogate._types import Numbers
from surrogate.numbers import FLOATS, Kind
from theorems.bridges.bridge import Sides, bridge
from theorems.bridges.means import mean, weights_of
from theorems.bridges.spectra import population
from theorems.population import Population
from theorems.statement import Comparison

__all__ = [
    "form",
    "forms_grow",
    "least_squares",
    "lengths",
    "metric_cauchy_schwarz",
    "parallel_axes",
    "root_mean_square",
    "tested_resting_point",
]


def form(p: Population, values: Numbers, u: Numbers, v: Numbers) -> Any:
    """sum_i w_i u_i^T M_i v_i, where M_i has client i's eigenvectors and these eigenvalues."""
    return p.mean((u * (p.spectral(values) @ v[..., None])[..., 0]).sum(axis=-1))


def _two_spectra(rng: np.random.Generator) -> dict[str, Any]:
    low, more = rng.normal(size=(1, 3, 3)), rng.uniform(0, 1, size=(1, 3, 3))
    return {"p": population(rng), "low": low, "high": low + more, "v": rng.normal(size=(1, 3, 3))}


@bridge("quadratic forms grow with the spectrum", "Horn and Johnson, Matrix Analysis, section 7.7", _two_spectra)
def forms_grow(p: Population, low: Numbers, high: Numbers, v: Numbers) -> Sides:
    """Eigenvalues a <= b on the same eigenvectors: sum w_i v_i^T A_i v_i <= sum w_i v_i^T B_i v_i."""
    v = np.broadcast_to(v, p.c.shape)
    return (
        [*weights_of(p.w), Comparison("order", low, "<=", high)],
        [Comparison("forms", form(p, low, v, v), "<=", form(p, high, v, v))],
    )


def _metric(rng: np.random.Generator) -> dict[str, Any]:
    u, v = rng.normal(size=(2, 1, 3, 3))
    return {"p": population(rng), "values": rng.uniform(0, 2, size=(1, 3, 3)), "u": u, "v": v}


@bridge(
    "Cauchy-Schwarz in the metric of the M_i", "Steele, The Cauchy-Schwarz Master Class, chapter 1 (inner products)",
    _metric,
)  # fmt: skip
def metric_cauchy_schwarz(p: Population, values: Numbers, u: Numbers, v: Numbers) -> Sides:
    """M_i >= 0: (sum w_i u_i^T M_i v_i)^2 <= (sum w_i u_i^T M_i u_i) (sum w_i v_i^T M_i v_i)."""
    product = form(p, values, u, v)
    bound = form(p, values, u, u) * form(p, values, v, v)
    return (
        [*weights_of(p.w), Comparison("M >= 0", values, ">=", values * 0)],
        [Comparison("Cauchy-Schwarz", product * product, "<=", bound)],
    )


def _quadratics(rng: np.random.Generator) -> dict[str, Any]:
    return {"p": population(rng), "values": rng.uniform(0.1, 2, size=(1, 3, 3)), "x": rng.normal(size=(1, 3))}


@bridge("weighted least squares", "Boyd and Vandenberghe, Convex Optimization, section 4.2.3", _quadratics)
def least_squares(p: Population, values: Numbers, x: Numbers) -> Sides:
    """M_i > 0: r = (sum w_i M_i)^-1 sum w_i M_i c_i minimises sum w_i (x - c_i)^T M_i (x - c_i) over x."""
    rest, other = (point[..., None, :] - p.c for point in (p.rest(values), x))
    return (
        [*weights_of(p.w), Comparison("M > 0", values, ">", values * 0)],
        [Comparison("least", form(p, values, rest, rest), "<=", form(p, values, other, other))],
    )


@bridge(
    "parallel axes", "Boyd and Vandenberghe, Convex Optimization, A.5.5 (completing the square); Steiner", _quadratics
)
def parallel_axes(p: Population, values: Numbers, x: Numbers) -> Sides:
    """sum w_i (x - c_i)^T M_i (x - c_i) is (x - r)^T (sum w_i M_i)(x - r) and the same sum at r, for M_i > 0.

    r = (sum w_i M_i)^-1 sum w_i M_i c_i.
    """
    r = p.rest(values)
    away = np.broadcast_to((x - r)[..., None, :], p.c.shape)
    around, least = (form(p, values, v, v) for v in (point[..., None, :] - p.c for point in (x, r)))
    return (
        [*weights_of(p.w), Comparison("M > 0", values, ">", values * 0)],
        [Comparison("squares", around, "==", form(p, values, away, away) + least)],
    )


def _vector(rng: np.random.Generator) -> dict[str, Any]:
    return {"nb": FLOATS, "v": rng.normal(size=(4, 3))}


@bridge("squares of lengths", "definition of the Euclidean norm", _vector)
def lengths(nb: Kind, v: Numbers) -> Sides:
    """|v| >= 0 and |v|^2 = v^T v."""
    length, square = nb.length(v), (v * v).sum(axis=-1)
    return [], [
        Comparison("sign", length, ">=", length * 0),
        Comparison("square", length * length, "==", square),
        Comparison("sum of squares", square, ">=", square * 0),
    ]


def _weighted(rng: np.random.Generator) -> dict[str, Any]:
    w = rng.uniform(0, 1, size=(1, 3))
    return {"nb": FLOATS, "w": w / w.sum(), "v": rng.normal(size=(1, 3, 2))}


@bridge("root mean square", "definition; a sum of squares with weights of at least 0", _weighted)
def root_mean_square(nb: Kind, w: Numbers, v: Numbers) -> Sides:
    """s = sqrt(sum w_i |v_i|^2) is at least 0, and s^2 = sum w_i |v_i|^2."""
    square = mean(w, (v * v).sum(axis=-1))
    size = nb.sqrt(square)
    return weights_of(w), [Comparison("sign", size, ">=", size * 0), Comparison("square", size * size, "==", square)]


def _tested(rng: np.random.Generator) -> dict[str, Any]:
    values, reference = rng.uniform(0.1, 3, size=(2, 1, 3, 3))
    a = np.array([1.7])
    return {"p": population(rng), "values": values, "reference": reference, "a": a, "v": rng.normal(size=(1, 3))}


@bridge("resting point identity, times a vector", "linear algebra; accepted by Coq as Clients.displacement", _tested)
def tested_resting_point(p: Population, values: Numbers, reference: Numbers, a: Numbers, v: Numbers) -> Sides:
    """sum w_i M_i (x - c_i) = 0 = sum w_i B_i (y - c_i) give v^T M (x - y) = sum w_i v^T (M_i - a B_i) (c_i - y)."""
    moved = p.rest(values) - p.rest(reference)
    left = (v * (p.hessian(values) @ moved[..., None])[..., 0]).sum(axis=-1)
    test = np.broadcast_to(v[..., None, :], p.c.shape)
    right = form(p, values - a[..., None, None] * reference, test, p.c - p.rest(reference)[..., None, :])
    return [], [Comparison("displacement", left, "==", right)]
