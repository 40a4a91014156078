"""Scores of each seed that findings compare: rounds to an accuracy, and the final accuracy."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from figures import series
from figures.fedlamb import settings
from figures.fedlamb.settings import METHODS, Panel
from figures.records import Scalar, Table

__all__ = ["LEARNT", "OURS", "Scores", "chance", "less"]

OURS = "FED-LAMB"
NEAR = 0.9  # of the best accuracy: what rounds are counted to
LEARNT = 2.0  # times chance


def chance(rows: Table, task: str) -> float:
    """The accuracy of guessing among the classes of a table's task."""
    return 1 / settings.classes(task, (rows.schema.metadata or {}).get(b"scale", b"laptop").decode())


class Scores:
    """The curves of one panel of a table."""

    def __init__(self, rows: Table, panel: Panel, names: Sequence[str] = tuple(METHODS)) -> None:
        self.rows, self.task = rows, panel.task
        where: dict[str, Scalar] = {"task": panel.task, "deal": panel.deal, "epochs": panel.epochs}
        self.curves = {name: series.curve(rows, "accuracy", method=name, **where) for name in names}

    def finals(self, name: str) -> list[float]:
        """Mean accuracy of each seed over the last fifth of the measured rounds; 0 for a method that diverged."""
        curve = self.curves[name]
        last = math.ceil(len(curve.rounds) / 5)
        return [0.0 if curve.diverged else float(path[-last:].mean()) for path in curve.each]

    def final(self, name: str) -> float:
        """The mean of these."""
        return sum(self.finals(name)) / len(self.finals(name))

    def to(self, name: str, target: float | Sequence[float]) -> list[float]:
        """Rounds to an accuracy, of each seed; ``target`` may be one a seed."""
        curve = self.curves[name]
        targets = [target] * len(curve.each) if isinstance(target, float) else target
        pairs = zip(curve.each, targets, strict=True)
        return [
            math.inf if curve.diverged else series.rounds_to(curve.rounds, path, goal, "max") for path, goal in pairs
        ]

    @property
    def near(self) -> float:
        """0.9 times the best method's final accuracy."""
        return NEAR * float(np.max([self.final(name) for name in self.curves]))

    @property
    def others(self) -> list[str]:
        """All but FED-LAMB."""
        return [name for name in self.curves if name != OURS]

    def sooner(self, target: float | None = None) -> list[float]:
        """By how many rounds FED-LAMB is the first to reach ``target`` (near the best), of each seed."""
        target = self.near if target is None else target
        rivals = np.min([self.to(name, target) for name in self.others], axis=0)
        return [less(ours, rival) for ours, rival in zip(self.to(OURS, target), rivals, strict=True)]

    def better(self) -> list[float]:
        """By how much FED-LAMB's final accuracy is the highest, of each seed."""
        rivals = np.max([self.finals(name) for name in self.others], axis=0)
        return [float(ours - rival) for ours, rival in zip(self.finals(OURS), rivals, strict=True)]

    def learnt(self) -> bool:
        """Whether any method ends at twice the accuracy of chance, or more."""
        return max(self.final(name) for name in self.curves) >= LEARNT * chance(self.rows, self.task)


def less(ours: float, other: float) -> float:
    """How much less ``ours`` is; unknown (NaN) where both are infinite."""
    return math.nan if math.isinf(ours) and math.isinf(other) else float(other - ours)
