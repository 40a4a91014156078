"""Exact numbers: what counts as a rational, arrays and matrices of them, and the balls that enclose the rest."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import flint
import numpy as np
from flint import arb, fmpq, fmpq_mat

from surrogate.kit.errors import problem

__all__ = [
    "Ring",
    "array",
    "balls",
    "column",
    "frozen",
    "less",
    "matrix",
    "precision",
    "rational",
    "stack",
    "table",
    "vector",
    "working",
]

Exact = np.ndarray[Any, np.dtype[np.object_]]  # entries fmpq (or arb, after balls)

LEAST_BITS = 128


def rational(value: Any) -> fmpq:
    """``value`` as an exact fraction: int, Fraction, fmpq, a string like "1/3" or "0.1", a sympy Rational, a float.

    A float is taken as the binary fraction it is: 0.5 is 1/2, but 0.1 is 3602879701896397/36028797018963968.

    >>> rational("0.1"), rational(0.5), rational(0.1) == rational("1/10")
    (1/10, 1/2, False)
    """
    if isinstance(value, fmpq):
        return value
    if isinstance(value, str):
        value = Fraction(value)
    if hasattr(value, "p") and hasattr(value, "q"):  # sympy
        return fmpq(int(value.p), int(value.q))
    if hasattr(value, "as_integer_ratio"):  # float, Fraction, Decimal, int
        return fmpq(*value.as_integer_ratio())
    if hasattr(value, "__index__") or isinstance(value, flint.fmpz):
        return fmpq(int(value))
    raise TypeError(f"{type(value).__name__} is not a rational number")


def array(value: Any, name: str, ndim: int, shape: str) -> Exact:
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


def frozen(a: Exact) -> Exact:
    a.setflags(write=False)
    return a


def matrix(a: Exact) -> fmpq_mat:
    """(r, s) array to fmpq_mat."""
    entries: list[Any] = list(a.flat)
    return fmpq_mat(a.shape[0], a.shape[1], entries)


def column(a: Exact) -> fmpq_mat:
    """(d,) array to a one-column fmpq_mat."""
    return fmpq_mat(len(a), 1, list(a))


def table(m: fmpq_mat) -> Exact:
    """fmpq_mat to an array of its shape."""
    entries = np.empty(m.nrows() * m.ncols(), dtype=object)
    entries[:] = m.entries()
    return frozen(entries.reshape(m.nrows(), m.ncols()))


def vector(m: fmpq_mat) -> Exact:
    """One-column fmpq_mat to a (d,) array."""
    return frozen(table(m).reshape(m.nrows()))


def stack(matrices: list[fmpq_mat]) -> Exact:
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


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Balls inside the ``with`` are computed to ``bits`` bits (never to fewer than 128).

    >>> from surrogate import exact
    >>> clients = exact.Quadratics([[[2, 1], [1, 1]]], [[0, 0]])
    >>> with precision(300):
    ...     narrow = clients.mu
    >>> bool(narrow.rad() < 1e-80), bool(clients.mu.rad() < 1e-80)
    (True, False)
    """
    with flint.ctx.workprec(bits):
        yield


@contextmanager
def working(bits: int = LEAST_BITS) -> Iterator[int]:
    """At least ``bits``, more where the caller asked for more."""
    bits = max(bits, flint.ctx.prec)
    with flint.ctx.workprec(bits):
        yield bits


def balls(x: Any) -> Any:
    """``x`` (a rational, or an array of them) as balls: arb entries, on which the methods of ``surrogate.methods`` run.

    >>> bool(balls("1/3") * 3 == 1), (balls("1/3") * 3).contains(1), balls([[1, "1/2"]]).shape
    (False, True, (1, 2))
    """
    with working():
        if isinstance(x, (str, arb, fmpq)) or np.ndim(x) == 0:
            return x if isinstance(x, arb) else arb(rational(x))
        raw = np.array(x, dtype=object)
        result = np.empty(raw.shape, dtype=object)
        for where, entry in np.ndenumerate(raw):
            result[where] = balls(entry)
        return result


def less(a: Any, b: Any) -> bool | None:
    """Is a < b? True or False where the enclosures prove it, None where they overlap: balls never guess.

    >>> less(fmpq(1, 3), fmpq(1, 2)), less(arb(2), 1), less(arb(1, 0.1), arb(1))
    (True, False, None)
    """
    if not isinstance(a, arb) and not isinstance(b, arb):
        return bool(rational(a) < rational(b))
    with working():
        low, high = balls(a), balls(b)
        if low < high:
            return True
        return False if low >= high else None
