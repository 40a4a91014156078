"""Linear fields in float64: what a stateless local method does on quadratics, and how fast the server gets to rest."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from surrogate._types import Array, Given
from surrogate.kit.errors import problem
from surrogate.linear_fields import Contraction, LinearField
from surrogate.notebook import Card, number, or_why, point
from surrogate.quadratics import Quadratics

__all__ = ["Contraction", "Field", "sizes"]

_EPS = float(np.finfo(float).eps)


class Field(LinearField[float, float], Card):
    r"""The mean answer of the clients, ``F(x) = sum_i w_i D_i A_i (x - c_i) = J (x - x~)``.

    ``distortion`` (n, d, d): the ``D_i``; the server moves ``x+ = x - eta F(x)`` and rests at the zero ``x~`` of ``F``.
    Only where ``J = sum_i w_i D_i A_i`` is symmetric in some metric is ``F`` the gradient of a loss: see ``has_loss``.

    >>> clients = Quadratics([[[1.0]], [[2.0]]], [[1.0], [0.5]])
    >>> field = Field(clients, [[[1.0]], [[0.5]]])      # client 1 answers at half strength
    >>> float(round(field.resting_point[0], 12)), field.contraction(eta=1.0).radius
    (0.75, 0.0)
    """

    kind = Quadratics
    clients: Quadratics

    @property
    def _reference(self) -> int:
        """Residuals round like A_i, so this is where w_i A_i is largest."""
        return int(np.argmax(self.clients.weights * self.clients.spectra[:, -1]))

    @property
    def _sizes(self) -> Array:
        """How large the terms are that make client i's Jacobian, (n,): what its rounding is relative to."""
        return sizes(self.client_jacobians)

    def _check_jacobian(self) -> None:
        J, scale = self.jacobian, float(self.clients.weights @ self._sizes)
        least = float(np.linalg.norm(J, -2)) if np.isfinite(J).all() else np.nan
        if not least > self.clients.d * 4 * _EPS * scale:
            how = f"or not finite (smallest singular value {least:.3g}, its terms of size {scale:.3g})"
            raise self._singular(how)

    def _is_symmetric(self) -> bool:
        return bool(np.abs(self.jacobian - self.jacobian.T).max() <= self._slack)

    @property
    def _slack(self) -> float:
        """What the rounding of J may come to."""
        return float(64 * self.clients.d * _EPS * (self.clients.weights @ sizes(self.client_jacobians)))

    def _has_real_eigenbasis(self) -> bool:
        """Perturbing by slack moves eigenvalues by up to cond * slack; it splits a defective one by sqrt(slack)."""
        values, vectors = np.linalg.eig(self.jacobian)
        condition = np.linalg.cond(vectors)
        return bool(condition < 1e7 and np.abs(values.imag).max() <= self._slack * condition)

    @cached_property
    def _eigenvalues(self) -> NDArray[np.number]:
        return np.linalg.eigvals(self.jacobian)

    def contraction(self, eta: Given = 1) -> Contraction[float]:
        rate = self._linear.rates(eta, "eta", 1)[0]
        norm = np.linalg.norm(np.eye(self.clients.d) - rate * self.jacobian, 2)
        return Contraction(float(norm), float(np.abs(1 - rate * self._eigenvalues).max()))

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
        spectra = self.clients.spectra
        flat = spectra[:, 0] <= self.clients.d * _EPS * spectra[:, -1]  # singular from the start
        slack = 16 * self.clients.d * _EPS * sizes(J)
        return tuple(int(i) for i in np.flatnonzero(np.where(flat, least < -slack, least <= slack)))

    def _facts(self) -> list[tuple[str, str]]:
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


def sizes(stack: Array) -> Array:
    """Frobenius norms (n,) of (n, d, d), whose squares may overflow."""
    peaks = np.abs(stack).max(axis=(1, 2))
    peaks = np.where((peaks > 0) & np.isfinite(peaks), peaks, 1.0)
    return np.asarray(peaks * np.linalg.norm(stack / peaks[:, None, None], axis=(1, 2)))
