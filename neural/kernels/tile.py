"""Sums of rows in registers: acc[r] += sum_k a[k, r] rows[k], the inside of a matrix product.

Vectors are written out, since loops over short rows are not turned into good ones: of a 20 x 784 x 62 product LLVM
reads and writes the sums at each step, and reaches 40 to 70 Gflop/s on an AMD EPYC's core; this reaches 250 of its 290.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from neural.kernels.compiled import compiled
from neural.kernels.vectors import BYTES, MANY, Vectors

__all__ = ["add_patches", "add_row", "add_rows"]


TALL = 5 if MANY else 3  # rows of four vectors that fit into registers with what they are made from
LOW = 4 if MANY else 2  # rows where none of the tall ones are left over
HIGH = 7 if MANY else 6  # of two


def make(height: int, width: int) -> Any:
    """``tile(acc, at, stride, a, a0, ak, ar, rows, b0, where, w0, K)`` for compiled functions; all arrays are flat.

    acc[at + r stride + j] += sum_k a[a0 + k ak + r ar] rows[b0 + where[w0 + k] + j]: r < height, j < width vectors.
    Sums over k < K begin at 0 and are added at the end, so that tiles on the same places do not wait for one another.
    Where ``ak`` is an array, ak[w0 + k] takes the place of k ak.
    """

    @intrinsic
    def tile(context: Any, acc: Any, at: Any, stride: Any, a: Any, a0: Any, ak: Any, ar: Any, rows: Any, b0: Any,
             where: Any, w0: Any, K: Any) -> Any:  # fmt: skip
        n = types.intp
        listed = ak if isinstance(ak, types.Array) else n
        return types.void(acc, n, n, a, n, listed, n, rows, n, where, n, n), generate

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kind = signature.args[0].dtype
        own = Vectors(context, builder, kind)
        acc, at, stride, a, a0, ak, ar, rows, b0, where, w0, K = map(own.plain, signature.args, values)
        listed = isinstance(signature.args[5], types.Array)
        cells = {(r, j): own.zero() for r in range(height) for j in range(width)}
        with cgutils.for_range(builder, K, intp=at.type) as loop:
            place = builder.add(w0, loop.index)
            begin = builder.add(b0, own.number(where, place))
            row = [own.load(rows, begin, j) for j in range(width)]
            first = builder.add(a0, own.number(ak, place) if listed else builder.mul(loop.index, ak))
            for r in range(height):
                factor = own.spread(a, builder.add(first, builder.mul(ar, at.type(r))))
                for j in range(width):
                    own.add_product(cells[r, j], factor, row[j])
        for (r, j), cell in cells.items():
            own.add_to(acc, builder.add(at, builder.mul(stride, at.type(r))), j, cell)
        return context.get_dummy_value()

    return tile


_tall_4, _tall_2, _tall_1, _low_4, _low_2, _low_1 = (
    make(height, width) for height in (TALL, LOW) for width in (4, 2, 1)
)
_high_2, _high_1, _half_2, _half_1 = (make(height, width) for height in (HIGH, HIGH // 2) for width in (2, 1))
_1, _2, _4, _6, _10, _12 = (make(1, width) for width in (1, 2, 4, 6, 10, 12))


@compiled
def add_rows(acc, at, stride, many, n, a, a0, ak, ar, rows, b0, where, w0, K):  # type: ignore[no-untyped-def]
    """acc[at + r stride + j] += sum_k a[a0 + k ak + r ar] rows[b0 + where[w0 + k] + j]: r < many, j < n vectors."""
    size, j, low = BYTES // acc.itemsize, 0, many % TALL > 0 and many % LOW == 0
    while j < n:
        width = 4 if n - j >= 4 else 2 if n - j >= 2 else 1
        r = 0
        while r < many:
            place, first, begin = at + r * stride + j * size, a0 + r * ar, b0 + j * size
            if r + TALL <= many and not low:
                if width == 4:
                    _tall_4(acc, place, stride, a, first, ak, ar, rows, begin, where, w0, K)
                elif width == 2:
                    _tall_2(acc, place, stride, a, first, ak, ar, rows, begin, where, w0, K)
                else:
                    _tall_1(acc, place, stride, a, first, ak, ar, rows, begin, where, w0, K)
                r += TALL
            elif r + LOW <= many:
                if width == 4:
                    _low_4(acc, place, stride, a, first, ak, ar, rows, begin, where, w0, K)
                elif width == 2:
                    _low_2(acc, place, stride, a, first, ak, ar, rows, begin, where, w0, K)
                else:
                    _low_1(acc, place, stride, a, first, ak, ar, rows, begin, where, w0, K)
                r += LOW
            else:
                if width == 4:
                    _4(acc, place, stride, a, first, ak, ar, rows, begin, where, w0, K)
                elif width == 2:
                    _2(acc, place, stride, a, first, ak, ar, rows, begin, where, w0, K)
                else:
                    _1(acc, place, stride, a, first, ak, ar, rows, begin, where, w0, K)
                r += 1
        j += width


@compiled
def add_row(acc, at, n, a, a0, rows, b0, where, w0, K):  # type: ignore[no-untyped-def]
    """acc[at + j] += sum_k a[a0 + k] rows[b0 + where[w0 + k] + j], j < n vectors: one row, the longer the better."""
    size = BYTES // acc.itemsize
    while n > 0:
        if n >= 12:
            width = 12
            _12(acc, at, 0, a, a0, 1, 0, rows, b0, where, w0, K)
        elif n >= 10:
            width = 10
            _10(acc, at, 0, a, a0, 1, 0, rows, b0, where, w0, K)
        elif n >= 6:
            width = 6
            _6(acc, at, 0, a, a0, 1, 0, rows, b0, where, w0, K)
        elif n >= 2:
            width = 2
            _2(acc, at, 0, a, a0, 1, 0, rows, b0, where, w0, K)
        else:
            width = 1
            _1(acc, at, 0, a, a0, 1, 0, rows, b0, where, w0, K)
        at, b0, n = at + width * size, b0 + width * size, n - width


@compiled
def add_patches(acc, at, stride, many, n, a, a0, ak, ar, rows, b0, where, w0, K):  # type: ignore[no-untyped-def]
    """acc[at + r stride + j] += sum_k a[a0 + ak[w0 + k] + r ar] rows[b0 + where[w0 + k] + j], as in `add_rows`."""
    size, j = BYTES // acc.itemsize, 0
    while j < n:
        width = 2 if n - j >= 2 else 1
        r = 0
        while r < many:
            place, first, begin = at + r * stride + j * size, a0 + r * ar, b0 + j * size
            if r + HIGH <= many:
                if width == 2:
                    _high_2(acc, place, stride, a, first, ak, ar, rows, begin, where, w0, K)
                else:
                    _high_1(acc, place, stride, a, first, ak, ar, rows, begin, where, w0, K)
                r += HIGH
            elif r + HIGH // 2 <= many:
                if width == 2:
                    _half_2(acc, place, stride, a, first, ak, ar, rows, begin, where, w0, K)
                else:
                    _half_1(acc, place, stride, a, first, ak, ar, rows, begin, where, w0, K)
                r += HIGH // 2
            else:
                if width == 2:
                    _2(acc, place, stride, a, first, ak, ar, rows, begin, where, w0, K)
                else:
                    _1(acc, place, stride, a, first, ak, ar, rows, begin, where, w0, K)
                r += 1
        j += width
