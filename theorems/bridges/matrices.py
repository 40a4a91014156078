"""Bridges on square matrices that need not be symmetric: norms, inverses, fixed points, repeated affine steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from surrogate._types import Numbers
from surrogate.numbers import FLOATS, Kind
from theorems.bridges.bridge import Sides, bridge
from theorems.statement import Comparison

__all__ = ["inverse_at_least"]


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
