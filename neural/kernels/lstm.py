"""A small LSTM's steps through time, forwards and back, with all its numbers in a core's caches.

For a_t = W x_t + R h_{t-1} + b in four parts, i, f, o = sigmoid, g = tanh of their own:

    c_t = f c_{t-1} + i g,   h_t = o tanh(c_t).

With s the slopes in h_t, from outside and from a_{t+1}, and r those in c_t, r += s o (1 - tanh^2 c_t), those in a_t are
r g i (1 - i), r c_{t-1} f (1 - f), r i (1 - g^2), s tanh(c_t) o (1 - o); and r f goes on to c_{t-1}. Those in W, R, x
and h_{t-1} are products with them. Units and inputs are filled up to whole vectors by zeros, which stay zeros.
"""

from __future__ import annotations

import math

import numpy as np

from neural.kernels.compiled import compiled
from neural.kernels.exponential import exp
from neural.kernels.rows import added, copied
from neural.kernels.tile import add_patches, add_rows
from neural.kernels.vectors import lanes, zeros

__all__ = ["backward", "forward"]

_ONE, _TWO, _NEAR = np.float32(1), np.float32(2), np.float32(0.25)
_T3, _T5, _T7, _T9 = np.float32(-1 / 3), np.float32(2 / 15), np.float32(-17 / 315), np.float32(62 / 2835)


@compiled
def forward(x, W, R, b, X, gates, cells, tops, hidden, out):  # type: ignore[no-untyped-def]
    """h_1 to h_T of each, ``out`` (B, T, U), from x (B, T, F), W (4 U, F), R (4 U, U), b (4 U,), and h_0 = c_0 = 0.

    For the way back, whole vectors of units, P, and of inputs, Q: X (T, B, Q), ``gates`` (T, 4, B, P), ``cells`` c_0 to
    c_T and ``hidden`` h_0 to h_T, (T + 1, B, P), ``tops`` tanh(c_1) to tanh(c_T). All of them are zeros before.
    """
    (B, T, F), U, P, Q = x.shape, R.shape[1], cells.shape[2], X.shape[2]
    n, many = P // lanes(x), B * P
    by_input, by_unit, start = zeros(4 * F * P, x), zeros(4 * U * P, x), zeros(4 * P, x)
    _turned(W, by_input, U, P)
    _turned(R, by_unit, U, P)
    for k in range(4):
        start[k * P : k * P + U] = b[k * U : (k + 1) * U]
    flat, inputs, a, h = x.reshape(-1), X.reshape(-1), gates.reshape(-1), hidden.reshape(-1)
    c, top, places = cells.reshape(-1), tops.reshape(-1), np.arange(max(F, U)) * P
    for t in range(T):
        own, before, now = a[4 * t * many : 4 * (t + 1) * many], t * many, (t + 1) * many
        for i in range(B):
            copied(flat[(i * T + t) * F : (i * T + t + 1) * F], inputs[(t * B + i) * Q : (t * B + i) * Q + F])
            for k in range(4):
                copied(start[k * P : (k + 1) * P], own[k * many + i * P : k * many + (i + 1) * P])
        for k in range(4):
            add_rows(own, k * many, P, B, n, inputs, t * B * Q, 1, Q, by_input, k * F * P, places, 0, F)
            add_rows(own, k * many, P, B, n, h, before, 1, P, by_unit, k * U * P, places, 0, U)
        _sigmoid(own[: 2 * many])
        _tanh(own[2 * many : 3 * many])
        _sigmoid(own[3 * many :])
        _cells(own, c[before:now], c[now : now + many])
        copied(c[now : now + many], top[before:now])
        _tanh(top[before:now])
        _times(own[3 * many :], top[before:now], h[now : now + many])
        for i in range(B):
            copied(h[now + i * P : now + i * P + U], out[i, t])


