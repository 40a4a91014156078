"""OLR section 7: how fast FedAvg / Reptile gets there under noise (Lemmas 23, 25; Theorems 26, 27, 29; Corollary 28).

The printed noise of a round, K G^2 / (M B), leaves out what drawing clients adds: with ``noise=sampled_noise(...)`` and
the server rates that it asks for the bounds hold.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from surrogate._types import Scalar
from surrogate.bounds.minimizers import Epsilon, corollary_20, split
from surrogate.bounds.spectrum import phi
from surrogate.numbers import alike, log, maximum, minimum

__all__ = [
    "Rates",
    "corollary_28",
    "corollary_28_noise",
    "lemma_23",
    "lemma_25",
    "lemma_25_rate",
    "theorem_26",
    "theorem_27",
    "theorem_27_offset",
    "theorem_27_rate",
    "theorem_29",
    "theorem_29_offset",
    "theorem_29_rates",
]

Given = Scalar | None


class Rates(NamedTuple):
    """The client rate ``gamma`` and the server rate ``eta`` of one round."""

    gamma: Any
    eta: Any


def lemma_23(K: int, G: Scalar, M: int, B: int) -> Any:
    """OLR Lemma 23: ``E ||q_gamma(x) - grad f~_gamma(x)||^2 <= K G^2 / (M B)``, printed for all gamma >= 0.

    ``K``: local steps. ``G``: the standard deviation of one example's gradient (Assumption 4); ``M``: clients a
    round; ``B``: examples a step.

    >>> lemma_23(4, 1, 2, 1)
    Fraction(2, 1)
    """
    (G,) = alike(G)
    return G * G * K / (M * B)


def lemma_25_rate(mu: Scalar, L: Scalar, gamma: Scalar, K: int) -> Any:
    """OLR (22): the largest server rate of Lemma 25 and Theorem 26, ``mu_gamma / L_gamma^2``.

    ``mu``, ``L``: the least and the largest eigenvalue of the clients' Hessians. ``gamma``: the client rate. ``K``:
    local steps.

    >>> from fractions import Fraction
    >>> lemma_25_rate(1, 2, Fraction(1, 4), 2)
    Fraction(7, 36)
    """
    top = phi(K, L, gamma)
    return phi(K, mu, gamma) / (top * top)


def lemma_25(
    mu: Scalar, gamma: Scalar, eta: Scalar, K: int, G: Scalar, M: int, B: int, distance2: Scalar, noise: Given = None
) -> Any:
    """OLR Lemma 25, one round: ``E ||x_{t+1} - x*_gamma||^2 <= (1 - eta mu_gamma) distance2 + eta^2 K G^2 / (M B)``.

    ``mu``, ``gamma``, ``K``: as in `lemma_25_rate`. ``eta``: the server rate. ``G``, ``M``, ``B``: as in
    `lemma_23`. ``distance2``: E ||x_t - x*_gamma||^2. ``noise``: of the round, where it is not `lemma_23`.

    >>> from fractions import Fraction
    >>> lemma_25(1, Fraction(1, 4), Fraction(1, 2), 2, 1, 2, 1, 1)
    Fraction(3, 8)
    """
    mu, gamma, eta, G, distance2 = alike(mu, gamma, eta, G, distance2)
    noise = lemma_23(K, G, M, B) if noise is None else noise
    return (1 - eta * phi(K, mu, gamma)) * distance2 + eta**2 * noise


def theorem_26(
    mu: Scalar,
    gamma: Scalar,
    eta: Scalar,
    K: int,
    G: Scalar,
    M: int,
    B: int,
    t: Scalar,
    distance2: Scalar,
    noise: Given = None,
) -> Any:
    r"""OLR Theorem 26, ``eta <= mu_gamma / L_gamma^2``:

    E ||x_{t+1} - x*_gamma||^2 <= (1 - eta mu_gamma)^t ||x_1 - x*_gamma||^2 + eta K G^2 / (mu_gamma M B).

    ``mu``, ``gamma``, ``eta``, ``K``, ``G``, ``M``, ``B``, ``noise``: as in `lemma_25`. ``t``: rounds.
    ``distance2``: at the start, ||x_1 - x*_gamma||^2.

    >>> from fractions import Fraction
    >>> theorem_26(1, Fraction(1, 4), Fraction(1, 10), 2, 1, 2, 1, 3, 1)
    Fraction(277159, 448000)
    """
    mu, gamma, eta, G, distance2 = alike(mu, gamma, eta, G, distance2)
    noise = lemma_23(K, G, M, B) if noise is None else noise
    convexity = phi(K, mu, gamma)
    return (1 - eta * convexity) ** t * distance2 + eta * noise / convexity


def theorem_27_offset(mu: Scalar, L: Scalar, gamma: Scalar, K: int) -> Any:
    """OLR Theorem 27: the least b, ``2 L_gamma^2 / mu_gamma^2``.

    ``mu``, ``L``, ``gamma``, ``K``: as in `lemma_25_rate`.

    >>> theorem_27_offset(1, 2, 0, 2)
    Fraction(8, 1)
    """
    return 2 * (phi(K, L, gamma) / phi(K, mu, gamma)) ** 2


def theorem_27_rate(mu: Scalar, L: Scalar, gamma: Scalar, K: int, t: int, b: Given = None) -> Any:
    """OLR Theorem 27: ``eta_t = (2 / mu_gamma) / (b + t)``, ``b = 2 L_gamma^2 / mu_gamma^2`` or larger.

    ``mu``, ``L``, ``gamma``, ``K``: as in `lemma_25_rate`. ``t``: the round, from 1 on. ``b``: the offset, the
    least one unless given.

    >>> from fractions import Fraction
    >>> theorem_27_rate(1, 2, Fraction(1, 4), 2, 10)
    Fraction(28, 389)
    """
    offset = theorem_27_offset(mu, L, gamma, K) if b is None else alike(b, mu, L, gamma)[0]
    return 2 / phi(K, mu, gamma) / (offset + t)


def theorem_27(
    mu: Scalar,
    L: Scalar,
    gamma: Scalar,
    K: int,
    G: Scalar,
    M: int,
    B: int,
    t: int,
    distance2: Scalar,
    b: Given = None,
    noise: Given = None,
) -> Any:
    r"""OLR Theorem 27, server rates ``theorem_27_rate``:

    E ||x_t - x*_gamma||^2 <= nu / (b + t),   nu = max{4 K G^2 / (mu_gamma^2 M B), (b + 1) ||x_1 - x*_gamma||^2}.

    ``mu``, ``L``, ``gamma``, ``K``, ``b``: as in `theorem_27_rate`. ``G``, ``M``, ``B``, ``noise``, ``distance2``:
    as in `theorem_26`. ``t``: the round, from 1 on.

    >>> from fractions import Fraction
    >>> theorem_27(1, 2, Fraction(1, 4), 2, 1, 2, 1, 10, 1)
    Fraction(337, 778)
    """
    mu, L, gamma, G, distance2 = alike(mu, L, gamma, G, distance2)
    noise = lemma_23(K, G, M, B) if noise is None else noise
    offset = theorem_27_offset(mu, L, gamma, K) if b is None else alike(b, mu, L, gamma)[0]
    nu = maximum(4 * noise / phi(K, mu, gamma) ** 2, (offset + 1) * distance2)
    return nu / (offset + t)


def corollary_28(
    mu: Scalar,
    L: Scalar,
    sigma_A: Scalar,
    sigma_c: Scalar,
    epsilon: Scalar | Epsilon,
    K: int,
    G: Scalar,
    M: int,
    B: int,
    t: int,
    distance2: Scalar,
    b: Scalar,
    noise: Given = None,
) -> Any:
    r"""OLR Corollary 28, ``gamma <= ln(1 / (1 - epsilon)) / (K L)``, server rates ``theorem_27_rate`` with this ``b``:

        E ||x_t - x*||^2 <= 2 nu / (b + t) + 2 sigma_c^2 (1 + sigma_A / mu)^2 (L / mu)^2 epsilon^2 / (1 - epsilon)^2,
        nu = max{4 G^2 / ((1 - epsilon)^2 mu^2 K M B), (b + 1) ||x_1 - x*_gamma||^2}.

    The print's sigma_a is sigma_A. ``nu`` is its stated upper bound, in terms of epsilon. ``noise``: in place of
    nu's first term; the correction adds 8 V / (mu_gamma^2 M) to it.

    ``mu``, ``L``, ``sigma_A``, ``sigma_c``, ``epsilon``: as in `corollary_20`. ``K``, ``G``, ``M``, ``B``, ``t``,
    ``distance2``, ``b``: as in `theorem_27`.

    >>> from fractions import Fraction
    >>> corollary_28(1, 2, 0, 1, Fraction(1, 10), 2, 1, 2, 1, 10, 1, 16)
    Fraction(1481, 1053)
    """
    noise = corollary_28_noise(mu, epsilon, K, G, M, B) if noise is None else noise
    bias = corollary_20(mu, L, sigma_A, sigma_c, epsilon)
    distance2, b, noise, bias = alike(distance2, b, noise, bias)
    nu = maximum(noise, (b + 1) * distance2)
    return 2 * nu / (b + t) + 2 * bias**2


def corollary_28_noise(mu: Scalar, epsilon: Scalar | Epsilon, K: int, G: Scalar, M: int, B: int) -> Any:
    """The first term of Corollary 28's nu: ``4 G^2 / ((1 - epsilon)^2 mu^2 K M B)``.

    ``mu``, ``epsilon``, ``K``, ``G``, ``M``, ``B``: as in `corollary_28`.

    >>> corollary_28_noise(1, 0, 2, 1, 2, 1)
    Fraction(1, 1)
    """
    left, _, _, mu, G = split(epsilon, mu, G)
    return 4 * (G * G) / left**2 / (mu**2 * K * M * B)


def theorem_29_offset(mu: Scalar, L: Scalar) -> Any:
    """OLR Theorem 29's b, ``3 (L / mu)^2``.

    ``mu``, ``L``: as in `lemma_25_rate`.

    >>> theorem_29_offset(1, 2)
    Fraction(12, 1)
    """
    mu, L = alike(mu, L)
    return 3 * (L / mu) ** 2


def theorem_29_rates(mu: Scalar, L: Scalar, K: int, t: int) -> Rates:
    """OLR Theorem 29, with ``b = 3 (L / mu)^2`` and ``mu_t = phi_{K,mu}(gamma_t)``:

    ``gamma_t = min{1 / (L (b + t)), ln 2 / (K mu)}`` and ``eta_t = (3 / mu_t) / (b + t)``.

    (The proof computes with 2 / mu_t and 2 kappa^2 in one place.) In rationals the first of the two is the smaller
    whenever it is below 1 / (2 K mu), so gamma_t stays rational there; else it is a float, ln 2 being irrational.

    ``mu``, ``L``, ``K``, ``t``: as in `theorem_27_rate`.

    >>> theorem_29_rates(1, 2, 2, 10)
    Rates(gamma=Fraction(1, 44), eta=Fraction(2, 29))
    """
    mu, L = alike(mu, L)
    offset = theorem_29_offset(mu, L) + t
    gamma = _decayed(1 / (L * offset), K, mu)
    return Rates(gamma, server_rate(mu, gamma, K, offset))


def server_rate(mu: Scalar, gamma: Scalar, K: int, offset: Scalar) -> Any:
    """``(3 / phi_{K,mu}(gamma)) / offset``."""
    convexity, offset = alike(phi(K, mu, gamma), offset)
    return 3 / (convexity * offset)


def _decayed(rate: Scalar, K: int, mu: Scalar) -> Any:
    """min{rate, ln 2 / (K mu)}; ln 2 > 1/2 settles it without a logarithm where everything is rational."""
    from fractions import Fraction

    if isinstance(rate, Fraction) and rate <= Fraction(1, 2) / (K * mu):
        return rate
    two = mu * 0 + 2
    cap, mu = alike(log(two), mu)
    return minimum(rate, cap / (K * mu))


def theorem_29(
    mu: Scalar, L: Scalar, sigma_c: Scalar, K: int, G: Scalar, M: int, B: int, t: int, distance2: Scalar
) -> Any:
    r"""OLR Theorem 29, at ``theorem_29_rates``; ``kappa = L / mu``, ``b = 3 kappa^2``, ``distance2`` to x*_{gamma_1}:

    E ||x_t - x*||^2 <= (2 nu + 16 sigma_c^2 kappa^2) / (b + t),
    nu = max{18 G^2 / (mu^2 K M B), (b + 1) ||x_1 - x*_1||^2}.

    ``mu``, ``L``, ``K``, ``t``: as in `theorem_29_rates`. ``sigma_c``: as in `corollary_28`. ``G``, ``M``, ``B``:
    as in `lemma_23`.

    >>> theorem_29(1, 2, 1, 2, 1, 2, 1, 10, 1)
    Fraction(45, 11)
    """
    mu, L, sigma_c, G, distance2 = alike(mu, L, sigma_c, G, distance2)
    b = theorem_29_offset(mu, L)
    nu = maximum(18 * (G * G) / (mu**2 * K * M * B), (b + 1) * distance2)
    return (2 * nu + 16 * sigma_c**2 * (L / mu) ** 2) / (b + t)
