r"""Worst cases of OLR's section 6 as semidefinite programs, over all populations at once (stdlib alone).

Scaled to sigma_c = 1. *Mirroring* makes one client stand for every population, of any number of clients, weights and
dimension: let u, m, ... be the vectors that all clients share (resting points, the mean of the c_i), and average the
clients' Gram matrices. What a client asks for is convex, and survives; "the gradients average to 0" becomes "their
average is orthogonal to every shared vector". Back: given one such client (A, c), let R be the reflection that keeps
the shared vectors and flips the rest. The population {(A, c), (R A R, R c)} has the same average, and its gradients do
average to 0. So two equally weighted clients are the worst of any number.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from theorems.pep.model import Combination, Problem, square

__all__ = ["contraction", "displacement", "distance"]


def displacement(mu: Fraction, L: Fraction, gamma: Fraction, theta: Sequence[Fraction], unit: Fraction) -> Problem:
    """max |x~ - x*|^2: x* = 0, x~ = unit v, E A (x* - c) = 0, E M (x~ - c) = 0, E |c - m|^2 <= 1."""
    p = Problem()
    v, m, c = p.vector(), p.vector(), p.vector()
    reach = _reach(mu, L)
    p.objective, p.budget = square(v), reach**2 * square(c - m)
    client = p.client(mu, L)
    of_v, of_c = client.krylov(v, len(theta)), client.krylov(c, len(theta))
    p.orthogonal(client.sent(of_c, gamma, [Fraction(1)]), (v, m))
    p.orthogonal(unit / reach * client.sent(of_v, gamma, theta) - client.sent(of_c, gamma, theta), (v, m))
    return p


def _reach(mu: Fraction, L: Fraction) -> Fraction:
    """A power of two near sqrt(L / mu) / 2, as far as x* may be from m: the unit of c and m, for the solver's sake."""
    return Fraction(2 ** (int(L / mu).bit_length() // 2 - 1)) if L >= 4 * mu else Fraction(1)


def distance(
    mu: Fraction, L: Fraction, low: Fraction, high: Fraction, theta: Sequence[Fraction], unit: Fraction
) -> Problem:
    """max |x_1 - x_2|^2 of the resting points x_1 = 0 at ``low`` and x_2 = unit v at ``high``, E |c - m|^2 <= 1."""
    p = Problem()
    v, m, c = p.vector(), p.vector(), p.vector()
    reach = _reach(mu, L)
    p.objective, p.budget = square(v), reach**2 * square(c - m)
    client = p.client(mu, L)
    of_v, of_c = client.krylov(v, len(theta)), client.krylov(c, len(theta))
    p.orthogonal(client.sent(of_c, low, theta), (v, m))
    p.orthogonal(unit / reach * client.sent(of_v, high, theta) - client.sent(of_c, high, theta), (v, m))
    return p


def contraction(mu: Fraction, L: Fraction, gamma: Fraction, theta: Sequence[Fraction], eta: Fraction) -> Problem:
    """max |x+ - x~|^2 of a round from |x - x~| <= 1: x - x~ = e, x+ - x~ = e - eta g, E M e = g."""
    p = Problem()
    e, g = p.vector(), p.vector()
    p.objective, p.budget = square(e - eta * g), square(e)
    client = p.client(mu, L)
    p.orthogonal(client.sent(client.krylov(e, len(theta)), gamma, theta) - g, (e, g))
    return p


def displacement_of(
    weights: Sequence[Fraction], mu: Fraction, L: Fraction, gamma: Fraction, theta: Sequence[Fraction]
) -> Problem:
    """`displacement` for clients with given weights, without mirroring: all clients' vectors in one Gram matrix."""
    p = Problem()
    v, m = p.vector(), Combination[int]({})
    centers = [p.vector() for _ in weights]
    for w, c in zip(weights, centers, strict=True):
        m = m + w * c
    at_minimizer, at_rest = Combination[int]({}), Combination[int]({})
    for w, c in zip(weights, centers, strict=True):
        client = p.client(mu, L)
        p.budget = p.budget + w * square(c - m)
        of_v, of_c = client.krylov(v, len(theta)), client.krylov(c, len(theta))
        at_minimizer = at_minimizer + w * client.sent(of_c, gamma, [Fraction(1)])
        at_rest = at_rest + w * (client.sent(of_v, gamma, theta) - client.sent(of_c, gamma, theta))
    p.objective, p.vanishing = square(v), [at_minimizer, at_rest]
    return p
