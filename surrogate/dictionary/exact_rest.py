"""The field of a method at rest, in exact rationals; apart, so that float64 users never import flint."""

from __future__ import annotations

from flint import fmpq_mat

from surrogate.dictionary.rest import AtRest
from surrogate.exact.fields import Field
from surrogate.exact.quadratics import Quadratics
from surrogate.numbers.matrices import stack

__all__ = ["ExactRest"]


class ExactRest(AtRest, Field):
    """In rationals."""

    def __init__(self, method: str, clients: Quadratics, distortions: list[fmpq_mat]) -> None:
        self.method, self.clients, self._given = method, clients, stack(distortions)
        self._distortions = distortions
