"""The algebra in which resting points have one closed form for float64 and for exact rationals.

An *element* stands for a d x d matrix that belongs to one client. It mixes with numbers (a number c is c I), and knows
``+ - *``, ``inverse``, ``power`` and ``geometric``. Three kinds: ``Spectral`` (a function of A_i, held as its values on
the eigenvalues), ``Dense`` (any float64 matrix), ``Rational`` (any matrix of fmpq).

The float kinds carry three things: ``constant`` (the value at A_i = 0: a multiple of the unit, or a diagonal where
frozen preconditioners come in), ``rest`` = value - constant, and ``value``; a proximal term raises A_i (``raised``),
and its constant is meant at mu = 0, too. The displacement of a resting point needs differences of distortions between
clients; in ``rest`` they keep their digits as gamma -> 0, in ``value`` they keep them when the steps are many; the
constants' own are taken again in more digits (see ``constants``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from surrogate import filters
from surrogate._types import Array

__all__ = ["Dense", "Element", "Mixed", "Rational", "Spectral", "block_power", "lift", "raised"]

Element = Any  # Spectral | Dense | Rational


class Mixed(ABC):
    """What follows from ``+``, ``-x``, ``*`` and the unit, whatever an element holds."""

    __array_ufunc__ = None  # np.float64 * element must reach __rmul__
    __slots__ = ()

    @abstractmethod
    def unit(self, number: Any) -> Element:
        """``number`` times the unit."""

    @abstractmethod
    def __add__(self, other: Any) -> Element: ...

    @abstractmethod
    def __neg__(self) -> Element: ...

    @abstractmethod
    def __mul__(self, other: Any) -> Element: ...

    def __radd__(self, other: Any) -> Element:
        return self + other

    def __sub__(self, other: Any) -> Element:
        return self + (-other)

    def __rsub__(self, other: Any) -> Element:
        return (-self) + other

    def __rmul__(self, number: Any) -> Element:
        return self * number

    def power(self, n: int) -> Element:
        """self^n by repeated squaring."""
        return filters.ring_power(self, n, self.unit(1))

    def geometric(self, n: int) -> Element:
        """sum_{k<n} self^k by doubling."""
        return filters.ring_geometric(self, n, self.unit(1))


class Split(Mixed):
    """constant * I + rest, with the sum kept apart; the base of the two float kinds. A constant (d,) is a diagonal."""

    __slots__ = ("constant", "rest", "value")

    def __init__(self, constant: Any, rest: Array, value: Array) -> None:
        self.constant, self.rest, self.value = constant, rest, value

    def _new(self, constant: Any, rest: Array, value: Array) -> Split:
        """A product: near A = 0 its value is constant + rest, whose digits many factors do not wear off."""
        near = self._size(rest) <= np.min(np.abs(constant)) / 2
        return type(self)(constant, rest, np.where(near, self._shift(constant, rest), value))

    def __add__(self, other: Any) -> Element:
        other = lift(other, self)
        return type(self)(self.constant + other.constant, self.rest + other.rest, self.value + other.value)

    def __neg__(self) -> Split:
        return type(self)(-self.constant, -self.rest, -self.value)

    def __mul__(self, other: Any) -> Split:
        if not isinstance(other, Split):
            return type(self)(self.constant * other, self.rest * other, self.value * other)
        rest = self._rows(self.constant) * other.rest + self._times(self.rest, other.value)
        return self._new(self.constant * other.constant, rest, self._times(self.value, other.value))

    def __truediv__(self, number: Any) -> Split:
        return type(self)(self.constant / number, self.rest / number, self.value / number)

    def unit(self, number: Any) -> Element:
        """``number`` times the unit."""
        zero = np.zeros_like(self.rest)
        return type(self)(float(number), zero, self._shift(float(number), zero))

    def raised(self, number: Any) -> Element:
        """``self + number``, all of it in the rest: see the function of this name."""
        more = self.unit(number)
        return type(self)(self.constant, self.rest + more.value, self.value + more.value)

    def inverse(self) -> Split:
        """1/(c + e) = 1/c - 1/c e 1/(c + e); where the constant part has no inverse all of it is rest."""
        value = self._inverted(self.value)
        if not np.all(self.constant):
            return type(self)(0.0, value, value)
        return self._new(1 / self.constant, self._times(self.rest, value) / self._rows(-self.constant), value)

    @staticmethod
    @abstractmethod
    def _size(a: Array) -> Any:
        """How large ``a`` is, beside a constant."""

    @staticmethod
    def _rows(constant: Any) -> Any:
        """The constant, to multiply a matrix with from the left."""
        return constant

    @staticmethod
    @abstractmethod
    def _shift(constant: Any, rest: Array) -> Array:
        """constant * I + rest."""

    @staticmethod
    @abstractmethod
    def _times(a: Array, b: Array) -> Array:
        """The product a b."""

    @staticmethod
    @abstractmethod
    def _inverted(a: Array) -> Array:
        """The inverse of a."""


class Spectral(Split):
    """A function of A_i by its values (d,) on the eigenvalues of A_i, or one of all A_i by its values (n, d): products
    are elementwise."""

    __slots__ = ()

    @staticmethod
    def _size(a: Array) -> Any:
        return np.abs(a)

    @staticmethod
    def _shift(constant: float, rest: Array) -> Array:
        return np.asarray(constant + rest)

    @staticmethod
    def _times(a: Array, b: Array) -> Array:
        return np.asarray(a * b)

    @staticmethod
    def _inverted(a: Array) -> Array:
        return np.asarray(1 / a)

    def power(self, n: int) -> Element:
        """(1 - z)^n through the filters, whose digits do not wear off with n."""
        if self.constant != 1:
            return super().power(n)
        return Spectral(1.0, filters.power_minus_one(-self.rest, n), filters.power(-self.rest, n))

    def geometric(self, n: int) -> Element:
        """sum_{k<n} (1 - z)^k through the filters."""
        if self.constant != 1:
            return super().geometric(n)
        z = -self.rest
        return Spectral(float(n), filters.geometric_deficit(z, n), filters.geometric(z, n))

    def dense(self, frame: Array) -> Dense:
        """V diag(.) V^T for the frame V of the client (of all clients: frames (n, d, d), and as many matrices)."""
        back = np.swapaxes(frame, -2, -1)
        rest, value = ((frame * part[..., None, :]) @ back for part in (self.rest, self.value))
        return Dense(self.constant, rest, value)


class Dense(Split):
    """Any float64 matrix (d, d); products are matrix products, in the order written."""

    __slots__ = ()

    @staticmethod
    def _size(a: Array) -> Any:
        return np.linalg.norm(a)

    @staticmethod
    def _rows(constant: Any) -> Any:
        return np.reshape(constant, (-1, 1))

    @staticmethod
    def _shift(constant: Any, rest: Array) -> Array:
        return np.asarray(constant * np.eye(len(rest)) + rest)

    @staticmethod
    def _times(a: Array, b: Array) -> Array:
        return np.asarray(a @ b)

    @staticmethod
    def _inverted(a: Array) -> Array:
        return np.asarray(np.linalg.inv(a))


class Rational(Mixed):
    """Any matrix of exact rationals (a flint ``fmpq_mat``)."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __add__(self, other: Any) -> Rational:
        return Rational(self.value + lift(other, self).value)

    def __neg__(self) -> Rational:
        return Rational(-self.value)

    def __mul__(self, other: Any) -> Element:
        return Rational(self.value * (other.value if isinstance(other, Rational) else other))

    def __truediv__(self, number: Any) -> Rational:
        return Rational(self.value / number)

    def unit(self, number: Any) -> Element:
        """``number`` times the unit."""
        from flint import fmpq_mat

        d = self.value.nrows()
        return Rational(fmpq_mat(d, d, [number if j == k else 0 for j in range(d) for k in range(d)]))

    def inverse(self) -> Rational:
        """The inverse; ZeroDivisionError where there is none."""
        return Rational(self.value.inv())


