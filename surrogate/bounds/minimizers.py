"""OLR section 6: how far a surrogate's minimizer is from x*."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from surrogate._types import Scalar
from surrogate.bounds.spectrum import chi, one_minus_chi, phi, phi_deficit
from surrogate.numbers import alike, exp, expm1, is_float, log
from surrogate.theta import Theta

__all__ = [
    "Epsilon",
    "corollary_20",
    "corollary_22",
    "lemma_18",
    "lemma_18_rate",
    "phi_drop",
    "theorem_16",
    "theorem_17",
    "theorem_21",
]


@dataclass(frozen=True)
class Epsilon:
    """``epsilon = 1 - e^-x`` given by ``x = ln(1 / (1 - epsilon))``: keeps its digits near 0 and near 1.

    Lemma 18 and Corollaries 20 and 28 take it wherever they take a number for epsilon.

    >>> print(f"{corollary_20(1.0, 2.0, 0.5, 0.25, Epsilon(1e-30)):.3g}")
    7.5e-31
    """

    x: Scalar


def split(epsilon: Scalar | Epsilon, *values: Scalar) -> tuple[Any, ...]:
    """``1 - epsilon``, what ``epsilon / (1 - epsilon)`` divides by what, and the values, in numbers of one kind."""
    if isinstance(epsilon, Epsilon):
        x, *values_ = alike(epsilon.x, *values)
        return exp(-x), expm1(x), 1, *values_
    number, *values_ = alike(epsilon, *values)
    return 1 - number, number, 1 - number, *values_


def theorem_16(mu: Scalar, L: Scalar, sigma_A: Scalar, sigma_c: Scalar, gamma: Scalar, theta: Theta) -> Any:
    r"""OLR Theorem 16, (20): for ``gamma < 1/L`` and any Theta with weights >= 0,

        ||x*(gamma, Theta) - x*|| <= (L sigma_c / mu) (1 + sigma_A / mu) (1 - chi) / chi.

    ``mu``, ``L``: smallest and largest eigenvalue of any client's Hessian (Assumption 2). ``sigma_A``, ``sigma_c``: how
    far the clients' Hessians (operator norm) and minimizers scatter (Assumption 3). ``gamma``: the client rate.
    ``theta``: the weights of the local gradients.

    >>> from fractions import Fraction
    >>> theorem_16(1, 2, Fraction(1, 2), Fraction(1, 4), Fraction(1, 4), Theta.sum(2))
    Fraction(1, 4)
    """
    mu, L, sigma_A, sigma_c, gamma = alike(mu, L, sigma_A, sigma_c, gamma)
    ratio = one_minus_chi(gamma, L, theta) / chi(gamma, L, theta)
    return L * sigma_c / mu * (1 + sigma_A / mu) * ratio


def theorem_17(mu: Scalar, L: Scalar, sigma_A: Scalar, sigma_c: Scalar, gamma: Scalar, K: int) -> Any:
    r"""OLR Theorem 17: for ``gamma < 1/L`` and Theta_{1:K},

        ||x*(gamma, Theta_{1:K}) - x*|| <= sigma_c (1 + sigma_A / mu) (L K - phi_{K,L}(gamma)) / phi_{K,mu}(gamma).

    ``K``: the local steps; all else as in Theorem 16.

    ``mu``, ``L``, ``sigma_A``, ``sigma_c``, ``gamma``: as in `theorem_16`. ``K``: local steps.

    >>> from fractions import Fraction
    >>> theorem_17(1, 2, Fraction(1, 2), Fraction(1, 4), Fraction(1, 4), 2)
    Fraction(3, 14)
    """
    mu, L, sigma_A, sigma_c, gamma = alike(mu, L, sigma_A, sigma_c, gamma)
    return sigma_c * (1 + sigma_A / mu) * phi_deficit(K, L, gamma) / phi(K, mu, gamma)


def lemma_18_rate(K: int, lam: Scalar, epsilon: Scalar | Epsilon) -> Any:
    """OLR Lemma 18 and Corollary 19 (``lam`` = L): the largest gamma allowed, ``ln(1 / (1 - epsilon)) / (K lambda)``.

    Asked for ``0 <= epsilon <= 1 - e^-K``.

    ``K``: local steps. ``lam``: an eigenvalue. ``epsilon``: the share of K lambda that phi may lose, a number or an
    `Epsilon`.

    >>> print(f"{lemma_18_rate(4, 2, 0.1):.6f}")
    0.013170
    """
    if isinstance(epsilon, Epsilon):
        rate, lam = alike(epsilon.x, lam)
    else:
        number, lam = alike(epsilon, lam)
        rate = -np.log1p(-number) if is_float(number) else -log(1 - number)
        rate, lam = alike(rate, lam)
    return rate / (K * lam)


def lemma_18(K: int, lam: Scalar, epsilon: Scalar | Epsilon) -> Any:
    """OLR Lemma 18 and Corollary 19: at such a gamma, ``phi_{K,lambda}(gamma) >= (1 - epsilon) K lambda``.

    ``K``, ``lam``, ``epsilon``: as in `lemma_18_rate`.

    >>> from fractions import Fraction
    >>> lemma_18(4, 2, Fraction(1, 10))
    Fraction(36, 5)
    """
    left, _, _, lam = split(epsilon, lam)
    return left * K * lam


def corollary_20(mu: Scalar, L: Scalar, sigma_A: Scalar, sigma_c: Scalar, epsilon: Scalar | Epsilon) -> Any:
    """OLR Corollary 20: at ``gamma <= lemma_18_rate(K, L, epsilon)``, Theta_{1:K},

    ``||x*(gamma, Theta_{1:K}) - x*|| <= sigma_c (1 + sigma_A / mu) (L / mu) epsilon / (1 - epsilon)``.

    ``mu``, ``L``, ``sigma_A``, ``sigma_c``: as in `theorem_16`. ``epsilon``: as in `lemma_18_rate`.

    >>> from fractions import Fraction
    >>> corollary_20(1, 2, Fraction(1, 2), Fraction(1, 4), Fraction(1, 5))
    Fraction(3, 16)
    """
    _, above, below, mu, L, sigma_A, sigma_c = split(epsilon, mu, L, sigma_A, sigma_c)
    return sigma_c * (1 + sigma_A / mu) * L / mu * above / below


def theorem_21(mu: Scalar, L: Scalar, sigma_c: Scalar, gamma_1: Scalar, gamma_2: Scalar, K: int) -> Any:
    r"""OLR Theorem 21: for ``gamma_1 <= gamma_2 < 1/L``, phi at L or mu,

        ||x*(gamma_1) - x*(gamma_2)||
            <= sigma_c (1 + phi_L(gamma_2) / phi_mu(gamma_2)) (phi_L(gamma_1) - phi_L(gamma_2)) / phi_mu(gamma_1).

    In floats the difference is taken between deficits; it loses the digits that gamma_2 - gamma_1 has lost already.

    ``mu``, ``L``, ``sigma_c``: as in `theorem_16`. ``gamma_1``, ``gamma_2``: the two client rates. ``K``: local
    steps.

    >>> from fractions import Fraction
    >>> theorem_21(1, 2, 1, Fraction(1, 8), Fraction(1, 4), 2)
    Fraction(76, 105)
    """
    mu, L, sigma_c, gamma_1, gamma_2 = alike(mu, L, sigma_c, gamma_1, gamma_2)
    growth = 1 + phi(K, L, gamma_2) / phi(K, mu, gamma_2)
    return sigma_c * growth * phi_drop(K, L, gamma_1, gamma_2) / phi(K, mu, gamma_1)


def phi_drop(K: int, lam: Scalar, gamma_1: Scalar, gamma_2: Scalar) -> Any:
    """``phi_{K,lambda}(gamma_1) - phi_{K,lambda}(gamma_2)``, taken between deficits.

    ``K``: local steps. ``lam``: the eigenvalue. ``gamma_1``, ``gamma_2``: the two client rates.

    >>> phi_drop(3, 1, 0, 1)
    Fraction(2, 1)
    """
    return phi_deficit(K, lam, gamma_2) - phi_deficit(K, lam, gamma_1)


def corollary_22(mu: Scalar, L: Scalar, sigma_c: Scalar, gamma_1: Scalar, gamma_2: Scalar) -> Any:
    """OLR Corollary 22: ``||x*(gamma_1) - x*(gamma_2)|| <= 2 sigma_c L^3 / mu^2 (gamma_2 - gamma_1)``.

    ``mu``, ``L``, ``sigma_c``, ``gamma_1``, ``gamma_2``: as in `theorem_21`.

    >>> from fractions import Fraction
    >>> corollary_22(1, 2, 1, Fraction(1, 8), Fraction(1, 4))
    Fraction(2, 1)
    """
    mu, L, sigma_c, gamma_1, gamma_2 = alike(mu, L, sigma_c, gamma_1, gamma_2)
    return 2 * sigma_c * L**3 / (mu * mu) * (gamma_2 - gamma_1)
