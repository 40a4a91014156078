"""Tuned rates: the best of each grid by test accuracy with seed 0, as in the paper; then run with the other seeds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from figures import series
from figures.fedlamb import settings
from figures.fedlamb.settings import Panel
from figures.records import Keys, Rates, Trained

__all__ = ["runs", "table", "then"]

Names = Sequence[str]
LABELS = ("task", "deal", "epochs", "method", "rates", "seed")


def runs(panels: Sequence[Panel], scale: str, names: Names = tuple(settings.METHODS)) -> list[Keys]:
    """The grids of all panels that are tuned, with the first seed."""
    first = settings.seeds(scale)[0]
    return [
        settings.keys(panel, name, rates, first, scale)
        for panel in dict.fromkeys(settings.lender(panel, scale) for panel in panels)
        for name in names
        for rates in settings.grid(name, panel, scale)
    ]


def then(
    panels: Sequence[Panel], scale: str, results: Sequence[Trained], names: Names = tuple(settings.METHODS)
) -> list[Keys]:
    """Each panel's methods at the picked rates: the seeds that the grid has not run."""
    have = [dict(run.keys) for run in results]
    configs = [
        settings.keys(panel, name, _best(panel, name, scale, results), seed, scale)
        for panel in panels
        for name in names
        for seed in settings.seeds(scale)
    ]
    return [one for one in configs if {"scale": scale, **one} not in have]


def table(
    panels: Sequence[Panel], scale: str, results: Sequence[Trained], names: Names = tuple(settings.METHODS)
) -> dict[str, Any]:
    """A row a panel, method, seed and round, at the picked rates: its accuracy."""
    finals = []
    for panel in panels:
        for name in names:
            rates = _best(panel, name, scale, results)
            words = ", ".join(f"{key} {value:g}" for key, value in rates.items())
            for seed in settings.seeds(scale):
                values = (panel.task, panel.deal, panel.epochs, name, words, seed)
                run = _found(results, settings.keys(panel, name, rates, seed, scale), scale)
                finals.append(replace(run, keys=dict(zip(LABELS, values, strict=True))))
    return series.long(finals, LABELS, ("accuracy",))


def _best(panel: Panel, name: str, scale: str, results: Sequence[Trained]) -> Rates:
    lender, first = settings.lender(panel, scale), settings.seeds(scale)[0]

    def score(rates: Rates) -> float:
        run = _found(results, settings.keys(lender, name, rates, first, scale), scale)
        return -math.inf if run.status == "diverged" else series.tail(*run.series("accuracy"))

    return max(settings.grid(name, panel, scale), key=score)


def _found(results: Sequence[Trained], keys: Mapping[str, Any], scale: str) -> Trained:
    wanted = {"scale": scale, **keys}
    return next(run for run in results if dict(run.keys) == wanted)
