"""Clients with quadratic losses, in rationals."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from flint import arb, fmpq, fmpq_mat

from surrogate.exact import checks
from surrogate.exact.spectra import definite, largest, operator_norm, real_roots, smallest
from surrogate.kit import checks as _checks
from surrogate.kit.errors import problem
from surrogate.numbers.balls import balls, working
from surrogate.numbers.matrices import array, column, frozen, matrix, rational, table, vector
from surrogate.numbers.types import ExactArray as Exact
from surrogate.quadratics import Examples
from surrogate.quadratics import Quadratics as FloatQuadratics
from surrogate.quadratics import _owners as owners

__all__ = ["Quadratics"]


class Quadratics:
    r"""Clients ``f_i(x) = 1/2 (x - c_i)^T A_i (x - c_i)``: ``surrogate.Quadratics`` with every number a rational.

    Entries: ints, Fractions, fmpq, strings like "1/3", or floats, which are taken as the binary fractions they are (0.1
    is not 1/10: write "1/10"). Arrays hold ``fmpq`` and are read-only. ``A`` must be symmetric and positive
    semidefinite, both decided exactly. ``mu``, ``L``, ``sigma_A``, ``sigma_c`` are balls (``arb``) around the value.

    >>> clients = Quadratics([[[1]], [[2]]], [[1], ["1/2"]])   # the two clients of OLR section 4
    >>> clients.minimizer[0], clients.mean_minimizer[0], clients.sigma_c_squared, clients.mu == 1
    (2/3, 3/4, 1/16, True)
    """

    def __init__(self, A: Any, c: Any, weights: Any = None) -> None:
        A = checks.symmetric(A, "A")
        c = checks.vectors(c, "c", A)
        self._build(A, np.stack([vector(matrix(a) * column(v)) for a, v in zip(A, c, strict=True)]), weights)
        self.c = c  # a given minimizer, the cached property below otherwise
        self._centred = True

    @classmethod
    def from_linear(cls, A: Any, b: Any, weights: Any = None) -> Quadratics:
        """Clients with gradient ``A_i x - b_i``; a singular client need not have a minimizer, the average must."""
        A = checks.symmetric(A, "A")
        self = cls.__new__(cls)
        self._build(A, checks.vectors(b, "b", A), weights)
        return self

    @classmethod
    def from_examples(cls, A_z: Any, c_z: Any, client: Any) -> Quadratics:
        """Clients that average their examples, which they keep: ``A_z`` (m, d, d), ``c_z`` (m, d), ``client`` (m,)."""
        A_z = checks.symmetric(A_z, "A_z")
        c_z = checks.vectors(c_z, "c_z", A_z)
        owner = owners(client, len(A_z))
        checks.convex(A_z, "A_z")
        b_z = np.stack([vector(matrix(a) * column(v)) for a, v in zip(A_z, c_z, strict=True)])
        own = [owner == i for i in range(int(owner.max()) + 1)]
        self = cls.__new__(cls)
        A, b = ([part[o].sum(axis=0) / int(o.sum()) for o in own] for part in (A_z, b_z))
        self._build(np.stack(A), np.stack(b), None)
        self.examples = Examples(A_z, c_z, owner)
        return self

    @classmethod
    def least_squares(cls, X: Any, y: Any, client: Any) -> Quadratics:
        """Clients ``f_i(x) = mean over its rows of 1/2 (X x - y)^2``; ``client`` (m,): the owner of each row."""
        X, y = array(X, "X", 2, "(m, d)"), array(y, "y", 1, "(m,)")
        if len(X) != len(y):
            raise problem("y", f"of length {len(y)}", f"length {len(X)}", "rows lost on the way", "one target a row")
        A_z = X[:, :, None] * X[:, None, :]
        norm2 = (X * X).sum(axis=1)
        c_z = [x * (t / q) if q else x for x, t, q in zip(X, y, norm2, strict=True)]
        return cls.from_examples(A_z, np.stack(c_z), client)

    @classmethod
    def from_float(cls, clients: FloatQuadratics) -> Quadratics:
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
        if self._centred:
            return FloatQuadratics(_floats(self.A), _floats(self.c), _floats(self.weights))
        return FloatQuadratics.from_linear(_floats(self.A), _floats(self.b), _floats(self.weights))

    def _build(self, A: Exact, b: Exact, weights: Any) -> None:
        self.A, self.b = frozen(A), frozen(b)
        self.n, self.d = A.shape[:2]
        self.weights = checks.weights(weights, self.n)
        self.examples: Examples | None = None
        self._centred = False
        self._polynomials = checks.convex(A, "A")
        self._matrices = [matrix(a) for a in A]
        self._linear = [column(v) for v in self.b]
        self._hessian = self.average(self._matrices)
        if not definite(self._hessian.charpoly()):
            raise problem(
                "the averaged Hessian sum_i w_i A_i",
                "singular (its determinant is exactly 0)",
                "a positive definite matrix",
                "a direction that no client (of positive weight) determines",
                "add a client, or a small ridge: A + identity / 10**6",
            )

    def average(self, parts: list[fmpq_mat]) -> fmpq_mat:
        """sum_i w_i M_i."""
        total: fmpq_mat = parts[0] * self.weights[0]
        for w, part in zip(self.weights[1:], parts[1:], strict=True):
            total = total + part * w
        return total

    @cached_property
    def hessian(self) -> Exact:
        """sum_i w_i A_i (d, d)."""
        return table(self._hessian)

    @cached_property
    def minimizer(self) -> Exact:
        """x* (d,), where sum_i w_i (A_i x - b_i) = 0."""
        return vector(self._hessian.solve(self.average(self._linear)))

    @cached_property
    def residuals(self) -> Exact:
        """Client gradients at x*, (n, d); they sum to 0 under the weights, exactly."""
        return frozen(np.stack([self.client_gradient(i, self.minimizer) for i in range(self.n)]))

    @cached_property
    def c(self) -> Exact:
        """Client minimizers (n, d); of a singular client, the one of least norm."""
        return frozen(np.stack([self._least_norm(i) for i in range(self.n)]))

    def _least_norm(self, i: int) -> Exact:
        """A_i y with A_i^2 y = b_i: in the range of A_i, so of least norm; solvable just when a minimizer exists."""
        A, b, d = self._matrices[i], self._linear[i], self.d
        reduced, rank = matrix(np.hstack([table(A * A), vector(b)[:, None]])).rref()
        rows = table(reduced)
        pivots = [int(np.flatnonzero(rows[r] != 0)[0]) for r in range(rank)]
        if d in pivots:
            raise problem(
                f"client {i}",
                "without a minimizer (b is outside the range of A)",
                "b in the range of A",
                "a linear term along a direction without curvature",
                "ask for what needs no client minimizer (minimizer, resting_point), or drop the client",
            )
        y = fmpq_mat(d, 1)
        for r, pivot in enumerate(pivots):
            y[pivot, 0] = rows[r, d]
        return vector(A * y)

    @property
    def mean_minimizer(self) -> Exact:
        """c = sum_i w_i c_i, where K -> infinity leads (OLR Lemma 15)."""
        return vector(self.average([column(v) for v in self.c]))

    @property
    def spectra(self) -> list[list[Any]]:
        """n lists of d eigenvalues ascending: fmpq where rational, arb elsewhere."""
        return [real_roots(p) for p in self._polynomials]

    @property
    def mu(self) -> arb:
        """Smallest eigenvalue of any client (0 with a singular client)."""
        return smallest([values[0] for values in self.spectra])

    @property
    def L(self) -> arb:
        """Largest eigenvalue of any client."""
        return largest([values[-1] for values in self.spectra])

    @property
    def sigma_A(self) -> arb:
        """(sum_i w_i ||A_i - A||^2)^(1/2), operator norm (OLR Assumption 3)."""
        with working():
            norms = [operator_norm(A - self._hessian, symmetric=True) for A in self._matrices]
            return sum((norm**2 * balls(w) for w, norm in zip(self.weights, norms, strict=True)), arb(0)).sqrt()

    @property
    def sigma_c_squared(self) -> fmpq:
        """sum_i w_i ||c_i - c||^2, a rational."""
        return rational(self.weights @ ((self.c - self.mean_minimizer) ** 2).sum(axis=1))

    @property
    def sigma_c(self) -> arb:
        """(sum_i w_i ||c_i - c||^2)^(1/2) (OLR Assumption 3)."""
        with working():
            return arb(self.sigma_c_squared).sqrt()

    def value(self, x: Any) -> fmpq:
        """f(x), counted from the clients' minima: sum_i w_i 1/2 (x - c_i)^T A_i (x - c_i)."""
        return sum((w * self.client_value(i, x) for i, w in enumerate(self.weights)), fmpq(0))

    def client_value(self, i: int, x: Any) -> fmpq:
        """f_i(x) = 1/2 (x - c_i)^T A_i (x - c_i)."""
        i = _checks.client(i, self.n)
        step = column(checks.vector(x, "x", self.d) - self.c[i])
        return (step.transpose() * self._matrices[i] * step)[0, 0] / 2

    def client_gradient(self, i: int, x: Any) -> Exact:
        """grad f_i(x) = A_i x - b_i."""
        i = _checks.client(i, self.n)
        return vector(self._matrices[i] * column(checks.vector(x, "x", self.d)) - self._linear[i])

    def gradient(self, x: Any) -> Exact:
        """grad f(x)."""
        return vector(self._hessian * column(checks.vector(x, "x", self.d)) - self.average(self._linear))

    def __repr__(self) -> str:
        kept = f", {len(self.examples.A)} examples" if self.examples else ""
        return f"exact.Quadratics(n={self.n}, d={self.d}{kept})"


def _floats(a: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Nearest floats: Python divides whole numbers with one rounding."""
    flat = [int(q.p) / int(q.q) for q in a.flat]
    return np.array(flat, dtype=float).reshape(a.shape)