def lift(number: Any, like: Element) -> Element:
    """``number`` times the unit, as an element of the same kind and size; elements pass through."""
    return number if isinstance(number, type(like)) else like.unit(number)


def raised(A: Element, mu: Any) -> Element:
    """A + mu I where gamma A and gamma mu vanish together: to the float kinds mu is part of what vanishes.

    So a step 1 - gamma (A + mu) has the constant 1, not the rounded 1 - gamma mu, and clients of other rates differ in
    their rests alone.
    """
    return A.raised(mu) if hasattr(A, "raised") else A + mu


def block_power(blocks: list[list[Element]], n: int) -> list[list[Element]]:
    """The n-th power (n >= 1) of a small matrix whose entries are elements; K = 10^6 costs twenty squarings."""
    result, base = None, blocks
    while n:
        if n & 1:
            result = base if result is None else _block_product(result, base)
        n >>= 1
        if n:
            base = _block_product(base, base)
    assert result is not None
    return result


def _block_product(a: list[list[Element]], b: list[list[Element]]) -> list[list[Element]]:
    def entry(row: list[Element], k: int) -> Element:
        total = row[0] * b[0][k]
        for j in range(1, len(b)):
            total = total + row[j] * b[j][k]
        return total

    return [[entry(row, k) for k in range(len(b[0]))] for row in a]
