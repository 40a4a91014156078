"""Clients with quadratic losses in float64: the problem that everything else is about."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from surrogate._types import Array, Vectors
from surrogate.clients import Clients, Examples, frozen
from surrogate.linear import FLOAT64
from surrogate.notebook import Card, number, or_why, point

__all__ = ["Examples", "Quadratics"]

_EPS = float(np.finfo(float).eps)


class Quadratics(Clients[float, float], Card):
    r"""Clients ``f_i(x) = 1/2 (x - c_i)^T A_i (x - c_i)`` with weights ``w_i``, and their mean ``f = sum_i w_i f_i``.

    ``A`` (n, d, d): symmetric, positive semidefinite; a client may be singular as long as the average is definite.
    ``c`` (n, d): client minimizers. ``weights`` (n,): sum to 1, uniform when left out.
    The minimizer solves ``(sum_i w_i A_i) x* = sum_i w_i A_i c_i``; it is not the mean of the ``c_i`` in general.
    ``spectra`` (n, d): the eigenvalues of the A_i, ascending; ``frames`` (n, d, d): their eigenvectors.

    >>> clients = Quadratics([[[1.0]], [[2.0]]], [[1.0], [0.5]])   # the two clients of OLR section 4
    >>> float(round(clients.minimizer[0], 15)), clients.mu, clients.L
    (0.666666666666667, 1.0, 2.0)
    """

    linear = FLOAT64

    def _eigenvalues(self, A: Array, name: str) -> tuple[Array, Array]:
        """Eigenvalues (m, d) and eigenvectors (m, d, d); what rounding made negative becomes 0."""
        spectra, frames = np.linalg.eigh(A)
        slack = A.shape[1] * 4 * _EPS * np.abs(spectra).max(axis=1)
        worst = int(np.argmin(spectra[:, 0] + slack))
        if spectra[worst, 0] < -slack[worst]:
            raise self.linear.not_convex(name, worst, spectra[worst, 0])
        return frozen(np.maximum(spectra, 0.0)), frozen(frames)

    def _decompose(self) -> None:
        self.spectra, self.frames = self._eigenvalues(self.A, "A")

    def _check_mean(self) -> None:
        least, most = np.linalg.eigvalsh(self.hessian)[[0, -1]]
        if least <= self.d * _EPS * most or most <= 0:
            raise self._singular_mean(f"eigenvalues from {least:.3g} to {most:.3g}", "1e-6 * np.eye(d)")

    @cached_property
    def residual_sizes(self) -> Array:
        """How large the terms are whose difference a residual is, (n,): what its rounding is relative to."""
        if self._c is None:
            apart = np.linalg.norm(self._shifted, axis=1)
            return frozen(self.spectra[:, -1] * np.linalg.norm(self._shift) + apart)
        return frozen(self.spectra[:, -1] * np.linalg.norm(self._shift - (self._c - self._origin), axis=1))

    def _least_norm(self) -> Vectors:
        cut = self.d * _EPS * self.spectra[:, -1:]
        rotated = np.einsum("ijk,ij->ik", self.frames, self.b)
        lost = np.where(self.spectra > cut, 0.0, np.abs(rotated)).max(axis=1)
        worst = int(np.argmax(lost))
        if lost[worst] > 1e-9 * np.abs(self.b[worst]).max():
            raise self._no_minimizer(worst, f"b has {lost[worst]:.3g} outside the range of A")
        scaled = np.divide(rotated, self.spectra, out=np.zeros_like(rotated), where=self.spectra > cut)
        return np.asarray(np.einsum("ijk,ik->ij", self.frames, scaled))

    @property
    def mu(self) -> float:
        return float(self.spectra[:, 0].min())

    @property
    def L(self) -> float:
        return float(self.spectra[:, -1].max())

    @property
    def sigma_A(self) -> float:
        norms = np.linalg.norm(self.A - self.hessian, ord=2, axis=(1, 2))
        return _root_mean_square(self.weights, norms[:, None])

    @property
    def sigma_c(self) -> float:
        offsets = self.c - self._origin
        return _root_mean_square(self.weights, offsets - self.weights @ offsets)

    def _size(self) -> str:
        return f"n={self.n}, d={self.d}, mu={self.mu:.6g}, L={self.L:.6g}"

    def _facts(self) -> list[tuple[str, str]]:
        return [
            ("x*", point(self.minimizer)),
            ("curvature", f"mu = {number(self.mu)}, L = {number(self.L)}"),
            ("Hessians differ by", f"sigma_A = {number(self.sigma_A)}"),
            ("minimizers differ by", or_why(lambda: f"sigma_c = {number(self.sigma_c)}")),
            ("mean of the minimizers", or_why(lambda: point(self.mean_minimizer))),
        ]


def _root_mean_square(weights: Array, values: Array) -> float:
    """(sum_i w_i |v_i|^2)^(1/2) of values (n, k), whose squares may leave the range of float64."""
    exponent = int(np.frexp(np.abs(values).max())[1])
    squares = (np.ldexp(values, -exponent) ** 2).sum(axis=1)
    return float(np.ldexp(np.sqrt(weights @ squares), exponent))
