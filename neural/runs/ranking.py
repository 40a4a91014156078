"""Which settings are best: runs that differ in their seeds alone are one choice, ranked by its mean over them."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Sequence
from typing import Any

from neural.runs.grid import Trial
from surrogate.kit.errors import problem

__all__ = ["OUTCOME", "SEEDS", "best", "checked", "means"]

SEEDS = ("seed", "task_seed")
OUTCOME = ("status", "rounds", "loss", "score", "rounds_to", "folder")  # columns that no grid has
Line = dict[str, Any]


def checked(by: Sequence[str], trials: Sequence[Trial]) -> None:
    """Refuse to group by what the grid does not vary."""
    columns = list(dict.fromkeys(name for trial in trials for name in trial.point))
    for name in by:
        if name not in columns:
            raise problem("--best by", repr(name), f"one of {', '.join(columns)}", "not in the grid", "correct it")


def means(table: Sequence[Line], by: Sequence[str] = ()) -> list[Line]:
    """A line for each setting, in the order of the table: the mean over its seeds, unless ``by`` tells them apart.

    ``score``: of the runs that have one, infinite where one of these diverged; ``spread``: its standard deviation over
    seeds; ``seeds``: how many runs have a score; ``runs``: how many there are; ``folders``: theirs. ``rounds_to``: the
    mean as well, where the table has it.
    """
    groups: dict[str, tuple[Line, list[Line]]] = {}
    for line in table:
        setting = {k: v for k, v in line.items() if k not in OUTCOME and (k not in SEEDS or k in by)}
        groups.setdefault(json.dumps(setting), (setting, []))[1].append(line)
    return [{**setting, **_mean(lines)} for setting, lines in groups.values()]


def best(table: Sequence[Line], by: Sequence[str] = ()) -> list[Line]:
    """The line of `means` with the lowest score of each group that shares the values in the columns ``by``."""
    found: dict[str, Line] = {}
    for line in means(table, by):
        group = json.dumps([line.get(name) for name in by])
        if line["score"] < found.get(group, {"score": math.inf})["score"]:
            found[group] = line
    return list(found.values())


def _mean(lines: Sequence[Line]) -> Line:
    scores = _measured(lines, "score")
    several = len(scores) > 1 and all(map(math.isfinite, scores))
    reached = _measured(lines, "rounds_to")
    return {
        "score": math.fsum(scores) / len(scores) if scores else math.nan,
        "spread": statistics.stdev(scores) if several else None,
        **({"rounds_to": math.fsum(reached) / len(reached)} if reached else {}),
        "seeds": len(scores),
        "runs": len(lines),
        "folders": [line["folder"] for line in lines],
    }


def _measured(lines: Sequence[Line], name: str) -> list[float]:
    return [line[name] for line in lines if not math.isnan(line.get(name, math.nan))]
