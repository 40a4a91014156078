"""What a stateless local method does on quadratics: a linear field, its zero, and how fast the server gets there."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np

from surrogate._types import Array
from surrogate.kit import checks
from surrogate.kit.errors import problem
from surrogate.notebook import card, number, or_why, point, shown
from surrogate.quadratics import Quadratics

__all__ = ["Contraction", "Field", "sizes"]

_EPS = float(np.finfo(float).eps)


class Contraction(NamedTuple):
    """How one round shrinks the distance to rest: ``norm`` = ||I - eta J||, ``radius`` = its spectral radius."""

    norm: float
    radius: float


class Field:
    r"""The mean answer of the clients, ``F(x) = sum_i w_i D_i A_i (x - c_i) = J (x - x~)``.

    ``distortion`` (n, d, d): the ``D_i``; the server moves ``x+ = x - eta F(x)`` and rests at the zero ``x~`` of ``F``.
    Only where ``J = sum_i w_i D_i A_i`` is symmetric in some metric is ``F`` the gradient of a loss: see ``has_loss``.

    >>> clients = Quadratics([[[1.0]], [[2.0]]], [[1.0], [0.5]])
    >>> field = Field(clients, [[[1.0]], [[0.5]]])      # client 1 answers at half strength
    >>> float(round(field.resting_point[0], 12)), field.contraction(eta=1.0).radius
    (0.75, 0.0)
    """

    def __init__(self, clients: Quadratics, distortion: Any) -> None:
        self.clients: Quadratics = checks.clients(clients, Quadratics)
        D = checks.array(distortion, "distortion", 3, "(n, d, d)")
        if D.shape != clients.A.shape:
            raise problem(
                "distortion",
                f"of shape {D.shape}",
                f"{clients.A.shape}",
                "a client left out",
                "one matrix a client",
            )
        self._distortion = D

    @cached_property
    def distortion(self) -> Array:
        """D_i, (n, d, d)."""
        return self._distortion

    @cached_property
    def client_jacobians(self) -> Array:
        """D_i A_i, (n, d, d): what client i's answer does to a change of x."""
        return np.asarray(self.distortion @ self.clients.A)

    @cached_property
    def jacobian(self) -> Array:
        """J = sum_i w_i D_i A_i, (d, d)."""
        return np.asarray(np.tensordot(self.clients.weights, self.client_jacobians, 1))

    @property
    def _reference(self) -> int:
        """The client r whose D_r is taken off all D_i: residuals round like A_i, so r is where w_i A_i is largest."""
        return int(np.argmax(self.clients.weights * self.clients.spectra[:, -1]))

    @cached_property
    def _bias(self) -> Array:
        """F(x*) = sum_i w_i D_i A_i (x* - c_i), through differences of the D_i: the residuals sum to 0."""
        difference = self.distortion - self.distortion[self._reference]
        return np.asarray(np.einsum("i,ijk,ik->j", self.clients.weights, difference, self.clients.residuals))

    @property
    def _unit(self) -> float:
        """A power of two that ``_bias`` is given in, for what would underflow."""
        return 1.0

    @property
    def _sizes(self) -> Array:
        """How large the terms are that make client i's Jacobian, (n,): what its rounding is relative to."""
        return sizes(self.client_jacobians)

    @cached_property
    def displacement(self) -> Array:
        """x~ - x* (d,) = -J^-1 F(x*), right even where it is far below the rounding of x~ itself."""
        J = self.jacobian
        scale = float(self.clients.weights @ self._sizes)
        least = float(np.linalg.norm(J, -2)) if np.isfinite(J).all() else np.nan
        if not least > self.clients.d * 4 * _EPS * scale:
            raise problem(
                f"the averaged Hessian of {self._name()}",
                f"singular or not finite (smallest singular value {least:.3g}, its terms of size {scale:.3g})",
                "an invertible matrix sum_i w_i D_i A_i",
                self._singular_cause(),
                "lower gamma below 1/L, where every client's part is positive",
            )
        return np.asarray(-np.linalg.solve(J / self._unit, self._bias))

    @cached_property
    def resting_point(self) -> Array:
        """x~ (d,), where the field vanishes and the server rests."""
        return np.asarray(self.clients.minimizer + self.displacement)

    def gradient(self, x: Any) -> Array:
        """F(x) = sum_i w_i D_i (A_i x - b_i)."""
        x = checks.vector(x, "x", self.clients.d)
        return np.asarray(self.jacobian @ (x - self.clients.minimizer) + self._unit * self._bias)

    def client_gradient(self, i: int, x: Any) -> Array:
        """What client i answers at x: D_i (A_i x - b_i)."""
        gradient = self.clients.client_gradient(i, x)  # refuses an i that is no client's
        return np.asarray(self.distortion[i] @ gradient)

    def has_loss(self, metric: Literal["euclidean", "any"] = "euclidean") -> bool:
        """Is the field the gradient of a loss: in the Euclidean metric (J symmetric), or in any (a real eigenbasis)?

        ``any``: G J is symmetric for some positive definite G exactly when J has a real eigenbasis. In float64 this is
        decided up to rounding; ``surrogate.exact`` decides it.
        """
        if metric not in ("euclidean", "any"):
            raise problem("metric", repr(metric), "'euclidean' or 'any'", "a slip of the pen", "use one of the two")
        J, d = self.jacobian, self.clients.d
        slack = 64 * d * _EPS * float(self.clients.weights @ sizes(self.client_jacobians))
        if np.abs(J - J.T).max() <= slack:
            return True
        if metric == "euclidean":
            return False
        values, vectors = np.linalg.eig(J)
        # Perturbing by slack moves eigenvalues by up to cond * slack; it splits a defective one by sqrt(slack).
        condition = np.linalg.cond(vectors)
        return bool(condition < 1e7 and np.abs(values.imag).max() <= slack * condition)

    @cached_property
    def _eigenvalues(self) -> np.ndarray[Any, np.dtype[Any]]:
        return np.linalg.eigvals(self.jacobian)

    def contraction(self, eta: float = 1.0) -> Contraction:
        """Norm and spectral radius of the round map I - eta J; below 1 the server converges to rest."""
        eta = checks.per_client(eta, "eta", 1)[0]
        norm = np.linalg.norm(np.eye(self.clients.d) - eta * self.jacobian, 2)
        return Contraction(float(norm), float(np.abs(1 - eta * self._eigenvalues).max()))

    @cached_property
    def best_eta(self) -> float:
        """The server rate with the smallest spectral radius of I - eta J.

        Every |1 - eta l|^2 = 1 - 2 eta Re l + eta^2 |l|^2 is a convex parabola, so the largest of them is smallest at
        the bottom of one or where two cross. With real spectrum in [m, M] that is 2 / (m + M).
        """
        exponent = int(np.frexp(np.abs(self._eigenvalues).max())[1])  # powers of two off, for squares may overflow
        real, modulus = (np.ldexp(part, -exponent) for part in (self._eigenvalues.real, np.abs(self._eigenvalues)))
        square = modulus**2
        if real.min() <= 0:
            raise problem(
                f"the averaged Hessian of {self._name()}",
                f"not positive stable (an eigenvalue with real part {self._eigenvalues.real.min():.3g})",
                "eigenvalues with positive real part",
                "clients whose local steps overshoot (gamma L >= 1)",
                "lower gamma; no server rate > 0 makes this field contract",
            )
        i, j = np.triu_indices(len(real), 1)
        gap = square[i] - square[j]
        crossings = np.divide(2 * (real[i] - real[j]), gap, out=np.zeros_like(gap), where=gap != 0)
        candidates = np.concatenate([real / square, crossings[crossings > 0]])
        worst = [float(np.max(eta * (eta * square - 2 * real))) for eta in candidates]
        return float(np.ldexp(candidates[int(np.argmin(worst))], -exponent))

    @cached_property
    def ill_behaved(self) -> tuple[int, ...]:
        """Clients whose own part x^T D_i A_i x is not positive (OLR section 4: the average may still look healthy)."""
        J = self.client_jacobians
        least = np.linalg.eigvalsh((J + J.transpose(0, 2, 1)) / 2)[:, 0]
        flat = (
            self.clients.spectra[:, 0] <= self.clients.d * _EPS * self.clients.spectra[:, -1]
        )  # singular from the start
        slack = 16 * self.clients.d * _EPS * sizes(J)
        return tuple(int(i) for i in np.flatnonzero(np.where(flat, least < -slack, least <= slack)))

    def _name(self) -> str:
        return type(self).__name__

    def _singular_cause(self) -> str:
        return "distortions that cancel between clients"

    def __repr__(self) -> str:
        return f"{self._name()}(n={self.clients.n}, d={self.clients.d})"

    def _facts(self) -> list[tuple[str, str]]:
        """What a notebook shows."""
        return [
            ("rests at", or_why(lambda: point(self.resting_point))),
            ("x*", point(self.clients.minimizer)),
            ("distance", or_why(lambda: number(np.linalg.norm(self.displacement)))),
            ("descends a loss", or_why(lambda: "yes" if self.has_loss() else "no")),
            ("best server rate", or_why(lambda: number(self.best_eta))),
            ("a round then shrinks the distance to rest by", or_why(self._best_radius)),
            ("ill-behaved clients", or_why(lambda: ", ".join(map(str, self.ill_behaved)) or "none")),
        ]

    def _best_radius(self) -> str:
        return number(self.contraction(self.best_eta).radius)

    def _repr_html_(self) -> str:
        return card(repr(self), self._facts())

    def _repr_markdown_(self) -> str:
        return shown(repr(self), self._facts())


def sizes(stack: Array) -> Array:
    """Frobenius norms (n,) of (n, d, d), whose squares may overflow."""
    peaks = np.abs(stack).max(axis=(1, 2))
    peaks = np.where((peaks > 0) & np.isfinite(peaks), peaks, 1.0)
    return np.asarray(peaks * np.linalg.norm(stack / peaks[:, None, None], axis=(1, 2)))
