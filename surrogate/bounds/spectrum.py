"""OLR section 5: how local steps squeeze the spectrum (equations 17, 18, 21; Lemmas 11, 12; Corollaries 13, 14)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from surrogate import filters
from surrogate._types import Scalar
from surrogate.numbers import alike, is_float, kind
from surrogate.theta import Theta

__all__ = [
    "Conditioning",
    "chi",
    "corollary_13",
    "corollary_14",
    "lemma_11",
    "lemma_12",
    "one_minus_chi",
    "phi",
    "phi_deficit",
]


class Conditioning(NamedTuple):
    """Bounds on a surrogate: ``smoothness`` from above, ``strong_convexity`` from below, and their ratio."""

    smoothness: Any
    strong_convexity: Any

    @property
    def condition_number(self) -> Any:
        """The largest ratio of the surrogate's extreme eigenvalues: smoothness / strong convexity."""
        return self.smoothness / self.strong_convexity


def phi(K: int, lam: Scalar, gamma: Scalar) -> Any:
    r"""OLR (17): ``phi_{K,lambda}(gamma) = (1 - (1 - gamma lambda)^K) / gamma``, ``K lambda`` at gamma = 0.

    The eigenvalue of ``Q_i A_i`` on an eigenvector of A_i with eigenvalue ``lam``, Theta_{1:K}. Computed as (18),
    ``lambda sum_{k<K} (1 - gamma lambda)^k``, by doubling: no division, any numbers, and in floats no cancellation.

    ``K``: local steps. ``lam``: the eigenvalue. ``gamma``: the client rate.

    >>> from fractions import Fraction
    >>> phi(2, 2, Fraction(1, 2)), phi(10**6, 1.0, 1e-9)
    (Fraction(2, 1), 999500.1671...)
    """
    lam, gamma = alike(lam, gamma)
    z = gamma * lam
    return lam * kind(z).geometric(z, K)


def phi_deficit(K: int, lam: Scalar, gamma: Scalar) -> Any:
    """``K lambda - phi_{K,lambda}(gamma)``, in floats right to the last digits as gamma -> 0.

    ``K``, ``lam``, ``gamma``: as in `phi`.

    >>> from fractions import Fraction
    >>> phi_deficit(2, 2, Fraction(1, 4))
    Fraction(1, 1)
    """
    lam, gamma = alike(lam, gamma)
    z = gamma * lam
    return -lam * kind(z).geometric_deficit(z, K)


def chi(gamma: Scalar, L: Scalar, theta: Theta) -> Any:
    """OLR (21): ``chi(gamma, Theta) = sum_k theta_k (1 - gamma L)^(k-1) / sum_k theta_k``; 1 at gamma = 0.

    ``gamma``: the client rate. ``L``: the largest eigenvalue of the clients' Hessians. ``theta``: the weights of
    the local gradients.

    >>> from fractions import Fraction
    >>> chi(Fraction(1, 2), 1, Theta.sum(2))
    Fraction(3, 4)
    """
    gamma, L = alike(gamma, L)
    z = gamma * L
    return kind(z).filter(z, theta) / kind(z).number(theta.total)


def one_minus_chi(gamma: Scalar, L: Scalar, theta: Theta) -> Any:
    """``1 - chi(gamma, Theta)``, in floats right to the last digits as gamma -> 0.

    ``gamma``, ``L``, ``theta``: as in `chi`.

    >>> from fractions import Fraction
    >>> one_minus_chi(Fraction(1, 2), 1, Theta.sum(2))
    Fraction(1, 4)
    """
    gamma, L = alike(gamma, L)
    z = gamma * L
    return -kind(z).deficit(z, theta) / kind(z).number(theta.total)


def lemma_11(mu: Scalar, L: Scalar, gamma: Scalar, K: int) -> Conditioning:
    """OLR Lemma 11 (3): for ``gamma < 1/L`` the spectrum of all Q_i A_i is in [phi_{K,mu}, phi_{K,L}].

    ``mu``, ``L``: the extreme eigenvalues of all clients; with those of one client (mu_i, L_i) the ends of its own
    spectrum are the extremes of Q_i A_i (2).

    ``gamma``: the client rate. ``K``: local steps.

    >>> from fractions import Fraction
    >>> lemma_11(1, 2, Fraction(1, 4), 2).condition_number
    Fraction(12, 7)
    """
    return Conditioning(phi(K, L, gamma), phi(K, mu, gamma))


def lemma_12(mu: Scalar, L: Scalar, gamma: Scalar, K: int) -> Conditioning:
    """OLR Lemma 12 (3): for ``gamma < 1/(K L)``, Theta_K: within [(1 - gamma mu)^(K-1) mu, (1 - gamma L)^(K-1) L].

    ``mu``, ``L``: as in Lemma 11; part (2) holds with a client's own mu_i and L_i (the print has mu and L).

    ``gamma``: the client rate. ``K``: local steps.

    >>> from fractions import Fraction
    >>> lemma_12(1, 2, Fraction(1, 6), 2).condition_number
    Fraction(8, 5)
    """
    mu, L, gamma = alike(mu, L, gamma)
    return Conditioning(_power(gamma * L, K - 1) * L, _power(gamma * mu, K - 1) * mu)


def corollary_13(mu: Scalar, L: Scalar, gamma: Scalar, K: int) -> Conditioning:
    """OLR Corollary 13: smoothness, strong convexity and condition number of f~ for Theta_{1:K}, ``gamma < 1/L``.

    The condition number is at most ``(1 - (1 - gamma L)^K) / (1 - (1 - gamma mu)^K)``, L / mu at gamma = 0.

    ``mu``, ``L``, ``gamma``, ``K``: as in `lemma_11`.

    >>> corollary_13(1, 2, 0, 5).condition_number
    Fraction(2, 1)
    """
    return lemma_11(mu, L, gamma, K)


def corollary_14(mu: Scalar, L: Scalar, gamma: Scalar, K: int) -> Conditioning:
    """OLR Corollary 14: the same for Theta_K (the print's last line says Theta_{1:K}), ``gamma < 1/(K L)``.

    The condition number is at most ``((1 - gamma L) / (1 - gamma mu))^(K-1) L / mu``.

    ``mu``, ``L``, ``gamma``, ``K``: as in `lemma_12`.

    >>> from fractions import Fraction
    >>> corollary_14(1, 2, Fraction(1, 6), 2).smoothness
    Fraction(4, 3)
    """
    return lemma_12(mu, L, gamma, K)


def _power(z: Scalar, n: int) -> Any:
    """(1 - z)^n."""
    if not is_float(z):
        return (1 - z) ** n
    power = filters.power(np.asarray(z, dtype=float), n)
    return power if np.ndim(power) else float(power)
