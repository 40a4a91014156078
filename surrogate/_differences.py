"""Differences of functions of two matrices, entry by entry in their eigenbases, without cancellation."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from surrogate._types import Array

__all__ = ["between", "outgrows", "secants", "unit"]

_TINY = 2.0**-200  # a rate whose square times a few small numbers may underflow
_ENTRIES = 2**16  # taken together: enough to make a call cheap, few enough to stay in the cache


def between(gap: Array, overlap: Array, secant: Array, *values: tuple[Array, Array]) -> Array:
    """``V^-1 (f(M) - f(N)) W`` (d, d), for ``M = V diag(a) V^-1`` and ``N = W diag(b) W^-1``.

    Daleckii and Krein: its entry j, k is ``f[a_j, b_k]`` times that of ``gap`` = ``V^-1 (M - N) W``, and it is
    ``f(a_j) - f(b_k)`` times that of ``overlap`` = ``V^-1 W``. The first keeps its digits where M is near N, the second
    where the slope is steep but the values are near (eigenvalues 0, many steps): each entry takes what rounds less.
    ``values``: pairs (f(a), f(b)), of f or of f plus a constant.

    >>> a, b, turn = np.array([1.0, 2.0]), np.array([1.0, 3.0]), np.eye(2)
    >>> between(np.diag(a - b), turn, a[:, None] + b, (a**2, b**2)).tolist()      # f = square: f[a, b] = a + b
    [[0.0, 0.0], [0.0, -5.0]]
    """
    safe = np.where(np.isfinite(secant), secant, 0.0)
    best = safe * gap
    error = np.where(np.isfinite(secant), np.abs(safe) * np.linalg.norm(gap), np.inf)
    for at_a, at_b in values:
        rise = at_a[:, None] - at_b
        rough = np.abs(overlap) * (np.abs(at_a)[:, None] + np.abs(at_b)) + np.abs(rise)
        best = np.where(rough < error, rise * overlap, best)
        error = np.minimum(rough, error)
    return np.asarray(best)


def secants(
    keys: Sequence[Hashable], a: Array, b: Array, secant: Callable[[Any, Array, Array], Array]
) -> Iterator[tuple[int, Array]]:
    """(i, f_i[a_i, b]) for every client: (d, d), from spectra a (n, d) and b (d,).

    ``keys``: what f_i depends on; clients that share it are taken together, for ``secant(key, a, b)`` takes as many
    calls as K has binary digits, and a call costs more than the few numbers of one client.

    >>> found = secants([1, 1], np.array([[1.0], [2.0]]), np.array([3.0]), lambda key, a, b: key * (a + b))
    >>> [(i, block.tolist()) for i, block in found]
    [(0, [[4.0]]), (1, [[5.0]])]
    """
    d = len(b)
    size = max(1, _ENTRIES // d**2)
    for key in dict.fromkeys(keys):
        members = [i for i, other in enumerate(keys) if other == key]
        for some in (members[k : k + size] for k in range(0, len(members), size)):
            yield from zip(some, secant(key, a[some].reshape(-1, 1), b).reshape(-1, d, d), strict=True)


def outgrows(stepping: Array, *ends: Array) -> bool:
    """Is f(N) infinite, or far larger than the two matrices whose difference it should help to form?

    Clients may take steps of their own; those of one may diverge on the Hessian of the other.
    """
    return not np.abs(stepping).max() <= 4 * max(float(np.abs(end).max()) for end in ends)


def unit(rate: float) -> float:
    """Where the rate is tiny, a power of two of about its size, else 1: differences of distortions have the size of its
    square, which no float holds below 1e-154, but in this unit they do not underflow, and nothing is rounded.

    >>> 1e-200 / unit(1e-200) < 1, unit(1e-3), unit(0.0)
    (True, 1.0, 1.0)
    """
    return 2.0 ** max(int(np.frexp(rate)[1]), -1000) if 0 < rate < _TINY else 1.0
