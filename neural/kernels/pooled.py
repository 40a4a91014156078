"""Slopes of a convolution with max pooling and ReLU behind it: one output of four counts, so a quarter of the products.

Of each 2 x 2 outputs, only the largest has a slope, in each filter another, and none where ReLU cut it off
(`neural.kernels.largest`). What a slope g at (i, j) of filter o gives is g times the k x k x C inputs around it, to the
kernel's slopes, and g times that kernel, to the inputs'. Channels stand last, so both are k rows of k C numbers.
"""

from __future__ import annotations

import numpy as np

from neural.kernels.compiled import compiled
from neural.kernels.largest import CUT, framed
from neural.kernels.tile import add_row, add_rows
from neural.kernels.vectors import lanes, zeros

__all__ = ["by_inputs", "by_kernels", "of_few"]


@compiled
def by_kernels(x, g, corner, k, p, found, biases):  # type: ignore[no-untyped-def]
    """Adds the slopes in the kernels to ``found``, flat (O, k, k C), and those in the biases to ``biases``, (O,).

    x (B, H, W, C) with p zeros around; g (B, h, w, O): slopes in the largest outputs, whose corners these were.
    """
    B, H, W, C = x.shape
    h, w, filters = g.shape[1:]
    high, wide, n = H + 2 * p, W + 2 * p, k * C // lanes(x)
    most = h * w
    image = zeros(high * wide * C, x)
    where, value = np.empty(filters * most, np.int32), np.empty(filters * most, x.dtype)
    end = np.empty(filters, np.int64)
    for b in range(B):
        framed(x[b], p, image)
        for o in range(filters):
            end[o] = o * most
        for i in range(h):
            for j in range(w):
                _add_kept(biases, g[b, i, j], corner[b, i, j])
                for o in range(filters):  # written always, kept if not 0: which ones are is not to be foreseen
                    q, slope = corner[b, i, j, o], g[b, i, j, o]
                    where[end[o]] = ((2 * i + q // 2) * wide + 2 * j + q % 2) * C
                    value[end[o]] = slope
                    end[o] += (slope != 0) & (q != CUT)
        for o in range(filters):
            for u in range(k):
                begin, many = o * most, end[o] - o * most
                add_row(found, (o * k + u) * k * C, n, value, begin, image, u * wide * C, where, begin, many)


@compiled
def by_inputs(kernels, g, corner, k, p, found):  # type: ignore[no-untyped-def]
    """Writes the slopes in the inputs to ``found``, (B, H, W, C); ``kernels``: flat (O, k, k C). Others as above."""
    B, H, W, C = found.shape
    h, w, filters = g.shape[1:]
    high, wide, length = H + 2 * p, W + 2 * p, k * C
    n = length // lanes(found)
    sorted_ = zeros(len(kernels), found)  # first rows first: those of all filters stay in the cache
    for o in range(filters):
        for u in range(k):
            for j in range(length):
                sorted_[(u * filters + o) * length + j] = kernels[(o * k + u) * length + j]
    image = zeros(high * wide * C, found)
    places = h * w * (CUT + 1)  # the last one's of each five are not asked for
    where, value = np.empty(places * filters, np.int32), np.empty(places * filters, found.dtype)
    end = np.empty(places, np.int64)
    for b in range(B):
        image[:] = 0
        for place in range(places):
            end[place] = place * filters
        for i in range(h):
            for j in range(w):
                first = (i * w + j) * (CUT + 1)
                for o in range(filters):
                    slope, place = g[b, i, j, o], first + corner[b, i, j, o]
                    where[end[place]] = o * length
                    value[end[place]] = slope
                    end[place] += slope != 0
        for u in range(k):
            for i in range(h):
                for j in range(w):
                    for q in range(CUT):
                        place = (i * w + j) * (CUT + 1) + q
                        begin = place * filters
                        at = ((2 * i + q // 2 + u) * wide + 2 * j + q % 2) * C
                        many = end[place] - begin
                        add_row(image, at, n, value, begin, sorted_, u * filters * length, where, begin, many)
        _unframed(image, p, found[b])


@compiled
def of_few(x, g, corner, k, p, found, biases):  # type: ignore[no-untyped-def]
    """Adds the slopes in the kernels to ``found``, flat (k, k C, O), for few channels and whole vectors of filters.

    A vector holds a pixel's filters. Of a row of 2 x 2 outputs, the four corners are taken one after the other, with 0
    where another one was the largest. Others as above.
    """
    B, H, W, C = x.shape
    h, w, filters = g.shape[1:]
    wide, n = W + 2 * p, filters // lanes(x)
    image, here = zeros((H + 2 * p) * wide * C, x), zeros(w * filters, x)
    pixels = np.arange(w) * filters
    slopes, corners = g.reshape(B, h, w * filters), corner.reshape(B, h, w * filters)
    for b in range(B):
        framed(x[b], p, image)
        for i in range(h):
            for j in range(w):
                _add_kept(biases, g[b, i, j], corner[b, i, j])
            for q in range(CUT):
                down, right = q // 2, q % 2
                _of_corner(slopes[b, i], corners[b, i], q, here)
                for u in range(k):
                    begin, at = ((2 * i + down + u) * wide + right) * C, u * k * C * filters
                    add_rows(found, at, filters, k * C, n, image, begin, 2 * C, 1, here, 0, pixels, 0, w)


@compiled
def _add_kept(to, g, corner):  # type: ignore[no-untyped-def]
    """to + the slopes that were not cut off."""
    for o in range(len(to)):
        to[o] += g[o] if corner[o] != CUT else to.dtype.type(0)


@compiled
def _of_corner(g, corner, q, to):  # type: ignore[no-untyped-def]
    """The slopes of those whose largest output was here, 0 for the others."""
    for o in range(len(to)):
        to[o] = g[o] if corner[o] == q else to.dtype.type(0)


@compiled
def _unframed(image, p, to):  # type: ignore[no-untyped-def]
    """What is inside the frame."""
    H, W, C = to.shape
    for i in range(H):
        for j in range(W):
            at = ((i + p) * (W + 2 * p) + j + p) * C
            for c in range(C):
                to[i, j, c] = image[at + c]
