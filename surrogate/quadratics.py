"""Clients with quadratic losses: the problem that everything else is about."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from surrogate._types import Array
from surrogate.kit import checks
from surrogate.kit.errors import problem
from surrogate.notebook import card, number, or_why, point, shown

__all__ = ["Examples", "Quadratics"]

_EPS = float(np.finfo(float).eps)


class Examples(NamedTuple):
    """The examples that clients draw minibatches from: z has Hessian A[z], minimizer c[z], and belongs to owner[z]."""

    A: Array  # (m, d, d)
    c: Array  # (m, d)
    owner: np.ndarray[Any, np.dtype[np.int64]]  # (m,)


class Quadratics:
    r"""Clients ``f_i(x) = 1/2 (x - c_i)^T A_i (x - c_i)`` with weights ``w_i``, and their mean ``f = sum_i w_i f_i``.

    ``A`` (n, d, d): symmetric, positive semidefinite; a client may be singular as long as the average is definite.
    ``c`` (n, d): client minimizers. ``weights`` (n,): sum to 1, uniform when left out.
    The minimizer solves ``(sum_i w_i A_i) x* = sum_i w_i A_i c_i``; it is not the mean of the ``c_i`` in general.

    >>> clients = Quadratics([[[1.0]], [[2.0]]], [[1.0], [0.5]])   # the two clients of OLR section 4
    >>> float(round(clients.minimizer[0], 15)), clients.mu, clients.L
    (0.666666666666667, 1.0, 2.0)
    """

    def __init__(self, A: Any, c: Any, weights: Any = None) -> None:
        A = checks.symmetric(checks.array(A, "A", 3, "(n, d, d)"), "A")
        c = checks.array(c, "c", 2, "(n, d)")
        _same_shape(A, c, "c")
        origin = _origin(c)
        with np.errstate(over="ignore", invalid="ignore"):
            b, shifted = (np.einsum("ijk,ik->ij", A, v) for v in (c, c - origin))
        self._build(A, b, weights, origin, shifted)
        self._c: Array | None = _frozen(c)

    @classmethod
    def from_linear(cls, A: Any, b: Any, weights: Any = None) -> Quadratics:
        """Clients with gradient ``A_i x - b_i``; a singular client need not have a minimizer, the average must."""
        A = checks.symmetric(checks.array(A, "A", 3, "(n, d, d)"), "A")
        b = checks.array(b, "b", 2, "(n, d)")
        _same_shape(A, b, "b")
        self = cls.__new__(cls)
        self._build(A, b, weights, np.zeros(A.shape[1]), b)
        self._c = None
        return self

    @classmethod
    def from_examples(cls, A_z: Any, c_z: Any, client: Any) -> Quadratics:
        """Clients that average their examples ``1/2 (x - c_z)^T A_z (x - c_z)`` and keep them for minibatches.

        ``A_z`` (m, d, d), ``c_z`` (m, d), ``client`` (m,): the owner of each example, 0..n-1. Uniform client weights.
        """
        A_z = checks.symmetric(checks.array(A_z, "A_z", 3, "(m, d, d)"), "A_z")
        c_z = checks.array(c_z, "c_z", 2, "(m, d)")
        _same_shape(A_z, c_z, "c_z")
        owner = _owners(client, len(A_z))
        _spectra(A_z, "A_z")  # every example must be convex, too
        share = (owner == np.arange(owner.max() + 1)[:, None]) / np.bincount(owner)[:, None]  # (n, m)
        origin = _origin(c_z)
        with np.errstate(over="ignore", invalid="ignore"):
            b, shifted = (share @ np.einsum("zjk,zk->zj", A_z, c) for c in (c_z, c_z - origin))
        self = cls.__new__(cls)
        self._build(np.einsum("iz,zjk->ijk", share, A_z), b, None, origin, shifted)
        self._c = None
        self.examples = Examples(_frozen(A_z), _frozen(c_z), owner)
        return self

    @classmethod
    def least_squares(cls, X: Any, y: Any, client: Any) -> Quadratics:
        """Clients ``f_i(x) = mean over its rows of 1/2 (X x - y)^2``; ``client`` (m,): the owner of each row.

        A client with fewer rows than unknowns is singular: allowed, as long as all rows together determine x.
        """
        X = checks.array(X, "X", 2, "(m, d)")
        y = checks.array(y, "y", 1, "(m,)")
        if len(X) != len(y):
            raise problem("y", f"of length {len(y)}", f"length {len(X)}", "rows lost on the way", "one target a row")
        norm2 = np.einsum("zj,zj->z", X, X)
        c_z = X * np.divide(y, norm2, out=np.zeros_like(y), where=norm2 > 0)[:, None]
        return cls.from_examples(np.einsum("zj,zk->zjk", X, X), c_z, client)

    def _build(self, A: Array, b: Array, weights: Any, origin: Array, shifted: Array) -> None:
        """``shifted``: b_i - A_i origin, the linear terms as seen from the origin, formed without cancellation."""
        _within_range((b, shifted), "A_i c_i")
        self.A, self.b = _frozen(A), _frozen(b)
        self.n, self.d = A.shape[:2]
        self.weights = _frozen(checks.weights(weights, self.n))
        self.examples: Examples | None = None
        self._origin, self._shifted = origin, shifted
        self.spectra, self.frames = _spectra(A, "A")
        self.hessian = _frozen(np.tensordot(self.weights, A, 1))
        least, most = np.linalg.eigvalsh(self.hessian)[[0, -1]]
        if least <= self.d * _EPS * most or most <= 0:
            raise problem(
                "the averaged Hessian sum_i w_i A_i",
                f"singular (eigenvalues from {least:.3g} to {most:.3g})",
                "a positive definite matrix",
                "a direction that no client (of positive weight) determines",
                "add a client, or a small ridge: A + 1e-6 * np.eye(d)",
            )

    @cached_property
    def _shift(self) -> Array:
        """x* - origin, from differences of client minimizers alone."""
        return np.asarray(np.linalg.solve(self.hessian, self.weights @ self._shifted))

    @cached_property
    def minimizer(self) -> Array:
        """x* (d,), where sum_i w_i (A_i x - b_i) = 0."""
        return _frozen(self._origin + self._shift)

    @cached_property
    def residuals(self) -> Array:
        """Client gradients at x*, (n, d): ``A_i (x* - c_i)``; they sum to 0 under the weights."""
        if self._c is None:
            return _frozen(np.einsum("ijk,k->ij", self.A, self._shift) - self._shifted)
        return _frozen(np.einsum("ijk,ik->ij", self.A, self._shift - (self._c - self._origin)))

    @cached_property
    def residual_sizes(self) -> Array:
        """How large the terms are whose difference a residual is, (n,): what its rounding is relative to."""
        if self._c is None:
            apart = np.linalg.norm(self._shifted, axis=1)
            return _frozen(self.spectra[:, -1] * np.linalg.norm(self._shift) + apart)
        return _frozen(self.spectra[:, -1] * np.linalg.norm(self._shift - (self._c - self._origin), axis=1))

    @cached_property
    def c(self) -> Array:
        """Client minimizers (n, d); of a singular client, the one of least norm."""
        if self._c is not None:
            return self._c
        cut = self.d * _EPS * self.spectra[:, -1:]
        rotated = np.einsum("ijk,ij->ik", self.frames, self.b)
        lost = np.where(self.spectra > cut, 0.0, np.abs(rotated)).max(axis=1)
        worst = int(np.argmax(lost))
        if lost[worst] > 1e-9 * np.abs(self.b[worst]).max():
            raise problem(
                f"client {worst}",
                f"without a minimizer (b has {lost[worst]:.3g} outside the range of A)",
                "b in the range of A",
                "a linear term along a direction without curvature",
                "ask for what needs no client minimizer (minimizer, resting_point), or drop the client",
            )
        scaled = np.divide(rotated, self.spectra, out=np.zeros_like(rotated), where=self.spectra > cut)
        return _frozen(np.einsum("ijk,ik->ij", self.frames, scaled))

    @property
    def mean_minimizer(self) -> Array:
        """c = sum_i w_i c_i, where K -> infinity leads (OLR Lemma 15)."""
        return np.asarray(self.weights @ self.c)

    @property
    def mu(self) -> float:
        """Smallest eigenvalue of any client (0 with a singular client)."""
        return float(self.spectra[:, 0].min())

    @property
    def L(self) -> float:
        """Largest eigenvalue of any client."""
        return float(self.spectra[:, -1].max())

    @property
    def sigma_A(self) -> float:
        """(sum_i w_i ||A_i - A||^2)^(1/2), operator norm (OLR Assumption 3)."""
        norms = np.linalg.norm(self.A - self.hessian, ord=2, axis=(1, 2))
        return _root_mean_square(self.weights, norms[:, None])

    @property
    def sigma_c(self) -> float:
        """(sum_i w_i ||c_i - c||^2)^(1/2) (OLR Assumption 3)."""
        offsets = self.c - self._origin
        return _root_mean_square(self.weights, offsets - self.weights @ offsets)

    def value(self, x: Any) -> float:
        """f(x), counted from the clients' minima: sum_i w_i 1/2 (x - c_i)^T A_i (x - c_i)."""
        return float(self.weights @ [self.client_value(i, x) for i in range(self.n)])

    def client_value(self, i: int, x: Any) -> float:
        """f_i(x) = 1/2 (x - c_i)^T A_i (x - c_i)."""
        i = checks.client(i, self.n)
        return half_square(checks.vector(x, "x", self.d) - self.c[i], self.A[i])

    def client_gradient(self, i: int, x: Any) -> Array:
        """grad f_i(x) = A_i x - b_i."""
        i, x = checks.client(i, self.n), checks.vector(x, "x", self.d)
        return np.asarray(self.A[i] @ x - self.b[i])

    def gradient(self, x: Any) -> Array:
        """grad f(x), through x* so that it vanishes there."""
        return np.asarray(self.hessian @ (checks.vector(x, "x", self.d) - self.minimizer))

    def __repr__(self) -> str:
        kept = f", {len(self.examples.A)} examples" if self.examples else ""
        return f"Quadratics(n={self.n}, d={self.d}, mu={self.mu:.6g}, L={self.L:.6g}{kept})"

    def _facts(self) -> list[tuple[str, str]]:
        """What a notebook shows."""
        return [
            ("x*", point(self.minimizer)),
            ("curvature", f"mu = {number(self.mu)}, L = {number(self.L)}"),
            ("Hessians differ by", f"sigma_A = {number(self.sigma_A)}"),
            ("minimizers differ by", or_why(lambda: f"sigma_c = {number(self.sigma_c)}")),
            ("mean of the minimizers", or_why(lambda: point(self.mean_minimizer))),
        ]

    def _repr_html_(self) -> str:
        return card(repr(self), self._facts())

    def _repr_markdown_(self) -> str:
        return shown(repr(self), self._facts())


