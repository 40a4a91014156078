"""Sums of rows in registers against the same sums by numpy."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neural.kernels.tile import add_patches, add_row, add_rows
from neural.kernels.vectors import BYTES, lanes, zeros

KINDS = [np.float32, np.float64]
CLOSE = {np.float32: 1e-5, np.float64: 1e-13}


def draw(seed: int, n: int, kind: type) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=n).astype(kind)


@pytest.mark.parametrize("kind", KINDS)
@given(many=st.integers(1, 12), n=st.integers(1, 6), K=st.integers(0, 9), seed=st.integers(0, 99), turned=st.booleans())
def test_products_of_matrices(kind: type, many: int, n: int, K: int, seed: int, turned: bool) -> None:
    """acc + A R for A (many, K) or its transpose in memory, R's rows in any order and with gaps between them."""
    size = BYTES // np.dtype(kind).itemsize
    width, gap = n * size, n * size + 3
    acc, a, rows = draw(seed, many * gap + 5, kind), draw(seed + 1, many * K + 2, kind), draw(seed + 2, 20 * gap, kind)
    where = np.random.default_rng(seed).integers(0, 19 * gap - 1, size=K + 1)
    A = (a[2:].reshape(K, many).T if turned else a[2:].reshape(many, K)) if K else np.zeros((many, 0))
    R = np.array([rows[1 + at : 1 + at + width] for at in where[1:]]).reshape(K, width)
    expected = acc.copy()
    expected[5:].reshape(many, gap)[:, :width] += A @ R
    steps = (many, 1) if turned else (1, K)
    add_rows(acc, 5, gap, many, n, a, 2, *steps, rows, 1, where, 1, K)
    np.testing.assert_allclose(acc, expected, rtol=0, atol=10 * CLOSE[kind])


@pytest.mark.parametrize("kind", KINDS)
@given(many=st.integers(0, 17), n=st.integers(1, 3), K=st.integers(0, 9), seed=st.integers(0, 99))
def test_patches(kind: type, many: int, n: int, K: int, seed: int) -> None:
    """acc + A R, where A's columns begin anywhere, and its rows overlap as patches of an image do."""
    size = BYTES // np.dtype(kind).itemsize
    width, gap, step = n * size, n * size + 3, 2
    acc, a, rows = draw(seed, many * gap + 5, kind), draw(seed + 1, 50, kind), draw(seed + 2, 20 * gap, kind)
    random = np.random.default_rng(seed)
    reach, where = random.integers(0, 10, size=K + 1), random.integers(0, 19 * gap - 1, size=K + 1)
    A = np.array([[a[3 + reach[1 + k] + r * step] for k in range(K)] for r in range(many)]).reshape(many, K)
    R = np.array([rows[1 + at : 1 + at + width] for at in where[1:]]).reshape(K, width)
    expected = acc.copy()
    expected[5:].reshape(many, gap)[:, :width] += A @ R
    add_patches(acc, 5, gap, many, n, a, 3, reach, step, rows, 1, where, 1, K)
    np.testing.assert_allclose(acc, expected, rtol=0, atol=10 * CLOSE[kind])


@pytest.mark.parametrize("kind", KINDS)
@given(n=st.integers(0, 27), K=st.integers(0, 9), seed=st.integers(0, 99))
def test_one_row(kind: type, n: int, K: int, seed: int) -> None:
    """acc + a R, of any whole number of vectors; what is beside them stays."""
    width = n * BYTES // np.dtype(kind).itemsize
    acc, a, rows = draw(seed, width + 9, kind), draw(seed + 1, K + 3, kind), draw(seed + 2, 700, kind)
    where = np.random.default_rng(seed).integers(0, 700 - width, size=K).astype(np.int32)
    expected = acc.copy()
    for factor, at in zip(a[3:], where, strict=True):
        expected[4 : 4 + width] += factor * rows[at : at + width]
    add_row(acc, 4, n, a, 3, rows, 0, where, 0, K)
    np.testing.assert_allclose(acc, expected, rtol=0, atol=10 * CLOSE[kind])
    assert (acc[:4] == expected[:4]).all() and (acc[4 + width :] == expected[4 + width :]).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [0, 1, 7, 1000])
def test_zeros_begin_where_a_vector_may(kind: type, n: int) -> None:
    like = np.zeros(1, kind)
    found = zeros(n, like)
    assert found.shape == (n,) and found.dtype == kind and not found.any()
    assert found.ctypes.data % BYTES == 0 and lanes(like) * like.itemsize == BYTES


OTHER = """
import llvmlite.binding as llvm
import numpy as np
import neural.kernels.compiled
from unittest.mock import patch
real = llvm.get_host_cpu_features()
class Told(dict):
    flatten = real.flatten  # what numba compiles for
with patch.object(llvm, "get_host_cpu_features", lambda: Told({features})):
    from neural.kernels.tile import BYTES, add_patches, add_row, add_rows
random = np.random.default_rng(0)
for kind in (np.float32, np.float64):
    width = 7 * BYTES // np.dtype(kind).itemsize
    a, rows, acc = (random.integers(-9, 9, size).astype(kind) for size in ((8, 5), (5, width), (8, width)))
    expected, where = acc + a @ rows, np.arange(5) * width
    one = acc[0].copy()
    add_row(one, 0, 7, a.ravel(), 0, rows.ravel(), 0, where, 0, 5)
    patches = acc.copy()
    add_patches(patches.reshape(-1), 0, width, 8, 7, a.ravel(), 0, np.arange(5), 5, rows.ravel(), 0, where, 0, 5)
    add_rows(acc.reshape(-1), 0, width, 8, 7, a.ravel(), 0, 1, 5, rows.ravel(), 0, where, 0, 5)
    assert (acc == expected).all() and (patches == expected).all() and (one == expected[0]).all()
print(BYTES)
"""


@pytest.mark.parametrize("features, size", [({"avx512f": True, "avx": True}, 64), ({"avx": True}, 32), ({}, 16)])
def test_on_other_processors(features: dict[str, bool], size: int, tmp_path: Path) -> None:
    """With registers of other sizes, in whole numbers, whose sums are exact."""
    done = subprocess.run(
        [sys.executable, "-c", OTHER.format(features=features)],
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}, cwd=Path(__file__).resolve().parents[3],
        capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout.strip()) == (0, str(size)), done.stderr
