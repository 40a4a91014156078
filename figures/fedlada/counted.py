"""Rounds to a target accuracy or loss, for Tables 1, 7 and 12."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from figures.fedlada import measures, printed, settings
from figures.findings import Finding, vote
from figures.records import Table
from figures.tables import Cell, Sheet

__all__ = ["SGD", "along", "dashes", "faster", "least", "mean_rounds", "rounds", "sheet"]

SGD = ("fedavg", "fedprox", "scaffold", "fedcm")  # plain steps on clients and server
Rounds = Mapping[str, Sequence[Sequence[float]]]


def rounds(rows: Table, kind: str, tasks: Sequence[str] = settings.TASKS) -> dict[str, list[list[float]]]:
    """Of each method: a list a task of the rounds of each seed."""
    return {name: [measures.reached(rows, kind, task, name) for task in tasks] for name in settings.METHODS}


def least(by_method: Rounds, names: Sequence[str]) -> list[list[float]]:
    """The fewest rounds of these methods, of each task and seed."""
    return [measures.each(min, task) for task in zip(*(by_method[name] for name in names), strict=True)]


def faster(claim: str, other: str, by_method: Rounds, kind: str, names: Sequence[str], by: float) -> Finding:
    """Whether FedLADA is ``by`` times as fast as the fastest of these methods; beside it, what the print itself gives.

    The paper's factors are more than its own table gives as a mean: Table 1's 1.1 and 1.5 are TinyImageNet's.
    """
    ratios, (theirs,) = (_ahead(rounds, names) for rounds in (by_method, _in_print(kind)))
    check = f"with each seed: {other}'s rounds over FedLADA's, geometric mean over data sets, at least {by:g}"
    if theirs < by:
        check += f" (the text's factor; the printed table itself has {theirs:.2f})"
    numbers = {f"over {other}": measures.mean(ratios), "in print": theirs}
    return vote(claim, check, [value - by for value in ratios], numbers)


def _ahead(by_method: Rounds, names: Sequence[str]) -> list[float]:
    return measures.speedup(least(by_method, names), by_method["fedlada"])


def _in_print(kind: str) -> Rounds:
    """Printed rounds as if they were of one seed."""
    table = printed.ROUNDS[kind]
    return {name: [[float(table[task][name])] for task in settings.TASKS] for name in settings.METHODS}


def along(
    name: str, ours: Mapping[float, Sequence[float]], theirs: Mapping[float, float], form: str = ".1f", best: Any = None
) -> Sheet:
    """One row over alpha, as printed."""
    alphas = sorted({*ours, *theirs})
    cells = [Cell(measures.mean(ours[a]) if a in ours else None, theirs.get(a)) for a in alphas]
    return Sheet(["alpha", *(f"{a:g}" for a in alphas)], [(name, cells)], form, best, dashes(theirs, ours))


def dashes(printed: Iterable[Any], ours: Iterable[Any]) -> list[str]:
    """A note where we did not run all that is printed."""
    return [] if set(printed) <= set(ours) else ["A dash: not run at this scale."]


def mean_rounds(by_method: Rounds, names: Sequence[str], tasks: Sequence[str] = settings.TASKS) -> dict[str, float]:
    """Mean rounds, for a finding."""
    return {
        f"{settings.NAMES[name]}, {settings.TITLES[task]}": measures.mean(one)
        for name in names
        for task, one in zip(tasks, by_method[name], strict=True)
    }


def sheet(rows: Table, kinds: Sequence[str]) -> Sheet:
    """A row a method, a column a data set and kind; never where a seed never gets there."""
    by_kind = {kind: rounds(rows, kind) for kind in kinds}
    columns = [(task, kind) for task in settings.TASKS for kind in kinds]
    lines = [
        (
            settings.NAMES[name],
            [
                Cell(
                    measures.mean(by_kind[kind][name][settings.TASKS.index(task)]),
                    float(printed.ROUNDS[kind][task][name]),
                )
                for task, kind in columns
            ],
        )
        for name in settings.METHODS
    ]
    head = ["Rounds", *(f"{settings.TITLES[task]}, {kind}" for task, kind in columns)]
    return Sheet(head, lines, ".0f", "min", [_targets(rows, columns)])


def _targets(rows: Table, columns: Sequence[tuple[str, str]]) -> str:
    """Which targets ours count to."""
    parts = []
    for task, kind in columns:
        aim = measures.target(rows, kind, task)
        word = f"loss {aim:.2f} (FedAvg's final)" if kind == "train" else f"{100 * aim:.1f} %"
        theirs = "98 %" if kind == "train" else f"{printed.TARGETS[kind][task]:g} %"
        parts.append(f"{settings.TITLES[task]} {word}, printed {theirs}")
    return f"Targets: {'; '.join(parts)}. Test targets: the printed ones times our FedAvg over the printed FedAvg."
