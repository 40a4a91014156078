"""LAMB Table 1: test accuracy of ResNets at the end of training, the runs of Figure 4."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from figures.fedlamb import printed, settings, tuning, verdicts
from figures.fedlamb.scores import LEARNT, chance
from figures.fedlamb.settings import Panel
from figures.figure import Figure
from figures.findings import Finding, judge, vote
from figures.records import Columns, Table, Trained
from figures.tables import Cell, Sheet

CLAIMS = {
    "highest": "FED-LAMB achieves the highest accuracy on both datasets",
    "tiny": "on TinyImageNet: FED-LAMB (76 %), Adp-Fed (74 %), Fed-SGD (68 %), Fed-AMS (65 %), in this order",
}

PANELS = tuple(Panel(task, "one_class") for task in settings.PHOTOGRAPHS)


def table(scale: str, results: Sequence[Trained]) -> Columns:
    """A row a data set, method and seed: the accuracy after the last round."""
    columns = tuning.table(PANELS, scale, results)
    last = max(columns["round"])
    kept = [k for k, status in enumerate(columns["status"]) if status == "done" and columns["round"][k] == last]
    return {name: [columns[name][k] for k in kept] for name in ("task", "method", "rates", "seed", "round", "accuracy")}


def findings(rows: Table) -> list[Finding]:
    """On accuracies after the last round; a run that diverged counts as 0."""
    from itertools import pairwise

    ends = {task: {name: _ends(rows, task, name) for name in settings.METHODS} for task in settings.PHOTOGRAPHS}
    means = {task: {name: _mean(values) for name, values in own.items()} for task, own in ends.items()}
    tiny = means[settings.TINY]
    order = sorted(printed.FINAL[settings.TINY], key=lambda name: -printed.FINAL[settings.TINY][name][0])
    steps = [tiny[a] > tiny[b] for a, b in pairwise(order)]
    return [
        _highest(rows, ends, means),
        judge(
            CLAIMS["tiny"],
            "TinyImageNet, mean accuracy over seeds: the same order",
            all(steps),
            _unless(rows, settings.TINY, tiny, {name: 100 * tiny[name] for name in order}),
        ),
    ]


def _highest(rows: Table, ends: Any, means: Any) -> Finding:
    margins: list[list[float]] = []
    numbers: dict[str, float] = {}
    for task, own in ends.items():
        rivals = zip(*(own[name] for name in own if name != "FED-LAMB"), strict=True)
        margins.append([a - max(b) for a, b in zip(own["FED-LAMB"], rivals, strict=True)])
        percents = {f"{settings.TITLES[task]}, {name}": 100 * value for name, value in means[task].items()}
        numbers |= _unless(rows, task, means[task], percents)
    check = "with each seed, on both: the highest accuracy after the last round (some method at twice chance or more)"
    return vote(CLAIMS["highest"], check, verdicts.worst(margins), numbers)


def _unless(rows: Table, task: str, means: dict[str, float], numbers: dict[str, float]) -> dict[str, float]:
    """Numbers with a missing one where no method has learnt, so that the finding is inconclusive."""
    from math import nan

    best = max(means.values())
    return (
        numbers
        if best >= LEARNT * chance(rows, task)
        else {**numbers, f"{settings.TITLES[task]}: more than chance": nan}
    )


def _ends(rows: Table, task: str, name: str) -> list[float]:
    by_seed = {row["seed"]: row["accuracy"] for row in rows.to_pylist() if (row["task"], row["method"]) == (task, name)}
    return [by_seed.get(seed, 0.0) for seed in sorted(set(rows["seed"].to_pylist()))]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def sheet(rows: Table) -> Sheet:
    """Rows and columns as in the paper."""
    from statistics import stdev

    lines = []
    for task in settings.PHOTOGRAPHS:
        cells = []
        for name in settings.METHODS:
            ends = [100 * value for value in _ends(rows, task, name)]
            spread = f" ± {stdev(ends):.2f}" if len(ends) > 1 else ""
            cells.append(Cell(f"{_mean(ends):.2f}{spread}", "{:.2f} ± {:.2f}".format(*printed.FINAL[task][name])))
        lines.append((settings.TITLES[task].split(" + ")[0], cells))
    note = f"Accuracy in per cent after round {max(rows['round'].to_pylist())}; mean and deviation over seeds."
    return Sheet(("", *settings.METHODS), lines, notes=[note])


FIGURE = Figure(
    module=__name__,
    id="LAMB.T1",
    title="Test accuracy on ResNet-18, one class a client, at the end of training",
    alt="A table: rows CIFAR-10 and TinyImageNet, columns Fed-SGD, Fed-AMS, Adp-Fed and FED-LAMB; in each cell our "
    "mean accuracy over seeds in per cent with its standard deviation, and in brackets what the paper prints.",
    claims=CLAIMS,
    flagship=True,
    statements=("LAMB.A1", "LAMB.A2"),
    runs=partial(tuning.runs, PANELS),
    then=partial(tuning.then, PANELS),
    table=table,
    findings=findings,
    sheet=sheet,
)
