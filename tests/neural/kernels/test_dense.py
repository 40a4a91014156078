"""A backward pass and a step in one pass over a matrix, against the two of them by numpy."""

from __future__ import annotations

import numpy as np
import pytest

from neural.kernels.dense import BLOCK, back_and_step
from neural.kernels.vectors import BYTES


@pytest.mark.parametrize("kind, close", [(np.float32, 1e-4), (np.float64, 1e-11)])
@pytest.mark.parametrize("outputs", [1, 7, BLOCK, BLOCK + 1, 3 * BLOCK - 5])
@pytest.mark.parametrize("B, vectors", [(1, 1), (20, 3), (7, 4), (33, 13)])
def test_against_numpy(kind: type, close: float, outputs: int, B: int, vectors: int) -> None:
    random, F = np.random.default_rng(outputs), vectors * BYTES // np.dtype(kind).itemsize
    s, x, W, rows = (random.normal(size=size).astype(kind) for size in ((B, outputs), (B, F), (outputs, F), (B, F)))
    before = [part.copy() for part in (s, x, W, rows)]
    back_and_step(s, x, W, kind(-0.3), rows)
    np.testing.assert_allclose(rows, before[3] + s @ before[2], rtol=close, atol=close * outputs**0.5)
    np.testing.assert_allclose(W, before[2] - 0.3 * s.T @ x, rtol=close, atol=close)
    assert (s == before[0]).all() and (x == before[1]).all()
