"""Clients as statements see them: spectra and frames known by construction, in any kind of number, in batches.

``lam`` (..., n, d): eigenvalues; ``R`` (..., n, d, d): rational rotations, ``A_i = R_i diag(lam_i) R_i^T``;
``c`` (..., n, d): client minimizers; ``w`` (..., n): weights. Every spectral function f(A_i) is R f(lam) R^T: exact
in rationals and as cheap for K = 10^5 as for K = 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from surrogate._types import Numbers, Scalar
from surrogate.numbers.protocol import Kind

__all__ = ["Population", "phi"]


@dataclass(frozen=True)
class Population:
    """n clients in dimension d with known spectra, and the quantities of OLR section 3 on them."""

    nb: Any  # surrogate.numbers.Kind
    lam: Any
    R: Any
    c: Any
    w: Any

    @property
    def n(self) -> int:
        return int(self.lam.shape[-2])

    @property
    def d(self) -> int:
        return int(self.lam.shape[-1])

    def spectral(self, values: Numbers) -> Any:
        """R_i diag(values_i) R_i^T, (..., n, d, d)."""
        return (self.R * values[..., None, :]) @ np.swapaxes(self.R, -1, -2)

    @property
    def A(self) -> Any:
        return self.spectral(self.lam)

    def mean(self, x: Numbers) -> Any:
        """sum_i w_i x_i over the client axis (the first axis of x behind the batch)."""
        batch = self.w.ndim - 1
        w = self.w.reshape(self.w.shape + (1,) * (x.ndim - self.w.ndim))
        return (w * x).sum(axis=batch)

    @property
    def mu(self) -> Any:
        """Smallest eigenvalue of any client."""
        return self.nb.smallest(self.lam, 2)

    @property
    def L(self) -> Any:
        """Largest eigenvalue of any client."""
        return self.nb.largest(self.lam, 2)

    @property
    def away(self) -> Any:
        """c_i - E c, (..., n, d)."""
        return self.c - self.mean(self.c)[..., None, :]

    @property
    def sigma_c(self) -> Any:
        return self.nb.sqrt(self.mean((self.away**2).sum(axis=-1)))

    @property
    def sigma_A(self) -> Any:
        A = self.A
        norms = self.nb.opnorm(A - self.mean(A)[..., None, :, :])
        return self.nb.sqrt(self.mean(norms * norms))

    @property
    def minimizer(self) -> Any:
        return self.rest(self.lam)

    def rest(self, jacobian_spectrum: Any) -> Any:
        """Where sum_i w_i R_i diag(s_i) R_i^T (x - c_i) = 0; with s = lam it is x*, with s = lam q(gamma lam) x~."""
        B = self.spectral(jacobian_spectrum)
        return self.nb.solve(self.mean(B), self.mean((B @ self.c[..., None])[..., 0]))

    def filtered(self, gamma: Any, theta: Any) -> Any:
        """Spectrum of Q_i A_i, (..., n, d): lam sum_k theta_k (1 - gamma lam)^(k-1)."""
        return self.lam * self.filter(gamma, theta)

    def filter(self, gamma: Any, theta: Any) -> Any:
        """Spectrum of Q_i(gamma, Theta), (..., n, d)."""
        return self.nb.filter(_lift(gamma, 2) * self.lam, theta)

    def deficit(self, gamma: Any, theta: Any) -> Any:
        """Spectrum of Q_i - a I, a = sum_k theta_k, (..., n, d): in floats without cancellation."""
        return self.nb.deficit(_lift(gamma, 2) * self.lam, theta)

    def displacement(self, gamma: Any, theta: Any) -> Any:
        """x~ - x* = -J^-1 sum_i w_i (Q_i - a I) A_i (x* - c_i), a = sum_k theta_k: right in floats as gamma -> 0."""
        off = self.spectral(self.lam * self.deficit(gamma, theta))
        residuals = off @ (self.minimizer[..., None, :] - self.c)[..., None]
        return -self.nb.solve(self.hessian(self.filtered(gamma, theta)), self.mean(residuals[..., 0]))

    def hessian(self, spectrum: Any) -> Any:
        """sum_i w_i R_i diag(s_i) R_i^T, (..., d, d)."""
        return self.mean(self.spectral(spectrum))

    def quadratic(self, spectrum: Scalar, x: Numbers) -> Any:
        """sum_i w_i 1/2 (x - c_i)^T R_i diag(s_i) R_i^T (x - c_i)."""
        return self.mean((spectrum * self.turned(x) ** 2).sum(axis=-1)) / 2

    def turned(self, x: Any) -> Any:
        """R_i^T (x - c_i), (..., n, d)."""
        return (np.swapaxes(self.R, -1, -2) @ (x[..., None, :] - self.c)[..., None])[..., 0]


def phi(nb: Kind, K: int, lam: Numbers, gamma: Numbers) -> Any:
    """OLR (17) for statement files of users that import it from here; `surrogate.bounds.phi` needs no ``nb``."""
    return lam * nb.geometric(gamma * lam, K)


def _lift(x: Numbers, axes: int) -> Any:
    """A batch of scalars with singleton axes behind."""
    return x.reshape(x.shape + (1,) * axes)
