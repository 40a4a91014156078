"""A convolution with max pooling by 2 x 2 and ReLU behind it, in one pass: what pooling throws away is never written.

Two rows of outputs at a time stay in the cache; of each 2 x 2, the largest is kept, and which one it was.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from neural.kernels.compiled import compiled
from neural.kernels.rows import copied
from neural.kernels.tile import add_patches
from neural.kernels.vectors import Vectors, lanes, zeros

__all__ = ["CUT", "framed", "largest"]

CUT = 4  # in the place of a corner: ReLU cut the largest off


@intrinsic
def _largest(context: Any, rows: Any, a: Any, b: Any, c: Any, d: Any, z: Any, corner: Any, at: Any) -> Any:
    """For a vector of each of four rows, begun at a, b, c and d: max(0, .) to z[at], who it was to corner[at].

    Of equals the first one; no numbers stay none.
    """
    n = types.intp
    return types.void(rows, n, n, n, n, z, corner, n), _generated


def _generated(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    own = Vectors(context, builder, signature.args[0].dtype)
    rows, a, b, c, d, z, corner, at = map(own.plain, signature.args, values)
    seen = [own.load(rows, begin, 0) for begin in (a, b, c, d)]
    bytes_ = ir.VectorType(ir.IntType(8), own.lanes)
    best, who = ir.Constant(own.type, [0.0] * own.lanes), ir.Constant(bytes_, [CUT] * own.lanes)
    for q, one in enumerate(seen):
        more = builder.or_(builder.fcmp_ordered(">", one, best), builder.fcmp_unordered("uno", one, one))
        best, who = builder.select(more, one, best), builder.select(more, ir.Constant(bytes_, [q] * own.lanes), who)
    own.store(z, at, best)
    own.store(corner, at, who)
    return context.get_dummy_value()


@compiled
def framed(images, b, H, W, C, p, image):  # type: ignore[no-untyped-def]
    """The b-th of images (B, H, W, C), all of them flat, inside a frame of zeros."""
    for i in range(H):
        begin, at = (b * H + i) * W * C, ((i + p) * (W + 2 * p) + p) * C
        copied(images[begin : begin + W * C], image[at : at + W * C])


@compiled
def largest(x, kernels, biases, k, p, z, corner, first, last):  # type: ignore[no-untyped-def]
    """For images first <= b < last of x (B, H, W, C) with p zeros around: z and corner, (B, h, w, O).

    ``kernels``: flat (k, k C, P), and ``biases`` (P,): O filters and as many zeros as make P whole vectors. Corners
    are counted row after row, 0 to 3; CUT: the largest is not above 0.
    """
    H, W, C = x.shape[1:]
    h, w, filters = z.shape[1:]
    P, size, wide, length = len(biases), lanes(x), W + 2 * p, k * C
    images, kept, whose = x.reshape(-1), z.reshape(-1), corner.reshape(-1)
    image, rows = zeros((H + 2 * p) * wide * C, x), zeros(4 * w * P, x)
    best, who = zeros(P, x), np.empty(P, np.uint8)
    at, reach = np.arange(k * length) * P, np.empty(k * length, np.int64)
    for u in range(k):
        for c in range(length):
            reach[u * length + c] = u * wide * C + c
    for b in range(first, last):
        framed(images, b, H, W, C, p, image)
        for i in range(h):
            for j in range(4 * w):
                for o in range(P):
                    rows[j * P + o] = biases[o]
            for r in range(2):
                above = max(0, p - 2 * i - r)  # rows of the kernel on nothing but zeros
                many = max(0, min(k, H + p - 2 * i - r) - above) * length
                add_patches(
                    rows, 2 * r * w * P, P, 2 * w, P // size, image, (2 * i + r) * wide * C, reach, C, kernels, 0, at,
                    above * length, many,
                )  # fmt: skip
            for j in range(w):
                for o in range(0, P, size):
                    left, below = 2 * j * P + o, (2 * w + 2 * j) * P + o
                    _largest(rows, left, left + P, below, below + P, best, who, o)
                to = ((b * h + i) * w + j) * filters
                copied(best, kept[to : to + filters])
                copied(who, whose[to : to + filters])
