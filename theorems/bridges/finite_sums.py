"""Bridges on powers, finite sums and recursions."""

from __future__ import annotations

from typing import Any

import numpy as np

from surrogate._types import Numbers
from theorems.bridges.bridge import Sides, bridge
from theorems.statement import Comparison

__all__ = ["as_many", "geometric_sum", "mean_square", "powers", "sums"]


def _two(rng: np.random.Generator) -> dict[str, Any]:
    low, more = rng.uniform(0, 1, size=(2, 6))
    return {"low": low, "high": low + more, "exponents": range(7)}


@bridge("monotone powers", "Hardy, Littlewood, Polya, Inequalities, section 2.1", _two)
def powers(low: Numbers, high: Numbers, exponents: Any) -> Sides:
    """0 <= a <= b gives a^k <= b^k for every natural k."""
    if not all(isinstance(k, int) and k >= 0 for k in exponents):
        raise ValueError(f"{exponents}: not all are natural numbers")
    return (
        [Comparison("sign", low, ">=", low * 0), Comparison("order", low, "<=", high)],
        [Comparison("powers", low**k, "<=", high**k) for k in exponents]
        + [Comparison("sign", low**k, ">=", low * 0) for k in exponents],
    )


def _terms(rng: np.random.Generator) -> dict[str, Any]:
    low = rng.normal(size=(4, 5))
    return {"low": low, "high": low + rng.uniform(0, 1, size=(4, 5))}


@bridge("sums of terms", "term by term: induction on their number", _terms)
def sums(low: Numbers, high: Numbers) -> Sides:
    """a_k <= b_k for every k gives sum_k a_k <= sum_k b_k (over the last axis)."""
    as_many(low, high)
    return [Comparison("terms", low, "<=", high)], [Comparison("sums", low.sum(axis=-1), "<=", high.sum(axis=-1))]


def as_many(*terms: Numbers) -> None:
    """Raise where sums would have different numbers of terms: one term stands for itself alone."""
    if len({side.shape[-1] for side in terms}) > 1:
        raise ValueError(f"sums of unlike length: {', '.join(str(side.shape) for side in terms)}")


def _ratio(rng: np.random.Generator) -> dict[str, Any]:
    return {"ratio": rng.uniform(-2, 2, size=5), "count": int(rng.integers(1, 9))}


@bridge("geometric sum", "Euclid, Elements IX.35", _ratio)
def geometric_sum(ratio: Numbers, count: int) -> Sides:
    """(1 - r) sum_{k<n} r^k = 1 - r^n."""
    if count < 1:
        raise ValueError(f"a sum of {count} terms")
    total = sum((ratio**k for k in range(1, count)), ratio * 0 + 1)
    return [], [Comparison("sum", (1 - ratio) * total, "==", 1 - ratio**count)]


def _values(rng: np.random.Generator) -> dict[str, Any]:
    return {"values": rng.normal(size=(4, 5))}


@bridge("square of a mean", "Hardy, Littlewood, Polya, Inequalities, section 2.9", _values)
def mean_square(values: Numbers) -> Sides:
    """(sum_k v_k / n)^2 <= sum_k v_k^2 / n (over the last axis)."""
    count = values.shape[-1]
    mean = values.sum(axis=-1) / count
    return [], [Comparison("square", mean * mean, "<=", (values * values).sum(axis=-1) / count)]
