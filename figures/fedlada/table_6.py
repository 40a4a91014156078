r"""Table 6: FedAvg, FedCM, FedAdam and FedLADA: rounds to convergence, the accuracy there, and the accuracy at the end.

Convergence on the training data is taken as in our Table 1: FedAvg's final training loss.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

from figures.fedlada import measures, printed, settings
from figures.figure import Figure
from figures.findings import Finding, vote
from figures.records import Table
from figures.tables import Cell, Sheet

CLAIMS = {
    "end": "after 1,500 rounds FedLADA has the best accuracy on each data set",
    "rounds": "FedLADA converges in the fewest rounds on each data set",
    "generalises": "FedLADA still generalises after the algorithms converge: above FedAvg's accuracy there",
}

SHOWN = ("fedavg", "fedcm", "fedopt-adam", "fedlada")


def there(rows: Table, task: str, name: str) -> list[float]:
    """Each seed's test accuracy (%) at the round where it converges, by straight lines; NaN where it never does."""
    rounds = measures.reached(rows, "train", task, name)
    curve = measures.curve(rows, "accuracy", task, name)
    return [
        100 * float(np.interp(at, curve.rounds, one)) if math.isfinite(at) else math.nan
        for at, one in zip(rounds, curve.each, strict=True)
    ]


def findings(rows: Table) -> list[Finding]:
    """Each data set and seed for itself."""
    pairs = [(task, name) for task in settings.TASKS for name in SHOWN]
    end = {pair: measures.accuracies(rows, *pair) for pair in pairs}
    rounds = {pair: measures.reached(rows, "train", *pair) for pair in pairs}
    at = {(task, name): there(rows, task, name) for task in settings.TASKS for name in ("fedavg", "fedlada")}
    return [
        vote(
            CLAIMS["end"],
            "on each data set, with each seed: the highest final accuracy",
            _lead(end, max),
            _numbers(end),
        ),
        vote(
            CLAIMS["rounds"],
            "on each data set, with each seed: the fewest rounds",
            _lead(rounds, min),
            _numbers(rounds),
        ),
        vote(
            CLAIMS["generalises"],
            "on each data set, with each seed: the accuracy where it converges is above FedAvg's where that does",
            measures.worst([measures.ahead(at[task, "fedlada"], at[task, "fedavg"]) for task in settings.TASKS]),
            _numbers(at),
        ),
    ]


def _lead(by_setting: dict[tuple[str, str], list[float]], best: Callable[[Iterable[float]], float]) -> list[float]:
    """By how much FedLADA is beyond the best of the others, where it is least; ``best``: max or min."""
    margins = []
    for task in settings.TASKS:
        others = measures.each(best, [by_setting[task, name] for name in SHOWN if name != "fedlada"])
        pair = (by_setting[task, "fedlada"], others)
        margins.append(measures.ahead(*(pair if best is max else pair[::-1])))
    return measures.worst(margins)


def _numbers(by_setting: dict[tuple[str, str], list[float]]) -> dict[str, float]:
    return {
        f"{settings.NAMES[name]}, {settings.TITLES[task]}": measures.mean(one)
        for (task, name), one in by_setting.items()
    }


def sheet(rows: Table) -> Sheet:
    """A row a method and data set."""
    lines = []
    for task in settings.TASKS:
        for name in SHOWN:
            rounds, accuracy = printed.CONVERGED[task][name]
            ours = measures.mean(measures.reached(rows, "train", task, name))
            cells = [
                Cell(f"{ours:.0f}".replace("inf", "never"), str(rounds)),
                Cell(measures.mean(there(rows, task, name)), accuracy),
                Cell(measures.mean(measures.accuracies(rows, task, name)), printed.FINAL[task][name]),
            ]
            lines.append((f"{settings.TITLES[task]}, {settings.NAMES[name]}", cells))
    head = ["", "rounds to converge", "accuracy there (%)", "accuracy at the end (%)"]
    return Sheet(head, lines, notes=["Converged: at FedAvg's final training loss; the paper does not say at what."])


FIGURE = Figure(
    module=__name__,
    id="LADA.T6",
    title="Accuracy at convergence and at the end: FedAvg, FedCM, FedAdam, FedLADA",
    alt="A table with a row a method and data set: the rounds until the training data is fitted, the test accuracy "
    "there, and the test accuracy at the end of the run, each beside the number that the paper prints. A dash stands "
    "where the training data was never fitted.",
    claims=CLAIMS,
    flagship=True,
    statements=("LADA.N6", "LADA.N8"),
    runs=partial(settings.longest, methods=SHOWN),  # of Table 1
    table=measures.table,
    findings=findings,
    sheet=sheet,
)
