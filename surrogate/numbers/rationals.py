"""Exact rationals: Python's ``Fraction``, and flint's ``fmpq``, which is what ``surrogate.exact`` computes with.

Both are closed under + - * / alone. A root is a rational only of a square; elsewhere ``irrational`` and ``root`` give a
float for a Fraction, and a ball for fmpq.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from surrogate._types import ExactArray, Scalar
from surrogate.numbers import errors
from surrogate.numbers.scalars import Scalars

if TYPE_CHECKING:
    from flint import arb, fmpq

__all__ = ["FRACTIONS", "RATIONALS", "FlintRationals", "Fractions", "fraction"]


def fraction(value: Any) -> tuple[int, int]:
    """Numerator and denominator of a rational of any library; a float is the binary fraction that it is.

    >>> fraction("0.1"), fraction(0.5), fraction(Fraction(1, 3))
    ((1, 10), (1, 2), (1, 3))
    """
    if isinstance(value, str):
        value = Fraction(value)
    if hasattr(value, "p") and hasattr(value, "q"):  # flint, sympy
        return int(value.p), int(value.q)
    if hasattr(value, "numerator"):
        return int(value.numerator), int(value.denominator)
    if hasattr(value, "as_integer_ratio"):  # float, Decimal
        top, bottom = value.as_integer_ratio()
        return int(top), int(bottom)
    if hasattr(value, "__index__") or type(value).__name__ == "fmpz":
        return int(value), 1
    raise TypeError(f"{type(value).__name__} is not a rational number")


class Rationals(Scalars):
    """``_make(p, q)`` is p/q in the type that holds these numbers, ``name`` the name of that type."""

    def _make(self, p: int, q: int) -> Any:
        raise NotImplementedError

    def _number(self, x: object) -> Any:
        return x if type(x).__name__ == self.name else self._make(*fraction(x))

    def _sqrt(self, x: Scalar) -> Any:
        root = self._square_root(x)
        if root is None:
            raise errors.no_square(x)
        return root

    def _square_root(self, x: Scalar) -> Any:
        """The root of a rational square, else None."""
        top, bottom = fraction(x)
        if top < 0:
            return None
        p, q = math.isqrt(top), math.isqrt(bottom)
        return self._make(p, q) if p * p == top and q * q == bottom else None

    def root(self, x: Scalar) -> Scalar:
        if x < 0:
            raise errors.negative(x)
        exact = self._square_root(x)
        return self.irrational("sqrt", x) if exact is None else exact

    def system(self, A: ExactArray, B: ExactArray) -> ExactArray:
        """Of any dimension, by flint."""
        from surrogate.numbers.matrices import matrix, table

        try:
            solution = table(matrix(RATIONALS.number(A)).solve(matrix(RATIONALS.number(B.reshape(len(A), -1)))))
        except ZeroDivisionError:
            raise errors.singular(A) from None
        solved: ExactArray = self.number(solution).reshape(B.shape)
        return solved


class Fractions(Rationals):
    """Python's ``Fraction``; whole numbers count as such."""

    name = "Fraction"

    def _make(self, p: int, q: int) -> Fraction:
        return Fraction(p, q)

    def irrational(self, name: str, x: Scalar) -> float:
        function: Callable[[Any], float] = getattr(math, name)
        return function(x)


class FlintRationals(Rationals):
    """flint's ``fmpq``."""

    name = "fmpq"

    def _make(self, p: int, q: int) -> fmpq:
        from flint import fmpq

        return fmpq(p, q)

    def irrational(self, name: str, x: Scalar) -> arb:
        """A ball, to 128 bits or more."""
        from surrogate.numbers.balls import BALLS, working

        with working():
            ball: arb = getattr(BALLS, name)(BALLS.number(x))
            return ball


FRACTIONS = Fractions()
RATIONALS = FlintRationals()
