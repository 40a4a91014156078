"""e^x in single precision, of operations that become those of vectors, for the other kernels and softmax scores."""

from __future__ import annotations

from functools import partial

import numpy as np

from neural.kernels.compiled import compiled

__all__ = ["exp", "exponentials"]

_LOG2_E, _LN2_HIGH, _LN2_LOW = np.float32(1.44269504), np.float32(0.693359375), np.float32(-2.12194440e-4)
_MOST = np.float32(89.0)
_LEAST = np.float32(-87.0)  # e^-87 is 1.6e-38, next to the smallest normal number
_C2, _C3, _C4, _C5, _C6, _C7 = (np.float32(1 / n) for n in (2, 6, 24, 120, 720, 5040))
_HALF, _ONE = np.float32(0.5), np.float32(1)
_LOWEST, _HIGHEST = np.float32(-126), np.float32(128)  # 2^128 is inf


@compiled
def exp(x):  # type: ignore[no-untyped-def]
    """2^n e^r with n the whole number next to x / ln 2 and |r| <= ln 2 / 2, where Taylor's next term, r^8 / 40320, is
    below 6e-9: right to two units in the last place. 0 from -87 down, inf from 127.5 ln 2 = 88.4 up; NaN stays.
    """
    x = _MOST if x > _MOST else x
    n = np.floor(x * _LOG2_E + _HALF)
    r = x - n * _LN2_HIGH - n * _LN2_LOW
    e = _ONE + r * (_ONE + r * (_C2 + r * (_C3 + r * (_C4 + r * (_C5 + r * (_C6 + r * _C7))))))
    power = np.int32((np.int32(min(max(n, _LOWEST), _HIGHEST)) + np.int32(127)) << 23).view(np.float32)
    return np.float32(0) if x <= _LEAST else e * power


@compiled
def exponentials(z, q, sums):  # type: ignore[no-untyped-def]
    """e^z in the place of z, (N, V) in single precision, and sums (N,) of e^z q, q (V,)."""
    for i in range(len(z)):
        e = z[i]
        for v in range(len(q)):
            e[v] = exp(e[v])
        sums[i] = _product(e, q)


@partial(compiled, sums=True)
def _product(e, q):  # type: ignore[no-untyped-def]
    total = e.dtype.type(0)
    for v in range(len(q)):
        total += e[v] * q[v]
    return total
