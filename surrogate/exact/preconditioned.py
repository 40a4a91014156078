"""Preconditioned clients on quadratics in rationals (LA Theorem 2)."""

from __future__ import annotations

from functools import cached_property

from flint import arb, fmpq, fmpq_mat

from surrogate import filters
from surrogate._types import Matrices
from surrogate.exact.fields import Field
from surrogate.exact.spectra import identity
from surrogate.linear_fields import PreconditionedSteps
from surrogate.numbers.matrices import Ring, matrix, stack

__all__ = ["Preconditioned"]


class Preconditioned(PreconditionedSteps[fmpq, arb], Field):
    r"""``D_i = gamma_i sum_{k < steps_i} (I - gamma_i P_i A_i)^k P_i``; corrected: ``(gamma_i steps_i P_i)^-1 D_i``.

    ``clients``, ``gamma``, ``steps``, ``P``, ``corrected``: as in ``surrogate.Preconditioned``, in rationals.

    >>> from surrogate.exact import Quadratics
    >>> clients = Quadratics([[[1]], [[2]]], [[1], ["1/2"]])
    >>> p = Preconditioned(clients, "1/4", 2, [[[1]], [["1/2"]]])
    >>> p.resting_point[0], p.limit[0], p.has_loss("any")
    (3/4, 3/4, True)
    """

    @cached_property
    def distortion(self) -> Matrices:
        """D_i, (n, d, d)."""
        return stack(self._distortions)

    @cached_property
    def _distortions(self) -> list[fmpq_mat]:
        """By doubling."""
        one, D = identity(self.clients.d), []
        for A, P, gamma, steps in zip(self.clients.matrices, map(matrix, self.P), self.gamma, self.steps, strict=True):
            S = filters.ring_geometric(Ring(one - P * A * gamma), steps, Ring(one)).value
            D.append(P.inv() * S * P * fmpq(1, steps) if self.corrected else S * P * gamma)
        return D

    def _field(self, distortion: Matrices) -> Field:
        return Field(self.clients, distortion)
