"""Clients with quadratic losses, in rationals."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Self

import numpy as np
from flint import arb, fmpq, fmpq_mat, fmpq_poly

from surrogate._types import Array, Matrices, Vectors
from surrogate.clients import Clients
from surrogate.exact.linear import FMPQ
from surrogate.exact.spectra import definite, largest, operator_norm, real_roots, semidefinite, smallest
from surrogate.numbers.balls import BALLS, balls, working
from surrogate.numbers.matrices import column, matrix, rational, table, vector
from surrogate.quadratics import Quadratics as FloatQuadratics

__all__ = ["Quadratics"]


class Quadratics(Clients[fmpq, arb]):
    r"""Clients ``f_i(x) = 1/2 (x - c_i)^T A_i (x - c_i)``: ``surrogate.Quadratics`` with every number a rational.

    ``A`` (n, d, d), ``c`` (n, d), ``weights`` (n,). Entries: ints, Fractions, fmpq, strings like "1/3", or floats,
    which are taken as the binary fractions they are (0.1 is not 1/10: write "1/10"). Arrays hold ``fmpq`` and are
    read-only. ``A`` must be symmetric and positive semidefinite, both decided exactly. ``mu``, ``L``, ``sigma_A``,
    ``sigma_c`` are balls (``arb``) around the value.

    >>> clients = Quadratics([[[1]], [[2]]], [[1], ["1/2"]])   # the two clients of OLR section 4
    >>> clients.minimizer[0], clients.mean_minimizer[0], clients.sigma_c_squared, clients.mu == 1
    (2/3, 3/4, 1/16, True)
    """

    linear = FMPQ

    @classmethod
    def from_float(cls, clients: FloatQuadratics) -> Self:
        """The same clients, every float as the binary fraction it is (weights divided by their exact sum).

        A client singular up to rounding may be indefinite as it stands, which is refused: build it here from its data.
        """
        if clients.examples is not None:
            return cls.from_examples(*clients.examples)
        if clients._c is not None:
            return cls(clients.A, clients.c, clients.weights)
        return cls.from_linear(clients.A, clients.b, clients.weights)

    def to_float(self) -> FloatQuadratics:
        """The same clients in float64, every rational rounded to the nearest float."""
        if self.examples is not None:
            A_z, c_z, owner = self.examples
            return FloatQuadratics.from_examples(_floats(A_z), _floats(c_z), owner)
        if self._c is not None:
            return FloatQuadratics(_floats(self.A), _floats(self.c), _floats(self.weights))
        return FloatQuadratics.from_linear(_floats(self.A), _floats(self.b), _floats(self.weights))

    def _eigenvalues(self, A: Matrices, name: str) -> list[fmpq_poly]:
        """The characteristic polynomials, all of whose roots must be >= 0."""
        polynomials = [matrix(a).charpoly() for a in A]
        for i, p in enumerate(polynomials):
            if not semidefinite(p):
                raise self.linear.not_convex(name, i, real_roots(p)[0])
        return polynomials

    def _decompose(self) -> None:
        self.polynomials = self._eigenvalues(self.A, "A")

    def _check_mean(self) -> None:
        if not definite(matrix(self.hessian).charpoly()):
            raise self._singular_mean("its determinant is exactly 0", "identity / 10**6")

    @cached_property
    def matrices(self) -> list[fmpq_mat]:
        """The A_i as flint's matrices."""
        return [matrix(a) for a in self.A]

    def _least_norm(self) -> Vectors:
        return np.stack([self._least_norm_of(i) for i in range(self.n)])

    def _least_norm_of(self, i: int) -> Vectors:
        """A_i y with A_i^2 y = b_i: in the range of A_i, so of least norm; solvable just when a minimizer exists."""
        A, d = self.matrices[i], self.d
        reduced, rank = matrix(np.hstack([table(A * A), self.b[i][:, None]])).rref()
        rows = table(reduced)
        pivots = [int(np.flatnonzero(rows[r] != 0)[0]) for r in range(rank)]
        if d in pivots:
            raise self._no_minimizer(i, "b is outside the range of A")
        y = np.full(d, fmpq(0), dtype=object)
        y[pivots] = rows[:rank, d]
        return vector(A * column(y))

    @property
    def spectra(self) -> list[list[Any]]:
        """n lists of d eigenvalues ascending: fmpq where rational, arb elsewhere."""
        return [real_roots(p) for p in self.polynomials]

    @property
    def mu(self) -> arb:
        return smallest([values[0] for values in self.spectra])

    @property
    def L(self) -> arb:
        return largest([values[-1] for values in self.spectra])

    @property
    def sigma_A(self) -> arb:
        with working():
            norms = [operator_norm(matrix(apart), symmetric=True) for apart in self.A - self.hessian]
            variance = sum((norm**2 * balls(w) for w, norm in zip(self.weights, norms, strict=True)), arb(0))
            deviation: arb = BALLS.sqrt(variance)
            return deviation

    @property
    def sigma_c_squared(self) -> fmpq:
        """sum_i w_i ||c_i - c||^2, a rational."""
        return rational(self.weights @ ((self.c - self.mean_minimizer) ** 2).sum(axis=1))

    @property
    def sigma_c(self) -> arb:
        with working():
            deviation: arb = BALLS.sqrt(arb(self.sigma_c_squared))
            return deviation


def _floats(a: Matrices) -> Array:
    """Nearest floats: Python divides whole numbers with one rounding."""
    flat = [int(q.p) / int(q.q) for q in a.flat]
    return np.array(flat, dtype=float).reshape(a.shape)
