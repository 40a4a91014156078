"""Arithmetic of differences between clients, for clients that are almost equal.

A resting point's displacement is made of differences D_i - D_r between distortions. Where the Hessians agree to nine
digits so do the distortions, and subtracting them leaves seven. A *pair* carries X_r and X_i - X_r through every
operation:

    (X Y)_i - (X Y)_r = (X_i - X_r) Y_i + X_r (Y_i - Y_r),      X_i^-1 - X_r^-1 = -X_r^-1 (X_i - X_r) X_i^-1.

It costs dense products, so it is the second resort, and it asks for settings that all clients share.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from surrogate._types import Array
from surrogate.dictionary.algebra import Element, Mixed, lift
from surrogate.dictionary.rings import FloatRing

__all__ = ["Pair", "PairRing"]


class Pair(Mixed):
    """X_r (``reference``) and X_i - X_r (``change``), both (d, d)."""

    __slots__ = ("change", "reference")

    def __init__(self, reference: Array, change: Array) -> None:
        self.reference, self.change = reference, change

    def unit(self, number: Any) -> Pair:
        """``number`` times the unit."""
        return Pair(float(number) * np.eye(len(self.reference)), np.zeros_like(self.reference))

    def __add__(self, other: Any) -> Pair:
        other = lift(other, self)
        return Pair(self.reference + other.reference, self.change + other.change)

    def __neg__(self) -> Pair:
        return Pair(-self.reference, -self.change)

    def __mul__(self, other: Any) -> Pair:
        if not isinstance(other, Pair):
            return Pair(self.reference * other, self.change * other)
        change = self.change @ (other.reference + other.change) + self.reference @ other.change
        return Pair(self.reference @ other.reference, change)

    def __truediv__(self, number: Any) -> Pair:
        return Pair(self.reference / number, self.change / number)

    def inverse(self) -> Pair:
        """X_i^-1."""
        here = np.asarray(np.linalg.inv(self.reference), dtype=float)
        return Pair(here, -here @ self.change @ np.linalg.inv(self.reference + self.change))


class PairRing(FloatRing):
    """float64 with every element as seen from client 0."""

    def element(self, i: int, dense: bool) -> Any:
        """A_i."""
        here = np.asarray(self.clients.A[0] * self.factor)
        return Pair(here, np.asarray((self.clients.A[i] - self.clients.A[0]) * self.factor))

    def curvature(self, i: int) -> Any:
        """A_i."""
        return self.element(i, True)

    def matrix(self, M: Any) -> Any:
        """A matrix that all clients share."""
        values = np.array(M, dtype=float)
        return Pair(values, np.zeros_like(values))

    def diagonal(self, p: Any) -> Any:
        """diag(p), which all clients share."""
        return self.matrix(np.diag(p))

    def mean(self, elements: Sequence[Element]) -> Element:
        """sum_i w_i e_i, which belongs to all clients: X_r plus the mean change."""
        change = sum(w * e.change for w, e in zip(self.weights, elements, strict=True))
        return Pair(elements[0].reference + change, np.zeros_like(change))
