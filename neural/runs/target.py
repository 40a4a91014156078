"""Rounds to a target: the first round in which a measure is as good as was asked for."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from surrogate.kit.errors import problem

__all__ = ["Target", "rounds_to"]


@dataclass(frozen=True)
class Target:
    """``value`` of ``measure``: of the loss, or of another column of a run's rows."""

    value: float
    measure: str = "loss"

    @classmethod
    def of(cls, text: str) -> Target:
        """From the command line.

        >>> Target.of("0.5"), Target.of("accuracy=0.8")
        (Target(value=0.5, measure='loss'), Target(value=0.8, measure='accuracy'))
        """
        measure, _, value = text.rpartition("=")
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise problem(
                "the target", repr(text), "a number, or MEASURE=NUMBER", "a slip", "write 0.5, or accuracy=0.8"
            )
        return cls(number, measure.strip() or "loss")

    def rounds(self, rows: Sequence[Mapping[str, Any]], manifest: Mapping[str, Any]) -> float:
        """Of a run that has ended: see `rounds_to`; infinite where it diverged, whatever came before."""
        better = manifest.get("better", {}).get(self.measure, "min")
        found = rounds_to(rows, self.value, self.measure, better)
        return found if math.isnan(found) or manifest["status"] != "diverged" else math.inf


def rounds_to(rows: Sequence[Mapping[str, Any]], value: float, measure: str = "loss", better: str = "min") -> float:
    """The first round that measured ``value`` or better; infinite if none did, NaN where none measured it at all.

    >>> rounds_to([{"round": 0, "loss": 3.0}, {"round": 1}, {"round": 2, "loss": 1.0}], 2.5)
    2.0
    """
    known = [(row["round"], row[measure]) for row in rows if measure in row]
    met = (t for t, found in known if (found <= value if better == "min" else found >= value))
    return float(next(met, math.inf)) if known else math.nan
