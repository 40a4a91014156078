"""Figures 1 to 4, 7 and 8: accuracy and loss of ten methods along the rounds, on three data sets."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from figures.fedda import convergence, tuning
from figures.fedda.settings import CIFAR, EMNIST, TAGS, TITLES
from figures.figure import Figure
from figures.findings import Finding
from figures.records import Table

# Of the accuracy, then of the loss on each data set.
FASTEST = "FedDA significantly speeds up the convergence on {} in most experiments"
SAVES = "FedDA achieves {} % convergence improvement on {}, by the rounds to convergence"
FLATTENS = "the curves initially increase and remain relatively stable beyond convergence points"
LOSS_FASTEST = "on {}, FedDA achieves the fastest convergence of the loss in most experiments"
LOSS_EARLY = "FedDA's loss converges within less than 200 (of 1500) rounds and then keeps stable on {}"
SAVED = {CIFAR: "34.3", EMNIST: "22.6", TAGS: "75.4"}  # percent


def findings(rows: Table, task: str, measure: str, claims: Mapping[str, str]) -> list[Finding]:
    """A check for each claim."""
    checks = {
        "fastest": partial(convergence.fastest, rows, measure),
        "saves": partial(convergence.saves, rows, task),
        "flattens": partial(convergence.flattens, rows),
        "early": partial(convergence.early, rows),
    }
    return [checks[name](claim) for name, claim in claims.items()]


def _figure(number: int, task: str, measure: str, title: str, measured: str, claims: Mapping[str, str]) -> Figure:
    """``measure``: loss, or value, which is the task's own."""
    return Figure(
        module=__name__,
        id=f"DA.F{number}",
        title=f"{title} on {TITLES[task]} with three optimizers, ten methods",
        alt=f"Three panels, SGDM, Adam and AdaGrad: {measured} on {TITLES[task]} against training rounds, one line a "
        "method for ten methods, FedDA the thickest, its rivals thin. Which method is fastest and which ends best is "
        "told by the findings below, for the scale and data that the figure names.",
        claims=claims,
        flagship=True,
        statements=("DA.E28", "DA.E35", "DA.E39"),
        runs=partial(tuning.runs, task),
        then=tuning.then,
        table=tuning.table,
        findings=partial(findings, task=task, measure=measure, claims=claims),
        draw=partial(convergence.draw, task=task, measure=measure),
    )


def _accuracy(number: int, task: str, measured: str = "accuracy") -> Figure:
    name = TITLES[task]
    claims = {"fastest": FASTEST.format(name), "saves": SAVES.format(SAVED[task], name), "flattens": FLATTENS}
    return _figure(number, task, "value", "Convergence", measured, claims)


def _loss(number: int, task: str, **more: str) -> Figure:
    claims = {"fastest": LOSS_FASTEST, **more}
    return _figure(
        number, task, "loss", "Loss", "loss", {name: claim.format(TITLES[task]) for name, claim in claims.items()}
    )


FIGURES = (
    _accuracy(1, CIFAR),
    _loss(2, CIFAR),
    _accuracy(3, EMNIST),
    _loss(4, EMNIST, early=LOSS_EARLY),
    _accuracy(7, TAGS, "recall at 5"),  # appendix A.4, as is the next
    _loss(8, TAGS),
)
