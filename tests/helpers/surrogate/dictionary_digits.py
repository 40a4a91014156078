"""The same formulas in 700 digits, for clients in one dimension: the yardstick where rationals would be too long."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np

from surrogate import dictionary
from surrogate.dictionary.rings import FloatRing
from surrogate.dictionary.settings import settings_for

DIGITS = 700  # displacements of 1e-301 among them


class Number:
    """A one by one matrix of many digits."""

    __array_ufunc__ = None

    def __init__(self, value: Any) -> None:
        self.value = mpmath.mpf(value)

    def unit(self, number: Any) -> Number:
        return Number(number)

    def __add__(self, other: Any) -> Number:
        return Number(self.value + getattr(other, "value", other))

    def __mul__(self, other: Any) -> Number:
        return Number(self.value * getattr(other, "value", other))

    def __neg__(self) -> Number:
        return Number(-self.value)

    def __sub__(self, other: Any) -> Number:
        return self + -other

    def __rsub__(self, other: Any) -> Number:
        return -self + other

    def __truediv__(self, number: Any) -> Number:
        return Number(self.value / number)

    __radd__, __rmul__ = __add__, __mul__

    def inverse(self) -> Number:
        return Number(1 / self.value)

    def power(self, n: int) -> Number:
        return Number(self.value**n)

    def geometric(self, n: int) -> Number:
        return Number(n if self.value == 1 else (1 - self.value**n) / (1 - self.value))


class DigitsRing(FloatRing):
    """float64 clients and settings, taken as the numbers they are."""

    def number(self, value: Any) -> Any:
        return mpmath.mpf(float(value))

    def curvature(self, i: int) -> Any:
        return Number(float(self.clients.A[i, 0, 0]))

    def matrix(self, M: Any) -> Any:
        return Number(float(np.ravel(M)[0]))

    def diagonal(self, p: Any) -> Any:
        return self.matrix(p)

    def dense(self, i: int, element: Any) -> Any:
        return element


def displacement(name: str, clients: Any, **settings: Any) -> float:
    """Resting point minus x*, in many digits, rounded at the end."""
    with mpmath.workdps(DIGITS):
        ring = DigitsRing(clients)
        D = [
            part.value
            for part in dictionary.entry(name).distortions(ring, settings_for(name, FloatRing(clients), settings))
        ]
        w, A, c = ring.weights, [float(a) for a in clients.A[:, 0, 0]], [float(v) for v in clients.c[:, 0]]

        def rest(parts: list[Any]) -> Any:
            pulls = [wi * p * a for wi, p, a in zip(w, parts, A, strict=True)]
            return sum(p * v for p, v in zip(pulls, c, strict=True)) / sum(pulls)

        return float(rest(D) - rest([mpmath.mpf(1)] * len(D)))
