"""Numbers of the field Q(a, b, ...) of rational functions, to run a method's own code on symbols.

In d = 1 they are matrices, too: the same objects serve as elements of the dictionary's algebra.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from surrogate import filters
from surrogate.dictionary.rings import FloatRing
from theorems.vocabulary import *

__all__ = ["Free", "Scalar", "SymbolRing", "filled", "free_names", "symbols"]


class Free(str):
    """The name of a setting that stays free: ``Free("gamma")``."""

    __slots__ = ()


class Scalar:
    """A rational function; mixes with whole numbers and rationals, and leaves arrays to numpy."""

    __array_ufunc__: Any
    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def _other(self, other: Any) -> Any:
        """The field's element, or None for what is no number (an array, a text)."""
        if isinstance(other, Scalar):
            return other.value
        top, bottom = (int(other.p), int(other.q)) if hasattr(other, "p") else (other, 1)
        if isinstance(other, Fraction):
            top, bottom = other.numerator, other.denominator
        return self.value.field(top) / bottom if isinstance(top, (int, np.integer)) else None

    def _by(self, other: Any, rule: Callable[[Any, Any], Any]) -> Any:
        value = self._other(other)
        return NotImplemented if value is None else Scalar(rule(self.value, value))

    def __add__(self, other: Any) -> Any:
        return self._by(other, lambda a, b: a + b)

    def __sub__(self, other: Any) -> Any:
        return self._by(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Any:
        return self._by(other, lambda a, b: b - a)

    def __mul__(self, other: Any) -> Any:
        return self._by(other, lambda a, b: a * b)

    def __truediv__(self, other: Any) -> Any:
        return self._by(other, lambda a, b: a / b)

    def __rtruediv__(self, other: Any) -> Any:
        return self._by(other, lambda a, b: b / a)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Scalar:
        return Scalar(-self.value)

    def __pow__(self, n: int) -> Scalar:
        return Scalar(self.value**n)

    def __eq__(self, other: object) -> bool:
        value = self._other(other)
        return value is not None and bool(self.value == value)

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        return bool(self.value)

    def __repr__(self) -> str:
        return str(self.value)

    def inverse(self) -> Any:
        """As an element: 1 / self."""
        return 1 / self

    def unit(self, number: Any) -> Any:
        """As an element: ``number`` times the unit."""
        return 0 * self + number

    def power(self, n: int) -> Any:
        return filters.ring_power(self, n, self.unit(1))

    def geometric(self, n: int) -> Any:
        return filters.ring_geometric(self, n, self.unit(1))


class SymbolRing(FloatRing):
    """d = 1: every matrix is a scalar of the field."""

    def __init__(self, clients: Instance) -> None:
        self.clients, self.n, self.d, self.shared = clients, clients.n, 1, False
        self.weights = list(clients.weights)
        self._one = 0 * self.weights[0] + 1

    def number(self, value: Any) -> Any:
        return self._one * value

    def positive(self, P: Any) -> None:
        """A symbol has no sign: what holds for all its values holds for the positive ones."""

    def curvature(self, i: int) -> Any:
        return self.clients.A[i, 0, 0]

    def matrix(self, M: Any) -> Any:
        return self._one * np.asarray(M, dtype=object).reshape(-1)[0]

    def diagonal(self, p: Any) -> Any:
        return self.matrix(p)

    def dense(self, i: int, element: Any) -> Any:
        return element

    def element(self, i: int, dense: bool) -> Any:
        return self.curvature(i)


def symbols(names: Sequence[str]) -> dict[str, Scalar]:
    """The generators of Q(names), by name."""
    from sympy import QQ

    field = QQ.frac_field(*names)
    return {name: Scalar(generator) for name, generator in zip(names, field.gens, strict=True)}


def free_names(settings: Any) -> list[str]:
    """The free names that occur in settings, each once."""
    if isinstance(settings, Free):
        return [str(settings)]
    if isinstance(settings, Mapping):
        settings = list(settings.values())
    if isinstance(settings, (list, tuple, np.ndarray)):
        return list(dict.fromkeys(name for value in settings for name in free_names(value)))
    return []


def filled(settings: Any, values: Mapping[str, Any]) -> Any:
    """Settings with values in the place of free names."""
    if isinstance(settings, Free):
        return values[settings]
    if isinstance(settings, Mapping):
        return {key: filled(value, values) for key, value in settings.items()}
    if isinstance(settings, (list, tuple)):
        return [filled(value, values) for value in settings]
    return settings
