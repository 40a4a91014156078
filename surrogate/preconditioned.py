"""Preconditioned clients on quadratics in float64: where adaptive local steps come to rest (LA Theorem 2)."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

import numpy as np

from surrogate import _differences
from surrogate._types import Array, Matrices
from surrogate.fields import Field
from surrogate.kit.errors import problem
from surrogate.linear_fields import PreconditionedSteps
from surrogate.theta import Theta, each

__all__ = ["Preconditioned"]

_SPARED = 16  # times smaller terms are worth another route


class Preconditioned(PreconditionedSteps[float, float], Field):
    r"""Clients that take ``steps_i`` steps ``y <- y - gamma_i P_i grad f_i(y)`` and send ``x - y``:

        D_i = gamma_i sum_{k < steps_i} (I - gamma_i P_i A_i)^k P_i,    D_i A_i = I - (I - gamma_i P_i A_i)^steps_i.

    ``P``: (d, d) for all clients or (n, d, d), symmetric positive definite. ``corrected=True`` sends
    ``N_i^-1 (x - y)`` with ``N_i = gamma_i steps_i P_i`` (LA's local correction): its bias vanishes with gamma.
    ``limit``: the resting point as all gamma -> 0 in fixed ratios (LA (8)); x* when corrected.
    With ``P = L L^T`` all happens in the eigenbasis of ``L^T A L``: ``(I - g P A)^k P = L (I - g L^T A L)^k L^T``.

    >>> from surrogate import Quadratics
    >>> clients = Quadratics([[[1.0]], [[2.0]]], [[1.0], [0.5]])
    >>> p = Preconditioned(clients, 0.25, 2, [[[1.0]], [[0.5]]])
    >>> float(round(p.resting_point[0], 12)), float(round(p.limit[0], 12))
    (0.75, 0.75)
    """

    @cached_property
    def _roots(self) -> Array:
        """L_i with P_i = L_i L_i^T."""
        return np.asarray(np.linalg.cholesky(self.P), dtype=float)

    @cached_property
    def _bases(self) -> tuple[Array, Array]:
        """Spectra z of gamma_i L_i^T A_i L_i (n, d), and L_i V_i (n, d, d) with V_i its eigenvectors."""
        L = self._roots
        spectra, V = np.linalg.eigh(L.transpose(0, 2, 1) @ self.clients.A @ L)
        return self.gamma[:, None] * np.maximum(spectra, 0.0), np.asarray(L @ V)

    @property
    def _unit(self) -> float:
        """That of the largest gamma, whose size D_i has; corrected, D_i has none of it."""
        return 1.0 if self.corrected else _differences.unit(float(self.gamma.max()))

    @cached_property
    def _left(self) -> Array:
        """The left factor of D_i in that basis: gamma_i L_i V_i, or L_i^-T V_i / steps_i when corrected."""
        if not self.corrected:
            return np.asarray(self.gamma[:, None, None] * self._bases[1])
        return np.asarray(self._duals / np.array(self.steps, dtype=float)[:, None, None])

    @cached_property
    def _duals(self) -> Array:
        """(L_i V_i)^-T = L_i^-T V_i."""
        return np.asarray(np.linalg.inv(self._bases[1]).transpose(0, 2, 1))

    @cached_property
    def _sums(self) -> Array:
        """S(z) = sum_{k < steps} (1 - z)^k, (n, d)."""
        sums = each(self._thetas, Theta.filter, self._bases[0])
        if not np.isfinite(sums).all():
            i = int(np.argmax(~np.isfinite(sums).all(axis=1)))
            raise problem(
                f"the distortion of client {i}",
                "infinite",
                "a finite matrix D_i",
                f"gamma_i P_i A_i has the eigenvalue {self._bases[0][i].max():.3g} > 2: its local steps diverge",
                "lower this client's gamma or preconditioner, or take fewer steps",
            )
        return sums

    @property
    def _thetas(self) -> tuple[Theta, ...]:
        """S of each client as that of a Theta."""
        return tuple(map(Theta.sum, self.steps))

    @cached_property
    def _deficits(self) -> Array:
        """T(z) = S(z) - steps, (n, d)."""
        return each(self._thetas, Theta.deficit, self._bases[0])

    @cached_property
    def _at_reference(self) -> dict[int, tuple[Array, Array]]:
        """K: (T, S) of K steps on the reference client's spectrum, for the K of every client."""
        z = self._bases[0][self._reference]
        return {theta.steps: (theta.deficit(z), theta.filter(z)) for theta in set(self._thetas)}

    @cached_property
    def distortion(self) -> Array:
        """D_i (n, d, d)."""
        return np.asarray((self._left * self._sums[:, None, :]) @ self._bases[1].transpose(0, 2, 1))

    @cached_property
    def _bias(self) -> Array:
        """In units (see _unit): sum_i w_i (D_i - D_r) g_i for a client r, as the residuals g_i sum to 0; differences
        keep their digits.

        With N = gamma P, M = N A = W diag(z) W^-1 and S(z) = sum_{k < steps} (1 - z)^k: D_i = S(M_i) N_i, so

            D_i - D_r = (S(M_i) - S(M_r)) N_r + S(M_i) (N_i - N_r);   corrected: (S(M_i^T) - S(M_r^T)) / steps.

        Where gamma_i steps_i agree and gamma does not, the two halves cancel as gamma -> 0; written with T = S - steps,

            D_i - D_r = (T(M_i) - T(M_r)) N_r + T(M_i) (N_i - N_r) + (steps_i N_i - steps_r N_r),

        they do not: whichever has the smaller terms is taken. Where steps differ by far, S(M_r) of the other client's
        steps is large; then T(M_i) N_i - T(M_r) N_r has the smallest terms, each with the client's own steps.
        """
        z, r = self._bases[0], self._reference
        found = _differences.secants(self._thetas, z, z[r], Theta.secant)
        return np.asarray(sum(self.clients.weights[i] * self._answer_gap(i, r, secant) for i, secant in found))

    def _answer_gap(self, i: int, r: int, secant: Array) -> Array:
        """(D_i - D_r) g_i in units, see _bias."""
        unit, gamma = self._unit, self.gamma / self._unit
        A, g, W = self.clients.A, self.clients.residuals[i], self._bases[1]
        K_i, K_r = self.steps[i], self.steps[r]
        N_r = gamma[r] * self.P[r]
        gap = gamma[i] * (self.P[i] - self.P[r]) + (gamma[i] - gamma[r]) * self.P[r]  # N_i - N_r
        at_r, stepping = self._at_reference[K_i]
        if _differences.outgrows(stepping, self._sums[i], self._sums[r]):
            return np.asarray((self.distortion[i] - self.distortion[r]) @ g / unit)
        own, U = self._deficits[r], self._duals
        values = (self._deficits[i], at_r), (self._sums[i], stepping)
        if self.corrected:
            rotated, change = W[r].T @ g, A[i] @ gap + (A[i] - A[r]) @ N_r  # M_i^T - M_r^T
            turned = _differences.between(W[i].T @ change @ U[r], W[i].T @ U[r], secant, *values) @ rotated
            moved = (at_r / K_i - own / K_r) * rotated
            mine, others = values[0][0] / K_i * (W[i].T @ g), own / K_r * rotated
            if _SPARED * _size(mine, others) < _size(turned / K_i, moved):
                return np.asarray(U[i] @ mine - U[r] @ others)
            return np.asarray(U[i] @ turned / K_i + U[r] @ moved)
        rotated, change = gamma[r] * (W[r].T @ g), unit * (gap @ A[i] + N_r @ (A[i] - A[r]))  # M_i - M_r
        turned = _differences.between(U[i].T @ change @ W[r], U[i].T @ W[r], secant, *values) @ rotated
        moved, apart = U[i].T @ (gap @ g), self._scale_gap(i, r) @ g
        far, near = self._sums[i], values[0][0]
        far_r, near_r = at_r - own + (K_i - K_r), at_r - own
        nearby, afar = _size(near * moved, near_r * rotated, U[i].T @ apart), _size(far * moved, far_r * rotated)
        mine, others = gamma[i] * near * (W[i].T @ g), own * rotated
        if _SPARED * _size(mine, others, U[i].T @ apart) < _size(turned) + min(nearby, afar):
            return np.asarray(W[i] @ mine - W[r] @ others + apart)
        if nearby < afar:
            return np.asarray(W[i] @ (turned + near * moved) + W[r] @ (near_r * rotated) + apart)
        return np.asarray(W[i] @ (turned + far * moved) + W[r] @ (far_r * rotated))

    def _scale_gap(self, i: int, r: int) -> Array:
        """steps_i N_i - steps_r N_r in units, with gamma_i steps_i - gamma_r steps_r rounded once."""
        here, there = (Fraction(float(self.gamma[k] / self._unit)) * self.steps[k] for k in (i, r))
        return np.asarray(float(here) * (self.P[i] - self.P[r]) + float(here - there) * self.P[r])

    def _field(self, distortion: Matrices) -> Field:
        return Field(self.clients, distortion)


def _size(*vectors: Array) -> float:
    return sum(float(np.abs(v).max()) for v in vectors)
