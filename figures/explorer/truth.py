"""The displacement beside the theorems' bounds on it, at the chosen client rate and along the slider."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from figures.explorer.state import State
from figures.records import Row
from surrogate.reports import Request
from surrogate.reports.bounds import NAMES, beside_truth, displacement_bound

__all__ = ["bounds"]


def bounds(s: State, gammas: Sequence[float], distance: float | None) -> list[Row]:
    """A row a theorem: its bound here, truth / bound, its verdict, and its curve over ``gammas`` (None from 1/L on)."""
    name, settings = s.asked
    if name != "local-update":
        return []
    facts = beside_truth(s.clients, Request(name, settings), distance or 0.0)
    rows: list[Row] = [dict(row) for row in facts]
    for name, row in zip(NAMES, rows, strict=True):
        silent = row["says_nothing_because"]
        row["curve"] = _curve(s, name, gammas) if silent is None or silent.startswith("gamma L") else None
        row["truth_over_bound"] = None if distance is None else row["truth_over_bound"]
    return rows


def _curve(s: State, name: str, gammas: Sequence[float]) -> list[float | None]:
    below = np.array([g for g in gammas if g * s.clients.L < 1])
    heights = np.asarray(displacement_bound(name, s.clients, below, s.weights))
    values = [float(height) if math.isfinite(height) else None for height in heights]
    return values + [None] * (len(gammas) - len(values))
