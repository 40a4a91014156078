"""Small problems in three kinds of numbers, and the rounds of a method played on them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np
from flint import arb, fmpq

from surrogate import methods

# Two coordinates, three clients that disagree, weights that differ; and the same in one coordinate.
PLANE_A = [[[F(2), F(1)], [F(1), F(3)]], [[F(1), F(0)], [F(0), F(5)]], [[F(4), F(1)], [F(1), F(1)]]]
PLANE_B = [[F(1), F(2)], [F(3), F(-1)], [F(1, 2), F(5)]]
LINE_A = [[[F(2)]], [[F(5, 3)]], [[F(1, 2)]]]
LINE_B = [[F(1)], [F(-3)], [F(7, 4)]]
WEIGHTS = [F(1, 2), F(1, 3), F(1, 6)]

EVERYONE = [[0, 1, 2]] * 3
SOME = [[0, 1, 2], [0, 2], [1], [2, 0], [1, 2]]


def _rational(q: F) -> fmpq:
    return fmpq(q.numerator, q.denominator)


NUMBERS = {
    "float": (float, float, methods.FLOATS),
    "rationals": (_rational, object, methods.RATIONALS),
    "balls": (lambda q: arb(_rational(q)), object, methods.BALLS),
}


def convert(value: Any, kind: str, d: int) -> Any:
    """Settings in the numbers of ``kind``; a function is a setting that depends on the dimension."""
    number, dtype, _ = NUMBERS[kind]
    if callable(value):
        return convert(value(d), kind, d)
    if isinstance(value, F):
        return number(value)
    if isinstance(value, np.ndarray):
        return np.array([number(F(q)) for q in value.ravel()], dtype=dtype).reshape(value.shape)
    if isinstance(value, list):
        return [convert(entry, kind, d) for entry in value]
    if isinstance(value, dict):
        return {name: convert(entry, kind, d) for name, entry in value.items()}
    return value


def vector(values: Sequence[Any], kind: str) -> Any:
    """Rationals as an array of ``kind``."""
    return convert(np.array(values, dtype=object), kind, len(values))


def clients(kind: str, A: Any = PLANE_A, b: Any = PLANE_B) -> list[methods.QuadraticClient]:
    """The problem's clients."""
    return [methods.QuadraticClient(vector(M, kind), vector(right, kind)) for M, right in zip(A, b, strict=True)]


def rounds(
    name: str,
    settings: dict[str, Any],
    kind: str = "float",
    A: Any = PLANE_A,
    b: Any = PLANE_B,
    weights: Sequence[F] = WEIGHTS,
    draws: Sequence[Sequence[int]] = EVERYONE,
    x0: Sequence[Any] = (1, -2),
) -> list[dict[str, Any]]:
    """The server's states after each round, the first before any."""
    number, _, ops = NUMBERS[kind]
    d = len(b[0])
    method = methods.build(name, ops=ops, **convert(settings, kind, d))
    states, own = [method.start(vector(x0[:d], kind))], {}
    for drawn in draws:
        state, own = methods.play(method, states[-1], own, clients(kind, A, b), [number(w) for w in weights], drawn)
        states.append(state)
    return states


def fraction(q: fmpq) -> F:
    """A rational of flint as a Fraction."""
    return F(int(q.p), int(q.q))
