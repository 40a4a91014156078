"""Slopes of a convolution that is followed by max pooling: one output of four counts, so a quarter of the products.

Of each 2 x 2 outputs, only the largest has a slope, in each filter another, and none where ReLU cut it off. What a
slope g at (i, j) of filter o gives is g times the k x k x C inputs around it, to the kernel's slopes, and g times that
kernel, to the inputs'. Channels stand last, so both are k rows of k C numbers.
"""

from __future__ import annotations

import numpy as np

from neural.kernels.compiled import compiled
from neural.kernels.tile import add_row, add_rows, lanes, zeros

__all__ = ["by_inputs", "by_kernels", "of_few"]


@compiled
def by_kernels(x, g, top, k, p, found):  # type: ignore[no-untyped-def]
    """Adds the slopes in the kernels to ``found``, flat (O, k, k C).

    x (B, H, W, C) with p zeros around; g and top (B, h, w, O): slopes in the largest outputs, and where these were, as
    torch's max_pool2d counts, row after row.
    """
    B, H, W, C = x.shape
    h, w, filters = g.shape[1:]
    high, wide, n = H + 2 * p, W + 2 * p, k * C // lanes(x)
    row, most = (wide - k + 1), h * w
    image = zeros(high * wide * C, x)
    where, value = np.empty(filters * most, np.int32), np.empty(filters * most, x.dtype)
    end = np.empty(filters, np.int64)
    for b in range(B):
        _framed(x[b], p, image)
        for o in range(filters):
            end[o] = o * most
        for i in range(h):
            for j in range(w):
                corner = 2 * i * row + 2 * j
                for o in range(filters):  # written always, kept if not 0: which ones are is not to be foreseen
                    at, slope = top[b, i, j, o] - corner, g[b, i, j, o]
                    down = at >= row
                    where[end[o]] = ((2 * i + down) * wide + 2 * j + at - down * row) * C
                    value[end[o]] = slope
                    end[o] += slope != 0
        for o in range(filters):
            for u in range(k):
                begin, many = o * most, end[o] - o * most
                add_row(found, (o * k + u) * k * C, n, value, begin, image, u * wide * C, where, begin, many)


@compiled
def by_inputs(kernels, g, top, k, p, found):  # type: ignore[no-untyped-def]
    """Adds the slopes in the inputs to ``found``, (B, H, W, C); ``kernels``: flat (O, k, k C). Others as above."""
    B, H, W, C = found.shape
    h, w, filters = g.shape[1:]
    high, wide, length = H + 2 * p, W + 2 * p, k * C
    n, row = length // lanes(found), wide - k + 1
    sorted_ = zeros(len(kernels), found)  # first rows first: those of all filters stay in the cache
    for o in range(filters):
        for u in range(k):
            for j in range(length):
                sorted_[(u * filters + o) * length + j] = kernels[(o * k + u) * length + j]
    image = zeros(high * wide * C, found)
    where, value = np.empty(h * w * 4 * filters, np.int32), np.empty(h * w * 4 * filters, found.dtype)
    end = np.empty(h * w * 4, np.int64)
    for b in range(B):
        image[:] = 0
        for i in range(h):
            for j in range(w):
                corner, first = 2 * i * row + 2 * j, (i * w + j) * 4
                for q in range(4):
                    end[first + q] = (first + q) * filters
                for o in range(filters):
                    at, slope = top[b, i, j, o] - corner, g[b, i, j, o]
                    down = at >= row
                    q = first + 2 * down + at - down * row
                    where[end[q]] = o * length
                    value[end[q]] = slope
                    end[q] += slope != 0
        for u in range(k):
            for i in range(h):
                for j in range(w):
                    for q in range(4):
                        begin = ((i * w + j) * 4 + q) * filters
                        many = end[(i * w + j) * 4 + q] - begin
                        at = ((2 * i + q // 2 + u) * wide + 2 * j + q % 2) * C
                        add_row(image, at, n, value, begin, sorted_, u * filters * length, where, begin, many)
        _unframed(image, p, found[b])


@compiled
def of_few(x, g, top, k, p, found):  # type: ignore[no-untyped-def]
    """Adds the slopes in the kernels to ``found``, flat (k, k C, O), for few channels and whole vectors of filters.

    A vector holds a pixel's filters. Of a row of 2 x 2 outputs, the four corners are taken one after the other, with 0
    where another one was the largest. Others as above.
    """
    B, H, W, C = x.shape
    h, w, filters = g.shape[1:]
    wide, n = W + 2 * p, filters // lanes(x)
    row = wide - k + 1
    image, corner = zeros((H + 2 * p) * wide * C, x), zeros(w * filters, x)
    pixels, column = np.arange(w) * filters, np.arange(w * filters) // filters * 2
    slopes, tops = g.reshape(B, h, w * filters), top.reshape(B, h, w * filters)
    for b in range(B):
        _framed(x[b], p, image)
        for i in range(h):
            for q in range(4):
                down, right = q // 2, q % 2
                _where_largest(slopes[b, i], tops[b, i], column, (2 * i + down) * row + right, corner)
                for u in range(k):
                    begin, at = ((2 * i + down + u) * wide + right) * C, u * k * C * filters
                    add_rows(found, at, filters, k * C, n, image, begin, 2 * C, 1, corner, 0, pixels, 0, w)


@compiled
def _where_largest(g, top, column, place, to):  # type: ignore[no-untyped-def]
    """The slopes of those whose largest output was here, 0 for the others."""
    for o in range(len(to)):
        to[o] = g[o] if top[o] - column[o] == place else to.dtype.type(0)


@compiled
def _framed(x, p, image):  # type: ignore[no-untyped-def]
    """An image (H, W, C) inside a frame of zeros."""
    H, W, C = x.shape
    for i in range(H):
        for j in range(W):
            at = ((i + p) * (W + 2 * p) + j + p) * C
            for c in range(C):
                image[at + c] = x[i, j, c]


@compiled
def _unframed(image, p, to):  # type: ignore[no-untyped-def]
    """Adds what is inside the frame."""
    H, W, C = to.shape
    for i in range(H):
        for j in range(W):
            at = ((i + p) * (W + 2 * p) + j + p) * C
            for c in range(C):
                to[i, j, c] += image[at + c]