def _frozen(a: Array) -> Array:
    a = np.array(a, dtype=float)
    a.setflags(write=False)
    return a


def _origin(c: Array) -> Array:
    """In each coordinate the middle one of the given values: subtracting it is exact where points are close."""
    return np.asarray(np.sort(c, axis=0)[len(c) // 2])


def half_square(step: Array, M: Array) -> float:
    """1/2 step^T M step."""
    with np.errstate(over="ignore", invalid="ignore"):
        value = step @ M @ step / 2
    _within_range(value, "the value at x")
    return float(value)


def _root_mean_square(weights: Array, values: Array) -> float:
    """(sum_i w_i |v_i|^2)^(1/2) of values (n, k), whose squares may leave the range of float64."""
    exponent = int(np.frexp(np.abs(values).max())[1])
    squares = (np.ldexp(values, -exponent) ** 2).sum(axis=1)
    return float(np.ldexp(np.sqrt(weights @ squares), exponent))


def _within_range(values: Any, what: str) -> None:
    if not np.isfinite(values).all():
        raise problem(
            what,
            "beyond float64",
            "numbers below 1e308",
            "units in which curvature and distance are both huge",
            "measure x, or the losses, in larger units",
        )


def _same_shape(A: Array, v: Array, name: str) -> None:
    if v.shape != A.shape[:2]:
        raise problem(
            name,
            f"of shape {v.shape}",
            f"{A.shape[:2]} to go with the {len(A)} matrices of size {A.shape[1]}",
            "a client missing from one of the two, or a transposed array",
            f"pass one vector of length {A.shape[1]} a client",
        )


def _spectra(A: Array, name: str) -> tuple[Array, Array]:
    """Eigenvalues ascending (n, d) and eigenvectors (n, d, d); what rounding made negative becomes 0."""
    spectra, frames = np.linalg.eigh(A)
    slack = A.shape[1] * 4 * _EPS * np.abs(spectra).max(axis=1)
    worst = int(np.argmin(spectra[:, 0] + slack))
    if spectra[worst, 0] < -slack[worst]:
        raise problem(
            f"{name}[{worst}]",
            f"indefinite: its smallest eigenvalue is {spectra[worst, 0]:.6g}",
            "a positive semidefinite matrix",
            "a client whose loss is not convex, or a sign slip",
            f"mend client {worst}, or add a ridge of at least {-spectra[worst, 0]:.3g}",
        )
    return _frozen(np.maximum(spectra, 0.0)), _frozen(frames)


def _owners(client: Any, m: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    owner = np.asarray(client)
    if owner.shape != (m,) or not np.issubdtype(owner.dtype, np.integer) or owner.min(initial=0) < 0:
        raise problem(
            "client",
            f"{owner.dtype} of shape {owner.shape}",
            f"{m} whole numbers >= 0, the owner of each example",
            "names instead of numbers, or one owner too few",
            "np.unique(names, return_inverse=True)[1] turns names into numbers",
        )
    empty = np.setdiff1d(np.arange(owner.max() + 1), owner)
    if len(empty):
        raise problem(
            f"client {int(empty[0])}",
            "without an example",
            "at least one example for every client 0..n-1",
            "gaps in the numbering",
            "renumber the owners without gaps",
        )
    return owner.astype(np.int64)
