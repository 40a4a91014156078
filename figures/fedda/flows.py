r"""DA's three systems on quadratic clients, solved: z' = F z + f by (z, 1) = exp([[F, f], [0, 0]] tau) (z_0, 1).

    centralized (19)   m' = k (g(W) - m),                    W' = -m                          k = (1 - beta) / eta
    local (40)         m_i' = k (g_i(W_i) - m_i),            W_i' = -m_i
    FedDA (22)         mbar' = k (sum_i p_i g_i(W_i) - mbar), W_i' = -g_i(W_i), Wbar' = -mbar  (alpha = 1)

``g_i(W) = A_i (W - c_i)``, equal shares p_i. Clients may be concave, which `surrogate.Quadratics` refuses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Flow", "Path"]

Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Path:
    """Momentum and model along the times, both (times, d); for FedDA also the clients' models (n, times, d)."""

    m: Array
    W: Array
    local: Array | None = None


@dataclass(frozen=True)
class Flow:
    """Clients A (n, d, d), c (n, d), the method's beta and eta, and the start W(0); m(0) = 0."""

    A: Array
    c: Array
    beta: float
    eta: float
    start: Array

    @property
    def k(self) -> float:
        """(1 - beta) / eta."""
        return (1 - self.beta) / self.eta

    def gradient(self, i: int, W: Array) -> Array:
        """g_i at points (times, d)."""
        return np.asarray((W - self.c[i]) @ self.A[i])

    def central(self, times: Array) -> Path:
        """SGDM on the average, (19)."""
        A = self.A.mean(axis=0)
        return self._momentum(A, np.einsum("ijk,ik->j", self.A, self.c) / len(self.A), times)

    def client(self, i: int, times: Array) -> Path:
        """Client i alone, (40)."""
        return self._momentum(self.A[i], self.A[i] @ self.c[i], times)

    def fedda(self, times: Array) -> Path:
        """FedDA+SGDM, (22) with alpha = 1."""
        n, d = self.c.shape
        size = (n + 2) * d  # W_1, ..., W_n, mbar, Wbar
        F, f = np.zeros((size, size)), np.zeros(size)
        m, W = slice(n * d, (n + 1) * d), slice((n + 1) * d, size)
        for i in range(n):
            block = slice(i * d, (i + 1) * d)
            F[block, block], f[block] = -self.A[i], self.A[i] @ self.c[i]
            F[m, block] = self.k / n * self.A[i]
            f[m] -= self.k / n * (self.A[i] @ self.c[i])
        F[m, m] = -self.k * np.eye(d)
        F[W, m] = -np.eye(d)
        z = _solve(F, f, np.concatenate([*[self.start] * n, np.zeros(d), self.start]), times)
        return Path(z[:, m], z[:, W], z[:, : n * d].reshape(-1, n, d).transpose(1, 0, 2))

    def _momentum(self, A: Array, b: Array, times: Array) -> Path:
        d = len(b)
        F = np.block([[-self.k * np.eye(d), self.k * A], [-np.eye(d), np.zeros((d, d))]])
        z = _solve(F, np.concatenate([-self.k * b, np.zeros(d)]), np.concatenate([np.zeros(d), self.start]), times)
        return Path(z[:, :d], z[:, d:])


def _solve(F: Array, f: Array, start: Array, times: Array) -> Array:
    """z at the times, (times, size)."""
    from scipy.linalg import expm

    whole = np.zeros((len(f) + 1, len(f) + 1))
    whole[:-1, :-1], whole[:-1, -1] = F, f
    return np.asarray((expm(times[:, None, None] * whole) @ np.append(start, 1.0))[:, :-1])
