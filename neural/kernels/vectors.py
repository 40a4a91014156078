"""Vectors of numbers, as instructions: what fits into a register of this processor."""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from neural.kernels.compiled import compiled

__all__ = ["BYTES", "MANY", "Vectors", "lanes", "whole", "zeros"]


def _registers() -> tuple[int, bool]:
    """Bytes of a vector register, and whether there are 32 of them, not 16."""
    has = llvm.get_host_cpu_features()
    if has.get("avx512f"):
        return 64, True
    return (32, False) if has.get("avx") else (16, False)


BYTES, MANY = _registers()


def whole(count: int, size: int) -> int:
    """The numbers of ``size`` bytes in the vectors that hold so many."""
    lanes = BYTES // size
    return -(-count // lanes) * lanes


class Vectors:
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

    def store(self, data: Any, begin: Any, vector: Any) -> None:
        """Its numbers from ``begin`` on, which need not be aligned."""
        place = self.builder.bitcast(self.builder.gep(data, [begin]), vector.type.as_pointer())
        self.builder.store(vector, place).align = 1

    def add_to(self, data: Any, begin: Any, j: int, cell: Any) -> None:
        """The j-th vector from ``begin`` plus the cell, in place."""
        total = self.builder.fadd(self.load(data, begin, j), self.builder.load(cell))
        self.store(data, self.builder.add(begin, begin.type(j * self.lanes)), total)


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
