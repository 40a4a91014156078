"""Bridges on functions of one number: strict powers, roots, the exponential, the larger of two."""

from __future__ import annotations

from typing import Any

import numpy as np

from surrogate._types import Numbers
from surrogate.numbers import FLOATS, Kind
from theorems.bridges.bridge import Sides, bridge
from theorems.statement import Comparison

__all__ = [
    "below_both",
    "exponential",
    "extremes",
    "larger",
    "larger_below",
    "logarithm",
    "positive_powers",
    "root_of_product",
    "roots",
    "smaller",
]


def _positive(rng: np.random.Generator) -> dict[str, Any]:
    return {"base": rng.uniform(0.01, 2, size=6), "exponents": range(7)}


@bridge("powers of a positive number", "Hardy, Littlewood, Polya, Inequalities, section 2.1", _positive)
def positive_powers(base: Numbers, exponents: Any) -> Sides:
    """0 < a gives 0 < a^k for every natural k."""
    zero = base * 0
    return [Comparison("sign", base, ">", zero)], [Comparison("powers", base**k, ">", zero) for k in exponents]


def _some(rng: np.random.Generator) -> dict[str, Any]:
    return {"nb": FLOATS, "x": rng.uniform(0, 3, size=6)}


@bridge("square root", "definition of the root of a number that is not negative", _some)
def roots(nb: Kind, x: Numbers) -> Sides:
    """x >= 0 gives sqrt(x) >= 0 and sqrt(x)^2 = x."""
    root = nb.sqrt(x)
    return (
        [Comparison("sign", x, ">=", x * 0)],
        [Comparison("root", root, ">=", x * 0), Comparison("square", root * root, "==", x)],
    )


def _two(rng: np.random.Generator) -> dict[str, Any]:
    x, y = rng.uniform(0, 3, size=(2, 6))
    return {"nb": FLOATS, "x": x, "y": y}


@bridge("root of a product", "Hardy, Littlewood, Polya, Inequalities, section 2.1", _two)
def root_of_product(nb: Kind, x: Numbers, y: Numbers) -> Sides:
    """x, y >= 0: sqrt(x) sqrt(y) = sqrt(x y)."""
    return (
        [Comparison("first", x, ">=", x * 0), Comparison("second", y, ">=", y * 0)],
        [Comparison("product", nb.sqrt(x) * nb.sqrt(y), "==", nb.sqrt(x * y))],
    )


def _ordered(rng: np.random.Generator) -> dict[str, Any]:
    x, more = rng.normal(size=6), rng.uniform(0, 2, size=6)
    return {"nb": FLOATS, "x": x, "y": x + more}


@bridge("exponential", "Hardy, Littlewood, Polya, Inequalities, section 4.2: 1 + t <= e^t", _ordered)
def exponential(nb: Kind, x: Numbers, y: Numbers) -> Sides:
    """x <= y gives 0 < e^x <= e^y; and 1 + x <= e^x, e^x e^-x = 1."""
    first, second = nb.exp(x), nb.exp(y)
    return (
        [Comparison("order", x, "<=", y)],
        [
            Comparison("positive", first, ">", x * 0),
            Comparison("monotone", first, "<=", second),
            Comparison("tangent at 0", 1 + x, "<=", first),
            Comparison("inverse", first * nb.exp(-x), "==", x * 0 + 1),
        ],
    )


def _pair(rng: np.random.Generator) -> dict[str, Any]:
    x, y = rng.normal(size=(2, 6))
    return {"nb": FLOATS, "x": x, "y": y}


@bridge("the larger of two", "definition of the maximum", _pair)
def larger(nb: Kind, x: Numbers, y: Numbers) -> Sides:
    """x <= max(x, y) and y <= max(x, y)."""
    top = nb.maximum(x, y)
    return [], [Comparison("first", x, "<=", top), Comparison("second", y, "<=", top)]


def _above_0(rng: np.random.Generator) -> dict[str, Any]:
    x, y = rng.uniform(0.1, 3, size=(2, 6))
    return {"nb": FLOATS, "x": x, "y": y}


@bridge("the smaller of two positive numbers", "definition of the minimum, which is one of both", _above_0)
def smaller(nb: Kind, x: Numbers, y: Numbers) -> Sides:
    """x, y > 0: 0 < min(x, y) <= x, y, and 1/min(x, y) <= 1/x + 1/y."""
    low = nb.minimum(x, y)
    return (
        [Comparison("first", x, ">", x * 0), Comparison("second", y, ">", y * 0)],
        [
            Comparison("positive", low, ">", low * 0),
            Comparison("below the first", low, "<=", x),
            Comparison("below the second", low, "<=", y),
            Comparison("inverse", 1 / low, "<=", 1 / x + 1 / y),
        ],
    )


def _under(rng: np.random.Generator) -> dict[str, Any]:
    x, y, more = rng.normal(size=(3, 6))
    return {"nb": FLOATS, "x": x, "y": y, "most": np.maximum(x, y) + np.abs(more)}


@bridge("the larger of two is one of them", "definition of the maximum", _under)
def larger_below(nb: Kind, x: Numbers, y: Numbers, most: Numbers) -> Sides:
    """x <= z and y <= z give max(x, y) <= z."""
    premises = [Comparison("first", x, "<=", most), Comparison("second", y, "<=", most)]
    return premises, [Comparison("larger", nb.maximum(x, y), "<=", most)]


def _several(rng: np.random.Generator) -> dict[str, Any]:
    return {"nb": FLOATS, "x": rng.normal(size=(4, 5))}


@bridge("extremes of finitely many numbers", "definition of minimum and maximum", _several)
def extremes(nb: Kind, x: Numbers) -> Sides:
    """min_k x_k <= x_j <= max_k x_k for every j (over the last axis)."""
    least, largest = nb.smallest(x)[..., None], nb.largest(x)[..., None]
    return [], [Comparison("least", least, "<=", x), Comparison("largest", x, "<=", largest)]


def _positive_pair(rng: np.random.Generator) -> dict[str, Any]:
    x, more = rng.uniform(0.1, 3, size=(2, 6))
    return {"nb": FLOATS, "x": x, "y": x + more}


@bridge("logarithm", "Hardy, Littlewood, Polya, Inequalities, section 4.2: ln t <= t - 1", _positive_pair)
def logarithm(nb: Kind, x: Numbers, y: Numbers) -> Sides:
    """0 < x <= y gives ln x <= ln y; and ln x <= x - 1."""
    return (
        [Comparison("sign", x, ">", x * 0), Comparison("order", x, "<=", y)],
        [Comparison("monotone", nb.log(x), "<=", nb.log(y)), Comparison("tangent at 1", nb.log(x), "<=", x - 1)],
    )


def _below(rng: np.random.Generator) -> dict[str, Any]:
    x, y = rng.normal(size=(2, 6))
    return {"nb": FLOATS, "x": x, "y": y, "z": np.minimum(x, y) - rng.uniform(0, 1, size=6)}


@bridge("below the smaller of two", "definition of the minimum", _below)
def below_both(nb: Kind, x: Numbers, y: Numbers, z: Numbers) -> Sides:
    """z <= x and z <= y give z <= min(x, y)."""
    return (
        [Comparison("below the first", z, "<=", x), Comparison("below the second", z, "<=", y)],
        [Comparison("below both", z, "<=", nb.minimum(x, y))],
    )
