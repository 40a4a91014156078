"""LA Theorem 1: FedOpt as a fixed-point iteration (equation 7), and its h_i and q_i for SGD clients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from surrogate._types import Scalar
from surrogate.numbers import alike

__all__ = ["la_sgd_contraction", "la_sgd_variance", "la_theorem_1"]


def la_theorem_1(
    c: Scalar,
    h: Sequence[Scalar],
    q: Sequence[Scalar],
    weights: Sequence[Scalar],
    sigma: Scalar,
    T: int,
    distance2: Scalar,
    scale: Scalar = 1,
) -> Any:
    r"""LA Theorem 1, (7), up to the constant ``c`` that the paper leaves open; ``distance2 = ||x^(0) - x~||^2``,

        E ||x^(T) - x~||^2 <= c ( H^T distance2 / (1 - H) + (1/T) sigma^2 sum_i w_i^2 q_i / (1 - H)^2 ),

    ``H = sum_i w_i h_i``. ``h``, ``q``, ``weights``: (n,). The exponent T is the print's; the proof
    arrives at T / 2 in (64) and (65). ``scale``: distance2 is ||x^(0) - x~||^2 times scale^T, for starts so far
    away that floats do not hold them.

    ``sigma``: the bound of Assumption 2 on the gradients' noise. ``T``: rounds.

    >>> from fractions import Fraction
    >>> la_theorem_1(1, [Fraction(1, 4), Fraction(1, 2)], [1, 1], [Fraction(1, 2), Fraction(1, 2)], 1, 2, 1)
    Fraction(173, 200)
    """
    n = len(weights)
    c, sigma, distance2, scale, *rest = alike(c, sigma, distance2, scale, *h, *q, *weights)
    h, q, weights = rest[:n], rest[n : 2 * n], rest[2 * n :]
    H = sum((w * hi for w, hi in zip(weights, h, strict=True)), 0 * c)
    noise = sigma * sigma * sum((w * w * qi for w, qi in zip(weights, q, strict=True)), 0 * c)
    return c * ((H / scale) ** T * distance2 / (1 - H) + noise / (T * ((1 - H) * (1 - H))))


def la_sgd_contraction(eta: Scalar, mu: Scalar, k: int) -> Any:
    """LA section 4 and B.2: ``h_i(k) = (1 - eta_i mu_i)^(2 k)`` for k steps of SGD on a mu_i-strongly convex client.

    ``eta``: the client rate. ``mu``: the strong convexity. ``k``: local steps.

    >>> from fractions import Fraction
    >>> la_sgd_contraction(Fraction(1, 2), 1, 2)
    Fraction(1, 16)
    """
    eta, mu = alike(eta, mu)
    return (1 - eta * mu) ** (2 * k)


def la_sgd_variance(eta: Scalar, k: int) -> Any:
    """LA section 4 and B.3: ``q_i(k) = eta_i^2 k`` for k steps of SGD.

    ``eta``: the client rate. ``k``: local steps.

    >>> from fractions import Fraction
    >>> la_sgd_variance(Fraction(1, 2), 3)
    Fraction(3, 4)
    """
    (eta,) = alike(eta)
    return eta**2 * k
