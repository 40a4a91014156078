"""Preconditioned clients on quadratics in rationals (LA Theorem 2)."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from flint import fmpq, fmpq_mat

from surrogate import filters
from surrogate.exact import checks
from surrogate.exact.fields import Field
from surrogate.exact.quadratics import Quadratics
from surrogate.exact.spectra import identity
from surrogate.kit import checks as _checks
from surrogate.numbers.matrices import Ring, matrix, stack
from surrogate.numbers.types import ExactArray as Exact

__all__ = ["Preconditioned"]


class Preconditioned(Field):
    r"""``D_i = gamma_i sum_{k < steps_i} (I - gamma_i P_i A_i)^k P_i``; corrected: ``(gamma_i steps_i P_i)^-1 D_i``.

    >>> clients = Quadratics([[[1]], [[2]]], [[1], ["1/2"]])
    >>> p = Preconditioned(clients, "1/4", 2, [[[1]], [["1/2"]]])
    >>> p.resting_point[0], p.limit[0], p.has_loss("any")
    (3/4, 3/4, True)
    """

    def __init__(self, clients: Quadratics, gamma: Any, steps: Any, P: Any, corrected: bool = False) -> None:
        self.clients: Quadratics = _checks.clients(clients, Quadratics)
        self.gamma = checks.rates(gamma, "gamma", clients.n, strict=True)
        self.steps = tuple(_checks.whole_steps(steps, "steps", clients.n))
        self.P = checks.positive_definite(P, "P", clients.n, clients.d)
        self.corrected = bool(corrected)

    @cached_property
    def _sums(self) -> list[fmpq_mat]:
        """sum_{k < steps_i} (I - gamma_i P_i A_i)^k, by doubling."""
        one = identity(self.clients.d)
        cases = zip(self.clients._matrices, self.P, self.gamma, self.steps, strict=True)
        return [
            filters.ring_geometric(Ring(one - matrix(P) * A * gamma), steps, Ring(one)).value
            for A, P, gamma, steps in cases
        ]

    @cached_property
    def _scales(self) -> list[fmpq_mat]:
        """N_i = gamma_i steps_i P_i, to which D_i tends as gamma -> 0."""
        return [matrix(P) * (gamma * steps) for P, gamma, steps in zip(self.P, self.gamma, self.steps, strict=True)]

    def _distort(self) -> list[fmpq_mat]:
        plain = [S * N * fmpq(1, steps) for S, N, steps in zip(self._sums, self._scales, self.steps, strict=True)]
        if not self.corrected:
            return plain
        return [N.inv() * D for N, D in zip(self._scales, plain, strict=True)]

    @cached_property
    def limit(self) -> Exact:
        """The rest as all gamma -> 0 in their ratios: (sum w N_i A_i)^-1 sum w N_i b_i (LA (8)); x* if corrected."""
        return self.clients.minimizer if self.corrected else Field(self.clients, stack(self._scales)).resting_point

    def _name(self) -> str:
        return f"Preconditioned({'corrected' if self.corrected else 'uncorrected'})"
