"""Linear fields in rationals: what stateless local methods do on quadratics, every decision exact."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, reduce
from operator import add

from flint import arb, fmpq, fmpq_mat, fmpq_poly

from surrogate._types import Given, Matrices, Matrix, Point
from surrogate.exact.quadratics import Quadratics
from surrogate.exact.spectra import (
    best_rate,
    definite,
    identity,
    operator_norm,
    radius,
    real_diagonalisable,
    semidefinite,
)
from surrogate.linear_fields import Contraction, LinearField
from surrogate.numbers.matrices import column, matrix, stack, table, vector

__all__ = ["Contraction", "Field"]


class Field(LinearField[fmpq, arb]):
    r"""``F(x) = sum_i w_i D_i A_i (x - c_i) = J (x - x~)``: ``surrogate.Field`` with every number a rational.

    ``clients``: of surrogate.exact; ``distortion`` (n, d, d): the D_i.

    >>> clients = Quadratics([[[1]], [[2]]], [[1], ["1/2"]])
    >>> field = Field(clients, [[[1]], [["1/2"]]])      # client 1 answers at half strength
    >>> field.resting_point[0], field.displacement[0], field.contraction(eta=1).radius == 0
    (3/4, 1/12, True)
    """

    kind = Quadratics
    clients: Quadratics

    @cached_property
    def _distortions(self) -> list[fmpq_mat]:
        """The D_i; flint's matrices, here and below, are what is computed with, and arrays what is shown."""
        return [matrix(D) for D in self._given]

    @cached_property
    def _parts(self) -> list[fmpq_mat]:
        """D_i A_i."""
        return [D * A for D, A in zip(self._distortions, self.clients.matrices, strict=True)]

    @cached_property
    def _J(self) -> fmpq_mat:
        return self._mean(self._parts)

    def _mean(self, terms: Iterable[fmpq_mat]) -> fmpq_mat:
        """sum_i w_i of them."""
        total: fmpq_mat = reduce(add, (term * w for term, w in zip(terms, self.clients.weights, strict=True)))
        return total

    @cached_property
    def client_jacobians(self) -> Matrices:
        return stack(self._parts)

    @cached_property
    def jacobian(self) -> Matrix:
        return table(self._J)

    @cached_property
    def _polynomial(self) -> fmpq_poly:
        """The characteristic polynomial of J."""
        return self._J.charpoly()

    @cached_property
    def _bias(self) -> Point:
        """F(x*) = sum_i w_i D_i A_i (x* - c_i)."""
        return vector(self._mean(D * column(r) for D, r in zip(self._distortions, self.clients.residuals, strict=True)))

    def _solved(self) -> Point:
        return vector(-self._J.solve(column(self._bias)))

    def _is_symmetric(self) -> bool:
        return bool(self._J == self._J.transpose())

    def _has_real_eigenbasis(self) -> bool:
        """Is the minimal polynomial of J squarefree with real roots only?"""
        return real_diagonalisable(self._J)

    def contraction(self, eta: Given = 1) -> Contraction[arb]:
        M = identity(self.clients.d) - self._J * self._linear.rates(eta, "eta", 1)[0]
        return Contraction(operator_norm(M), radius(M))

    @property
    def best_eta(self) -> arb:
        """The server rate with the smallest spectral radius of I - eta J, as a ball."""
        return best_rate(self._polynomial, self._name())

    @cached_property
    def ill_behaved(self) -> tuple[int, ...]:
        """Clients whose own part x^T D_i A_i x is not positive (not >= 0 where A_i is singular), decided exactly."""
        bad = []
        for i, part in enumerate(self._parts):
            p = (part + part.transpose()).charpoly()
            singular = self.clients.polynomials[i][0] == 0
            if not (semidefinite(p) if singular else definite(p)):
                bad.append(i)
        return tuple(bad)
