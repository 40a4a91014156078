"""The one table from a type to its kind of number, and functions that look their kind up in it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np

from surrogate._types import Numbers, Scalar
from surrogate.kit.errors import problem
from surrogate.numbers.floats import FLOATS
from surrogate.numbers.protocol import Kind
from surrogate.numbers.rationals import FRACTIONS, RATIONALS

__all__ = [
    "absolute",
    "alike",
    "exp",
    "expm1",
    "is_exact",
    "is_float",
    "kind",
    "log",
    "maximum",
    "minimum",
    "norm",
    "register",
    "solve",
    "sqrt",
    "zeros",
]

Of = Kind | Callable[[Any], Kind]  # a kind, or what reads it off the value

_TABLE: dict[type, Of] = {}


def register(cls: type, of: Of) -> None:
    """Numbers of the type ``cls`` are of this kind; a function reads the kind off a number."""
    _TABLE[cls] = of


register(float, FLOATS)
register(np.floating, FLOATS)
register(int, FRACTIONS)
register(np.integer, FRACTIONS)
register(Fraction, FRACTIONS)


def _register_flint() -> None:
    from flint import arb, fmpq, fmpz

    from surrogate.numbers.balls import BALLS

    register(fmpq, RATIONALS)
    register(fmpz, RATIONALS)
    register(arb, BALLS)


def _register_sympy() -> None:
    from sympy import Basic

    from surrogate.numbers.symbols import SYMBOLS

    register(Basic, SYMBOLS)


_LATER = {"flint": _register_flint, "sympy": _register_sympy}  # when a first number of theirs is met


def kind(*values: object) -> Kind:
    """The kind of number that the values, single numbers or arrays, have together.

    Whole numbers and Fractions follow whatever they meet, floats follow what is no float.

    >>> kind(1, 2.5) is FLOATS, kind(1, Fraction(1, 2)) is FRACTIONS, kind(np.array([RATIONALS.number(1)])) is RATIONALS
    (True, True, True)
    """
    kinds = [_kind(value) for value in values]
    others = [k for k in kinds if k is not FRACTIONS] or kinds
    return next((k for k in others if k is not FLOATS), others[0])


def _kind(value: object) -> Kind:
    if isinstance(value, np.ndarray):
        return FLOATS if value.dtype.kind in "fiub" else _kind(value.flat[0])
    of = _TABLE.get(type(value)) or _of(type(value))
    return of(value) if callable(of) else of


def _of(cls: type) -> Of:
    for base in cls.__mro__:
        if base in _TABLE:
            return _TABLE[base]
    later = _LATER.pop(cls.__module__.partition(".")[0], None)
    if later is None:
        raise problem(
            "a number",
            f"of type {cls.__module__}.{cls.__qualname__}",
            "a float, a Fraction, an array, or a number of flint, sympy or surrogate.numbers",
            "a text, or a type whose kind was not registered",
            "convert it, or surrogate.numbers.register(type, kind)",
        )
    later()
    return _of(cls)


def alike(*values: object) -> tuple[Any, ...]:
    """The values as numbers of one kind: whole numbers and Fractions follow whatever they meet.

    All rational: Fractions, so that nothing is rounded. Among floats and float arrays: floats. Among flint's numbers:
    ``fmpq``. Among symbols: sympy's rationals.

    >>> alike(1, Fraction(1, 2)), alike(1, 0.5)
    ((Fraction(1, 1), Fraction(1, 2)), (1.0, 0.5))
    """
    number = kind(*values).number
    return tuple(number(v) if isinstance(v, Rational) else v for v in values)


def is_exact(value: object) -> bool:
    """Rationals, balls, symbols: whatever is not rounded."""
    return kind(value).exact


def is_float(value: object) -> bool:
    """A float, or an array that numpy computes in floats."""
    return kind(value) is FLOATS


def sqrt(x: Scalar) -> Scalar:
    """The square root in the numbers of ``x``; of a rational that is no square: a float, or a ball for fmpq."""
    return kind(x).root(x)


def log(x: Scalar) -> Scalar:
    """The natural logarithm, likewise."""
    return kind(x).irrational("log", x)


def exp(x: Scalar) -> Scalar:
    """The exponential, likewise."""
    return kind(x).irrational("exp", x)


def expm1(x: Scalar) -> Scalar:
    """e^x - 1, in floats right to the last digits as x -> 0."""
    if is_float(x):
        value: Scalar = np.expm1(x) if isinstance(x, np.ndarray) else float(np.expm1(float(x)))
        return value
    less: Scalar = exp(x) - 1
    return less


def absolute(x: Scalar) -> Scalar:
    """The modulus."""
    return kind(x).abs(x)


def maximum(*values: Scalar) -> Scalar:
    """The largest, in the numbers given."""
    largest: Scalar = functools.reduce(kind(*values).maximum, alike(*values))
    return largest


def minimum(*values: Scalar) -> Scalar:
    """The smallest, in the numbers given."""
    smallest: Scalar = -maximum(*(-v for v in values))
    return smallest


def norm(v: Numbers) -> Scalar:
    """The Euclidean norm of one vector: a float, a rational where it is one, or a ball.

    >>> norm(np.array([3.0, 4.0])), norm(np.array([RATIONALS.number(3), RATIONALS.number(4)]))
    (5.0, 5)
    """
    import math

    if is_float(v):
        return math.hypot(*v)  # whose squares neither overflow nor vanish
    return sqrt(sum((entry * entry for entry in v[1:]), v[0] * v[0]))


def solve(A: Numbers, B: Numbers) -> Numbers:
    """A^-1 B for one matrix A (d, d), and B (d,) or (d, m)."""
    solution: Numbers = kind(A).system(A, B)
    return solution


def zeros(shape: int | tuple[int, ...], like: Numbers) -> Numbers:
    """An array of zeros of the kind that the array ``like`` has."""
    return np.full(shape, 0 * like.flat[0], dtype=like.dtype)
