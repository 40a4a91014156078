"""What kind of numbers came in, and the few functions beyond + - * / that some bounds need."""

from __future__ import annotations

import functools
import math
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np

from surrogate.theta import Theta

__all__ = ["alike", "filtered", "is_float", "log", "maximum", "minimum", "sqrt"]


def alike(*values: Any) -> tuple[Any, ...]:
    """The values as numbers of one kind: whole numbers and Fractions follow whatever they meet.

    All rational: Fractions, so that nothing is rounded. Among floats and float arrays: floats. Among flint's numbers:
    ``fmpq``. Among symbols: sympy's rationals.

    >>> alike(1, Fraction(1, 2)), alike(1, 0.5)
    ((Fraction(1, 1), Fraction(1, 2)), (1.0, 0.5))
    """
    return tuple(_converter(values)(v) if isinstance(v, Rational) else v for v in values)


def _converter(values: tuple[Any, ...]) -> Any:
    others = [v for v in values if not isinstance(v, Rational)]
    if not others:
        return Fraction
    if any(_is_flint(v) for v in others):
        from flint import fmpq

        return lambda q: fmpq(int(q.numerator), int(q.denominator))
    if any(_is_symbolic(v) for v in others):
        from sympy import Rational as Symbol

        return lambda q: Symbol(int(q.numerator), int(q.denominator))
    if all(is_float(v) for v in others):
        return float
    return lambda q: q  # a kind we do not know: it has to cope


def is_float(value: Any) -> bool:
    """A float, or an array that numpy computes in floats."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "fiu"
    return isinstance(value, (float, np.floating))


def _is_flint(value: Any) -> bool:
    return type(value).__module__.partition(".")[0] == "flint"


def _is_symbolic(value: Any) -> bool:
    return hasattr(value, "free_symbols")


def filtered(theta: Theta, r: Any) -> Any:
    """sum_k theta_k r^(k-1) with + and * alone."""
    if theta.kind != "weights":
        return theta.ring(r, r * 0 + 1)
    total = 0 * r
    for weight in reversed(theta.given):  # Horner
        total = total * r + alike(r, weight)[1]
    return total


def log(value: Any) -> Any:
    """The natural logarithm in the numbers of ``value``; of a rational: a float, or a ball for fmpq."""
    return _applied("log", value)


def sqrt(value: Any) -> Any:
    """The square root, likewise."""
    return _applied("sqrt", value)


def _applied(name: str, value: Any) -> Any:
    """numpy, math, flint and sympy call such functions by the same names."""
    if isinstance(value, (np.ndarray, np.floating)):
        return getattr(np, name)(value)
    if isinstance(value, (Rational, float)):
        return getattr(math, name)(value)
    if _is_flint(value):
        from flint import arb

        return getattr(arb(value), name)()
    import sympy

    return getattr(sympy, name)(value)


def maximum(*values: Any) -> Any:
    """The largest, in the numbers given."""
    return functools.reduce(_larger, alike(*values))


def minimum(*values: Any) -> Any:
    """The smallest, in the numbers given."""
    return -maximum(*(-v for v in values))


def _larger(a: Any, b: Any) -> Any:
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.maximum(a, b)
    if _is_symbolic(a) or _is_symbolic(b):
        import sympy

        return sympy.Max(a, b)
    for ball, other in ((a, b), (b, a)):
        if _is_flint(ball) and hasattr(ball, "max"):  # balls, whose order may be open
            return ball.max(other)
    return a if a >= b else b
