"""e^x in single precision against numpy's in double."""

from __future__ import annotations

import numpy as np

from neural.kernels.compiled import compiled
from neural.kernels.exponential import exp


@compiled
def each(x, y):  # type: ignore[no-untyped-def]
    for i in range(len(x)):
        y[i] = exp(x[i])


def test_two_units_in_the_last_place() -> None:
    x = np.concatenate([-np.linspace(0, 86.9, 500_001), -np.logspace(-12, 0, 50_001)]).astype(np.float32)
    y = np.empty_like(x)
    each(x, y)
    exact = np.exp(x.astype(np.float64))
    assert (np.abs(y - exact) <= 2 * np.spacing(exact.astype(np.float32))).all()


def test_edges() -> None:
    x = np.array([0, -0.0, -87, -88, -1e30, -np.inf, np.nan], np.float32)
    y = np.empty_like(x)
    each(x, y)
    np.testing.assert_array_equal(y, np.array([1, 1, 0, 0, 0, 0, np.nan], np.float32))
