"""An LSTM's steps through time, forwards and backwards; products that need no order in time are left to torch.

OLR.F2 (shakespeare-lstm) trains 1.4 times as fast with it (`bench neural.laptop`).

For a_t = W x_t + R h_{t-1} + b in four parts, i, f, o = sigmoid, g = tanh of their parts:

    c_t = f c_{t-1} + i g,   h_t = o tanh(c_t).

With s the gradient by h_t, from outside and from a_{t+1}, and r that by c_t, r += s o (1 - tanh^2 c_t), the gradient by
a_t is r g i (1 - i), r c_{t-1} f (1 - f), r i (1 - g^2), s tanh(c_t) o (1 - o); and r f goes on to c_{t-1}.
"""

from __future__ import annotations

import math

import numpy as np

from neural.kernels.compiled import compiled
from neural.kernels.exponential import exp

__all__ = ["backward", "forward"]

_ONE, _TWO, _NEAR = np.float32(1), np.float32(2), np.float32(0.25)
_T3, _T5, _T7, _T9 = np.float32(-1 / 3), np.float32(2 / 15), np.float32(-17 / 315), np.float32(62 / 2835)


@compiled
def forward(gates, by_unit, cells, tops, hidden):  # type: ignore[no-untyped-def]
    """From W x_t + b in ``gates`` (T, B, 4 U) and R^T (U, 4 U): i, f, g, o in their place, c_0 = h_0 = 0 to c_T and h_T
    in ``cells`` and ``hidden``, (T + 1, B, U), of which the first is 0, and tanh(c_1) to tanh(c_T) in ``tops``.
    """
    (T, B, _), U = gates.shape, by_unit.shape[0]
    for t in range(T):
        _add_product(hidden[t], by_unit, gates[t])
        for m in range(B):
            a = gates[t, m]
            _sigmoid(a[: 2 * U])
            _tanh(a[2 * U : 3 * U])
            _sigmoid(a[3 * U :])
            i, f, g, o, before, now = a[:U], a[U : 2 * U], a[2 * U : 3 * U], a[3 * U :], cells[t, m], cells[t + 1, m]
            top, h = tops[t, m], hidden[t + 1, m]
            for j in range(U):
                now[j] = f[j] * before[j] + i[j] * g[j]
                top[j] = now[j]
            _tanh(top)
            for j in range(U):
                h[j] = o[j] * top[j]


@compiled
def backward(outside, by_hidden, gates, cells, tops):  # type: ignore[no-untyped-def]
    """From the gradient by h, ``outside`` (T, B, U), and R (4 U, U): that by a in the place of the gates."""
    T, B, U = outside.shape
    s, r = np.zeros((B, U), gates.dtype), np.zeros((B, U), gates.dtype)
    for t in range(T - 1, -1, -1):
        for m in range(B):
            _step(outside[t, m], s[m], r[m], gates[t, m], cells[t, m], tops[t, m])
        s[:] = 0
        _add_product(gates[t], by_hidden, s)


@compiled
def _add_product(rows, matrix, to):  # type: ignore[no-untyped-def]
    """to (B, N) += rows (B, K) matrix (K, N), four rows of the matrix at a time: BLAS takes longer for so few rows."""
    K, N = matrix.shape
    whole = K - K % 4
    for m in range(len(rows)):
        row, out = rows[m], to[m]
        for k in range(0, whole, 4):
            x0, x1, x2, x3 = row[k], row[k + 1], row[k + 2], row[k + 3]
            r0, r1, r2, r3 = matrix[k], matrix[k + 1], matrix[k + 2], matrix[k + 3]
            for j in range(N):
                out[j] += (x0 * r0[j] + x1 * r1[j]) + (x2 * r2[j] + x3 * r3[j])
        for k in range(whole, K):
            x0, r0 = row[k], matrix[k]
            for j in range(N):
                out[j] += x0 * r0[j]


@compiled
def _step(outside, s, r, a, before, top):  # type: ignore[no-untyped-def]
    """One text's gradient by a, in the place of the gates, and by c_{t-1}, in the place of r."""
    U, one = len(s), s.dtype.type(1)
    i, f, g, o = a[:U], a[U : 2 * U], a[2 * U : 3 * U], a[3 * U :]
    for j in range(U):
        s[j] += outside[j]
        r[j] += s[j] * o[j] * (one - top[j] * top[j])
        o[j] = s[j] * top[j] * o[j] * (one - o[j])
    for j in range(U):
        by_i, by_g = r[j] * g[j], r[j] * i[j]
        i[j] = by_i * i[j] * (one - i[j])
        g[j] = by_g * (one - g[j] * g[j])
    for j in range(U):
        by_f = r[j] * before[j]
        r[j] *= f[j]
        f[j] = by_f * f[j] * (one - f[j])


@compiled
def _sigmoid(x):  # type: ignore[no-untyped-def]
    """In place."""
    one = x.dtype.type(1)
    for j in range(len(x)):
        x[j] = one / (one + (exp(-x[j]) if x.itemsize == 4 else math.exp(-x[j])))


@compiled
def _tanh(x):  # type: ignore[no-untyped-def]
    """In place. Near 0 by Taylor's polynomial, whose next term is below 1e-8 of it: 1 - e has lost its digits there."""
    for j in range(len(x)):
        if x.itemsize == 4:
            e, square = exp(-_TWO * abs(x[j])), x[j] * x[j]
            far = (_ONE - e) / (_ONE + e)
            near = x[j] * (_ONE + square * (_T3 + square * (_T5 + square * (_T7 + square * _T9))))
            far = far if x[j] > 0 else -far
            x[j] = near if abs(x[j]) < _NEAR else far
        else:
            x[j] = math.tanh(x[j])
