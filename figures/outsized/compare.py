"""Comparisons of two loss curves: early, late, at the end, throughout. A diverged curve is infinite; NaN stays NaN."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from figures.findings import Finding, judge
from figures.series import Curve

__all__ = [
    "CLOSE",
    "above",
    "catches_up",
    "comparable",
    "comparisons",
    "early",
    "largest",
    "late",
    "least",
    "quarters",
    "worst_after",
]

EARLY = 0.2  # of all rounds: initially
CLOSE = 1.05  # times the other loss: comparable


def early(curve: Curve) -> float:
    """The mean over seeds and the first fifth of the rounds, without the start, which all share."""
    if curve.diverged:
        return math.inf
    part = curve.mean[(curve.rounds > 0) & (curve.rounds <= EARLY * curve.rounds[-1])]
    return float(part.mean()) if len(part) else math.nan


def least(values: Iterable[float]) -> float:
    """The least; NaN where there is none or one is NaN."""
    known = list(values)
    return math.nan if not known or any(map(math.isnan, known)) else min(known)


def largest(by_rate: Mapping[float, Any]) -> float:
    """The largest client rate that did not diverge (of curves, or of what has a ``curve``); 0 where all did."""
    return max((gamma for gamma, one in by_rate.items() if not getattr(one, "curve", one).diverged), default=0.0)


def quarters(curve: Curve) -> np.ndarray:
    """Means over each quarter of the rounds, without the start: (seeds, 4)."""
    if curve.diverged:
        return np.full((len(curve.each), 4), math.inf)
    edges = curve.rounds[-1] * np.arange(5) / 4
    inside = [(curve.rounds > low) & (curve.rounds <= high) for low, high in pairwise(edges)]
    means = [curve.each[:, part].mean(axis=1) if part.any() else np.full(len(curve.each), math.nan) for part in inside]
    return np.stack(means, axis=1)


def above(ours: np.ndarray, other: np.ndarray) -> np.ndarray:
    """own - other; infinite where only ``ours`` diverged, unknown (NaN) where both did."""
    with np.errstate(invalid="ignore"):  # infinity minus infinity
        return np.asarray(ours - other)


def comparable(ours: float, best: float, start: float) -> float:
    """By how much ``ours`` is comparable to the best loss: above it by a twentieth of it at most, and of its fall.

    Unknown (NaN) where the best did not fall, or both diverged, for then there is nothing to compare.

    >>> round(comparable(1.03, 1.0, 9.0), 3), round(comparable(1.03, 1.0, 1.2), 3), comparable(1.0, 1.0, 1.0)
    (0.02, -0.02, nan)
    """
    if math.isinf(best):
        return math.nan if math.isinf(ours) else math.inf
    return best + (CLOSE - 1) * min(best, start - best) - ours if best < start else math.nan


def comparisons(
    claim: str, check: str, each: Mapping[str, tuple[float, float, float]], numbers: Mapping[str, float]
) -> Finding:
    """All are `comparable`: (own, best, start) by the task's title."""
    margins = [comparable(*one) for one in each.values()]
    words = f"{check} (at most {CLOSE - 1:.0%} of that loss above it, and of its fall)"
    return judge(claim, words, all(margin >= 0 for margin in margins), numbers, any(map(math.isnan, margins)))


def late(curve: Curve) -> float:
    """The mean over seeds and the last quarter of the rounds."""
    return float(quarters(curve)[:, 3].mean())


def catches_up(late: Curve, rivals: Iterable[Curve]) -> float:
    """The share of the rounds after which ``late`` stays comparable to its best rival, infinite if it never does."""
    sound = [one.mean for one in rivals if not one.diverged]
    if late.diverged or not sound:
        return _alone(late, sound)
    paths = np.array([late.mean, *sound])
    if np.isnan(paths).any():
        return math.nan
    apart = np.flatnonzero(late.mean > CLOSE * paths[1:].min(axis=0))
    if not len(apart):
        return 0.0
    after = apart[-1] + 1
    return float(late.rounds[after] / late.rounds[-1]) if after < len(late.rounds) else math.inf


def _alone(curve: Curve, sound: Sequence[Any]) -> float:
    """Where one side diverged, or both did, which is unknown (NaN)."""
    if not curve.diverged:
        return 0.0
    return math.inf if sound else math.nan


def worst_after(curve: Curve, rivals: Iterable[Curve], share: float) -> float:
    """The largest ratio of the curve to its best rival, over rounds after ``share`` of all."""
    sound = [one.mean for one in rivals if not one.diverged]
    if curve.diverged or not sound:
        return _alone(curve, sound)
    ratios = curve.mean / np.array(sound).min(axis=0)
    return float(ratios[(curve.rounds > 0) & (curve.rounds >= share * curve.rounds[-1])].max())
