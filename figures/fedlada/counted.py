"""Rounds to targets, for Tables 1, 7 and 12."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from figures.fedlada import measures, printed, settings
from figures.findings import vote
from figures.tables import Cell, Sheet

__all__ = ["SGD", "faster", "least", "rounds", "sheet", "told"]

SGD = ("fedavg", "fedprox", "scaffold", "fedcm")  # plain steps on clients and server
Rounds = Mapping[str, Sequence[Sequence[float]]]


def rounds(rows: Any, kind: str, tasks: Sequence[str] = settings.TASKS) -> dict[str, list[list[float]]]:
    """Of each method: a list a task of the rounds of each seed."""
    return {name: [measures.reached(rows, kind, task, name) for task in tasks] for name in settings.METHODS}


def least(found: Rounds, names: Sequence[str]) -> list[list[float]]:
    """The fewest rounds of these methods, of each task and seed."""
    return [measures.each(min, task) for task in zip(*(found[name] for name in names), strict=True)]


def faster(
    claim: str, other: str, theirs: Sequence[Sequence[float]], ours: Sequence[Sequence[float]], by: float
) -> Any:
    """Whether FedLADA is ``by`` times as fast."""
    ratios = measures.speedup(theirs, ours)
    check = f"with each seed: {other}'s rounds over FedLADA's, geometric mean over data sets, at least {by:g}"
    return vote(claim, check, [value - by for value in ratios], {f"over {other}": measures.mean(ratios)})


def told(found: Rounds, names: Sequence[str], tasks: Sequence[str] = settings.TASKS) -> dict[str, float]:
    """Mean rounds, for a finding."""
    return {
        f"{settings.NAMES[name]}, {settings.TITLES[task]}": measures.mean(one)
        for name in names
        for task, one in zip(tasks, found[name], strict=True)
    }


def sheet(rows: Any, kinds: Sequence[str]) -> Sheet:
    """A row a method, a column a data set and kind; never where a seed never gets there."""
    found = {kind: rounds(rows, kind) for kind in kinds}
    columns = [(task, kind) for task in settings.TASKS for kind in kinds]
    lines = [
        (
            settings.NAMES[name],
            [
                Cell(
                    measures.mean(found[kind][name][settings.TASKS.index(task)]),
                    float(printed.ROUNDS[kind][task][name]),
                )
                for task, kind in columns
            ],
        )
        for name in settings.METHODS
    ]
    head = ["Rounds", *(f"{settings.TITLES[task]}, {kind}" for task, kind in columns)]
    return Sheet(head, lines, ".0f", "min", [_targets(rows, columns)])


def _targets(rows: Any, columns: Sequence[tuple[str, str]]) -> str:
    """Which targets ours count to."""
    parts = []
    for task, kind in columns:
        aim = measures.target(rows, kind, task)
        word = f"loss {aim:.2f} (FedAvg's final)" if kind == "train" else f"{100 * aim:.1f} %"
        own = "98 %" if kind == "train" else f"{printed.TARGETS[kind][task]:g} %"
        parts.append(f"{settings.TITLES[task]} {word}, printed {own}")
    return f"Targets: {'; '.join(parts)}. Test targets: the printed ones times our FedAvg over the printed FedAvg."
