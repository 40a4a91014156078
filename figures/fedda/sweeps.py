"""Figures 5 and 6: FedDA's final accuracy as the local iterations, or the rounds, grow; each optimizer at its rates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from figures import curves, series, style
from figures.fedda import settings, tuning
from figures.records import Drawing, Keys, Table, Trained

__all__ = ["Made", "draw", "ends", "rows_of", "runs", "then"]

OURS = "Below paper scale clients and networks are ours."

# From task, optimizer, rates and seed to the runs along the axis.
Made = Callable[[str, str, str, dict[str, float], int], list[Keys]]


def runs(scale: str, along: Made) -> list[Keys]:
    """FedDA's grids, which other figures share; where rates are given, the runs themselves."""
    chosen = [
        (task, optimizer, rates)
        for task in settings.TASKS
        for optimizer in settings.OPTIMIZERS
        for rates in settings.grid(task, scale, "fedda", optimizer)
    ]
    if settings.tunes(scale):
        return [settings.run(task, scale, "fedda", optimizer, rates) for task, optimizer, rates in chosen]
    return [one for task, optimizer, rates in chosen for one in along(task, scale, optimizer, rates, 0)]


def then(scale: str, results: Sequence[Trained], along: Made) -> list[Keys]:
    """At the best rates, with all seeds."""
    if not settings.tunes(scale):
        return []
    return [
        one
        for (task, _, optimizer), rates in tuning.best(results).items()
        for seed in settings.seeds(scale)
        for one in along(task, scale, optimizer, rates, seed)
    ]


def rows_of(scale: str, results: Sequence[Trained], along: Made, axis: str) -> dict[str, list[Any]]:
    """One row a run shown and measured round; ``axis``: "steps" or "rounds"."""
    finals = results[len(runs(scale, along)) :] if settings.tunes(scale) else results
    return tuning.by_task(finals, ("task", "optimizer", axis))


def ends(rows: Table, axis: str, task: str, optimizer: str) -> tuple[list[int], np.ndarray]:
    """The axis, and the last value at each of its points, (seeds, points); 0 where a run diverged."""
    mine = [row for row in rows.to_pylist() if (row["task"], row["optimizer"]) == (task, optimizer)]
    points = sorted({int(row[axis]) for row in mine})
    columns = []
    for point in points:
        one = series.curve(rows, "value", task=task, optimizer=optimizer, **{axis: point})
        columns.append(np.zeros(len(one.each)) if one.diverged else one.each[:, -1])
    return points, np.array(columns, dtype=float).T


def draw(rows: Table, axis: str, name: str, about: str) -> Drawing:
    """A panel a data set, a line an optimizer."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 3, figsize=(9.0, 3.1))
    looks = curves.looks(list(settings.OPTIMIZERS))
    for ax, task in zip(axes, settings.TASKS, strict=True):
        for optimizer, marker in zip(settings.OPTIMIZERS, "osv", strict=True):
            points, values = ends(rows, axis, task, optimizer)
            curve = series.Curve(np.array(points), values)
            curves.line(ax, curve, looks[optimizer], settings.WORDS[optimizer]).set(marker=marker, markersize=4)
        ax.set(title=settings.TITLES[task], xlabel=name, ylim=(0, None))
        if axis == "steps":
            ax.set_xticks(points)
    axes[0].set_ylabel("final accuracy")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center")
    style.sourced(figure, rows, f"Accuracy on Stack Overflow: recall at 5. {about} {OURS} {curves.BAND}")
    return figure
