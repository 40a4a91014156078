"""Matrices of rationals: arrays whose entries are ``fmpq``, and flint's ``fmpq_mat``, which solves and inverts."""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from surrogate._types import ExactArray
from surrogate.kit.errors import problem
from surrogate.numbers.rationals import fraction

__all__ = ["Ring", "array", "column", "frozen", "matrix", "rational", "stack", "table", "vector"]


def rational(value: Any) -> fmpq:
    """``value`` as an exact fraction: int, Fraction, fmpq, a string like "1/3" or "0.1", a sympy Rational, a float.

    A float is taken as the binary fraction it is: 0.5 is 1/2, but 0.1 is 3602879701896397/36028797018963968.

    >>> rational("0.1"), rational(0.5), rational(0.1) == rational("1/10")
    (1/10, 1/2, False)
    """
    return value if isinstance(value, fmpq) else fmpq(*fraction(value))


def array(value: Any, name: str, ndim: int, shape: str) -> ExactArray:
    """``value`` as an array of fmpq with ``ndim`` axes, described in errors as ``shape``."""
    raw = np.array(value, dtype=object)
    if raw.ndim != ndim or 0 in raw.shape:
        raise problem(
            name,
            f"of shape {raw.shape}",
            f"shape {shape}",
            "ragged rows, a missing client axis (one client needs [A]), or no clients",
            f"reshape to {shape}, rows of equal length",
        )
    result = np.empty(raw.shape, dtype=object)
    for where, entry in np.ndenumerate(raw):
        try:
            result[where] = rational(entry)
        except (TypeError, ValueError, OverflowError, ZeroDivisionError):
            raise problem(
                f"{name}{list(where)}",
                repr(entry),
                "a rational: an int, a Fraction, a string like '1/3', or a finite float",
                "an overflow, a missing value, or a symbol upstream",
                f"mend or drop the client {where[0]}",
            ) from None
    return frozen(result)


def frozen(a: ExactArray) -> ExactArray:
    a.setflags(write=False)
    return a


def matrix(a: ExactArray) -> fmpq_mat:
    """(r, s) array to fmpq_mat."""
    entries: list[Any] = list(a.flat)
    return fmpq_mat(a.shape[0], a.shape[1], entries)


def column(a: ExactArray) -> fmpq_mat:
    """(d,) array to a one-column fmpq_mat."""
    return fmpq_mat(len(a), 1, list(a))


def table(m: fmpq_mat) -> ExactArray:
    """fmpq_mat to an array of its shape."""
    entries = np.empty(m.nrows() * m.ncols(), dtype=object)
    entries[:] = m.entries()
    return frozen(entries.reshape(m.nrows(), m.ncols()))


def vector(m: fmpq_mat) -> ExactArray:
    """One-column fmpq_mat to a (d,) array."""
    return frozen(table(m).reshape(m.nrows()))


def stack(matrices: list[fmpq_mat]) -> ExactArray:
    """n matrices (d, d) to an array (n, d, d)."""
    return frozen(np.stack([table(m) for m in matrices]))


class Ring:
    """A flint matrix or polynomial for ``Theta.ring``: + and *, where weights of any rational type may be factors."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __add__(self, other: Ring) -> Ring:
        return Ring(self.value + other.value)

    def __mul__(self, other: Any) -> Ring:
        return Ring(self.value * (other.value if isinstance(other, Ring) else rational(other)))
