r"""Means over all subsets of a ratio, without visiting the subsets.

M distinct clients S are drawn, each subset alike; W_S is the sum of their weights. Because
``1/W = int_0^oo e^(-s W) ds`` and ``1/W^2 = int s e^(-s W) ds``, and e^(-s W_S) is a product over S,

    E[w_i w_j 1{i,j in S} / W_S^2] = M (M-1)/(n (n-1)) w_i w_j int s e^(-s (w_i + w_j)) R(s) ds,

with R the mean of ``prod_{l in S'} e^(-s w_l)`` over the subsets S' of M - 2 others: an elementary symmetric polynomial
over its number of terms, built one client at a time by averages of positive numbers. All is positive: no cancellation.
The integrals are exponential sums, right for every W between the lightest and the heaviest draw.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from surrogate._types import Array

__all__ = ["share_moments"]

_STEP = 0.25  # of the trapezoidal rule in log s: its error is |Gamma(1 + 2 pi i/step)| = 1e-16


def share_moments(weights: Array, count: int) -> tuple[Array, Array, Array]:
    r"""(E alpha, E alpha^2, E alpha alpha^T) of ``alpha_i = w_i 1{i in S} / W_S``, S any ``count`` clients alike.

    Cost about n^2 log2(n) * count * 100 multiplications.

    >>> mean, squares, pairs = share_moments(np.array([0.5, 0.25, 0.25]), 2)
    >>> mean.round(14).tolist()          # (2/3 + 2/3)/3 and (1/3 + 1/2)/3
    [0.44444444444444, 0.27777777777778, 0.27777777777778]
    """
    n = len(weights)
    s, ds = _exponential_sum(weights, count)
    y = np.exp(-np.outer(weights, s))  # (n, nodes)
    single, pairs = np.zeros((n, len(s))), np.zeros((n, n))
    for i, others in _without_one(_start(len(s), count - 1), 0, y, range(n)):
        single[i] = others[..., -1]
    scaled = count / n * weights[:, None] * y * single
    mean, squares = scaled @ ds, weights * (scaled @ (s * ds))
    if count > 1:
        both = count * (count - 1) / (n * (n - 1)) * s * ds
        for i, j, others in _without_two(_start(len(s), count - 2), 0, y, range(n)):
            pairs[i, j] = weights[i] * weights[j] * ((y[i] * y[j] * others[..., -1]) @ both)
    return mean, squares, pairs + pairs.T + np.diag(squares)


def _exponential_sum(weights: Array, count: int) -> tuple[Array, Array]:
    """Nodes s and weights ds with sum ds e^(-s W) = 1/W to rounding, for every sum W of ``count`` of the weights."""
    ordered = np.sort(weights)
    lightest, heaviest = ordered[:count].sum(), ordered[-count:].sum()
    u = np.arange(-38 - np.log(heaviest), 4 - np.log(lightest), _STEP)  # e^(-38) and e^(-e^4): below one rounding
    return np.exp(u), _STEP * np.exp(u)


def _start(nodes: int, size: int) -> Array:
    """R_0, ..., R_size of no clients: 1, 0, ..., 0."""
    state = np.zeros((nodes, size + 1))
    state[:, 0] = 1.0
    return state


def _add(state: Array, members: int, y: Array, block: range) -> Array:
    """R_m over k clients is (1 - m/k) R_m + (m/k) y_k R_{m-1} over k - 1: a client is in a subset with chance m/k."""
    m = np.arange(state.shape[-1])
    for k, i in enumerate(block, start=members + 1):
        chance = np.minimum(m / k, 1.0)
        grown = (1 - chance) * state
        grown[..., 1:] += chance[1:] * y[i][:, None] * state[..., :-1]
        state = grown
    return state


def _without_one(state: Array, members: int, y: Array, block: range) -> Iterator[tuple[int, Array]]:
    """For each i of the block, the state with all others of the block added, by halving."""
    if len(block) == 1:
        yield block[0], state
        return
    left, right = block[: len(block) // 2], block[len(block) // 2 :]
    yield from _without_one(_add(state, members, y, right), members + len(right), y, left)
    yield from _without_one(_add(state, members, y, left), members + len(left), y, right)


def _without_two(state: Array, members: int, y: Array, block: range) -> Iterator[tuple[int, int, Array]]:
    """For each pair i < j of the block, the state with all others of the block added."""
    if len(block) < 2:
        return
    left, right = block[: len(block) // 2], block[len(block) // 2 :]
    yield from _without_two(_add(state, members, y, right), members + len(right), y, left)
    yield from _without_two(_add(state, members, y, left), members + len(left), y, right)
    lone = list(_without_one(state, members, y, left))
    stacked = np.stack([others for _, others in lone])
    for j, others in _without_one(stacked, members + len(left) - 1, y, right):
        for (i, _), one in zip(lone, others, strict=True):
            yield i, j, one
