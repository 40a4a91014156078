"""Numbers that carry a unit, powers of x and f, so that a formula with a factor left out raises an error.

Points have the unit x, losses f; gradients f/x, Hessians f/x^2, client rates x^2/f follow. Sums, maxima and comparisons
want one unit on both sides, products add powers, square roots halve them. A bare number has no unit, but a bare 0 fits
every unit, and so does what it is multiplied with: ``x * 0 + 1`` is the number 1.

>>> from surrogate import bounds
>>> mu, L, gamma = Quantity(1, CURVATURE), Quantity(2, CURVATURE), Quantity(Fraction(1, 4), RATE)
>>> bounds.theorem_17(mu, L, 0, Quantity(1, POINT), gamma, 2)
4/7 x
>>> L + gamma
Traceback (most recent call last):
surrogate.kit.errors.ProblemError: a sum is of f/x^2 and x^2/f, expected two numbers of the same unit.
  Likely cause: a factor left out, such as L or gamma, or one too many.
  What to do: check the powers of x and f on both sides.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from surrogate._types import Scalar
from surrogate.kit.errors import ProblemError, problem
from surrogate.numbers import dispatch
from surrogate.numbers.protocol import Kind
from surrogate.numbers.scalars import Scalars

__all__ = ["CURVATURE", "GRADIENT", "LOSS", "NUMBER", "POINT", "RATE", "Quantity", "Unit", "Units", "units"]

Operation = Callable[[Any, Any], Any]


@dataclass(frozen=True)
class Unit:
    """x^a f^b.

    >>> str(LOSS / POINT**2), str((LOSS / POINT) ** Fraction(1, 2)), str(NUMBER)
    ('f/x^2', 'f^(1/2)/x^(1/2)', '1')
    """

    x: Fraction = Fraction(0)
    f: Fraction = Fraction(0)

    def __mul__(self, other: Unit) -> Unit:
        return Unit(self.x + other.x, self.f + other.f)

    def __truediv__(self, other: Unit) -> Unit:
        return Unit(self.x - other.x, self.f - other.f)

    def __pow__(self, n: int | Fraction) -> Unit:
        power = Fraction(n)
        return Unit(self.x * power, self.f * power)

    def __str__(self) -> str:
        powers = [("f", self.f), ("x", self.x)]
        above = [_power(name, n) for name, n in powers if n > 0]
        below = [_power(name, -n) for name, n in powers if n < 0]
        return " ".join(above or ["1"]) + ("/" + "/".join(below) if below else "")


def _power(name: str, n: Fraction) -> str:
    return name if n == 1 else f"{name}^{n}" if n.denominator == 1 else f"{name}^({n})"


NUMBER, POINT, LOSS = Unit(), Unit(x=Fraction(1)), Unit(f=Fraction(1))
GRADIENT, CURVATURE, RATE = LOSS / POINT, LOSS / POINT**2, POINT**2 / LOSS


class Quantity:
    """``value``, a number of any other kind, times ``unit``; the unit None, of zeros, fits every unit."""

    __hash__ = None  # type: ignore[assignment]
    __slots__ = ("unit", "value")

    def __init__(self, value: Scalar, unit: Unit | None = NUMBER) -> None:
        self.value, self.unit = value, unit

    @classmethod
    def of(cls, value: Scalar) -> Quantity:
        """A bare number as a quantity; quantities pass through."""
        if isinstance(value, Quantity):
            return value
        return cls(value, None if not value else NUMBER)

    def _with(self, other: Scalar, op: Operation, what: str) -> tuple[Any, Unit | None]:
        """(op(values), unit) of two numbers of one unit."""
        second = Quantity.of(other)
        unit = _common(self.unit, second.unit, what)
        return op(*dispatch.alike(self.value, second.value)), unit

    def _sum(self, other: Scalar, op: Operation) -> Quantity:
        if isinstance(other, np.ndarray):
            return _REFUSED
        return Quantity(*self._with(other, op, "a sum"))

    def _product(self, other: Scalar, op: Operation) -> Quantity:
        if isinstance(other, np.ndarray):
            return _REFUSED
        second = Quantity.of(other)
        known = None if self.unit is None or second.unit is None else op(self.unit, second.unit)
        return Quantity(op(*dispatch.alike(self.value, second.value)), known)

    def _compared(self, other: Any, op: Operation) -> bool:
        if isinstance(other, np.ndarray):
            return _UNDECIDED
        return bool(self._with(other, op, "a comparison")[0])

    def __add__(self, other: Scalar) -> Quantity:
        return self._sum(other, operator.add)

    def __sub__(self, other: Scalar) -> Quantity:
        return self._sum(other, operator.sub)

    def __rsub__(self, other: Scalar) -> Quantity:
        return Quantity.of(other) - self

    def __mul__(self, other: Scalar) -> Quantity:
        return self._product(other, operator.mul)

    def __truediv__(self, other: Scalar) -> Quantity:
        return self._product(other, operator.truediv)

    def __rtruediv__(self, other: Scalar) -> Quantity:
        return Quantity.of(other) / self

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Quantity:
        return Quantity(-self.value, self.unit)

    def __abs__(self) -> Quantity:
        return Quantity(dispatch.absolute(self.value), self.unit)

    def __pow__(self, n: int | Fraction) -> Quantity:
        return Quantity(self.value**n, None if self.unit is None else self.unit**n)

    def __lt__(self, other: Scalar) -> bool:
        return self._compared(other, operator.lt)

    def __le__(self, other: Scalar) -> bool:
        return self._compared(other, operator.le)

    def __gt__(self, other: Scalar) -> bool:
        return self._compared(other, operator.gt)

    def __ge__(self, other: Scalar) -> bool:
        return self._compared(other, operator.ge)

    def __eq__(self, other: object) -> bool:
        return self._compared(other, operator.eq)

    def __bool__(self) -> bool:
        return bool(self.value)

    def __float__(self) -> float:
        return float(self.bare("a float"))

    def bare(self, what: str) -> Scalar:
        """The value of a number without unit; ``what`` takes no other."""
        _common(self.unit, NUMBER, what)
        return self.value

    def __repr__(self) -> str:
        return f"{self.value} {'(any unit)' if self.unit is None else self.unit}"


_REFUSED: Quantity = NotImplemented  # numpy then takes the array entry by entry
_UNDECIDED: bool = NotImplemented


class Units(Scalars):
    """Quantities whose values are of the kind ``inner``; formulas take them as they take exact numbers."""

    name = "a number with a unit"

    def __init__(self, inner: Kind) -> None:
        self.inner, self.exact = inner, inner.exact

    def _number(self, x: Scalar) -> Quantity:
        return x if isinstance(x, Quantity) else Quantity.of(self.inner.number(x))

    def _sqrt(self, x: Scalar) -> Quantity:
        q = Quantity.of(x)
        return Quantity(dispatch.sqrt(q.value), None if q.unit is None else q.unit ** Fraction(1, 2))

    def _exp(self, x: Scalar) -> Quantity:
        return Quantity(dispatch.exp(Quantity.of(x).bare("an exponential")))

    def _log(self, x: Scalar) -> Quantity:
        return Quantity(dispatch.log(Quantity.of(x).bare("a logarithm")))

    def _maximum(self, x: Scalar, y: Scalar) -> Quantity:
        return Quantity(*Quantity.of(x)._with(y, dispatch.maximum, "a maximum"))

    def _sign(self, x: Scalar) -> Quantity:
        value = Quantity.of(x).value
        return Quantity.of(dispatch.kind(value).sign(value))


def units(inner: Kind) -> Units:
    """The kind of quantities whose values are of the kind ``inner``."""
    return _UNITS.setdefault(id(inner), Units(inner))


_UNITS: dict[int, Units] = {}


dispatch.register(Quantity, lambda q: units(dispatch.kind(q.value)))


def _common(one: Unit | None, other: Unit | None, what: str) -> Unit | None:
    """The unit of two numbers that are added or compared."""
    if one is None or other is None or one == other:
        return other if one is None else one
    raise unlike(one, other, what)


def unlike(one: Unit, other: Unit, what: str) -> ProblemError:
    """Two units where one is wanted."""
    return problem(
        what,
        f"of {one} and {other}",
        "two numbers of the same unit",
        "a factor left out, such as L or gamma, or one too many",
        "check the powers of x and f on both sides",
    )
