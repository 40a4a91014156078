"""Balls whose roots are the negative ones, or whose maxima are minima: all that algebra says of them stays true there.

A derivation is joined by value, and values alone cannot tell |x| from x where x > 0, nor max(x, y) from y. Carried out
in these balls it can: "0 <= |y - x|" is no longer "x <= y".
"""

from __future__ import annotations

from typing import Any

from surrogate.numbers.balls import Balls

__all__ = ["BY_VALUE", "FLIPS"]

# Statements with a line that takes the value of a root or of a maximum for another quantity, and which. Some domains
# make it so (the first eigenvalue is the largest; mu is kept beside the spectrum); the others want one line more.
BY_VALUE = {
    "LA.D1": "roots",
    "LA.T3": "roots maxima",
    "LADA.C36": "roots",
    "LAMB.C1": "roots",
    "LAMB.C1b": "roots",
    "LAMB.T1": "roots",
    "LAMB.T1b": "roots",
    "OLR.C20": "maxima",
    "OLR.C22": "roots",
    "OLR.C28": "maxima",
    "OLR.D3": "maxima",
    "OLR.D7": "maxima",
    "OLR.D12": "maxima",
    "OLR.D17": "maxima",
    "OLR.L25": "maxima",
    "OLR.L32": "roots",
    "OLR.S6b": "maxima",
    "OLR.T17b": "roots maxima",
    "OLR.T21b": "roots",
    "OLR.T26": "maxima",
    "OLR.T27": "maxima",
    "OLR.T29": "maxima",
}


class _Flipped(Balls):
    """Roots are the negative ones, or maxima are minima."""

    def __init__(self, roots: bool, maxima: bool) -> None:
        self.roots, self.maxima = roots, maxima

    def _sqrt(self, x: Any) -> Any:
        return -super()._sqrt(x) if self.roots else super()._sqrt(x)

    def _abs(self, x: Any) -> Any:
        return -super()._abs(x) if self.roots else super()._abs(x)

    def _maximum(self, x: Any, y: Any) -> Any:
        return -super()._maximum(-x, -y) if self.maxima else super()._maximum(x, y)


FLIPS = {"roots": _Flipped(True, False), "maxima": _Flipped(False, True), "roots maxima": _Flipped(True, True)}