@compiled
def backward(g, W, R, X, gates, cells, tops, hidden, by_x, by_W, by_R, by_b):  # type: ignore[no-untyped-def]
    """From the slopes g (B, T, U) in h those in x, W, R and b, in their shapes. ``gates`` become the slopes in a."""
    (B, T, U), F, P, Q = g.shape, W.shape[1], cells.shape[2], X.shape[2]
    size, many, rows = lanes(g), B * P, T * B
    by_input, by_unit = _filled(W, U, P, Q), _filled(R, U, P, P)
    a, c, top, s, r = gates.reshape(-1), cells.reshape(-1), tops.reshape(-1), zeros(many, g), zeros(many, g)
    to_x, to_W, to_R, sums = zeros(rows * Q, g), zeros(4 * P * Q, g), zeros(4 * P * P, g), zeros(4 * P, g)
    units, inputs = np.arange(P) * P, np.arange(P) * Q
    for t in range(T - 1, -1, -1):
        begin = 4 * t * many
        for i in range(B):
            added(g[i, t], s[i * P : i * P + U])
        _back(s, r, a[begin : begin + 4 * many], c[t * many : (t + 1) * many], top[t * many : (t + 1) * many])
        s[:] = 0
        for k in range(4):
            own = begin + k * many
            add_rows(to_x, t * B * Q, Q, B, Q // size, a, own, 1, P, by_input, k * P * Q, inputs, 0, P)
            add_rows(s, 0, P, B, P // size, a, own, 1, P, by_unit, k * P * P, units, 0, P)
            for i in range(B):
                added(a[own + i * P : own + (i + 1) * P], sums[k * P : (k + 1) * P])
    reach = np.empty(rows, np.int64)
    for t in range(T):
        for i in range(B):
            reach[t * B + i] = 4 * t * many + i * P
            copied(to_x[(t * B + i) * Q : (t * B + i) * Q + F], by_x[i, t])
    seen, known, before = X.reshape(-1), hidden.reshape(-1), np.arange(rows)
    for k in range(4):
        own = k * many
        add_patches(to_W, k * P * Q, Q, P, Q // size, a, own, reach, 1, seen, 0, before * Q, 0, rows)
        add_patches(to_R, k * P * P, P, P, P // size, a, own, reach, 1, known, 0, before * P, 0, rows)
        by_b[k * U : (k + 1) * U] = sums[k * P : k * P + U]
        for j in range(U):
            unit, place = k * U + j, k * P + j
            copied(to_W[place * Q : place * Q + F], by_W[unit])
            copied(to_R[place * P : place * P + U], by_R[unit])


@compiled
def _cells(gates, before, now):  # type: ignore[no-untyped-def]
    """c_t = f c_{t-1} + i g."""
    many = len(now)
    i, f, g = gates[:many], gates[many : 2 * many], gates[2 * many : 3 * many]
    for j in range(many):
        now[j] = f[j] * before[j] + i[j] * g[j]


@compiled
def _times(x, y, to):  # type: ignore[no-untyped-def]
    for j in range(len(to)):
        to[j] = x[j] * y[j]


@compiled
def _back(s, r, gates, before, top):  # type: ignore[no-untyped-def]
    """A step: from s and r to the slopes in a, in the place of the gates, and those in c_{t-1}, in the place of r."""
    many, one = len(s), s.dtype.type(1)
    i, f, g, o = gates[:many], gates[many : 2 * many], gates[2 * many : 3 * many], gates[3 * many :]
    for j in range(many):
        r[j] += s[j] * o[j] * (one - top[j] * top[j])
        o[j] = s[j] * top[j] * o[j] * (one - o[j])
    for j in range(many):
        by_i, by_g = r[j] * g[j], r[j] * i[j]
        i[j] = by_i * i[j] * (one - i[j])
        g[j] = by_g * (one - g[j] * g[j])
    for j in range(many):
        by_f = r[j] * before[j]
        r[j] *= f[j]
        f[j] = by_f * f[j] * (one - f[j])


@compiled
def _turned(matrix, to, U, P):  # type: ignore[no-untyped-def]
    """A matrix (4 U, K) as four of K rows of P numbers, one a unit."""
    K = matrix.shape[1]
    for k in range(4):
        for j in range(U):
            own = matrix[k * U + j]
            for u in range(K):
                to[(k * K + u) * P + j] = own[u]


@compiled
def _filled(matrix, U, P, width):  # type: ignore[no-untyped-def]
    """A matrix (4 U, K) as four of P rows of ``width`` numbers, flat."""
    to, K = zeros(4 * P * width, matrix), matrix.shape[1]
    for k in range(4):
        for j in range(U):
            copied(matrix[k * U + j], to[(k * P + j) * width : (k * P + j) * width + K])
    return to


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
