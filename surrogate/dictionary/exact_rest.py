"""The field of a method at rest, in exact rationals; apart, so that float64 users never import flint."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from surrogate.dictionary.algebra import Element
from surrogate.dictionary.rest import cause, no_mean
from surrogate.dictionary.rings import RationalRing
from surrogate.exact.fields import Field
from surrogate.numbers.matrices import stack

__all__ = ["ExactRest"]


class ExactRest(Field):
    """The field sum_i w_i D_i A_i (x - c_i) whose zero is the resting point of ``method``."""

    def __init__(self, method: str, ring: RationalRing, distortions: Sequence[Element]) -> None:
        self.clients = ring.clients
        self._method, self._elements, self._ring = method, distortions, ring

    @cached_property
    def distortion(self) -> Any:
        """D_i, (n, d, d)."""
        return stack([D.value for D in self._elements])

    @cached_property
    def rest_weights(self) -> Any:
        """D_i normalised to a weighted mean of I, (n, d, d)."""
        try:
            scale = self._ring.mean(self._elements).inverse()
        except ZeroDivisionError:
            raise no_mean(self._method) from None
        return stack([(scale * D).value for D in self._elements])

    def _name(self) -> str:
        return f"{self._method} at rest"

    def _singular_cause(self) -> str:
        return cause(self.distortion.any())
