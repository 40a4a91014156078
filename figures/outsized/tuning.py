"""Tuned server rates: least mean loss over the last rounds with the first seed (8.3, 9.2), then run with all seeds.

A table has a row a run and measured round: task, method, gamma, eta, seed, status, round, loss (`table`). A figure's
``then`` asks for the other seeds of what was picked (`others`); its findings pick again from the table (`constant`,
`decayed`) and find the same, since the first seed alone decides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from figures import series, tuning
from figures.outsized import settings
from figures.records import Columns, Keys, Row, Table, Trained

__all__ = ["Tuned", "constant", "curve", "decayed", "first", "others", "start", "table"]

COLUMNS = ("task", "method", "gamma", "eta", "seed")
UPDATE, DECAY = "local-update", "local-update-decay"


@dataclass(frozen=True)
class Tuned:
    """The best server rate of a client rate, and the curve of the two."""

    gamma: float
    eta: float
    curve: series.Curve


def table(scale: str, results: Sequence[Trained]) -> Columns:
    """Each run's loss as its task measures it, in the column ``loss``."""
    columns: dict[str, Any] = {}
    for name in ("loss", "loss_before"):
        part = series.long([run for run in results if _measure(run) == name], COLUMNS, (name,))
        part["loss"] = part.pop(name)
        columns = {key: columns.get(key, []) + values for key, values in part.items()}
    return columns


def _measure(run: Trained) -> str:
    return settings.measure(run.keys["task"])


def others(scale: str, results: Sequence[Trained]) -> list[Keys]:
    """The remaining seeds of what the first one picks, for ``then``."""
    import pyarrow as pa

    rows, wanted = pa.table(table(scale, results)), set()
    for task, method in dict.fromkeys((run.keys["task"], run.keys["method"]) for run in results):
        if method == DECAY:
            gamma, eta = start(rows, task)
            wanted.add((task, method, gamma, eta))
        else:
            wanted |= {(task, method, gamma, eta) for gamma, eta in _best(rows, task, method).items()}
    have = {_named(run.keys, run.keys["seed"]) for run in results}
    best = [run.keys for run in results if _named(run.keys) in wanted]
    configs = [{**keys, "seed": seed} for keys in best for seed in settings.seeds(scale)]
    fresh = {_named(keys, keys["seed"]): keys for keys in configs if _named(keys, keys["seed"]) not in have}
    return list(fresh.values())


def _named(keys: Any, *more: Any) -> tuple[Any, ...]:
    return (keys["task"], *(keys[name] for name in COLUMNS[1:-1]), *more)


def constant(rows: Table, task: str) -> dict[float, Tuned]:
    """LocalUpdate with each client rate, its server rate tuned."""
    best = _best(rows, task, UPDATE)
    return {gamma: Tuned(gamma, eta, curve(rows, task, UPDATE, gamma, eta)) for gamma, eta in sorted(best.items())}


def decayed(rows: Table, task: str) -> Tuned:
    """LocalUpdateDecay from the largest client rate that does not diverge, its server rate tuned."""
    gamma, eta = start(rows, task)
    return Tuned(gamma, eta, curve(rows, task, DECAY, gamma, eta))


def start(rows: Table, task: str) -> tuple[float, float]:
    """The largest client rate whose training loss ends below its start with the best server rate, and that rate.

    The least rate where all end above it.
    """
    best = _best(rows, task, DECAY)
    for gamma in sorted(best, reverse=True):
        curve = first(rows, task, DECAY, gamma, best[gamma])
        if curve.end < curve.mean[0]:
            return gamma, best[gamma]
    return min(best), best[min(best)]


def _best(rows: Table, task: str, method: str) -> dict[float, float]:
    """The server rate of each client rate."""
    pairs = sorted((gamma, eta) for place, kind, gamma, eta in _settings(rows) if (place, kind) == (task, method))
    return tuning.best((gamma, eta, -_final_loss(rows, task, method, gamma, eta)) for gamma, eta in pairs)


def _final_loss(rows: Table, task: str, method: str, gamma: float, eta: float) -> float:
    end = first(rows, task, method, gamma, eta).end
    return math.inf if math.isnan(end) else end


def first(rows: Table, task: str, method: str, gamma: float, eta: float) -> series.Curve:
    """The first seed of one setting."""
    return series.curve(_settings(rows)[task, method, gamma, eta], "loss", seed=0)


def curve(rows: Table, task: str, method: str, gamma: float, eta: float) -> series.Curve:
    """All seeds of one setting."""
    return series.curve(_settings(rows)[task, method, gamma, eta], "loss")


class _Rows(list[Row]):
    """Some rows of a table, for `series.curve`."""

    def to_pylist(self) -> list[Row]:
        """As a table has it."""
        return self


_KEPT: list[Any] = [None, {}]  # the table asked about last, and its rows by setting


def _settings(rows: Table) -> dict[tuple[Any, ...], _Rows]:
    if _KEPT[0] is not rows:
        by_setting: dict[tuple[Any, ...], _Rows] = {}
        for row in rows.to_pylist():
            by_setting.setdefault(_named(row), _Rows()).append(row)
        _KEPT[:] = [rows, by_setting]
    kept: dict[tuple[Any, ...], _Rows] = _KEPT[1]
    return kept
