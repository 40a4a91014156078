"""Clients with quadratic losses, in any arithmetic: all that float64 and exact clients have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

import numpy as np

from surrogate._types import Given, Matrices, Matrix, Point, Vectors, Weights
from surrogate.kit import checks
from surrogate.kit.errors import ProblemError, problem
from surrogate.linear import Linear

__all__ = ["AnyClients", "Bound", "Clients", "Examples", "Value"]

Value = TypeVar("Value")  # a value: a float, or a rational
Bound = TypeVar("Bound")  # a root or an eigenvalue: a float, or a ball around it


_UNSEEN = "a direction that no client (of positive weight) determines"
_FLAT = "a linear term along a direction without curvature"
_NAMES = (
    "names instead of numbers, or one owner too few",
    "np.unique(names, return_inverse=True)[1] turns names into numbers",
)


class Examples(NamedTuple):
    """The examples that clients draw minibatches from: z has Hessian A[z], minimizer c[z], and belongs to owner[z]."""

    A: Matrices  # (m, d, d)
    c: Vectors  # (m, d)
    owner: np.ndarray[Any, np.dtype[np.int64]]  # (m,)


class Clients(ABC, Generic[Value, Bound]):
    """Quadratic clients ``f_i(x) = 1/2 (x - c_i)^T A_i (x - c_i)``, and their mean ``f = sum_i w_i f_i``.

    ``A`` (n, d, d): Hessians; ``c`` (n, d): client minimizers; ``weights`` w (n,), of sum 1.
    """

    linear: ClassVar[Linear]

    def __init__(self, A: Given, c: Given, weights: Given = None) -> None:
        A = self.linear.symmetric(A, "A")
        c = self.linear.vectors(c, "c", A)
        origin, apart = _origin(c)
        b, shifted = (self.linear.apply(A, v) for v in (c, apart))
        self._build(A, b, weights, origin, shifted)
        self._c: Vectors | None = frozen(c)

    @classmethod
    def from_linear(cls, A: Given, b: Given, weights: Given = None) -> Self:
        """Clients with gradient ``A_i x - b_i``: ``A`` (n, d, d), ``b`` (n, d), and ``weights`` (n,).

        A singular client need not have a minimizer, the average must.
        """
        A = cls.linear.symmetric(A, "A")
        b = cls.linear.vectors(b, "b", A)
        self = cls.__new__(cls)
        self._build(A, b, weights, b[0] - b[0], b)
        self._c = None
        return self

    @classmethod
    def from_examples(cls, A_z: Given, c_z: Given, client: Given) -> Self:
        """Clients that average their examples ``1/2 (x - c_z)^T A_z (x - c_z)`` and keep them for minibatches.

        ``A_z`` (m, d, d), ``c_z`` (m, d), ``client`` (m,): the owner of each example, 0..n-1. Uniform client weights.
        """
        A_z = cls.linear.symmetric(A_z, "A_z", "(m, d, d)")
        c_z = cls.linear.vectors(c_z, "c_z", A_z, "(m, d)")
        owner = _owners(client, len(A_z))
        self = cls.__new__(cls)
        self._eigenvalues(A_z, "A_z")  # every example must be convex, too
        origin, apart = _origin(c_z)
        b, shifted = (cls.linear.means(owner, cls.linear.apply(A_z, v)) for v in (c_z, apart))
        self._build(cls.linear.means(owner, A_z), b, None, origin, shifted)
        self._c = None
        self.examples = Examples(frozen(A_z), frozen(c_z), owner)
        return self

    @classmethod
    def least_squares(cls, X: Given, y: Given, client: Given) -> Self:
        """Clients ``f_i(x) = mean over its rows of 1/2 (X x - y)^2``.

        ``X`` (m, d); ``y`` (m,); ``client`` (m,): the owner of each row. A client with fewer rows than unknowns is
        singular: allowed, as long as all rows together determine x.
        """
        X = cls.linear.array(X, "X", 2, "(m, d)")
        y = cls.linear.array(y, "y", 1, "(m,)")
        if len(X) != len(y):
            raise problem("y", f"of length {len(y)}", f"length {len(X)}", "rows lost on the way", "one target a row")
        norm2 = np.einsum("zj,zj->z", X, X)
        c_z = X * np.divide(y, norm2, out=y - y, where=norm2 > 0)[:, None]
        return cls.from_examples(np.einsum("zj,zk->zjk", X, X), c_z, client)

    def _build(self, A: Matrices, b: Vectors, weights: Given, origin: Point, shifted: Vectors) -> None:
        """``shifted``: b_i - A_i origin, the linear terms as seen from the origin, formed without cancellation."""
        self.linear.within_range("A_i c_i", b, shifted)
        self.A, self.b = frozen(A), frozen(b)
        self.n, self.d = A.shape[:2]
        self.weights: Weights = frozen(self.linear.weights(weights, self.n))
        self.examples: Examples | None = None
        self._origin, self._shifted = origin, shifted
        self._decompose()
        self.hessian: Matrix = frozen(np.tensordot(self.weights, A, 1))
        self._check_mean()

    @abstractmethod
    def _eigenvalues(self, A: Matrices, name: str) -> Any:
        """What the arithmetic knows of the spectra of A (m, d, d); indefinite matrices are refused."""

    @abstractmethod
    def _decompose(self) -> None:
        """Keep the spectra of the clients."""

    @abstractmethod
    def _check_mean(self) -> None:
        """Refuse a mean Hessian that is not definite."""

    def _singular_mean(self, how: str, ridge: str) -> ProblemError:
        fix = f"add a client, or a small ridge: A + {ridge}"
        mean = "the averaged Hessian sum_i w_i A_i"
        return problem(mean, f"singular ({how})", "a positive definite matrix", _UNSEEN, fix)

    @cached_property
    def _shift(self) -> Point:
        """x* - origin, from differences of client minimizers alone."""
        return self.linear.solve(self.hessian, self.weights @ self._shifted)

    @cached_property
    def minimizer(self) -> Point:
        """x* (d,), where sum_i w_i (A_i x - b_i) = 0."""
        return frozen(self._origin + self._shift)

    @cached_property
    def residuals(self) -> Vectors:
        """Client gradients at x*, (n, d): ``A_i (x* - c_i)``; they sum to 0 under the weights."""
        if self._c is None:
            return frozen(np.einsum("ijk,k->ij", self.A, self._shift) - self._shifted)
        return frozen(self.linear.apply(self.A, self._shift - (self._c - self._origin)))

    @cached_property
    def c(self) -> Vectors:
        """Client minimizers (n, d); of a singular client, the one of least norm."""
        return frozen(self._least_norm() if self._c is None else self._c)

    @abstractmethod
    def _least_norm(self) -> Vectors:
        """The minimizers of least norm, (n, d)."""

    def _no_minimizer(self, i: int, why: str) -> ProblemError:
        fix = "ask for what needs no client minimizer (minimizer, resting_point), or drop the client"
        return problem(f"client {i}", f"without a minimizer ({why})", "b in the range of A", _FLAT, fix)

    @property
    def mean_minimizer(self) -> Point:
        """c = sum_i w_i c_i, where K -> infinity leads (OLR Lemma 15)."""
        return np.asarray(self.weights @ self.c)

    @property
    @abstractmethod
    def mu(self) -> Bound:
        """Smallest eigenvalue of any client (0 with a singular client)."""

    @property
    @abstractmethod
    def L(self) -> Bound:
        """Largest eigenvalue of any client."""

    @property
    @abstractmethod
    def sigma_A(self) -> Bound:
        """(sum_i w_i ||A_i - A||^2)^(1/2), operator norm (OLR Assumption 3)."""

    @property
    @abstractmethod
    def sigma_c(self) -> Bound:
        """(sum_i w_i ||c_i - c||^2)^(1/2) (OLR Assumption 3)."""

    def value(self, x: Given) -> Value:
        """f(x), counted from the clients' minima: sum_i w_i 1/2 (x - c_i)^T A_i (x - c_i)."""
        value: Value = self.linear.number(self.weights @ [self.client_value(i, x) for i in range(self.n)])
        return value

    def client_value(self, i: int, x: Given) -> Value:
        """f_i(x) = 1/2 (x - c_i)^T A_i (x - c_i) of client ``i`` at ``x`` (d,)."""
        i, x = checks.client(i, self.n), self.linear.vector(x, "x", self.d)
        value: Value = self.linear.half_square(x - self.c[i], self.A[i])
        return value

    def client_gradient(self, i: int, x: Given) -> Point:
        """grad f_i(x) = A_i x - b_i of client ``i`` at ``x`` (d,)."""
        i, x = checks.client(i, self.n), self.linear.vector(x, "x", self.d)
        return np.asarray(self.A[i] @ x - self.b[i])

    def gradient(self, x: Given) -> Point:
        """grad f(x), through x* so that it vanishes there."""
        return np.asarray(self.hessian @ (self.linear.vector(x, "x", self.d) - self.minimizer))

    def _size(self) -> str:
        return f"n={self.n}, d={self.d}"

    def __repr__(self) -> str:
        kept = f", {len(self.examples.A)} examples" if self.examples else ""
        return f"{self.linear.prefix}Quadratics({self._size()}{kept})"


AnyClients = Clients[Any, Any]  # in float64, or in rationals


def frozen(a: Matrices) -> Matrices:
    """The array, read-only from here on."""
    a.setflags(write=False)
    return a


@np.errstate(over="ignore")
def _origin(c: Vectors) -> tuple[Point, Vectors]:
    """In each coordinate the middle one of the given values, and c less it: exact where points are close."""
    origin = np.sort(c, axis=0)[len(c) // 2]
    return np.asarray(origin), np.asarray(c - origin)


def _owners(client: Given, m: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    owner = np.asarray(client)
    if owner.shape != (m,) or not np.issubdtype(owner.dtype, np.integer) or owner.min(initial=0) < 0:
        expected = f"{m} whole numbers >= 0, the owner of each example"
        raise problem("client", f"{owner.dtype} of shape {owner.shape}", expected, *_NAMES)
    present = np.unique(owner)  # a number of 10^9 asks for no memory of that size
    gaps = np.flatnonzero(present != np.arange(len(present)))
    if len(gaps):
        expected, fix = "at least one example for every client 0..n-1", "renumber the owners without gaps"
        raise problem(f"client {int(gaps[0])}", "without an example", expected, "gaps in the numbering", fix)
    return owner.astype(np.int64)
