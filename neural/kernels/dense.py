"""The backward pass of a dense layer and its step at once: a large matrix is read once, not twice."""

from __future__ import annotations

import numpy as np

from neural.kernels.compiled import compiled
from neural.kernels.tile import add_rows
from neural.kernels.vectors import lanes

__all__ = ["back_and_step"]

BLOCK = 128  # rows of the matrix at a time, in strips that stay in the cache


@compiled
def back_and_step(s, x, W, factor, rows):  # type: ignore[no-untyped-def]
    """rows (B, F) += s W with W (D, F) as it is, for slopes s (B, D); and then W += factor s^T x, x (B, F).

    F is a whole number of vectors.
    """
    (B, D), F = s.shape, W.shape[1]
    size = lanes(W)
    flat, to, slopes, inputs = W.reshape(-1), rows.reshape(-1), s.reshape(-1), x.reshape(-1)
    steps = slopes * factor
    own, shown = np.arange(D) * F, np.arange(B) * F
    for end in range(D, 0, -BLOCK):  # a forward pass reads from the first row on: its last rows are still in the cache
        many = min(BLOCK, end)
        first = end - many
        for f in range(0, F, 4 * size):
            n = min(4, (F - f) // size)
            add_rows(to, f, F, B, n, slopes, first, 1, D, flat, f, own, first, many)
            add_rows(flat, first * F + f, F, many, n, steps, first, D, 1, inputs, f, shown, 0, B)
