"""LocalUpdate on quadratics in float64: the surrogate loss that it descends (OLR section 3)."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from surrogate import _differences
from surrogate._types import Array
from surrogate.fields import Field
from surrogate.kit.errors import problem
from surrogate.linear_fields import LocalUpdate
from surrogate.theta import Theta, each

__all__ = ["Surrogate"]

_EPS = float(np.finfo(float).eps)
_KEPT = 1 / 32  # a sum this large beside what its terms round by has lost at most five binary digits


class Surrogate(LocalUpdate[float, float], Field):
    r"""The surrogate loss of LocalUpdate(gamma, Theta), OLR (8) to (10):

        f~(x) = sum_i w_i 1/2 (x - c_i)^T Q_i A_i (x - c_i),    Q_i = sum_k theta_k (I - gamma A_i)^(k-1).

    ``gamma`` >= 0 and ``theta``: one for all clients, or one a client. The minimizer is where LocalUpdate rests.
    For ``gamma L < 1`` every Q_i is positive definite. Beyond, Q_i may be indefinite: the field, its zero and its
    speed still hold, but f~ may be unbounded below; ``ill_behaved`` names the clients.

    >>> from surrogate import Quadratics
    >>> clients = Quadratics([[[1.0]], [[2.0]]], [[1.0], [0.5]])
    >>> s = Surrogate(clients, 0.5, Theta.sum(2))
    >>> float(round(s.minimizer[0], 12)), float(round(s.displacement[0], 12)), s.ill_behaved
    (0.714285714286, 0.047619047619, ())
    """

    @cached_property
    def _filters(self) -> Array:
        """Eigenvalues of Q_i, (n, d), in the order of clients.spectra."""
        z = self.gamma[:, None] * self.clients.spectra
        q = each(self.theta, Theta.filter, z)
        if not np.isfinite(q).all():
            i = int(np.argmax(~np.isfinite(q).all(axis=1)))
            steps = self.theta[i].steps
            cause = f"gamma * eigenvalue = {z[i].max():.3g} > 2: the client's local steps diverge within {steps} steps"
            fix = f"take gamma below {2 / self.clients.spectra[i, -1]:.3g} for this client, or fewer steps"
            if z[i].max() <= 2:
                cause, fix = (
                    "weights theta near the end of float64",
                    "give theta by another factor, and eta by its inverse",
                )
            raise problem(f"the distortion of client {i}", "infinite", "a finite matrix Q_i", cause, fix)
        return q

    @cached_property
    def _deficits(self) -> Array:
        """Eigenvalues of Q_i - (sum_k theta_k) I, (n, d)."""
        return each(self.theta, Theta.deficit, self.gamma[:, None] * self.clients.spectra)

    @cached_property
    def distortion(self) -> Array:
        """Q_i = V_i diag(q(gamma l_i)) V_i^T, (n, d, d)."""
        V = self.clients.frames
        return np.asarray((V * self._filters[:, None, :]) @ V.transpose(0, 2, 1))

    @cached_property
    def client_jacobians(self) -> Array:
        """Q_i A_i, (n, d, d), symmetric."""
        V = self.clients.frames
        return np.asarray((V * (self._filters * self.clients.spectra)[:, None, :]) @ V.transpose(0, 2, 1))

    @property
    def _sizes(self) -> Array:
        """Where z q(z) is 0 up to rounding of z (gamma l = 1 and Theta.last), its slope says what the rounding is."""
        z, top = self.gamma[:, None] * self.clients.spectra, self.clients.spectra[:, -1:]
        values, slack = np.abs(self._filters * self.clients.spectra), self.clients.d * 4 * _EPS
        steepest = np.array([theta.steepest for theta in self.theta])[:, None]
        if np.all((z <= 2) & (values > slack * top * (np.abs(self._filters) + z * steepest))):
            return super()._sizes  # nothing can be lost, whatever the slopes
        slopes = each(self.theta, lambda theta, rows: theta.secant(rows, rows), z)
        steep = top * np.abs(self._filters + z * np.where(np.isfinite(slopes), slopes, 0.0))
        return np.asarray(np.maximum(np.where(values <= slack * steep, steep, 0.0).max(axis=1), super()._sizes))

    @cached_property
    def _bias(self) -> Array:
        """F(x*) = sum_i w_i (Q_i - Q_r) g_i for a client r, as the residuals g_i sum to 0.

        Q_i - Q_r has the size of gamma (A_i - A_r), however small, and keeps its digits: see _differences. Where the
        plain sum has kept its digits it is taken, for it costs the same for every K.
        """
        plain = self._plain_bias
        if plain is not None:
            return plain
        z, r = self.gamma[:, None] * self.clients.spectra, self._reference
        found = _differences.secants(self.theta, z, z[r], Theta.secant)
        return np.asarray(sum(self.clients.weights[i] * self._answer_gap(i, r, secant) for i, secant in found))

    @property
    @np.errstate(over="ignore")  # filters near the end of float64 round by more than there is: the other route is taken
    def _plain_bias(self) -> Array | None:
        """sum_i w_i Q_i g_i, or (as sum_i w_i g_i = 0) the same of Q_i - (sum_k theta_k) I; None if digits are lost."""
        clients = self.clients
        rotated = np.einsum("ijk,ij->ik", clients.frames, clients.residuals)
        routes = [self._filters] + ([self._deficits] if len({theta.total for theta in self.theta}) == 1 else [])
        roundings = [np.linalg.norm(clients.weights * np.abs(f).max(axis=1) * clients.residual_sizes) for f in routes]
        best = int(np.argmin(roundings))
        bias = np.einsum("i,ijk,ik->j", clients.weights, clients.frames, routes[best] * rotated)
        return np.asarray(bias) if np.linalg.norm(bias) > _KEPT * roundings[best] else None

    def _answer_gap(self, i: int, r: int, secant: Array) -> Array:
        """(Q_i - Q_r) g_i = (q_i(M_i) - q_i(M_r)) g_i + (q_i - q_r)(M_r) g_i with M = gamma A."""
        clients, g, V, U = self.clients, self.clients.residuals[i], self.clients.frames[i], self.clients.frames[r]
        b = self.gamma[r] * clients.spectra[r]
        theta, here, own = self.theta[i], self._deficits[i], self._deficits[r]
        more = float(theta.total - self.theta[r].total)
        stepping, deficit = self._filters[r], own
        if theta != self.theta[r]:
            stepping, deficit = theta.filter(b), theta.deficit(b)
        if _differences.outgrows(stepping, self._filters[i], self._filters[r]):
            return np.asarray(V @ (here * (V.T @ g)) - U @ (own * (U.T @ g)) + more * g)
        gap = self.gamma[i] * (clients.A[i] - clients.A[r]) + (self.gamma[i] - self.gamma[r]) * clients.A[r]
        values = (here, deficit), (self._filters[i], stepping)
        change = _differences.between(V.T @ gap @ U, V.T @ U, secant, *values)
        return np.asarray(V @ (change @ (U.T @ g)) + U @ ((deficit - own + more) * (U.T @ g)))

    @cached_property
    def _spectrum(self) -> Array:
        return np.asarray(np.linalg.eigvalsh(self.jacobian), dtype=float)

    @property
    def smoothness(self) -> float:
        """L~, the largest eigenvalue of the surrogate's Hessian."""
        return float(self._spectrum[-1])

    @property
    def strong_convexity(self) -> float:
        """mu~, the smallest eigenvalue of the surrogate's Hessian; negative where f~ is a saddle."""
        return float(self._spectrum[0])

    @property
    def condition_number(self) -> float:
        """L~ / mu~; infinite where f~ is not strongly convex."""
        return self.smoothness / self.strong_convexity if self.strong_convexity > 0 else float("inf")
