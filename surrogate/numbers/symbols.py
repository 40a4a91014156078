"""Symbols: sympy's expressions, and rational functions, whose equality is decided."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from surrogate import filters
from surrogate.numbers import errors
from surrogate.numbers.dispatch import register
from surrogate.numbers.rationals import fraction
from surrogate.numbers.scalars import Scalars

if TYPE_CHECKING:
    import sympy

__all__ = ["FUNCTIONS", "SYMBOLS", "Functions", "RationalFunction", "Symbols", "symbols"]


class Symbols(Scalars):
    """Functions stay expressions."""

    name = "sympy"

    def _number(self, x: object) -> sympy.Expr:
        return x if isinstance(x, _sympy("Expr")) else _sympy("Rational")(*fraction(x))

    def _sqrt(self, x: sympy.Expr) -> sympy.Expr:
        return _sympy("sqrt")(x)

    def _exp(self, x: sympy.Expr) -> sympy.Expr:
        return _sympy("exp")(x)

    def _log(self, x: sympy.Expr) -> sympy.Expr:
        return _sympy("log")(x)

    def _maximum(self, x: sympy.Expr, y: sympy.Expr) -> sympy.Expr:
        return _sympy("Max")(x, y)

    def _sign(self, x: sympy.Expr) -> sympy.Expr:
        return _sympy("sign")(x)


def _sympy(name: str) -> Any:
    """A function or class of sympy, which is loaded when it is first needed."""
    return getattr(importlib.import_module("sympy"), name)


SYMBOLS = Symbols()


class RationalFunction:
    """An element of the field Q(a, b, ...), an exact number that mixes with rationals and leaves arrays to numpy.

    In d = 1 numbers are matrices, too: it has what the elements of the dictionary's algebra have.
    """

    __array_ufunc__: Any
    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def _other(self, other: object) -> Any:
        """The field's element, or None for what is no number (an array, a text)."""
        if isinstance(other, RationalFunction):
            return other.value
        if isinstance(other, (np.ndarray, str, float)):
            return None
        try:
            top, bottom = fraction(other)
        except TypeError:
            return None
        return self.value.field(top) / bottom

    def _by(self, other: object, rule: Callable[[Any, Any], Any]) -> RationalFunction:
        value = self._other(other)
        return NotImplemented if value is None else RationalFunction(rule(self.value, value))

    def __add__(self, other: object) -> RationalFunction:
        return self._by(other, lambda a, b: a + b)

    def __sub__(self, other: object) -> RationalFunction:
        return self._by(other, lambda a, b: a - b)

    def __rsub__(self, other: object) -> RationalFunction:
        return self._by(other, lambda a, b: b - a)

    def __mul__(self, other: object) -> RationalFunction:
        return self._by(other, lambda a, b: a * b)

    def __truediv__(self, other: object) -> RationalFunction:
        return self._by(other, lambda a, b: a / b)

    def __rtruediv__(self, other: object) -> RationalFunction:
        return self._by(other, lambda a, b: b / a)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> RationalFunction:
        return RationalFunction(-self.value)

    def __pow__(self, n: int) -> RationalFunction:
        return RationalFunction(self.value**n)

    def __eq__(self, other: object) -> bool:
        value = self._other(other)
        return value is not None and bool(self.value == value)

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        return bool(self.value)

    def __repr__(self) -> str:
        return str(self.value)

    def inverse(self) -> RationalFunction:
        """As an element: 1 / self."""
        return 1 / self

    def unit(self, number: object) -> RationalFunction:
        """As an element: ``number`` times the unit."""
        return 0 * self + number

    def power(self, n: int) -> RationalFunction:
        result: RationalFunction = filters.ring_power(self, n, self.unit(1))
        return result

    def geometric(self, n: int) -> RationalFunction:
        total: RationalFunction = filters.ring_geometric(self, n, self.unit(1))
        return total


def symbols(names: Sequence[str]) -> dict[str, RationalFunction]:
    """The generators of Q(names), by name."""
    from sympy import QQ

    field = QQ.frac_field(*names)
    return {name: RationalFunction(generator) for name, generator in zip(names, field.gens, strict=True)}


class Functions(Scalars):
    """Rational functions have + - * / and equality; neither roots nor an order."""

    name = "a rational function"

    def _abs(self, x: RationalFunction) -> RationalFunction:
        raise errors.no_function("abs", self.name)

    def _sign(self, x: RationalFunction) -> RationalFunction:
        raise errors.no_function("sign", self.name)

    def _maximum(self, x: RationalFunction, y: RationalFunction) -> RationalFunction:
        raise errors.no_function("maximum", self.name)


FUNCTIONS = Functions()
register(RationalFunction, FUNCTIONS)
