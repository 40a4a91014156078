"""The few functions beyond + - * / that methods need, for each kind of number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

from surrogate._types import Layers, Scalar, Vector
from surrogate.kit.errors import problem

__all__ = ["BALLS", "FLOATS", "RATIONALS", "Ops"]

S = TypeVar("S", bound=Scalar)


@dataclass(frozen=True)
class Ops:
    """``sqrt``, ``maximum`` and ``sign`` elementwise, ``norm`` along the last axis, which stays; torch brings its own.

    ``number`` turns a default setting, printed as a decimal, into a number that goes with the vectors. The methods say
    what their names and formulas say, for any numbers; torch has the same with fewer passes over large vectors.
    """

    sqrt: Callable[[Any], Any]
    maximum: Callable[[Any, Any], Any]
    sign: Callable[[Any], Any]
    norm: Callable[[Vector], Vector]
    number: Callable[[float], Scalar] = float

    def moved(self, y: Vector, rate: Scalar, P: Scalar, m: Scalar) -> Vector:
        """y - rate P m."""
        step: Vector = y - rate * (m if isinstance(P, int) and P == 1 else P * m)
        return step

    def mixed(self, beta: Scalar, old: S, new: S) -> S:
        """beta old + (1 - beta) new."""
        mean: S = beta * old + (1 - beta) * new
        return mean

    def with_square(self, v: Vector, g: Vector) -> Vector:
        """v + g^2."""
        return v + g * g

    def mixed_with_square(self, beta: Scalar, v: Vector, g: Vector) -> Vector:
        """beta v + (1 - beta) g^2."""
        mean: Vector = beta * v + (1 - beta) * (g * g)
        return mean

    def inverse_root(self, v: Vector, eps: Scalar) -> Vector:
        """1 / (sqrt(v) + eps)."""
        root: Vector = 1 / (self.sqrt(v) + eps)
        return root

    def lengths(self, y: Vector, r: Vector, layers: Layers) -> Vector:
        """||y_l|| / ||r_l|| in the places of each layer l, 0 elsewhere; a place in several layers has their sum."""
        found = 0 * r
        for layer in layers:
            found[..., layer] = found[..., layer] + self.norm(y[..., layer]) / self.norm(r[..., layer])
        return found


def _norm(v: Any) -> Any:
    return np.linalg.norm(v, axis=-1, keepdims=True)


FLOATS = Ops(np.sqrt, np.maximum, np.sign, _norm)


def _elementwise(scalar: Callable[..., Any]) -> Callable[..., Any]:
    lifted: Callable[..., Any] = np.frompyfunc(scalar, scalar.__code__.co_argcount, 1)
    return lifted


def _rational_root(q: Any) -> Any:
    """The root of a rational square; others are irrational, which fmpq cannot hold."""
    from flint import fmpq

    try:
        root = fmpq(q.p.sqrt(), q.q.sqrt())
    except Exception:  # python-flint: DomainError for what is no square
        raise problem(
            "a square root",
            f"sqrt({q})" if len(str(q)) < 40 else "of a rational with many digits",
            "the square of a rational",
            "an adaptive method run in exact rationals",
            "run it in balls (ops=BALLS), or freeze its preconditioners",
        ) from None
    return root


def _sign(q: Any) -> int:
    return int(q > 0) - int(q < 0)


def _ball_max(a: Any, b: Any) -> Any:
    return a.max(b)


def _ball_root(a: Any) -> Any:
    return a.sqrt()


def _ball_norm(v: Any) -> Any:
    return np.array([(v @ v).sqrt()], dtype=object)


def _rational_norm(v: Any) -> Any:
    return np.array([_rational_root(v @ v)], dtype=object)


def _ball_sign(a: Any) -> Any:
    return a.sgn()  # [-1, 1] where the ball holds 0: still an enclosure


def _rational(decimal: float) -> Any:
    """0.9 as 9/10."""
    from flint import fmpq

    return fmpq(*Fraction(repr(decimal)).as_integer_ratio())


def _ball(decimal: float) -> Any:
    from flint import arb

    return arb(_rational(decimal))


def _larger(a: Any, b: Any) -> Any:
    return a if a >= b else b


RATIONALS = Ops(_elementwise(_rational_root), _elementwise(_larger), _elementwise(_sign), _rational_norm, _rational)
BALLS = Ops(_elementwise(_ball_root), _elementwise(_ball_max), _elementwise(_ball_sign), _ball_norm, _ball)
