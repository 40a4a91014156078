"""FedDA's final accuracy as the number of training rounds varies, on three data sets: each with its own tail."""

from __future__ import annotations

import math
from collections.abc import Sequence

from figures.fedda import settings, sweeps
from figures.figure import Figure
from figures.findings import Finding, judge
from figures.records import Columns, Drawing, Keys, Table, Trained

CLAIMS = {"grows": "the accuracy with each optimizer keeps increasing with the number of training rounds"}

# The paper's axes go from 100 to 2000, 10 to 1000 and 50 to 1000; which numbers lie between is ours.
ROUNDS: dict[str, dict[str, tuple[int, ...]]] = {
    "smoke": {task: (1, 2) for task in settings.TASKS},
    "laptop": {settings.CIFAR: (12, 24, 42), settings.EMNIST: (8, 16, 24), settings.TAGS: (3, 6, 12)},
    "paper": {
        settings.CIFAR: (100, 500, 1000, 1500, 2000),
        settings.EMNIST: (10, 50, 100, 500, 1000),
        settings.TAGS: (50, 100, 250, 500, 1000),
    },
}
OFTEN = 0.9  # of all steps from one number of rounds to the next


def _made(task: str, scale: str, optimizer: str, rates: dict[str, float], seed: int) -> list[Keys]:
    return [settings.run(task, scale, "fedda", optimizer, rates, seed, rounds=R) for R in ROUNDS[scale][task]]


def runs(scale: str) -> list[Keys]:
    """FedDA's grids of the convergence figures."""
    return sweeps.runs(scale, _made)


def then(scale: str, results: Sequence[Trained]) -> list[Keys]:
    """Shorter runs, at the rates that are best for the full length."""
    return sweeps.then(scale, results, _made)


def table(scale: str, results: Sequence[Trained]) -> Columns:
    """One row a run that is shown and a measured round."""
    return sweeps.rows_of(scale, results, _made, "rounds")


def findings(rows: Table) -> list[Finding]:
    """Counted over the nine curves, means over seeds."""
    up, total, ends, missing = 0, 0, 0, False
    for task in settings.TASKS:
        for optimizer in settings.OPTIMIZERS:
            mean = sweeps.ends(rows, "rounds", task, optimizer)[1].mean(axis=0)
            up, total = up + int((mean[1:] > mean[:-1]).sum()), total + len(mean) - 1
            ends += bool(mean[-1] > mean[0])
            missing = missing or math.isnan(mean.sum())
    share = math.nan if missing else up / total
    return [
        judge(
            CLAIMS["grows"],
            "9/10 of the steps from one number of rounds to the next go up, and each of the nine curves ends above "
            "where it starts",
            share >= OFTEN and ends == 9,
            {"steps up": share, "curves that end higher": ends},
        )
    ]


def draw(rows: Table) -> Drawing:
    """A panel a data set."""
    return sweeps.draw(
        rows,
        "rounds",
        "training rounds",
        "Each number of rounds is a run of its own, the last tenth with full batches.",
    )


FIGURE = Figure(
    module=__name__,
    id="DA.F6",
    title="FedDA's final accuracy with varying numbers of training rounds",
    alt="Three panels, CIFAR-100, EMNIST and Stack Overflow: final accuracy of FedDA against the number of training "
    "rounds that it was given, one line an optimizer. How often more rounds end higher is told by the findings below, "
    "for the scale and data that the figure names.",
    claims=CLAIMS,
    flagship=False,  # that accuracy grows with rounds says nothing of FedDA against others
    statements=("DA.D1", "DA.E28"),
    runs=runs,
    then=then,
    table=table,
    findings=findings,
    draw=draw,
)
