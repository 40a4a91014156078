"""Local methods played step by step in Fractions, and Gauss elimination: no flint, no closed form."""

from __future__ import annotations

from fractions import Fraction as F


def times(M, v):
    return [sum((a * b for a, b in zip(row, v, strict=True)), F(0)) for row in M]


def add(x, y, scale=F(1)):
    return [a + scale * b for a, b in zip(x, y, strict=True)]


def solve(M, right):
    """Gauss elimination with the first pivot that is not 0; None where M is singular."""
    d = len(M)
    rows = [[*row, b] for row, b in zip(M, right, strict=True)]
    for k in range(d):
        pivot = next((r for r in range(k, d) if rows[r][k] != 0), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [v / rows[k][k] for v in rows[k]]
        for r in range(d):
            if r != k and rows[r][k] != 0:
                rows[r] = add(rows[r], rows[k], -rows[r][k])
    return [row[d] for row in rows]


def local_update(A, c, x, gamma, weights):
    """Algorithm 2 with full gradients: sum_k theta_k g_k along gradient descent."""
    y, sent = list(x), [F(0)] * len(x)
    for weight in weights:
        g = times(A, add(y, c, F(-1)))
        sent, y = add(sent, g, F(weight)), add(y, g, -gamma)
    return sent


def preconditioned(A, c, x, gamma, steps, P):
    """x - y after ``steps`` steps y <- y - gamma P grad f(y)."""
    y = list(x)
    for _ in range(steps):
        y = add(y, times(P, times(A, add(y, c, F(-1)))), -gamma)
    return add(x, y, F(-1))


def affine(answer, d):
    """``answer(x) = J x + e``: J (list of rows) and e, from its values at 0 and at the unit vectors."""
    e = answer([F(0)] * d)
    columns = [add(answer([F(int(j == k)) for j in range(d)]), e, F(-1)) for k in range(d)]
    return [list(row) for row in zip(*columns, strict=True)], e


def mean_answer(population, answer):
    """x -> sum_i w_i answer(i, x)."""

    def mean(x):
        total = [F(0)] * population.d
        for i, w in enumerate(population.weights):
            total = add(total, answer(i, x), w)
        return total

    return mean


def rest(mean, d):
    """Where the mean answer vanishes, with its Jacobian; None where that is singular."""
    J, e = affine(mean, d)
    return solve(J, [-v for v in e]), J
