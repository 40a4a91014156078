"""Bridges on recursions and double sums over finitely many steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from surrogate._types import Numbers
from theorems.bridges.bridge import Sides, bridge
from theorems.statement import Comparison

__all__ = ["exchanged_sums", "linear_recursion"]


def _recursion(rng: np.random.Generator) -> dict[str, Any]:
    return {"ratio": rng.uniform(-2, 2, size=3), "terms": rng.normal(size=(3, int(rng.integers(1, 6))))}


@bridge("linear recursion", "Elaydi, An Introduction to Difference Equations, section 1.2", _recursion)
def linear_recursion(ratio: Numbers, terms: Numbers) -> Sides:
    """y_k = r y_(k-1) + b_k from y_(-1) = 0: y_k = sum_(j <= k) r^(k-j) b_j (steps on the last axis)."""
    found, y = [], terms[..., 0] * 0
    for k in range(terms.shape[-1]):
        y = ratio * y + terms[..., k]
        unrolled: Any = sum(ratio ** (k - j) * terms[..., j] for j in range(k + 1))
        found.append(Comparison(f"y_{k}", y, "==", unrolled))
    return [], found


def _triangle(rng: np.random.Generator) -> dict[str, Any]:
    return {"terms": np.tril(rng.normal(size=(3, 4, 4)))}


@bridge("exchange of finite sums", "Graham, Knuth and Patashnik, Concrete Mathematics, section 2.4", _triangle)
def exchanged_sums(terms: Numbers) -> Sides:
    """sum_k sum_(j <= k) a_kj = sum_j sum_(k >= j) a_kj (over the last two axes)."""
    n = terms.shape[-1]
    rows: Any = sum(terms[..., k, j] for k in range(n) for j in range(k + 1))
    columns: Any = sum(terms[..., k, j] for j in range(n) for k in range(j, n))
    return [], [Comparison("sums", rows, "==", columns)]
