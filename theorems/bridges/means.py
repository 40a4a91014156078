"""Bridges on weighted means over clients, draws and rounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from surrogate._types import Numbers
from surrogate.numbers import FLOATS, Kind
from theorems.bridges.bridge import Sides, bridge
from theorems.statement import Comparison

__all__ = ["cauchy_schwarz", "convexity", "mean", "minkowski", "weights_of"]


def mean(w: Numbers, x: Numbers) -> Any:
    """sum_i w_i x_i, clients behind the batch axis, as many as weights."""
    if x.shape[w.ndim - 1] != w.shape[-1]:
        raise ValueError(f"{w.shape[-1]} weights of {x.shape[w.ndim - 1]} clients")
    return (w.reshape(w.shape + (1,) * (x.ndim - w.ndim)) * x).sum(axis=w.ndim - 1)


def weights_of(w: Numbers) -> list[Comparison]:
    """The premises of a mean."""
    total = w.sum(axis=-1)
    return [Comparison("weights", w, ">=", w * 0), Comparison("weights", total, "==", total * 0 + 1)]


def _weights(rng: np.random.Generator, n: int) -> Any:
    w = rng.uniform(0, 1, size=(1, n))
    return w / w.sum()


def _matrices(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "nb": FLOATS, "w": _weights(rng, 3), "M": rng.normal(size=(1, 3, 2, 2)), "v": rng.normal(size=(1, 3, 2))
    }  # fmt: skip


@bridge("Cauchy-Schwarz over clients", "Steele, The Cauchy-Schwarz Master Class, chapter 1", _matrices)
def cauchy_schwarz(nb: Kind, w: Numbers, M: Numbers, v: Numbers) -> Sides:
    """|sum w_i M_i v_i| <= sqrt(sum w_i |M_i|^2) sqrt(sum w_i |v_i|^2)."""
    norms = nb.opnorm(M)
    bound = nb.sqrt(mean(w, norms * norms)) * nb.sqrt(mean(w, (v * v).sum(axis=-1)))
    moved = nb.length(mean(w, (M @ v[..., None])[..., 0]))
    return weights_of(w), [Comparison("Cauchy-Schwarz", moved, "<=", bound)]


def _vectors(rng: np.random.Generator) -> dict[str, Any]:
    return {"nb": FLOATS, "w": _weights(rng, 3), "u": rng.normal(size=(1, 3, 2)), "v": rng.normal(size=(1, 3, 2))}


@bridge("Minkowski over clients", "Hardy, Littlewood, Polya, Inequalities, section 2.11", _vectors)
def minkowski(nb: Kind, w: Numbers, u: Numbers, v: Numbers) -> Sides:
    """sqrt(sum w_i |u_i + v_i|^2) <= sqrt(sum w_i |u_i|^2) + sqrt(sum w_i |v_i|^2)."""
    whole, first, second = (nb.sqrt(mean(w, (x * x).sum(axis=-1))) for x in (u + v, u, v))
    return weights_of(w), [Comparison("Minkowski", whole, "<=", first + second)]


def _some(rng: np.random.Generator) -> dict[str, Any]:
    return {"w": _weights(rng, 3), "v": rng.normal(size=(1, 3, 2))}


@bridge("convexity of the squared length", "Boyd and Vandenberghe, Convex Optimization, section 3.1.8 (Jensen)", _some)
def convexity(w: Numbers, v: Numbers) -> Sides:
    """|sum w_i v_i|^2 <= sum w_i |v_i|^2 for weights of at least 0 that sum to 1."""
    whole = mean(w, v)
    return weights_of(w), [Comparison("Jensen", (whole * whole).sum(axis=-1), "<=", mean(w, (v * v).sum(axis=-1)))]
