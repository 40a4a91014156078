"""Numbers as people read them, and as programs do: floats, rationals with a decimal beside them, enclosures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from surrogate._types import Json, Numbers, Scalar
from surrogate.numbers import kind
from surrogate.numbers.balls import BALLS
from surrogate.numbers.rationals import fraction

__all__ = ["json_ready", "number", "rough", "vector"]

_DIGITS = 10
_LONGEST_FRACTION = 48  # characters of a fraction in the table; JSON has all of it
_LONGEST_VECTOR = 12
_ENCLOSURE_DIGITS = 30


def number(value: Scalar | None) -> str:
    """0.0476190476, or 1/21 (0.0476190476), or an enclosure [0.433 +/- 2e-12] with as many digits as it proves."""
    if value is None:
        return "none"
    if _is_ball(value):
        return _ball(value)
    if isinstance(value, float):
        return _decimal(value)
    return _fraction(_rational(value))


def rough(value: Scalar) -> str:
    """Four digits, for lists of weights."""
    return f"{float(value if isinstance(value, float) else _rational(value)):.4g}"


def vector(values: Numbers | Sequence[Scalar]) -> list[str]:
    """The entries; a long vector keeps its first ten and its last."""
    entries = list(values)
    if len(entries) <= _LONGEST_VECTOR:
        return [number(v) for v in entries]
    head = [number(v) for v in entries[: _LONGEST_VECTOR - 2]]
    return [*head, f"... ({len(entries) - _LONGEST_VECTOR + 1} more, all in --json)", number(entries[-1])]


def json_ready(value: object) -> Json:
    """Plain JSON: a rational as {exact, decimal}, an enclosure as {enclosure, decimal}, what is not finite as null."""
    if isinstance(value, dict):
        return {key: json_ready(v) for key, v in value.items()}
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if _is_ball(value):
        return _ball_record(value)
    entries = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(entries, (list, tuple)):
        return [json_ready(entry) for entry in entries]
    exact = _rational(value)
    return {"exact": _text(exact), "decimal": _nearest(exact)}


def _rational(value: Any) -> Fraction:
    """An ``fmpq``, Fraction or whole number as a Fraction."""
    return Fraction(*fraction(value))


def _text(value: Fraction) -> str:
    """p/q; flint writes what Python's limit of 4300 digits refuses."""
    if max(abs(value.numerator), value.denominator).bit_length() < 10_000:
        return str(value)
    from flint import fmpq

    return str(fmpq(value.numerator, value.denominator))


def _is_ball(value: object) -> bool:
    return not isinstance(value, (list, tuple, np.ndarray)) and kind(value) is BALLS


def _decimal(value: float) -> str:
    return f"{value + 0.0:.{_DIGITS}g}"  # + 0.0: no -0


def _nearest(value: Fraction) -> float | None:
    try:
        return float(value)
    except OverflowError:
        return None


def _fraction(value: Fraction) -> str:
    if value.denominator == 1 and abs(value) < 10**_LONGEST_FRACTION:
        return str(value)
    text, near = _text(value), _nearest(value)
    decimal = "beyond float64" if near is None else _decimal(near)
    if len(text) > _LONGEST_FRACTION:
        return f"{decimal} (a fraction of {len(text) - 1} digits)"
    return f"{text} ({decimal})"


def _ball(value: Any) -> str:
    if not value.is_finite():
        return "infinite"
    if value.is_exact():
        return _fraction(_dyadic(value))
    return str(value.str(_DIGITS))


def _ball_record(value: Any) -> Json:
    """``enclosure``: "[middle +/- radius]", in decimals that contain the ball."""
    if not value.is_finite():
        return None
    if value.is_exact():
        return json_ready(_dyadic(value))
    return {"enclosure": value.str(_ENCLOSURE_DIGITS), "decimal": float(value.mid())}


def _dyadic(ball: Any) -> Fraction:
    """The value of a ball of radius 0."""
    mantissa, exponent = ball.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
