"""Sums of rows in registers: acc[r] += sum_k a[k, r] rows[k], the inside of a matrix product.

Vectors are written out, since loops over short rows are not turned into good ones: of a 20 x 784 x 62 product LLVM
reads and writes the sums at each step, and reaches 40 to 70 Gflop/s on an AMD EPYC's core; this reaches 250 of its 290.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from neural.kernels.compiled import compiled

__all__ = ["BYTES", "add_row", "add_rows", "lanes", "zeros"]


def _registers() -> tuple[int, int]:
    """Bytes of a vector register, and how many rows of four vectors fit with what they are made from."""
    has = llvm.get_host_cpu_features()
    if has.get("avx512f"):
        return 64, 5
    return (32, 3) if has.get("avx") else (16, 3)


BYTES, TALL = _registers()


def make(height: int, width: int) -> Any:
    """``tile(acc, at, stride, a, a0, ak, ar, rows, b0, where, w0, K)`` for compiled functions; all arrays are flat.

    acc[at + r stride + j] += sum_k a[a0 + k ak + r ar] rows[b0 + where[w0 + k] + j]: r < height, j < width vectors.
    Sums over k < K begin at 0 and are added at the end, so that tiles on the same places do not wait for one another.
    """

    @intrinsic
    def tile(context: Any, acc: Any, at: Any, stride: Any, a: Any, a0: Any, ak: Any, ar: Any, rows: Any, b0: Any,
             where: Any, w0: Any, K: Any) -> Any:  # fmt: skip
        n = types.intp
        return types.void(acc, n, n, a, n, n, n, rows, n, where, n, n), generate

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kind = signature.args[0].dtype
        own = _Vectors(context, builder, kind)
        acc, at, stride, a, a0, ak, ar, rows, b0, where, w0, K = map(own.plain, signature.args, values)
        cells = {(r, j): own.zero() for r in range(height) for j in range(width)}
        with cgutils.for_range(builder, K, intp=at.type) as loop:
            begin = builder.add(b0, own.number(where, builder.add(w0, loop.index)))
            row = [own.load(rows, begin, j) for j in range(width)]
            first = builder.add(a0, builder.mul(loop.index, ak))
            for r in range(height):
                factor = own.spread(a, builder.add(first, builder.mul(ar, at.type(r))))
                for j in range(width):
                    own.add_product(cells[r, j], factor, row[j])
        for (r, j), cell in cells.items():
            own.add_to(acc, builder.add(at, builder.mul(stride, at.type(r))), j, cell)
        return context.get_dummy_value()

    return tile


class _Vectors:
    """Instructions on vectors of numbers of one kind."""

    def __init__(self, context: Any, builder: Any, kind: Any) -> None:
        self.context, self.builder = context, builder
        self.size = kind.bitwidth // 8
        self.lanes = BYTES // self.size
        self.type = ir.VectorType(context.get_data_type(kind), self.lanes)

    def plain(self, kind: Any, value: Any) -> Any:
        """Where an array's numbers begin; a number as it is."""
        array = isinstance(kind, types.Array)
        return self.context.make_array(kind)(self.context, self.builder, value).data if array else value

    def number(self, data: Any, at: Any) -> Any:
        """A whole number, as wide as positions are."""
        found = self.builder.load(self.builder.gep(data, [at]))
        return found if found.type == at.type else self.builder.sext(found, at.type)

    def zero(self) -> Any:
        """A cell that LLVM keeps in a register."""
        cell = cgutils.alloca_once(self.builder, self.type)
        self.builder.store(ir.Constant(self.type, [0.0] * self.lanes), cell)
        return cell

    def _place(self, data: Any, begin: Any, j: int) -> Any:
        at = self.builder.gep(data, [self.builder.add(begin, begin.type(j * self.lanes))])
        return self.builder.bitcast(at, self.type.as_pointer())

    def load(self, data: Any, begin: Any, j: int) -> Any:
        """The j-th vector from ``begin``, which need not be aligned."""
        found = self.builder.load(self._place(data, begin, j))
        found.align = self.size
        return found

    def spread(self, data: Any, at: Any) -> Any:
        """One number in all places."""
        one = self.builder.insert_element(
            ir.Constant(self.type, ir.Undefined), self.builder.load(self.builder.gep(data, [at])), ir.IntType(32)(0)
        )
        places = ir.Constant(ir.VectorType(ir.IntType(32), self.lanes), [0] * self.lanes)
        return self.builder.shuffle_vector(one, ir.Constant(self.type, ir.Undefined), places)

    def add_product(self, cell: Any, x: Any, y: Any) -> None:
        """cell += x y."""
        fused = ("contract",)
        product = self.builder.fmul(x, y, flags=fused)
        self.builder.store(self.builder.fadd(self.builder.load(cell), product, flags=fused), cell)

    def add_to(self, data: Any, begin: Any, j: int, cell: Any) -> None:
        """The j-th vector from ``begin`` plus the cell, in place."""
        total = self.builder.fadd(self.load(data, begin, j), self.builder.load(cell))
        self.builder.store(total, self._place(data, begin, j)).align = self.size


_tall_4, _tall_2, _tall_1 = (make(TALL, width) for width in (4, 2, 1))
_1, _2, _4, _6, _10, _12 = (make(1, width) for width in (1, 2, 4, 6, 10, 12))


@compiled
def lanes(like: Any) -> int:
    """How many of an array's numbers are a vector."""
    return BYTES // like.itemsize


@compiled
def zeros(n: int, like: Any) -> Any:
    """A flat array that begins where a vector may: those across two lines of the cache take twice as long to read."""
    room = np.zeros(n + lanes(like), like.dtype)
    begin = (-room.ctypes.data % BYTES) // room.itemsize
    return room[begin : begin + n]


@compiled
def add_rows(acc, at, stride, many, n, a, a0, ak, ar, rows, b0, where, w0, K):  # type: ignore[no-untyped-def]
    """acc[at + r stride + j] += sum_k a[a0 + k ak + r ar] rows[b0 + where[w0 + k] + j]: r < many, j < n vectors."""
    size, j = BYTES // acc.itemsize, 0
    while j < n:
        width = 4 if n - j >= 4 else 2 if n - j >= 2 else 1
        r = 0
        while r < many:
            place, first, begin = at + r * stride + j * size, a0 + r * ar, b0 + j * size
            if r + TALL <= many:
                if width == 4:
                    _tall_4(acc, place, stride, a, first, ak, ar, rows, begin, where, w0, K)
                elif width == 2:
                    _tall_2(acc, place, stride, a, first, ak, ar, rows, begin, where, w0, K)
                else:
                    _tall_1(acc, place, stride, a, first, ak, ar, rows, begin, where, w0, K)
                r += TALL
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
