"""What ``theorems/`` found to replace or sharpen a published bound, on the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from surrogate import filters
from surrogate.bounds.numbers import alike, is_float, minimum, sqrt
from surrogate.bounds.spectrum import phi, phi_deficit

__all__ = ["theorem_17b"]


def theorem_17b(mu: Any, L: Any, sigma_c: Any, gamma: Any, K: int) -> Any:
    r"""Ours, OLR.T17b: for ``gamma < 1/L`` and Theta_{1:K}, ``kappa = L / mu``, ``kappa~ = phi_{K,L} / phi_{K,mu}``,

        ||x*(gamma, Theta_{1:K}) - x*||
            <= sigma_c min( (kappa - kappa~) / (2 sqrt(kappa~)),
                            ((kappa - 1) / sqrt(kappa) + (kappa~ - 1) / sqrt(kappa~)) / 2 ).

    At most half of Theorem 17's bound, free of sigma_A, and bounded in K.

    >>> print(f"{theorem_17b(1, 2, 0.25, 0.25, 2):.6f}")
    0.027277
    """
    mu, L, sigma_c, gamma = alike(mu, L, sigma_c, gamma)
    drop, excess = _drop_and_excess(mu, L, gamma, K)
    squeezed = drop / sqrt(1 + excess)
    through_mean = (L - mu) / mu / sqrt(L / mu) + excess / sqrt(1 + excess)
    return sigma_c * minimum(squeezed, through_mean) / 2


def _drop_and_excess(mu: Any, L: Any, gamma: Any, K: int) -> tuple[Any, Any]:
    """``kappa - kappa~ = (mu gap_L - L gap_mu) / (mu phi_mu)``, gap = K lambda - phi, and ``kappa~ - 1``.

    phi is lambda S(gamma lambda), and 1 - gamma phi the power p(gamma lambda) = (1 - gamma lambda)^K: in floats both
    come from divided differences of S and p, which keep their digits as gamma -> 0 and as mu -> L.
    """
    low = phi(K, mu, gamma)
    if is_float(gamma * L):
        a, b = (np.asarray(gamma * lam, dtype=float) for lam in (L, mu))
        drop = -gamma * L * (L - mu) * filters.geometric_secant(a, b, K) / low
        return drop, -(L - mu) * filters.power_secant(a, b, K) / low
    drop = (mu * phi_deficit(K, L, gamma) - L * phi_deficit(K, mu, gamma)) / (mu * low)
    return drop, (phi(K, L, gamma) - low) / low
