"""FedDA's final accuracy as the number of local iterations varies, on three data sets."""

from __future__ import annotations

import math
from collections.abc import Sequence

from figures.fedda import settings, sweeps
from figures.figure import Figure
from figures.findings import Finding, judge
from figures.records import Columns, Drawing, Keys, Table, Trained

CLAIMS = {
    "inner": "accuracy first rises with the local iterations, then stays or drops: there is a suitable number",
    "collapse": "on EMNIST, accuracy with SGDM and AdaGrad is close to 0 beyond 10 local iterations",
}

STEPS: dict[str, dict[str, tuple[int, ...]]] = {
    "smoke": {settings.CIFAR: (1, 5), settings.EMNIST: (1, 10), settings.TAGS: (1, 5)},
    "laptop": {settings.CIFAR: (1, 5, 20), settings.EMNIST: (1, 5, 10, 20), settings.TAGS: (1, 5, 20)},
    "paper": {task: (1, 2, 5, 10, 20) for task in settings.TASKS},  # A.5's sweep
}
LEVEL = 1.05  # times the best before it: more than that still rises
MOST = 2 / 3  # of the nine curves
NEAR = 0.25  # of the best number's accuracy: close to 0


def _made(task: str, scale: str, optimizer: str, rates: dict[str, float], seed: int) -> list[Keys]:
    return [settings.run(task, scale, "fedda", optimizer, rates, seed, steps=T) for T in STEPS[scale][task]]


def runs(scale: str) -> list[Keys]:
    """FedDA's grids of the convergence figures."""
    return sweeps.runs(scale, _made)


def then(scale: str, results: Sequence[Trained]) -> list[Keys]:
    """Other numbers of local iterations, at the rates that are best for the usual one."""
    return sweeps.then(scale, results, _made)


def table(scale: str, results: Sequence[Trained]) -> Columns:
    """One row a run that is shown and a measured round."""
    return sweeps.rows_of(scale, results, _made, "steps")


def findings(rows: Table) -> list[Finding]:
    """Counted over the nine curves, means over seeds."""
    shaped, missing = 0, False
    for task in settings.TASKS:
        for optimizer in settings.OPTIMIZERS:
            mean = sweeps.ends(rows, "steps", task, optimizer)[1].mean(axis=0)
            shaped += bool(mean.max() > mean[0] and mean[-1] <= LEVEL * mean[:-1].max())
            missing = missing or math.isnan(mean.sum())
    share = math.nan if missing else shaped / 9
    fallen = {}
    for optimizer in ("sgdm", "adagrad"):
        points, values = sweeps.ends(rows, "steps", settings.EMNIST, optimizer)
        mean = values.mean(axis=0)
        fallen[f"{settings.WORDS[optimizer]}, {points[-1]} iterations"] = float(mean[-1])
        fallen[f"{settings.WORDS[optimizer]}, best"] = float(mean.max())
    ends, bests = list(fallen.values())[::2], list(fallen.values())[1::2]
    return [
        judge(
            CLAIMS["inner"],
            "more with some number than with the least, and with the largest at most 1.05 times the best below it: "
            "in two thirds of the nine curves",
            share >= MOST,
            {"share of the curves": share},
        ),
        judge(
            CLAIMS["collapse"],
            f"with the largest number ({points[-1]}) accuracy is at most a quarter of that with the best number",
            all(end <= NEAR * best for end, best in zip(ends, bests, strict=True)),
            fallen,
            unless=not all(bests),
        ),
    ]


def draw(rows: Table) -> Drawing:
    """A panel a data set."""
    return sweeps.draw(
        rows,
        "steps",
        "local iterations $T$",
        "Rates are those that are best for Table 12's number of local iterations, rounds ours.",
    )


FIGURE = Figure(
    module=__name__,
    id="DA.F5",
    title="FedDA's final accuracy with varying numbers of local iterations",
    alt="Three panels, CIFAR-100, EMNIST and Stack Overflow: final accuracy of FedDA against the number of local "
    "iterations, one line an optimizer. Whether the lines rise first and then level off or fall is told by the "
    "findings below, for the scale and data that the figure names.",
    claims=CLAIMS,
    flagship=True,
    statements=("DA.D1", "DA.E28"),
    runs=runs,
    then=then,
    table=table,
    findings=findings,
    draw=draw,
)
