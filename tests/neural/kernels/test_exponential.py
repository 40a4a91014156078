"""e^x in single precision against numpy's in double."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from neural.kernels.compiled import compiled
from neural.kernels.exponential import exp, exponentials


@compiled
def each(x, y):  # type: ignore[no-untyped-def]
    for i in range(len(x)):
        y[i] = exp(x[i])


def test_two_units_in_the_last_place() -> None:
    ways = np.linspace(-86.9, 88.3, 999_999), np.logspace(-12, 0, 50_001), -np.logspace(-12, 0, 50_001)
    x = np.concatenate(ways).astype(np.float32)
    y = np.empty_like(x)
    each(x, y)
    exact = np.exp(x.astype(np.float64))
    assert (np.abs(y - exact) <= 2 * np.spacing(exact.astype(np.float32))).all()


def test_edges() -> None:
    x = np.array([0, -0.0, -87, -88, -1e30, -np.inf, np.nan, 88.73, 1e30, np.inf], np.float32)
    y = np.empty_like(x)
    each(x, y)
    np.testing.assert_array_equal(y, np.array([1, 1, 0, 0, 0, 0, np.nan, np.inf, np.inf, np.inf], np.float32))


@given(N=st.integers(0, 4), V=st.integers(1, 200), seed=st.integers(0, 99))
def test_their_sums(N: int, V: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    z, q = random.normal(size=(N, V)).astype(np.float32), random.normal(size=V).astype(np.float32)
    exact, sums = np.exp(z.astype(np.float64)), np.empty(N, np.float32)
    exponentials(z, q, sums)
    np.testing.assert_allclose(z, exact, rtol=3e-7)
    np.testing.assert_allclose(sums, exact @ q, rtol=0, atol=1e-6 * np.abs(exact @ np.abs(q)).max(initial=1))


def test_a_row_without_a_number_has_none_in_its_sum() -> None:
    z, sums = np.array([[0, np.nan, 1], [100, 0, 0], [0, 0, 0]], np.float32), np.empty(3, np.float32)
    exponentials(z, np.ones(3, np.float32), sums)
    np.testing.assert_array_equal(sums, np.array([np.nan, np.inf, 3], np.float32))
