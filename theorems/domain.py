"""Domains: one function from [0,1]^m to instances, in rational operations, so that hypotheses hold by construction.

Search draws u uniformly and near the edges, optimisers move u, shrinking sends u to 0, and a rational u gives a
rational instance. ``Cursor`` hands out the coordinates of u one by one and counts how many a domain takes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from surrogate._types import Numbers, Scalar
from theorems.population import Population

__all__ = ["Cursor", "Domain", "clients", "grid", "rate"]

LEAST_MU = Fraction(1, 10**4)  # the declared box: condition number at most 1e4,
NEAR_ONE = 1 - Fraction(1, 10**6)  # gamma L at most 1 - 1e-6,
STEPS = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 100, 1000, 10**4, 10**5)  # and K at most 1e5


class Cursor:
    """The coordinates of u, handed out in order: each a batch of numbers in [0, 1] of kind ``nb``."""

    def __init__(self, nb: Any, u: Any) -> None:
        self.nb, self.u, self.used = nb, u, 0

    def take(self) -> Any:
        """The next coordinate, a batch of shape u.shape[:-1]."""
        value = self.u[..., self.used]
        self.used += 1
        return value

    def many(self, count: int) -> list[Any]:
        return [self.take() for _ in range(count)]


@dataclass(frozen=True)
class Domain:
    """``decode(cursor, **discrete) -> instance``; ``choices`` lists the discrete settings that it is searched over."""

    decode: Callable[..., Any]
    choices: tuple[Mapping[str, Any], ...]
    says: str

    def size(self, discrete: Mapping[str, Any]) -> int:
        """How many coordinates of u the instance takes."""
        from surrogate.numbers import FLOATS

        cursor = Cursor(FLOATS, np.full((1, 400), 0.5))
        self.decode(cursor, **discrete)
        return cursor.used

    def instance(self, nb: Any, u: Any, discrete: Mapping[str, Any]) -> Any:
        """The instances at u (batch, m): floats, or an object array of rationals (a batch of one, as a rule)."""
        return self.decode(Cursor(nb, nb.number(u)), **discrete)


def grid(**options: Sequence[Any]) -> tuple[Mapping[str, Any], ...]:
    """All combinations of the named options, smallest first.

    >>> grid(n=[1, 2], K=[1])
    ({'n': 1, 'K': 1}, {'n': 2, 'K': 1})
    """
    combos: list[dict[str, Any]] = [{}]
    for name, values in options.items():
        combos = [{**combo, name: value} for combo in combos for value in values]
    return tuple(combos)


def clients(
    cursor: Cursor, n: int, d: int, weighted: bool = False, same: str = "", least_mu: Fraction = LEAST_MU
) -> Population:
    """n clients: eigenvalues lam = 1 - u (the first is 1), minimizers in [-1, 1] (the first at 0).

    ``same`` names what all clients share: "c", "A", "both" or nothing. L is 1: every statement here is invariant under
    (A, gamma, eta) -> (s A, gamma / s, eta / s).
    """
    nb = cursor.nb
    kinds = 1 if same in ("A", "both") else n
    lam = np.stack(
        [np.stack([_eigenvalue(cursor, least_mu, first=i + k == 0) for k in range(d)], -1) for i in range(kinds)], -2
    )
    R = np.stack([_rotation(cursor, d) for _ in range(kinds)], -3)
    if kinds < n:
        lam, R = np.repeat(lam, n, axis=-2), np.repeat(R, n, axis=-3)
    origin = [lam[..., 0, 0] * 0] * d
    places = [
        np.stack(origin if i == 0 or same in ("c", "both") else [2 * cursor.take() - 1 for _ in range(d)], -1)
        for i in range(n)
    ]
    return Population(nb, lam, R, np.stack(places, -2), _weights(cursor, n, weighted, lam))


def rate(cursor: Cursor, limit: Scalar = 1, zero: bool = False) -> Any:
    """A client rate u / limit; floats stay in the box (1e-9 <= gamma L <= 1 - 1e-6).

    Exact instances take u as it is: the statement's hypotheses are checked on them.
    """
    u = cursor.take()
    return (u if cursor.nb.exact else np.clip(u, 0.0 if zero else 1e-9, float(NEAR_ONE))) / limit


def _eigenvalue(cursor: Cursor, least: Fraction, first: bool) -> Any:
    if first:
        return cursor.u[..., 0] * 0 + 1
    u = cursor.take()
    return 1 - u if cursor.nb.exact else np.maximum(1 - u, float(least))


def _rotation(cursor: Cursor, d: int) -> Any:
    """A product of Givens rotations with tan(angle / 2) = u: cos = (1 - u^2) / (1 + u^2), rational in u."""
    one = cursor.u[..., 0] * 0 + 1
    R: Any = np.stack([np.stack([one if a == b else one * 0 for b in range(d)], -1) for a in range(d)], -2)
    for i in range(d):
        for j in range(i + 1, d):
            t = cursor.take()
            cos, sin = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
            rows = [[one if a == b else one * 0 for b in range(d)] for a in range(d)]
            rows[i][i], rows[j][j], rows[i][j], rows[j][i] = cos, cos, -sin, sin
            R = R @ np.stack([np.stack(row, -1) for row in rows], -2)
    return R


def _weights(cursor: Cursor, n: int, weighted: bool, lam: Numbers) -> Any:
    one = lam[..., 0, 0] * 0 + 1
    if not weighted or n == 1:
        return np.stack([one / n] * n, -1)
    raw = np.stack([1 - cursor.take() * cursor.nb.number(Fraction(99, 100)) for _ in range(n)], -1)
    return raw / raw.sum(axis=-1)[..., None]
