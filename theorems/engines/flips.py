"""Balls whose roots are the negative ones, or whose maxima are minima: all that algebra says of them stays true there.

A derivation is joined by value, and values alone cannot tell |x| from x where x > 0, nor max(x, y) from y. Carried out
in these balls it can: "0 <= |y - x|" is no longer "x <= y".
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from surrogate.numbers.balls import BALLS, Balls
from surrogate.numbers.dispatch import kind, register

__all__ = ["BY_VALUE", "FLIPS", "everywhere"]

# Statements with a line that takes the value of a root or of a maximum for another quantity, and which.
BY_VALUE = {
    "OLR.D12": "maxima",  # in its step on two clients: mu for A_2, the minimum gamma_1 for its second term
}


class _Flipped(Balls):
    """Roots are the negative ones, or maxima are minima."""

    def __init__(self, roots: bool, maxima: bool) -> None:
        self.roots, self.maxima = roots, maxima

    def _sqrt(self, x: Any) -> Any:
        root = super()._sqrt(-x if self.maxima and x < 0 else x)  # a number, though none whose square is x
        return -root if self.roots else root

    def _abs(self, x: Any) -> Any:
        return -super()._abs(x) if self.roots else super()._abs(x)

    def _maximum(self, x: Any, y: Any) -> Any:
        return -super()._maximum(-x, -y) if self.maxima else super()._maximum(x, y)


FLIPS = {"roots": _Flipped(True, False), "maxima": _Flipped(False, True), "roots maxima": _Flipped(True, True)}


@contextmanager
def everywhere(nb: Balls) -> Iterator[None]:
    """Inside, functions that look a ball's kind up, as those of ``surrogate.bounds`` do, find ``nb``."""
    cls = type(BALLS.number(0))
    before = kind(BALLS.number(0))
    register(cls, nb)
    try:
        yield
    finally:
        register(cls, before)
