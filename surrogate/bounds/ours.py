"""What ``theorems/`` found to replace or sharpen a published bound, on the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from surrogate import filters
from surrogate._types import Scalar
from surrogate.bounds.convergence import Rates, server_rate
from surrogate.bounds.spectrum import phi, phi_deficit
from surrogate.numbers import alike, is_float, maximum, minimum, sqrt

__all__ = [
    "corrected_29",
    "corrected_29_rates",
    "corrected_29b",
    "corrected_la_1",
    "corrected_la_1_rate",
    "sampled_noise",
    "theorem_17b",
    "theorem_21b",
]


def theorem_17b(mu: Scalar, L: Scalar, sigma_c: Scalar, gamma: Scalar, K: int, terms: bool = False) -> Any:
    r"""Ours, OLR.T17b: for ``gamma < 1/L`` and Theta_{1:K}, ``kappa = L / mu``, ``kappa~ = phi_{K,L} / phi_{K,mu}``,

        ||x*(gamma, Theta_{1:K}) - x*||
            <= sigma_c min( (kappa - kappa~) / (2 sqrt(kappa~)),
                            ((kappa - 1) / sqrt(kappa) + (kappa~ - 1) / sqrt(kappa~)) / 2 ).

    At most half of Theorem 17's bound, free of sigma_A, and bounded in K. ``terms``: both bounds, for the smaller one.

    ``mu``, ``L``, ``sigma_c``, ``gamma``, ``K``: as in `theorem_17`.

    >>> print(f"{theorem_17b(1, 2, 0.25, 0.25, 2):.6f}")
    0.027277
    """
    mu, L, sigma_c, gamma = alike(mu, L, sigma_c, gamma)
    drop, excess = _drop_and_excess(mu, L, gamma, K)
    squeezed = sigma_c * drop / sqrt(1 + excess) / 2
    through_mean = (L - mu) / mu / sqrt(L / mu) + excess / sqrt(1 + excess)
    both = squeezed, sigma_c * through_mean / 2
    return both if terms else minimum(*both)


def _drop_and_excess(mu: Scalar, L: Scalar, gamma: Scalar, K: int) -> tuple[Any, Any]:
    """``kappa - kappa~`` and ``kappa~ - 1``.

    phi is lambda S(gamma lambda), and 1 - gamma phi the power p(gamma lambda) = (1 - gamma lambda)^K: in floats both
    come from divided differences of S and p, which keep their digits as gamma -> 0 and as mu -> L.
    """
    low = phi(K, mu, gamma)
    if is_float(gamma * L):
        a, b = (np.asarray(gamma * lam, dtype=float) for lam in (L, mu))
        drop = -gamma * L * (L - mu) * filters.geometric_secant(a, b, K) / low
        return drop, -(L - mu) * filters.power_secant(a, b, K) / low
    return _drop(mu, L, gamma, K), (phi(K, L, gamma) - low) / low


def _drop(mu: Scalar, L: Scalar, gamma: Scalar, K: int) -> Any:
    """``kappa - kappa~ = (mu gap_L - L gap_mu) / (mu phi_mu)``, gap = K lambda - phi."""
    return (mu * phi_deficit(K, L, gamma) - L * phi_deficit(K, mu, gamma)) / (mu * phi(K, mu, gamma))


def theorem_21b(mu: Scalar, L: Scalar, sigma_c: Scalar, gamma_1: Scalar, gamma_2: Scalar, K: int) -> Any:
    r"""Ours, OLR.T21b: for ``gamma_1 <= gamma_2 < 1/L`` and Theta_{1:K}, ``kappa~ = phi_{K,L} / phi_{K,mu}``,

        ||x*(gamma_1) - x*(gamma_2)|| <= sigma_c (kappa~(gamma_1) - kappa~(gamma_2)) / (2 sqrt(kappa~(gamma_2))).

    At most half of Theorem 21's bound, and bounded in K, as Corollary 22 is not. In floats a difference of deficits,
    which loses the digits that gamma_2 - gamma_1 or L - mu has lost already.

    ``mu``, ``L``, ``sigma_c``, ``gamma_1``, ``gamma_2``, ``K``: as in `theorem_21`.

    >>> print(f"{theorem_21b(1, 2, 0.25, 0.0, 0.25, 2):.6f}")
    0.027277
    """
    mu, L, sigma_c, gamma_1, gamma_2 = alike(mu, L, sigma_c, gamma_1, gamma_2)
    drop = _drop(mu, L, gamma_2, K) - _drop(mu, L, gamma_1, K)
    return sigma_c * drop / sqrt(phi(K, L, gamma_2) / phi(K, mu, gamma_2)) / 2


def sampled_noise(K: int, G: Scalar, M: int, B: int, V: Scalar, reach: Scalar = 1) -> Any:
    """The noise of a round with M drawn clients: ``(K G^2 / B + 2 V / (2 - reach)) / M``, ``reach = eta L_gamma``.

    ``V = E_i ||grad f~_i(x*_gamma)||^2`` for independent draws; (n - M) / (n - 1) of it for M distinct ones of n. With
    it Lemma 25 and Theorem 26 hold for every eta <= (2 L_gamma - mu_gamma) / L_gamma^2, printed (22) and 1 / L_gamma
    among them, and Theorem 27 for ``b + 1 >= 2 kappa~^2 / (2 kappa~ - 1)``, reach = 2 kappa~ / (b + 1).

    ``K``, ``G``, ``M``, ``B``: as in `lemma_23`.

    >>> sampled_noise(4, 1, 2, 1, 3)
    Fraction(5, 1)
    """
    G, V, reach = alike(G, V, reach)
    return (G * G * K / B + 2 * V / (2 - reach)) / M


def corrected_29_rates(mu: Scalar, L: Scalar, K: int, t: int) -> Rates:
    """Ours, OLR.T29 corrected, ``b = 9 L / mu``: ``gamma_t = 1 / (K L (b + t))``, ``eta_t = (3 / mu_t) / (b + t)``.

    ``mu``, ``L``, ``K``, ``t``: as in `theorem_29_rates`.

    >>> corrected_29_rates(1, 1, 2, 1)
    Rates(gamma=Fraction(1, 20), eta=Fraction(2, 13))
    """
    mu, L = alike(mu, L)
    offset = 9 * L / mu + t
    gamma = 1 / (K * L * offset)
    return Rates(gamma, server_rate(mu, gamma, K, offset))


def corrected_29(mu: Scalar, L: Scalar, sigma_c: Scalar, noise: Scalar, t: int, distance2: Scalar) -> Any:
    r"""Ours, OLR.T29 corrected, at ``corrected_29_rates``; ``kappa = L / mu``:

    E ||x_t - x*||^2 <= (2 nu + sigma_c^2 kappa^2) / (9 kappa + t),  nu = max{noise, (9 kappa + 1) ||x_1 - x*_1||^2}.

    ``noise``: (10 G^2 / (mu^2 K B) + 18 kappa^2 sigma_c^2) / M for M drawn clients; 10 G^2 / (mu^2 K B) sum_i w_i^2
    with all of them.

    ``mu``, ``L``, ``sigma_c``, ``t``, ``distance2``: as in `theorem_29`.

    >>> corrected_29(1, 1, 1, 0, 1, 1)
    Fraction(21, 10)
    """
    mu, L, sigma_c, noise, distance2 = alike(mu, L, sigma_c, noise, distance2)
    kappa = L / mu
    b = 9 * kappa
    nu = maximum(noise, (b + 1) * distance2)
    return (2 * nu + kappa**2 * sigma_c**2) / (b + t)


def corrected_29b(
    mu: Scalar,
    L: Scalar,
    sigma_c: Scalar,
    K: int,
    G: Scalar,
    M: int,
    B: int,
    t: int,
    distance2: Scalar,
    excess: Scalar = 1,
) -> Any:
    r"""Ours, OLR.T29 corrected, at the printed ``theorem_29_rates``; ``kappa = L / mu``, ``b = 3 kappa^2``:

        E ||x_t - x*||^2 <= (2 nu + C sigma_c^2 kappa^2) / (b + t),   nu as in `theorem_29`,
        C = min{28.8 v + min{5 (K - 1) / 8, q}, 15.2 v + 5.1 q},  q = (K - 1)^2 / (3 kappa^2 + 1),  v = excess / M.

    ``excess``: 1 for independent draws, (n - M) / (n - 1) for M distinct clients of n, 0 with all of them. The printed
    C is 16. All else: as in `theorem_29`.

    ``mu``, ``L``, ``sigma_c``, ``K``, ``G``, ``M``, ``B``, ``t``, ``distance2``: as in `theorem_29`.

    >>> corrected_29b(1, 2, 1, 2, 1, 2, 1, 10, 1)
    Fraction(1884, 715)
    """
    mu, L, sigma_c, G, distance2, excess = alike(mu, L, sigma_c, G, distance2, excess)
    kappa = L / mu
    b, v = 3 * kappa**2, excess / M
    linear, square = kappa * 0 + K - 1, (K - 1) ** 2 / (b + 1)
    C = minimum(144 * v / 5 + minimum(5 * linear / 8, square), (152 * v + 51 * square) / 10)
    nu = maximum(18 * (G * G) / (mu**2 * K * M * B), (b + 1) * distance2)
    return (2 * nu + C * (sigma_c * kappa) ** 2) / (b + t)


def corrected_la_1(H: Scalar, noise: Scalar, T: int, distance2: Scalar) -> Any:
    r"""Ours, LA.T1 corrected, at ``corrected_la_1_rate``; ``H = sum_i w_i h_i``, ``noise = sigma^2 sum_i w_i^2 q_i``:

    E ||x^(T) - x~||^2 <= H^(T/2) ||x^(0) - x~||^2 + 8 noise / (T (1 - H)^2), T / 2 rounded up.

    ``T``: rounds. ``distance2``: at the start, ||x^(0) - x~||^2.

    >>> from fractions import Fraction
    >>> corrected_la_1(Fraction(1, 2), 1, 3, 4)
    Fraction(35, 3)
    """
    H, noise, distance2 = alike(H, noise, distance2)
    a = 1 - H
    return H ** ((T + 1) // 2) * distance2 + 8 * noise / (a * a * T)


def corrected_la_1_rate(H: Scalar, t: int, T: int) -> Any:
    """The server rate of round t = 0, ..., T - 1: 1 for the first half, then ``2 / (2 + (1 - H) j)``, j = 0, 1, ...

    ``H``, ``T``: as in `corrected_la_1`. ``t``: the round.

    >>> [corrected_la_1_rate(0, t, 4) for t in range(4)]
    [Fraction(1, 1), Fraction(1, 1), Fraction(1, 1), Fraction(2, 3)]
    """
    (H,) = alike(H)
    j = t - (T + 1) // 2
    return H * 0 + 1 if j < 0 else 2 / (2 + (1 - H) * j)
