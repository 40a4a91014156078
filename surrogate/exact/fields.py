"""What a stateless local method does on quadratics, in rationals: a linear field, its zero, and its speed."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal, NamedTuple

from flint import arb, fmpq_mat

from surrogate.exact import checks
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
from surrogate.kit import checks as _checks
from surrogate.kit.errors import problem
from surrogate.numbers.matrices import array, column, matrix, stack, table, vector
from surrogate.numbers.types import ExactArray as Exact

__all__ = ["Contraction", "Field"]


class Contraction(NamedTuple):
    """How one round shrinks the distance to rest: ``norm`` = ||I - eta J|| and its spectral ``radius``, as balls."""

    norm: arb
    radius: arb


class Field:
    r"""``F(x) = sum_i w_i D_i A_i (x - c_i) = J (x - x~)``: ``surrogate.Field`` with every number a rational.

    >>> clients = Quadratics([[[1]], [[2]]], [[1], ["1/2"]])
    >>> field = Field(clients, [[[1]], [["1/2"]]])      # client 1 answers at half strength
    >>> field.resting_point[0], field.displacement[0], field.contraction(eta=1).radius == 0
    (3/4, 1/12, True)
    """

    def __init__(self, clients: Quadratics, distortion: Any) -> None:
        self.clients: Quadratics = _checks.clients(clients, Quadratics)
        D = array(distortion, "distortion", 3, "(n, d, d)")
        if D.shape != clients.A.shape:
            raise problem(
                "distortion",
                f"of shape {D.shape}",
                f"{clients.A.shape}",
                "a client left out",
                "one matrix a client",
            )
        self._given = [matrix(a) for a in D]

    def _distort(self) -> list[fmpq_mat]:
        """The D_i; subclasses compute them."""
        return self._given

    @cached_property
    def _D(self) -> list[fmpq_mat]:
        return self._distort()

    @cached_property
    def _parts(self) -> list[fmpq_mat]:
        return [D * A for D, A in zip(self._D, self.clients._matrices, strict=True)]

    @cached_property
    def _J(self) -> fmpq_mat:
        return self.clients.average(self._parts)

    @cached_property
    def _bias(self) -> fmpq_mat:
        """F(x*) = sum_i w_i D_i A_i (x* - c_i)."""
        return self.clients.average([D * column(g) for D, g in zip(self._D, self.clients.residuals, strict=True)])

    @cached_property
    def distortion(self) -> Exact:
        """D_i, (n, d, d)."""
        return stack(self._D)

    @cached_property
    def client_jacobians(self) -> Exact:
        """D_i A_i, (n, d, d): what client i's answer does to a change of x."""
        return stack(self._parts)

    @cached_property
    def jacobian(self) -> Exact:
        """J = sum_i w_i D_i A_i, (d, d)."""
        return table(self._J)

    @cached_property
    def displacement(self) -> Exact:
        """x~ - x* (d,) = -J^-1 F(x*)."""
        return vector(
            checks.solve(
                self._J,
                -self._bias,
                f"the averaged Hessian of {self._name()}",
                self._singular_cause(),
                "lower gamma below 1/L, where every client's part is positive",
            )
        )

    @cached_property
    def resting_point(self) -> Exact:
        """x~ (d,), where the field vanishes and the server rests."""
        return vector(column(self.clients.minimizer + self.displacement))

    def gradient(self, x: Any) -> Exact:
        """F(x) = sum_i w_i D_i (A_i x - b_i)."""
        x = checks.vector(x, "x", self.clients.d)
        return vector(self._J * column(x - self.clients.minimizer) + self._bias)

    def client_gradient(self, i: int, x: Any) -> Exact:
        """What client i answers at x: D_i (A_i x - b_i)."""
        gradient = self.clients.client_gradient(i, x)  # refuses an i that is no client's
        return vector(self._D[i] * column(gradient))

    def has_loss(self, metric: Literal["euclidean", "any"] = "euclidean") -> bool:
        """Is the field the gradient of a loss: in the Euclidean metric (J symmetric), or in any (a real eigenbasis)?

        Decided: "any" asks whether the minimal polynomial of J is squarefree with real roots only.
        """
        if metric not in ("euclidean", "any"):
            raise problem("metric", repr(metric), "'euclidean' or 'any'", "a slip of the pen", "use one of the two")
        symmetric = bool(self._J.transpose() == self._J)
        return symmetric or (metric == "any" and real_diagonalisable(self._J))

    def contraction(self, eta: Any = 1) -> Contraction:
        """Norm and spectral radius of the round map I - eta J; below 1 the server converges to rest."""
        M = identity(self.clients.d) - self._J * checks.rates(eta, "eta", 1)[0]
        return Contraction(operator_norm(M), radius(M))

    @property
    def best_eta(self) -> arb:
        """The server rate with the smallest spectral radius of I - eta J, as a ball."""
        return best_rate(self._J.charpoly(), self._name())

    @cached_property
    def ill_behaved(self) -> tuple[int, ...]:
        """Clients whose own part x^T D_i A_i x is not positive (not >= 0 where A_i is singular), decided exactly."""
        bad = []
        for i, part in enumerate(self._parts):
            p = (part + part.transpose()).charpoly()
            singular = self.clients._polynomials[i][0] == 0
            if not (semidefinite(p) if singular else definite(p)):
                bad.append(i)
        return tuple(bad)

    def _name(self) -> str:
        return type(self).__name__

    def _singular_cause(self) -> str:
        return "distortions that cancel between clients"

    def __repr__(self) -> str:
        return f"exact.{self._name()}(n={self.clients.n}, d={self.clients.d})"
