r"""One round: mean and covariance of q_t given the first two moments of x_t.

Client i answers ``q_i = J_i z + j_i + noise`` with ``J_i = D_i A_i``, ``j_i = D_i r_i``; the server gets
``q = sum_i alpha_i q_i`` (see `sampling`). With J = sum_i v_i J_i, deviations ``J'_i = J_i - J`` and
``delta_i`` = (mean of q_i) - (mean of q), and because alpha, the noise and x_t are independent,

    Cov q = J S J^T + sum_ij K_ij (J'_i S J'_j^T + delta_i delta_j^T) + sum_i e_i V_i.

(The deviations may stand in for J_i because the weights alpha sum to one, so the rows of K sum to 0.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from surrogate._types import Numbers
from surrogate.moments.local import answer_noise
from surrogate.moments.population import Population
from surrogate.moments.sampling import Coefficients
from surrogate.theta import Theta

__all__ = ["RoundLaw"]


@dataclass(frozen=True, eq=False)
class RoundLaw:
    """The law of q_t, one gamma, theta, batch and sampling; points are offsets from the population's origin."""

    clients: Population
    gamma: Numbers  # (n,)
    theta: Theta | Sequence[Theta]
    batch: int | None
    sampling: Coefficients

    @cached_property
    def _client_maps(self) -> tuple[Numbers, Numbers]:
        D = self.clients.distortions(self.gamma, self.theta)
        J = D @ self.clients.A
        return (J + J.transpose(0, 2, 1)) / 2, (D @ self.clients.r[..., None])[..., 0]

    @cached_property
    def jacobian(self) -> Numbers:
        """J = sum_i v_i D_i A_i (d, d), symmetric."""
        return np.asarray(np.tensordot(self.sampling.mean, self._client_maps[0], 1))

    @cached_property
    def at_origin(self) -> Numbers:
        """E q at the origin, sum_i v_i D_i r_i (d,)."""
        return np.asarray(self.sampling.mean @ self._client_maps[1])

    @cached_property
    def homogeneous(self) -> RoundLaw:
        """The linear part: every client's gradient vanishes at the origin."""
        return RoundLaw(self.clients.homogeneous, self.gamma, self.theta, self.batch, self.sampling)

    def in_floats(self) -> RoundLaw:
        """The same law rounded to float64."""
        sampling = Coefficients(
            *(a.astype(float) for a in (self.sampling.mean, self.sampling.noise, self.sampling.covariance))
        )
        return RoundLaw(self.clients.in_floats(), self.gamma.astype(float), self.theta, self.batch, sampling)

    @cached_property
    def _deviations(self) -> tuple[Numbers, Numbers]:
        """J'_i (n, d, d) and sum_j K_ij J'_j."""
        deviation = self._client_maps[0] - self.jacobian
        return deviation, np.tensordot(self.sampling.covariance, deviation, 1)

    def mean(self, z: Numbers) -> Numbers:
        """E q for E x = z, (d,)."""
        return np.asarray(self.jacobian @ z + self.at_origin)

    def covariance(self, z: Numbers, S: Numbers) -> Numbers:
        """Cov q, (d, d)."""
        total = self.jacobian @ S @ self.jacobian + self.scatter(z, S)
        return np.asarray((total + total.T) / 2)

    def scatter(self, z: Numbers, S: Numbers) -> Numbers:
        """E Cov(q | x), (d, d): what sampling clients and examples adds."""
        J, j = self._client_maps
        delta = J @ z + j - self.mean(z)
        total = delta.T @ (self.sampling.covariance @ delta)
        deviation, mixed = self._deviations
        total = total + ((deviation @ S) @ mixed).sum(axis=0)
        if self.batch is not None:
            noise = answer_noise(self.clients, self.gamma, self.theta, self.batch, z, S)
            total = total + np.tensordot(self.sampling.noise, noise, 1)
        return np.asarray((total + total.T) / 2)

    def after(self, z: Numbers, S: Numbers, eta: Numbers) -> tuple[Numbers, Numbers]:
        """Mean and covariance of x_{t+1} = x_t - eta q_t."""
        F = np.eye(len(z), dtype=z.dtype) - eta * self.jacobian
        covariance = F @ S @ F + eta * eta * self.scatter(z, S)
        return z - eta * self.mean(z), (covariance + covariance.T) / 2
