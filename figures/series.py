"""Training curves: rows of a table from runs (`long`), a curve over seeds from rows (`curve`), its end and targets.

A table of curves has a row a run and measured round: the settings of the run, its ``status``, the ``round`` and what
was measured. `curve` picks the runs of one setting out of it and puts their seeds together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from figures.records import Columns, Row, Rows, Scalar, Trained

__all__ = ["Curve", "curve", "long", "rounds_to", "smooth", "tail", "values"]

Values = Sequence[float] | np.ndarray
LAST = 100  # rounds whose mean ranks runs, as in the papers


def long(results: Sequence[Trained], settings: Sequence[str], measures: Sequence[str]) -> Columns:
    """Columns: ``settings`` of each run (None becomes 0), status, round, ``measures``; rounds that took all of them.

    A run that diverged keeps the rounds before its numbers were lost.
    """
    columns: Columns = {name: [] for name in (*settings, "status", "round", *measures)}
    for run in results:
        for row in run.rows:
            if all(math.isfinite(row.get(measure, math.nan)) for measure in measures):
                for name in settings:
                    columns[name].append(run.keys.get(name, 0))
                columns["status"].append(run.status)
                columns["round"].append(int(row["round"]))
                for measure in measures:
                    columns[measure].append(float(row[measure]))
    return columns


@dataclass(frozen=True)
class Curve:
    """One setting: ``each`` (seeds, rounds) at the ``rounds`` that all its seeds reached, and how many diverged."""

    rounds: np.ndarray
    each: np.ndarray
    diverged: int = 0

    @cached_property
    def mean(self) -> np.ndarray:
        """Over seeds."""
        return np.asarray(self.each.mean(axis=0))

    @property
    def low(self) -> np.ndarray:
        """The least of the seeds."""
        return np.asarray(self.each.min(axis=0))

    @property
    def high(self) -> np.ndarray:
        """The greatest of the seeds."""
        return np.asarray(self.each.max(axis=0))

    def smoothed(self, window: int) -> Curve:
        """Each seed's means over the last ``window`` measurements."""
        return Curve(self.rounds, np.array([smooth(one, window) for one in self.each]), self.diverged)

    @property
    def end(self) -> float:
        """The mean over seeds and the last 100 rounds; infinite when a seed diverged."""
        return math.inf if self.diverged else tail(self.rounds, self.mean)

    @property
    def ends(self) -> list[float]:
        """The same a seed."""
        return [math.inf if self.diverged else tail(self.rounds, one) for one in self.each]


def curve(rows: Rows, measure: str, **where: Scalar) -> Curve:
    """The runs of a table whose columns equal ``where``, one path a seed. Values that are missing (NaN) stay."""
    paths: dict[int, dict[int, float]] = {}
    lost = set()
    for row in _records(rows):
        if all(row[name] == value for name, value in where.items()):
            seed = row.get("seed", 0)
            paths.setdefault(seed, {})[row["round"]] = row[measure]
            if row.get("status") == "diverged":
                lost.add(seed)
    if not paths:
        raise LookupError(f"no row with {where}")
    shared = sorted(set.intersection(*(set(path) for path in paths.values())))
    each = np.array([[path[t] for t in shared] for _, path in sorted(paths.items())], dtype=float)
    return Curve(np.array(shared, dtype=int), each, len(lost))


def values(rows: Rows, name: str) -> list[Any]:
    """The values of a column, each once, in the order of their first rows."""
    return list(dict.fromkeys(row[name] for row in _records(rows)))


def smooth(path: Values, window: int) -> np.ndarray:
    """Means over the last ``window`` entries, of fewer at the start.

    >>> smooth([1.0, 3.0, 5.0, 7.0], 2).tolist()
    [1.0, 2.0, 4.0, 6.0]
    """
    path = np.asarray(path, dtype=float)
    return np.array([path[max(0, k + 1 - window) : k + 1].mean() for k in range(len(path))])


def tail(rounds: Values, path: Values, last: int = LAST) -> float:
    """The mean over the last 100 rounds, or over the second half of a run of fewer than 200.

    >>> tail([0, 10, 20], [9.0, 2.0, 4.0])
    3.0
    """
    rounds, path = np.asarray(rounds), np.asarray(path, dtype=float)
    return float(path[rounds >= rounds[-1] - min(last, rounds[-1] / 2)].mean())


def rounds_to(rounds: Values, path: Values, target: float, better: str = "min") -> float:
    """When the line through the values first meets ``target``: infinite if never, NaN where values are missing.

    Between rounds, too: curves that are measured every sixth round would tie.

    >>> rounds_to([0, 10, 20], [4.0, 2.0, 1.0], 3.0), rounds_to([0, 10], [0.1, 0.2], 0.5, "max")
    (5.0, inf)
    """
    sign = 1 if better == "min" else -1
    above = sign * (np.asarray(path, dtype=float) - target)
    if np.isnan(above).any():
        return math.nan
    met = np.flatnonzero(above <= 0)
    if not len(met):
        return math.inf
    k = int(met[0])
    if k == 0:
        return float(rounds[0])
    part = above[k - 1] / (above[k - 1] - above[k])
    return float(rounds[k - 1] + part * (rounds[k] - rounds[k - 1]))


_KEPT: list[Any] = [None, []]  # the table asked about last, and its rows: findings ask many times


def _records(rows: Rows) -> list[Row]:
    if _KEPT[0] is not rows:
        _KEPT[:] = [rows, rows.to_pylist()]
    return list(_KEPT[1])
