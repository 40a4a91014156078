"""Tuned rates: the best of each grid by training loss (A.5), then run with all seeds."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

from figures import series, tuning
from figures.fedda import settings
from figures.records import Keys, Trained

__all__ = ["Setting", "best", "by_task", "labelled", "runs", "table", "then"]

Setting = tuple[str, str, str]  # task, method, optimizer


def best(results: Sequence[Trained]) -> dict[Setting, dict[str, float]]:
    """The rates of each setting whose training loss is least on average over the last rounds; what diverged is last."""
    return tuning.best((_setting(run), _rates(run), -_final_loss(run)) for run in results)


def _setting(run: Trained) -> Setting:
    return (run.keys["task"], *settings.label(dict(run.keys)))


def _rates(run: Trained) -> dict[str, float]:
    return {name: run.keys[name] for name in ("gamma", "eta") if name in run.keys}


def _final_loss(run: Trained) -> float:
    rounds, losses = run.series("loss")
    return math.inf if run.status == "diverged" or not len(losses) else series.tail(rounds, losses)


def runs(task: str, scale: str) -> list[Keys]:
    """Every method at each of its rates, with the first seed."""
    return [
        settings.run(task, scale, method, optimizer, rates)
        for method, optimizer in settings.variants(task)
        for rates in settings.grid(task, scale, method, optimizer)
    ]


def then(scale: str, results: Sequence[Trained]) -> list[Keys]:
    """Every method at its best rates, with all seeds."""
    if not settings.tunes(scale):
        return []
    return [
        settings.run(*_placed(setting, scale), rates, seed)
        for setting, rates in best(results).items()
        for seed in settings.seeds(scale)
    ]


def table(scale: str, results: Sequence[Trained]) -> dict[str, list[Any]]:
    """A row a run shown and measured round: method, optimizer, rates, seed, status, round, loss, value."""
    tried = len(runs(results[0].keys["task"], scale))
    return by_task(results[tried:] if settings.tunes(scale) else results, ("method", "optimizer"))


def by_task(results: Sequence[Trained], names: Sequence[str]) -> dict[str, list[Any]]:
    """Rows of runs of any tasks; ``value`` is the task's own measure."""
    rows: dict[str, list[Any]] = {}
    for run in results:
        measure = settings.MEASURES[run.keys["task"]]
        mine = series.long([labelled(run)], (*names, "gamma", "eta", "seed"), ("loss", measure))
        mine["value"] = mine.pop(measure)
        mine["eta"] = [float(value) for value in mine["eta"]]
        for name, column in mine.items():
            rows.setdefault(name, []).extend(column)
    return rows


def labelled(run: Trained) -> Trained:
    """The run with the names of its method and of its optimizer among its keys."""
    method, optimizer = settings.label(dict(run.keys))
    return dataclasses.replace(run, keys={**run.keys, "method": method, "optimizer": optimizer})


def _placed(setting: Setting, scale: str) -> tuple[str, str, str, str]:
    task, method, optimizer = setting
    return task, scale, method, optimizer
