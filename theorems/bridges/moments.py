"""Bridges on random vectors with given mean and second moments: squares, drawn clients, noise of local steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from typing import Any

import numpy as np

from surrogate._types import Numbers
from theorems.bridges.bridge import Sides, bridge
from theorems.bridges.means import mean, weights_of
from theorems.statement import Comparison

__all__ = ["drawn_clients", "expected_square", "expected_squares", "noisy_local_steps", "noisy_step"]


def expected_square(m: Numbers, S: Numbers, T: Numbers, u: Numbers) -> Any:
    """E|T e + u|^2 = tr(T S T^T) + 2 u^T T m + |u|^2 of a random e with mean m and second moments S."""
    return (T * (T @ S)).sum(axis=(-1, -2)) + 2 * (u * _apply(T, m)).sum(axis=-1) + (u * u).sum(axis=-1)


def _apply(M: Numbers, v: Numbers) -> Any:
    return (M @ v[..., None])[..., 0]


def _law(rng: np.random.Generator, d: int = 2) -> dict[str, Any]:
    """Mean and second moments of five points."""
    e, q = rng.normal(size=(1, 5, d)), rng.dirichlet(np.ones(5))
    return {"m": (q[:, None] * e).sum(axis=1), "S": np.swapaxes(e, -1, -2) @ (q[:, None] * e)}


def _affine(rng: np.random.Generator) -> dict[str, Any]:
    return {**_law(rng), "T": rng.normal(size=(1, 3, 2)), "u": rng.normal(size=(1, 3))}


@bridge("expected squares", "Williams, Probability with Martingales, 5.1: the expectation is monotone", _affine)
def expected_squares(m: Numbers, S: Numbers, T: Numbers, u: Numbers) -> Sides:
    """A random e with mean m and second moments S: E|T e + u|^2 = tr(T S T^T) + 2 u^T T m + |u|^2 >= 0."""
    _some_law(m, S)
    square = expected_square(m, S, T, u)
    return [], [Comparison("square", square, ">=", square * 0)]


def _some_law(m: Numbers, S: Numbers) -> None:
    """Raise where no random vector has these moments: a variance is below 0, or a covariance too large for it."""
    C = S - m[..., :, None] * m[..., None, :]
    variances: Any = np.diagonal(C, axis1=-2, axis2=-1)
    if np.any(variances < -1e-9) or np.any(variances[..., :, None] * variances[..., None, :] - C * C < -1e-9):
        raise ValueError("no random vector has these moments")


def _draws(w: Numbers, M: int, distinct: bool) -> Iterator[tuple[Any, Sequence[int]]]:
    """Every way to draw M clients, with its probability."""
    n, ones = w.shape[-1], w[..., 0] * 0 + 1
    ways = list(permutations(range(n), M) if distinct else product(range(n), repeat=M))
    for drawn in ways:
        yield ones / len(ways) if distinct else np.prod([w[..., i] for i in drawn], axis=0), drawn


def _equal(w: Numbers, distinct: bool) -> list[Comparison]:
    """The premises on weights."""
    same = [Comparison("equally likely", w, "==", w * 0 + w[..., :1] ** 0 / w.shape[-1])]
    return [*weights_of(w), *(same if distinct else [])]


def _answers(rng: np.random.Generator) -> dict[str, Any]:
    n, distinct = 3, bool(rng.integers(2))
    w = np.full((1, n), 1 / n) if distinct else rng.dirichlet(np.ones(n))[None]
    answers = {"A": rng.normal(size=(1, n, 2, 2)), "b": rng.normal(size=(1, n, 2)), "noise": rng.uniform(size=(1, n))}
    return {**_law(rng), **answers, "w": w, "M": int(rng.integers(1, n + 1)), "distinct": distinct}


@bridge(
    "variance of drawn clients", "law of total variance: Williams 1991, 9.7; Cochran, Sampling Techniques, 2.2",
    _answers,
)  # fmt: skip
def drawn_clients(
    w: Numbers, A: Numbers, b: Numbers, noise: Numbers, m: Numbers, S: Numbers, M: int, distinct: bool
) -> Sides:
    """Client i answers A_i e - b_i + noise of variance N_i, and q is the mean over M drawn clients: E Var(q | e) = (rho
    E Var_i(A_i e - b_i) + sum w_i N_i) / M, rho = 1 for independent draws, (n - M)/(n - 1) for distinct ones.
    """
    middle, centre = mean(w, A), mean(w, b)
    variance: Any = drawn_variance(w, A, b, noise, m, S, M, distinct)
    off = expected_square(m[..., None, :], S[..., None, :, :], A - middle[..., None, :, :], centre[..., None, :] - b)
    u, v = left_out(w.shape[-1], M, distinct)
    parts = mean(w, off) * u / (u + v) + mean(w, noise)
    return _equal(w, distinct), [Comparison("total variance", variance, "==", parts / M)]


def left_out(n: int, M: int, distinct: bool) -> tuple[int, int]:
    """(u, v) with rho = u / (u + v)."""
    return ((n - M, M - 1) if n > 1 else (0, 1)) if distinct else (1, 0)


def drawn_variance(
    w: Numbers, A: Numbers, b: Numbers, noise: Numbers, m: Numbers, S: Numbers, M: int, distinct: bool
) -> Any:
    """E|q - E[q | e]|^2, draw by draw."""
    middle, centre, variance = mean(w, A), mean(w, b), w[..., 0] * 0
    for weight, drawn in _draws(w, M, distinct):
        T, u, N = (sum(x.take(i, axis=w.ndim - 1) for i in drawn) / M for x in (A, b, noise))
        variance = variance + weight * (expected_square(m, S, T - middle, centre - u) + N / M)
    return variance


def _steps(rng: np.random.Generator) -> dict[str, Any]:
    drawn = _answers(rng)
    drawn["b"] = drawn["b"] - mean(drawn["w"], drawn["b"])[..., None, :]
    return {**drawn, "eta": rng.uniform(size=1)}


@bridge("a step with a noisy gradient", "E|X|^2 = |E X|^2 + E|X - E X|^2: Williams 1991, 9.7", _steps)
def noisy_step(
    w: Numbers, A: Numbers, b: Numbers, noise: Numbers, m: Numbers, S: Numbers, M: int, distinct: bool, eta: Numbers
) -> Sides:
    """q as drawn, sum w_i b_i = 0, A = sum w_i A_i: E|e - eta q|^2 = E|e - eta A e|^2 + eta^2 E Var(q | e)."""
    centre = mean(w, b)
    kept = expected_square(m, S, _kept(mean(w, A), eta), centre * 0)
    how = (w, A, b, noise, m, S, M, distinct)
    step = Comparison("step", drawn_step(*how, eta), "==", kept + eta * eta * drawn_variance(*how))
    return [*_equal(w, distinct), Comparison("at rest", centre, "==", centre * 0)], [step]


def _kept(A: Numbers, eta: Numbers) -> Any:
    """I - eta A."""
    return np.eye(A.shape[-1], dtype=int) - eta[..., None, None] * A


def drawn_step(
    w: Numbers, A: Numbers, b: Numbers, noise: Numbers, m: Numbers, S: Numbers, M: int, distinct: bool, eta: Numbers
) -> Any:
    """E|e - eta q|^2, draw by draw."""
    total = w[..., 0] * 0
    for weight, drawn in _draws(w, M, distinct):
        T, u, N = (sum(x.take(i, axis=w.ndim - 1) for i in drawn) / M for x in (A, b, noise))
        total = total + weight * (expected_square(m, S, _kept(T, eta), eta[..., None] * u) + eta * eta * N / M)
    return total


def _local(rng: np.random.Generator) -> dict[str, Any]:
    x, c, v = rng.normal(size=(3, 1, 2))
    return {
        "A": rng.normal(size=(1, 2, 2)), "c": c, "x": x, "v": v, "gamma": rng.uniform(size=1),
        "K": int(rng.integers(1, 4)), "B": int(rng.integers(1, 3)),
    }  # fmt: skip


@bridge(
    "noise of local steps", "a linear recursion written out; variances of independent terms add up: Williams 1991, 7.3",
    _local,
)  # fmt: skip
def noisy_local_steps(A: Numbers, c: Numbers, x: Numbers, v: Numbers, gamma: Numbers, K: int, B: int) -> Sides:
    """x_(k+1) = x_k - gamma g_k, g_k = A (x_k - c) + mean of B independent +- v: q = g_1 + ... + g_K has the mean sum_k
    (I - gamma A)^(k-1) A (x - c) and the variance sum_k |(I - gamma A)^(k-1) v|^2 / B.
    """
    rate = gamma.reshape(gamma.shape + (1,) * (c.ndim - gamma.ndim))
    x, found = x + c * 0, []
    for signs in product(_sums(B), repeat=K):
        point, total = x, x * 0
        for sign in signs:
            g = _apply(A, point - c) + v * sign / B
            point, total = point - rate * g, total + g
        found.append(total)
    middle = sum(found) / len(found)
    variance = sum(((q - middle) * (q - middle)).sum(axis=-1) for q in found) / len(found)
    field, noise, drift, powers = _apply(A, x - c), v + c * 0, x * 0, x[..., 0] * 0
    for _ in range(K):
        drift, powers = drift + field, powers + (noise * noise).sum(axis=-1)
        field, noise = field - rate * _apply(A, field), noise - rate * _apply(A, noise)
    return [], [Comparison("mean", middle, "==", drift), Comparison("variance", variance, "==", powers / B)]


def _sums(B: int) -> list[int]:
    """Sums of B signs, each way once."""
    return [sum(signs) for signs in product((-1, 1), repeat=B)]
