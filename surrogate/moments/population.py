"""The clients as the moment recursions see them: affine gradients about one origin, and how their examples scatter.

Everything below uses ``@``, ``+``, ``*`` and division by whole numbers, so that float64 arrays and object arrays of
``fractions.Fraction`` or ``flint.fmpq`` run through the same lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from surrogate._types import Numbers
from surrogate.kit import checks
from surrogate.numbers import is_exact, kind, zeros
from surrogate.theta import Theta

__all__ = ["Population"]


@dataclass(frozen=True, eq=False)
class Population:
    r"""Client i has the mean gradient ``A_i z + r_i`` at ``z = x - origin``; its examples deviate by ``H z + s``.

    ``A`` (n, d, d), ``r`` (n, d), ``weights`` (n,), ``origin`` (d,); ``scatter``: one pair ``H`` (m_i, d, d), ``s``
    (m_i, d) a client, deviations that average to 0, or None where the clients have no examples. The origin is x* in
    floating point: what matters then are the residuals ``r``, which do not lose the digits that ``A_i x - b_i`` loses.
    """

    A: Numbers
    r: Numbers
    weights: Numbers
    origin: Numbers
    scatter: tuple[tuple[Numbers, Numbers], ...] | None = None
    modes: tuple[Numbers, Numbers] | None = None  # eigenvalues (n, d) and eigenvectors (n, d, d) of A

    @classmethod
    def of(cls, clients: Any) -> Population:
        """From Quadratics, from anything exact with the same fields (A, b, weights, examples), or as it is."""
        if isinstance(clients, Population):
            return clients
        clients = checks.some_clients(clients)
        A, weights = np.asarray(clients.A), np.asarray(clients.weights)
        examples = getattr(clients, "examples", None)
        modes = None
        if is_exact(A):
            origin, r = zeros(A.shape[1], A), -np.asarray(clients.b)
        else:
            origin, r, modes = clients.minimizer, clients.residuals, (clients.spectra, clients.frames)
        if examples is None:
            return cls(A, r, weights, origin, None, modes)
        A_z, c_z, owner = (np.asarray(part) for part in examples)
        r_z = (A_z @ (origin - c_z)[..., None])[..., 0]
        scatter, means = [], []
        for i in range(len(A)):
            H, s = A_z[owner == i], r_z[owner == i]
            means.append(s.sum(axis=0) / len(s))
            scatter.append((H - H.sum(axis=0) / len(H), s - means[-1]))
        return cls(A, np.array(means, dtype=A.dtype), weights, origin, tuple(scatter), modes)

    @property
    def n(self) -> int:
        """Number of clients."""
        return int(self.A.shape[0])

    @property
    def d(self) -> int:
        """Dimension."""
        return int(self.A.shape[1])

    @property
    def is_exact(self) -> bool:
        """Whether the entries are exact rationals."""
        return is_exact(self.A)

    @cached_property
    def homogeneous(self) -> Population:
        """The same clients with every gradient 0 at the origin: what is linear in the second moment is left."""
        scatter = None if self.scatter is None else tuple((H, 0 * s) for H, s in self.scatter)
        return Population(self.A, 0 * self.r, self.weights, 0 * self.origin, scatter, self.modes)

    def zeros(self, *shape: int) -> Numbers:
        """Zeros of the population's own kind of number."""
        return zeros(shape, self.A)

    def numbers(self, value: Any, name: str) -> Numbers:
        """``value`` as an array of the population's own kind of number."""
        array: Numbers = kind(self.weights).array(value, name)
        return array

    def in_floats(self) -> Population:
        """The same clients rounded to float64."""
        A = self.A.astype(float)
        pairs = None if self.scatter is None else tuple((H.astype(float), s.astype(float)) for H, s in self.scatter)
        r, weights, origin = (part.astype(float) for part in (self.r, self.weights, self.origin))
        return Population(A, r, weights, origin, pairs, np.linalg.eigh(A))

    def theta_weights(self, theta: Theta | Sequence[Theta]) -> Iterable[Numbers]:
        """theta_1, theta_2, ... as arrays (n, 1, 1), one client's shorter list ending in zeros."""
        thetas = [theta] if isinstance(theta, Theta) else list(theta)
        columns = [t.weights for t in thetas]
        for k in range(max(t.steps for t in thetas)):
            step = [w[k] if k < len(w) else 0 for w in columns]
            yield self.numbers(step, "theta").reshape(-1, 1, 1)

    def distortions(self, gamma: Numbers, theta: Theta | Sequence[Theta]) -> Numbers:
        """D_i = sum_k theta_k (I - gamma_i A_i)^(k-1), (n, d, d): by the spectrum in floats, by Horner in rationals."""
        if self.modes is None:
            eye = np.eye(self.d, dtype=object) + self.zeros(self.d, self.d)
            F, D = eye - gamma.reshape(-1, 1, 1) * self.A, self.zeros(self.n, self.d, self.d)
            for weight in reversed(list(self.theta_weights(theta))):
                D = D @ F + weight * eye
            return D
        spectra, frames = self.modes
        z = gamma.reshape(-1, 1) * spectra
        q = (
            theta.filter(z)
            if isinstance(theta, Theta)
            else np.stack([t.filter(u) for t, u in zip(theta, z, strict=True)])
        )
        return np.asarray((frames * q[:, None, :]) @ frames.transpose(0, 2, 1))
