"""Local steps of softmax regression: a client's whole walk in one call, all numbers of a step in the cache."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from neural.kernels.compiled import compiled
from neural.kernels.exponential import exp
from neural.kernels.tile import add_rows
from neural.kernels.vectors import lanes, zeros

__all__ = ["walk"]

SAFE = 1e-30, 1e30  # sums of exponentials: far from what a float32 cannot say


@compiled
def _gather(examples, divisor, where, shares, X, who):  # type: ignore[no-untyped-def]
    """The examples that count as rows of X; ``who``: their places in the minibatch. How many they are."""
    F, heard = examples.shape[1], 0
    for b in range(len(where)):
        if shares[b] != 0:
            own, row = examples[where[b]], X[heard * F : (heard + 1) * F]
            if divisor == 1:
                for f in range(F):
                    row[f] = own[f]
            else:
                for f in range(F):
                    row[f] = own[f] / divisor
            who[heard] = b
            heard += 1
    return heard


@compiled
def _slopes(Z, C, P, labels, shares, who):  # type: ignore[no-untyped-def]
    """share_b (softmax(z_b) - e_label) in the place of the scores z_b, 0 beyond the C-th.

    The largest score is taken off only where the sum would leave what numbers can say: to find it takes longer than all
    the rest.
    """
    e = zeros(P, Z)
    for row in range(len(who)):
        z, share = Z[row * P : (row + 1) * P], shares[who[row]]
        _exponentials(z, C, z.dtype.type(0), e)
        total = _sum(e)
        if not SAFE[0] < total < SAFE[1]:
            highest = z[0]
            for j in range(C):
                highest = max(highest, z[j])
            _exponentials(z, C, highest, e)
            total = _sum(e)
        factor = share / total
        for j in range(P):
            z[j] = e[j] * factor
        z[labels[who[row]]] -= share


@compiled
def _exponentials(z, C, less, e):  # type: ignore[no-untyped-def]
    """e^(z - less) of the first C, to e."""
    for j in range(C):
        e[j] = exp(z[j] - less) if z.itemsize == 4 else math.exp(z[j] - less)


@partial(compiled, sums=True)
def _sum(z):  # type: ignore[no-untyped-def]
    total = z.dtype.type(0)
    for j in range(len(z)):
        total += z[j]
    return total


@compiled
def _spread(matrix, to, P):  # type: ignore[no-untyped-def]
    """A matrix (F + 1, C) as rows of P numbers; those beyond its own stay as they are."""
    for f in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            to[f * P + j] = matrix[f, j]


@compiled
def _gathered(flat, to, P):  # type: ignore[no-untyped-def]
    """Its inverse."""
    for f in range(to.shape[0]):
        for j in range(to.shape[1]):
            to[f, j] = flat[f * P + j]


@compiled
def _plus(to, factor, other):  # type: ignore[no-untyped-def]
    """to + factor other, in place."""
    for j in range(len(to)):
        to[j] += factor * other[j]


@compiled
def _plus_products(to, F, n, P, X, Z, rows, heard):  # type: ignore[no-untyped-def]
    """to + [X, 1]^T Z, in place."""
    add_rows(to, 0, P, F, n, X, 0, F, 1, Z, 0, rows, 0, heard)
    for b in range(heard):
        for j in range(P):
            to[F * P + j] += Z[b * P + j]


@compiled
def walk(  # type: ignore[no-untyped-def]
    first, last, starts, ends, totals, fixed, examples, divisor, where, labels, shares, which, rates, weights, decay
):
    """For clients first <= m < last, from V = starts[m], or the only one, (F + 1, C), [W; b], with c = fixed[m]:

        V <- (1 - gamma w) V - gamma (X^T S + c),   S_b = share_b (softmax(X_b V) - e_label),   X_b = [x_b / divisor, 1]

    to ends[m], and totals[m] += theta (X^T S + w V + c) with V before the step; ``totals`` or ``fixed`` of no clients:
    not wanted. Step k takes the minibatches ``where[which[k]]``, (M, B), of ``examples``, (N, F); shares of 0 are left
    out.
    """
    F, C = ends.shape[1] - 1, ends.shape[2]
    size = lanes(ends)
    n = (C + size - 1) // size
    P, B = n * size, where.shape[2]
    V, X, Z, Y = zeros((F + 1) * P, ends), zeros(B * F, ends), zeros(B * P, ends), zeros(B * P, ends)
    T, c = zeros(len(V) * min(1, len(totals)), ends), zeros(len(V) * min(1, len(fixed)), ends)
    features, rows, who = np.arange(F) * P, np.arange(B) * P, np.empty(B, np.int64)
    for m in range(first, last):
        _spread(starts[m if len(starts) > 1 else 0], V, P)
        if len(fixed) > 0:
            _spread(fixed[m], c, P)
        T[:] = 0
        for k in range(len(which)):
            u = which[k]
            heard = _gather(examples, divisor, where[u, m], shares[u, m], X, who)
            for b in range(heard):
                for j in range(P):
                    Z[b * P + j] = V[F * P + j]
            add_rows(Z, 0, P, heard, n, X, 0, 1, F, V, 0, features, 0, F)
            _slopes(Z, C, P, labels[u, m], shares[u, m], who[:heard])
            if len(totals) > 0 and weights[k] != 0:
                _plus(T, weights[k] * decay, V)
                if len(fixed) > 0:
                    _plus(T, weights[k], c)
                Y[: heard * P] = Z[: heard * P] * weights[k]
                _plus_products(T, F, n, P, X, Y, rows, heard)
            if decay != 0:
                V *= V.dtype.type(1) - rates[k] * decay
            if len(fixed) > 0:
                _plus(V, -rates[k], c)
            Z[: heard * P] *= -rates[k]
            _plus_products(V, F, n, P, X, Z, rows, heard)
        _gathered(V, ends[m], P)
        if len(totals) > 0:
            _gathered(T, totals[m], P)
