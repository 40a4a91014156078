"""The parts of distortions that do not vanish with gamma, in sixty digits and more.

Where clients differ in their settings these parts may differ by nothing but the rounding of gamma_i K_i: in float64 no
digit of such a difference is left, and a displacement of the size of gamma may be made of it. They are numbers, one a
client, or diagonals where frozen preconditioners come in, and cost little: what ``Split`` calls constant is the formula
at A_i = 0 (and mu = 0), ``ring.matrix`` counting as 0, and the inverse of 0 as 0.

With frozen P_ik, D_i = N_i + R_i: N_i = gamma_i sum_k w_k P_ik has the size of gamma, and R_i, what A_i adds, that of
gamma^2. The bias sum_i w_i ((N_i - N_0) + (R_i - R_0)) g_i is R's alone where the N_i agree, and the float D_i keeps no
digit of R_i. Diagonals multiply entry by entry: N_i costs d numbers in every step.
"""

from __future__ import annotations

import decimal
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from surrogate._types import Array
from surrogate.dictionary.algebra import Element, Mixed, lift
from surrogate.dictionary.entries import Entry
from surrogate.dictionary.rings import FloatRing

__all__ = ["drifts"]

_DIGITS = 60
_AGREE = 1e-12  # more than rounding: a formula divided by something that float64 takes for 0, and so does the rest


def drifts(known: Entry, clients: Any, chosen: Any, scale: float, parts: Sequence[Element]) -> Array:
    """constant_i - constant_0, diagonals (n, d), of the distortions ``parts``, rounded once; the rates of ``chosen``
    times ``scale`` are the true ones."""

    def apart(constants: Sequence[Any]) -> Array:
        return np.stack([np.full(clients.d, value - constants[0], dtype=float) for value in constants])

    rough = apart([D.constant for D in parts])
    if chosen.shared():
        return rough  # zeros
    frozen = [p for i in range(clients.n) for p in np.ravel(chosen.frozen_of(i))] if chosen.has("frozen") else []
    with decimal.localcontext(_context(chosen.gamma, [scale], [np.abs(clients.A).max()], frozen)):
        ring = ConstantRing(clients)
        sharp = apart([part.value for part in known.distortions(ring, chosen.unrounded(ring))])
    slack = _AGREE * max(np.max(np.abs(D.constant)) for D in parts)
    return sharp if np.abs(sharp - rough).max() <= slack else rough


def _context(*factors: Any) -> decimal.Context:
    """What rounds by less than z^2 leaves no trace in a displacement of the size of z, the product of the factors."""
    least = [min((float(f) for f in some if f > 0), default=1.0) for some in factors]
    digits = _DIGITS + sum(math.ceil(-2 * math.log10(f)) for f in least if f < 1)
    return decimal.Context(digits, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)


class Constant(Mixed):
    """A multiple of the unit, or a diagonal (an array of decimals)."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value if isinstance(value, (decimal.Decimal, np.ndarray)) else decimal.Decimal(float(value))

    def unit(self, number: Any) -> Element:
        """``number`` times the unit."""
        return Constant(number)

    def raised(self, mu: Any) -> Element:
        """See ``algebra.raised``: what is raised vanishes with gamma as A_i does."""
        return self

    def __add__(self, other: Any) -> Constant:
        return Constant(self.value + lift(other, self).value)

    def __neg__(self) -> Constant:
        return Constant(-self.value)

    def __mul__(self, other: Any) -> Constant:
        return Constant(self.value * lift(other, self).value)

    def __truediv__(self, number: Any) -> Element:
        return self * lift(number, self).inverse()

    def __rtruediv__(self, number: Any) -> Element:
        return lift(number, self) / self

    def __pow__(self, n: int) -> Constant:
        return Constant(self.value**n)

    def inverse(self) -> Constant:
        """1 / c; without a constant part all of an inverse is rest."""
        return Constant(1 / self.value if np.all(self.value != 0) else 0)


class ConstantRing(FloatRing):
    """Every element as its constant, and every number like it."""

    def number(self, value: Any) -> Any:
        """A setting, as the number that its float is."""
        return Constant(super().number(value))

    def matrix(self, M: Any) -> Any:
        """No multiple of the unit."""
        return Constant(0)

    def diagonal(self, p: Any) -> Any:
        """diag(p), as the numbers that its floats are."""
        return Constant(np.array([decimal.Decimal(float(value)) for value in p]))

    def positive(self, P: Any) -> None:
        """Asked already."""

    def curvature(self, i: int) -> Any:
        """A_i, which is taken for 0."""
        return Constant(0)

    def element(self, i: int, dense: bool) -> Any:
        """A_i, which is taken for 0."""
        return Constant(0)
