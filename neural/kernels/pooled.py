"""Slopes of a convolution with max pooling and ReLU behind it: one output of four counts, so a quarter of the products.

Of each 2 x 2 outputs, only the largest has a slope, in each filter another, and none where ReLU cut it off
(`neural.kernels.largest`). What a slope g at (i, j) of filter o gives is g times the k x k x C inputs around it, to the
kernel's slopes, and g times that kernel, to the inputs'. Channels stand last, so both are k rows of k C numbers.
"""

from __future__ import annotations

import numpy as np

from neural.kernels.compiled import compiled
from neural.kernels.largest import CUT, framed
from neural.kernels.rows import copied
from neural.kernels.tile import add_row, add_rows
from neural.kernels.vectors import lanes, zeros

__all__ = ["by_inputs", "by_kernels", "of_few"]


@compiled
def by_kernels(x, g, corner, k, p, found, biases):  # type: ignore[no-untyped-def]
    """Adds the slopes in the kernels to ``found``, flat (O, k, k C), and those in the biases to ``biases``, (O,).

    x (B, H, W, C) with p zeros around; g (B, h, w, O): slopes in the largest outputs, whose corners these were.
    """
    (B, H, W, C), (h, w, filters) = x.shape, g.shape[1:]
    wide, n, most = W + 2 * p, k * C // lanes(x), h * w
    images, slopes, corners = x.reshape(-1), g.reshape(-1), corner.reshape(-1)
    image = zeros((H + 2 * p) * wide * C, x)
    where, value = np.empty(filters * most, np.int32), np.empty(filters * most, x.dtype)
    end = np.empty(filters, np.int64)
    _add_kept(biases, slopes, corners, w)
    for b in range(B):
        framed(images, b, H, W, C, p, image)
        for o in range(filters):
            end[o] = o * most
        for i in range(h):
            for j in range(w):
                first, begin = (2 * i * wide + 2 * j) * C, ((b * h + i) * w + j) * filters
                own, whose = slopes[begin : begin + filters], corners[begin : begin + filters]
                for o in range(filters):  # written always, kept if not 0: which ones are is not to be foreseen
                    q, slope = np.int64(whose[o]), own[o]
                    where[end[o]] = first + ((q >> 1) * wide + (q & 1)) * C
                    value[end[o]] = slope
                    end[o] += (slope != 0) & (q != CUT)
        for o in range(filters):
            for u in range(k):
                begin, many = o * most, end[o] - o * most
                add_row(found, (o * k + u) * k * C, n, value, begin, image, u * wide * C, where, begin, many)


@compiled
def by_inputs(kernels, g, corner, k, p, found):  # type: ignore[no-untyped-def]
    """Writes the slopes in the inputs to ``found``, (B, H, W, C); ``kernels``: flat (O, k, k C). Others as above."""
    (B, H, W, C), (h, w, filters) = found.shape, g.shape[1:]
    wide, length = W + 2 * p, k * C
    n = length // lanes(found)
    to, slopes, corners = found.reshape(-1), g.reshape(-1), corner.reshape(-1)
    sorted_ = zeros(len(kernels), found)  # first rows first: those of all filters stay in the cache
    for o in range(filters):
        for u in range(k):
            for j in range(length):
                sorted_[(u * filters + o) * length + j] = kernels[(o * k + u) * length + j]
    image = zeros((H + 2 * p) * wide * C, found)
    places = h * w * (CUT + 1)  # of five each, nobody asks for the last one's
    where, value = np.empty(places * filters, np.int32), np.empty(places * filters, found.dtype)
    end = np.empty(places, np.int64)
    for b in range(B):
        image[:] = 0
        for place in range(places):
            end[place] = place * filters
        for window in range(h * w):
            first, begin = window * (CUT + 1), (b * h * w + window) * filters
            own, whose = slopes[begin : begin + filters], corners[begin : begin + filters]
            for o in range(filters):
                slope, place = own[o], first + np.int64(whose[o])
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
        for i in range(H):
            begin, inside = (b * H + i) * W * C, ((i + p) * wide + p) * C
            copied(image[inside : inside + W * C], to[begin : begin + W * C])


@compiled
def of_few(x, g, corner, k, p, found, biases):  # type: ignore[no-untyped-def]
    """Adds the slopes in the kernels to ``found``, flat (k, k C, O), for few channels and whole vectors of filters.

    A vector holds a pixel's filters. Of a row of 2 x 2 outputs, the four corners are taken one after the other, with 0
    where another one was the largest. Others as above.
    """
    (B, H, W, C), (h, w, filters) = x.shape, g.shape[1:]
    wide, n = W + 2 * p, filters // lanes(x)
    images, slopes, corners = x.reshape(-1), g.reshape(-1), corner.reshape(-1)
    image, here = zeros((H + 2 * p) * wide * C, x), zeros(w * filters, x)
    pixels = np.arange(w) * filters
    _add_kept(biases, slopes, corners, w)
    for b in range(B):
        framed(images, b, H, W, C, p, image)
        for i in range(h):
            for q in range(CUT):
                down, right = q // 2, q % 2
                begin = (b * h + i) * w * filters
                _of_corner(slopes[begin : begin + w * filters], corners[begin : begin + w * filters], q, here)
                for u in range(k):
                    begin, at = ((2 * i + down + u) * wide + right) * C, u * k * C * filters
                    add_rows(found, at, filters, k * C, n, image, begin, 2 * C, 1, here, 0, pixels, 0, w)


@compiled
def _add_kept(to, slopes, corners, w):  # type: ignore[no-untyped-def]
    """to (O,) + the slopes (..., w, O) that were not cut off, these flat."""
    filters, width = len(to), w * len(to)
    row = zeros(width, to)
    for j in range(len(slopes) // width):
        _add(row, slopes[j * width : (j + 1) * width], corners[j * width : (j + 1) * width])
    for j in range(w):
        for o in range(filters):
            to[o] += row[j * filters + o]


@compiled
def _add(to, slopes, corners):  # type: ignore[no-untyped-def]
    for o in range(len(to)):
        to[o] += slopes[o] if corners[o] != CUT else to.dtype.type(0)


@compiled
def _of_corner(slopes, corners, q, to):  # type: ignore[no-untyped-def]
    """The slopes whose largest output was in this corner, 0 for the others."""
    for o in range(len(to)):
        to[o] = slopes[o] if corners[o] == q else to.dtype.type(0)
