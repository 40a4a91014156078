"""All outcomes of a few rounds of Algorithms 1 and 2, in Fractions: the law that the exact moments must match.

Slow, obvious and independent of the code under test: lists of Fractions, one outcome after another. A law is a dict
from points (tuples) to probabilities; equal points are merged, nothing else is clever here.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import comb

Point = tuple[Fraction, ...]
Law = dict[Point, Fraction]
Example = tuple[list[list[Fraction]], list[Fraction]]  # A_z and c_z: gradient A_z (x - c_z)


def add(x: Point, y: Point, times: Fraction = Fraction(1)) -> Point:
    return tuple(a + times * b for a, b in zip(x, y, strict=True))


def example_gradient(example: Example, x: Point) -> Point:
    A, c = example
    return tuple(sum(A[r][k] * (x[k] - c[k]) for k in range(len(x))) for r in range(len(x)))


def minibatch_gradients(examples: list[Example], x: Point, batch: int | None) -> Law:
    """Law of the mean of ``batch`` example gradients, drawn with replacement (None: the mean of all, surely)."""
    gradients = [example_gradient(z, x) for z in examples]
    draws = [tuple(gradients)] if batch is None else list(product(gradients, repeat=batch))
    law: Law = {}
    for draw in draws:
        g = tuple(sum(column) / Fraction(len(draw)) for column in zip(*draw, strict=True))
        law[g] = law.get(g, Fraction(0)) + Fraction(1, len(draws))
    return law


def inner_loop(examples: list[Example], x: Point, gamma: Fraction, theta: list[Fraction], batch: int | None) -> Law:
    """Algorithm 2: the law of sum_k theta_k g_k."""
    zero = tuple(Fraction(0) for _ in x)
    states: dict[tuple[Point, Point], Fraction] = {(x, zero): Fraction(1)}
    for weight in theta:
        after: dict[tuple[Point, Point], Fraction] = {}
        for (here, q), p in states.items():
            for g, chance in minibatch_gradients(examples, here, batch).items():
                state = (add(here, g, -gamma), add(q, g, weight))
                after[state] = after.get(state, Fraction(0)) + p * chance
        states = after
    law: Law = {}
    for (_, q), p in states.items():
        law[q] = law.get(q, Fraction(0)) + p
    return law


def selections(weights: list[Fraction], count: int | None, sampling: str) -> list[tuple[tuple[int, ...], Fraction]]:
    """Who is heard, with which probability."""
    n = len(weights)
    if count is None:
        return [(tuple(range(n)), Fraction(1))]
    if sampling == "uniform":
        return [(S, Fraction(1, comb(n, count))) for S in combinations(range(n), count)]
    result = []
    for S in product(range(n), repeat=count):
        chance = Fraction(1)
        for i in S:
            chance *= weights[i]
        result.append((S, chance))
    return result


def shares(weights: list[Fraction], heard: tuple[int, ...], count: int | None, sampling: str) -> list[Fraction]:
    """The weights that the server gives the answers."""
    if count is None:
        return weights
    if sampling == "iid":
        return [Fraction(1, len(heard))] * len(heard)
    return [weights[i] / sum(weights[j] for j in heard) for i in heard]


def update(clients, weights, x, gamma, theta, batch, count, sampling) -> Law:
    """The law of q_t at x; ``clients``: a list of examples each."""
    answers = [inner_loop(examples, x, gamma, theta, batch) for examples in clients]
    law: Law = {}
    for heard, chance in selections(weights, count, sampling):
        parts = shares(weights, heard, count, sampling)
        for outcome in product(*(answers[i].items() for i in heard)):
            q, p = tuple(Fraction(0) for _ in x), chance
            for share, (answer, probability) in zip(parts, outcome, strict=True):
                q, p = add(q, answer, share), p * probability
            law[q] = law.get(q, Fraction(0)) + p
    return law


def trajectory(clients, weights, x0, gammas, etas, theta, batch, count, sampling) -> list[Law]:
    """The laws of x_0, ..., x_T of Algorithm 1."""
    laws: list[Law] = [{tuple(x0): Fraction(1)}]
    for gamma, eta in zip(gammas, etas, strict=True):
        law: Law = {}
        for x, p in laws[-1].items():
            for q, chance in update(clients, weights, x, gamma, theta, batch, count, sampling).items():
                y = add(x, q, -eta)
                law[y] = law.get(y, Fraction(0)) + p * chance
        laws.append(law)
    return laws


def mean(law: Law) -> list[Fraction]:
    d = len(next(iter(law)))
    return [sum(p * x[r] for x, p in law.items()) for r in range(d)]


def covariance(law: Law) -> list[list[Fraction]]:
    m = mean(law)
    d = range(len(m))
    return [[sum(p * (x[r] - m[r]) * (x[s] - m[s]) for x, p in law.items()) for s in d] for r in d]
