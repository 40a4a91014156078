"""Bridges on expectations over finitely many equally likely or weighted draws, and on steps of gradient descent."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np

from surrogate._types import Numbers
from theorems.bridges.bridge import Sides, bridge
from theorems.bridges.finite_sums import as_many
from theorems.bridges.means import mean, weights_of
from theorems.bridges.spectra import population
from theorems.population import Population
from theorems.statement import Comparison

__all__ = [
    "affine_mean",
    "equal_sums",
    "gradient_step",
    "independent_deviations",
    "independent_draws",
    "normal_equations",
    "random_sample",
    "random_signs",
    "sample_variance",
    "symmetric_powers",
]


def _apply(M: Numbers, v: Numbers) -> Any:
    return (M @ v[..., None])[..., 0]


def _affine(rng: np.random.Generator) -> dict[str, Any]:
    return {"A": rng.normal(size=(1, 2, 3, 3)), "b": rng.normal(size=(1, 2, 3)), "points": rng.normal(size=(1, 4, 3))}


@bridge("law of total expectation", "linearity of the expectation; y and z independent: Williams 1991, 9.7", _affine)
def affine_mean(A: Numbers, b: Numbers, points: Numbers) -> Sides:
    """y and z independent, equally likely among finitely many: E[A_z y - b_z] = E[A] E[y] - E[b]."""
    m, n = A.shape[-3], points.shape[-2]
    total: Any = sum(_apply(A[..., z, :, :], points[..., j, :]) - b[..., z, :] for z in range(m) for j in range(n))
    right = _apply(A.sum(axis=-3) / m, points.sum(axis=-2) / n) - b.sum(axis=-2) / m
    return [], [Comparison("expectation", total / (m * n), "==", right)]


def _quadratic(rng: np.random.Generator) -> dict[str, Any]:
    b, x = rng.normal(size=(2, 1, 3))
    return {"A": rng.normal(size=(1, 3, 3)), "b": b, "x": x, "gamma": rng.uniform(0, 2, size=1)}


@bridge("a step of gradient descent on a quadratic", "distributive law of matrices", _quadratic)
def gradient_step(A: Numbers, b: Numbers, x: Numbers, gamma: Numbers) -> Sides:
    """g = A x - b: A (x - gamma g) - b = (I - gamma A) g."""
    g = _apply(A, x) - b
    after = _apply(A, x - gamma[..., None] * g) - b
    return [], [Comparison("step", after, "==", _apply(_decay(A, gamma), g))]


def _decay(A: Numbers, gamma: Numbers) -> Any:
    """I - gamma A."""
    return np.eye(A.shape[-1], dtype=int) - gamma[..., None, None] * A


def _terms(rng: np.random.Generator) -> dict[str, Any]:
    low = rng.normal(size=(4, 5))
    return {"low": low, "high": low * 1, "weights": rng.normal(size=5)}


@bridge("sums of equal terms", "term by term: induction on their number", _terms)
def equal_sums(low: Numbers, high: Numbers, weights: Numbers) -> Sides:
    """a_k = b_k for every k gives sum_k t_k a_k = sum_k t_k b_k (over the last axis)."""
    as_many(low, high)
    return (
        [Comparison("terms", low, "==", high)],
        [Comparison("sums", (weights * low).sum(axis=-1), "==", (weights * high).sum(axis=-1))],
    )


def _drawn(rng: np.random.Generator) -> dict[str, Any]:
    w = rng.uniform(0, 1, size=(1, 3))
    return {"w": w / w.sum(), "answers": rng.normal(size=(1, 3, 2)), "M": int(rng.integers(1, 4))}


@bridge("mean of independent draws", "linearity of the expectation", _drawn)
def independent_draws(w: Numbers, answers: Numbers, M: int) -> Sides:
    """M independent draws of i with weights w: the expected mean of the drawn a_i is sum_i w_i a_i."""
    total: Any = answers[..., 0, :] * 0
    for drawn in product(range(w.shape[-1]), repeat=M):
        weight, together = w[..., 0] * 0 + 1, answers[..., 0, :] * 0
        for i in drawn:
            weight, together = weight * w[..., i], together + answers[..., i, :] / M
        total = total + weight[..., None] * together
    return weights_of(w), [Comparison("draws", total, "==", mean(w, answers))]


def _sampled(rng: np.random.Generator) -> dict[str, Any]:
    return {"values": rng.normal(size=(1, 4, 2)), "M": int(rng.integers(1, 5))}


@bridge("mean of a simple random sample", "Cochran, Sampling Techniques, theorem 2.1", _sampled)
def random_sample(values: Numbers, M: int) -> Sides:
    """M of n clients, each set of M equally likely: the expected n/M sum of the drawn a_i is the sum of all a_i."""
    n = values.shape[-2]
    samples = list(combinations(range(n), M))
    total: Any = sum(values[..., i, :] for S in samples for i in S)
    return [], [Comparison("sample", total * n / (M * len(samples)), "==", values.sum(axis=-2))]


def _centred(rng: np.random.Generator) -> dict[str, Any]:
    return {"p": population(rng), "values": rng.uniform(0.1, 3, size=(1, 3, 3)), "x": rng.normal(size=(1, 3))}


@bridge("normal equations", "Boyd and Vandenberghe, Convex Optimization, section 4.2.3", _centred)
def normal_equations(p: Population, values: Numbers, x: Numbers) -> Sides:
    """M = sum w_i M_i invertible, M r = sum w_i M_i c_i: sum w_i M_i (x - c_i) = M (x - r)."""
    fields = _apply(p.spectral(values), x[..., None, :] - p.c)
    return [], [Comparison("field", p.mean(fields), "==", _apply(p.hessian(values), x - p.rest(values)))]


def _symmetric(rng: np.random.Generator) -> dict[str, Any]:
    P = rng.normal(size=(1, 3, 3))
    return {"P": P + np.swapaxes(P, -1, -2), "v": rng.normal(size=(1, 3)), "k": int(rng.integers(0, 4))}


@bridge("powers of a symmetric matrix", "associative law; (P^k)^T = (P^T)^k", _symmetric)
def symmetric_powers(P: Numbers, v: Numbers, k: int) -> Sides:
    """P = P^T: (P^k)^T P^k v = P^(2k) v."""
    power, twice, right = P * 0 + np.eye(P.shape[-1], dtype=int), v, v
    for _ in range(k):
        power, right = power @ P, _apply(P, right)
    for _ in range(2 * k):
        twice = _apply(P, twice)
    left = _apply(np.swapaxes(power, -1, -2), right)
    return [Comparison("symmetric", P, "==", np.swapaxes(P, -1, -2))], [Comparison("powers", left, "==", twice)]


def _sent(rng: np.random.Generator) -> dict[str, Any]:
    return {"values": rng.normal(size=(2, 4)), "near": rng.normal(size=2), "S": int(rng.integers(1, 5))}


@bridge("variance of a simple random sample", "Cochran, Sampling Techniques, theorem 2.2", _sent)
def sample_variance(values: Numbers, near: Numbers, S: int) -> Sides:
    """S of m numbers a_i, each set equally likely: E (mean drawn)^2 = a^2 + (m - S)/(S (m - 1)) sum (a_i - a)^2/m.

    Here a = sum a_i/m (i on the last axis); it is at most the same with any z in the place of a in the last sum.
    """
    m = values.shape[-1]
    mean, ways = values.sum(axis=-1) / m, list(combinations(range(m), S))
    share: Any = values[..., 0] * 0 + m - S
    off, away = values - mean[..., None], values - near[..., None]
    least, spread = ((v * v).sum(axis=-1) / m for v in (off, away))
    drawn = [sum(values[..., i] for i in chosen) / S for chosen in ways]
    square: Any = sum(a * a for a in drawn) / len(ways)
    share = share / (S * max(m - 1, 1))
    return [], [
        Comparison("variance", square, "==", mean * mean + least * share),
        Comparison("square", square, "<=", mean * mean + spread * share),
    ]


def _signed(rng: np.random.Generator) -> dict[str, Any]:
    return {"values": rng.normal(size=(2, 4))}


@bridge("random signs", "independent and centred, hence orthogonal: Williams 1991, 12.1", _signed)
def random_signs(values: Numbers) -> Sides:
    """s_l = 1 or -1, independent, even chances: E sum s_l c_l = 0, E (sum s_l c_l)^2 = sum c_l^2 (last axis: l)."""
    ways = list(product((1, -1), repeat=values.shape[-1]))
    found: list[Any] = [sum(values[..., k] * sign for k, sign in enumerate(way)) for way in ways]
    mean, square = sum(found) / len(ways), sum(v * v for v in found) / len(ways)
    return [], [
        Comparison("mean", mean, "==", values.sum(axis=-1) * 0),
        Comparison("square", square, "==", (values * values).sum(axis=-1)),
    ]


def _noisy(rng: np.random.Generator) -> dict[str, Any]:
    return {"m": rng.normal(size=(1, 3)), "values": rng.normal(size=(1, 2, 4, 3))}


@bridge("variances of independent vectors add", "Williams, Probability with Martingales, section 7.2", _noisy)
def independent_deviations(m: Numbers, values: Numbers) -> Sides:
    """X_i independent, each with equally likely values: E|m + sum (X_i - E X_i)|^2 = |m|^2 + sum E|X_i - E X_i|^2."""
    n, count = values.shape[-3], values.shape[-2]
    off = values - (values.sum(axis=-2) / count)[..., None, :]
    total: Any = m[..., 0] * 0
    for drawn in product(range(count), repeat=n):
        end: Any = sum((off[..., i, z, :] for i, z in enumerate(drawn)), start=m)
        total = total + (end * end).sum(axis=-1)
    spread = ((off * off).sum(axis=-1).sum(axis=-1) / count).sum(axis=-1)
    return [], [Comparison("variances", total / count**n, "==", (m * m).sum(axis=-1) + spread)]
