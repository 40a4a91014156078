"""Small problems with known answers, and random populations with prescribed constants."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from surrogate._types import Array, Given, Scalar
from surrogate.clients import AnyClients
from surrogate.kit import checks
from surrogate.populations import random_population
from surrogate.quadratics import Quadratics

__all__ = ["density_problem", "plane", "random_population", "two_clients"]

_NODE_GRID = 2**20  # exact density nodes are multiples of 1/2^20


def two_clients(exact: bool = False) -> AnyClients:
    r"""The two clients of OLR section 4: ``A_z = z, c_z = 1/z`` for z = 1, 2, equally likely.

    So ``f_1 = 1/2 (x - 1)^2``, ``f_2 = (x - 1/2)^2``, ``f = 1/2 (f_1 + f_2)`` and ``x* = 2/3``, while the client
    minimizers average 3/4. With two local steps LocalUpdate rests at ``(4 - 3 gamma) / (6 - 5 gamma)``.

    ``exact``: entries as rationals, in a ``surrogate.exact.Quadratics``.

    >>> two_clients().mean_minimizer.tolist()
    [0.75]
    """
    return _clients([[[Fraction(1)]], [[Fraction(2)]]], [[Fraction(1)], [Fraction(1, 2)]], None, exact)


def density_problem(nodes: int | None = None, exact: bool = False) -> AnyClients:
    r"""The problem of OLR Figure 1: clients i in [1/2, 2] of density 8 i / 15, each with ``f_i(x) = i x^2 / 2 - x``.

    The continuum becomes ``nodes`` weighted clients: Gauss-Legendre nodes i_j with weights ``w_j (8 i_j / 15)``, which
    integrate polynomials of degree ``2 nodes - 1`` without error. What that makes exact (up to rounding):

    - ``x* = 1 / E[i] = 5/7`` and the mean minimizer ``E[1/i] = 4/5``, for every ``nodes >= 2``;
    - the surrogate of K local steps, its minimizer and the mean iterate: ``E[Q_i A_i]`` integrates a polynomial of
      degree K + 1, so for ``K <= 2 nodes - 2``;
    - second moments (covariances when one client is drawn a round): degree 2 K + 1, so for ``K <= nodes - 1``.

    Past that the error still shrinks geometrically in ``nodes``, as it does for ``sigma_c``, whose square is
    ``8/15 ln 4 - 16/25``. Not the continuum's: ``mu`` and ``L``, the outermost nodes, lie just inside [1/2, 2].

    ``nodes``: 64 unless given. ``exact``: rational nodes next to Gauss's (12 unless given) with the weights that
    integrate degree ``nodes - 1`` exactly: K <= nodes - 2 is exact, and second moments for 2 K <= nodes - 2.

    >>> clients = density_problem()
    >>> bool(abs(clients.minimizer[0] - 5 / 7) < 1e-14), bool(abs(clients.mean_minimizer[0] - 4 / 5) < 1e-14)
    (True, True)
    """
    least = 3 if exact else 2
    fix = "K local steps need nodes >= K / 2 + 1 for the mean, K + 1 for second moments"
    cause = "too few clients to stand for the density"
    usual = 12 if exact else 64
    count = checks.whole(usual if nodes is None else nodes, "nodes", least, f"a whole number >= {least}", cause, fix)
    points, shares = np.polynomial.legendre.leggauss(count)  # on [-1, 1]
    if exact:
        rational = [Fraction(round(float(5 + 3 * p) / 4 * _NODE_GRID), _NODE_GRID) for p in points]
        weights = [w * Fraction(8, 15) * i for w, i in zip(_interpolatory_weights(rational), rational, strict=True)]
        return _density_clients(rational, weights, exact=True)
    at = (5 + 3 * points) / 4
    return _density_clients(at, shares * (3 / 4) * (8 / 15) * at, exact=False)


def plane(exact: bool = False) -> AnyClients:
    """Three clients in the plane, each flat along another direction: ours, in the spirit of LA Figure 1.

    Hessians with eigenvalues 1 and 1/10 (so mu = 1/10, L = 1), turned by the rational rotations (1, 0), (3/5, 4/5) and
    (-5/13, 12/13); minimizers (1, 0), (-1, 1) and (0, -1), and equal weights. ``exact``: entries as rationals.

    >>> clients = plane()
    >>> clients.n, clients.d, float(round(clients.mu, 12)), float(round(clients.L, 12))
    (3, 2, 0.1, 1.0)
    """
    turns = [(Fraction(1), Fraction(0)), (Fraction(3, 5), Fraction(4, 5)), (Fraction(-5, 13), Fraction(12, 13))]
    steep, flat = Fraction(1), Fraction(1, 10)
    A = [
        [
            [steep * c * c + flat * s * s, (steep - flat) * c * s],
            [(steep - flat) * c * s, steep * s * s + flat * c * c],
        ]
        for c, s in turns
    ]
    return _clients(A, [[1, 0], [-1, 1], [0, -1]], None, exact)


def _clients(A: Given, c: Given, weights: Given, exact: bool) -> AnyClients:
    """Rational entries as they are, or rounded once to float64."""
    if not exact:
        rounded = None if weights is None else np.array(weights, dtype=float)
        return Quadratics(np.array(A, dtype=float), np.array(c, dtype=float), rounded)
    from surrogate import exact as rationals

    return rationals.Quadratics(A, c, weights)


def _density_clients(at: Sequence[Scalar] | Array, shares: Given, exact: bool) -> AnyClients:
    return _clients([[[i]] for i in at], [[1 / i] for i in at], shares, exact)


def _interpolatory_weights(nodes: list[Fraction]) -> list[Fraction]:
    """Weights that integrate every polynomial of degree < n over [1/2, 2]: the integrals of Lagrange's polynomials.

    Near the Gauss nodes they are near the Gauss weights, hence positive.
    """
    one = Fraction(1)
    moments = [(2 ** (k + 1) - one / 2 ** (k + 1)) / (k + 1) for k in range(len(nodes))]
    weights = []
    for j, node in enumerate(nodes):
        polynomial = [one]  # coefficients of prod (x - other) / (node - other), lowest first
        for other in nodes[:j] + nodes[j + 1 :]:
            low, high = [-other * a for a in polynomial] + [0 * one], [0 * one, *polynomial]
            polynomial = [(a + b) / (node - other) for a, b in zip(low, high, strict=True)]
        weights.append(sum((a * m for a, m in zip(polynomial, moments, strict=True)), 0 * one))
    return weights
