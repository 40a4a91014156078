"""Rates of LocalUpdateDecay: the largest client rate that does not diverge, and its tuned server rate (9.2).

Printed for Shakespeare is eta = 10^1.5, which the grid (23) does not hold.
"""

from __future__ import annotations

import math
from functools import partial

from figures.figure import Figure
from figures.findings import Finding, judge
from figures.outsized import compare, printed, settings, tuning
from figures.records import Table
from figures.tables import Cell, Sheet

CLAIMS = {
    "images": "on CIFAR-100 the client rate is initially set to a suboptimal value",
    "tags": "on tag prediction LocalUpdateDecay is initialized with a suboptimal client learning rate",
}

TASKS = (settings.CIFAR, settings.EMNIST, settings.PLAYS, settings.WORDS, settings.TAGS)  # in the order of the paper


def findings(rows: Table) -> list[Finding]:
    """The client rate that was picked, kept constant with its own best server rate, against the best constant one."""
    return [
        _suboptimal(CLAIMS[name], rows, task) for name, task in (("images", settings.CIFAR), ("tags", settings.TAGS))
    ]


def _suboptimal(claim: str, rows: Table, task: str) -> Finding:
    gamma, _ = tuning.start(rows, task)
    by_rate = tuning.constant(rows, task)
    kept, best = by_rate[gamma].curve.end, compare.least(one.curve.end for one in by_rate.values())
    return judge(
        claim,
        f"kept constant, that client rate's final loss is above {compare.CLOSE} times the best one's",
        kept > compare.CLOSE * best,
        {"log10 gamma": math.log10(gamma), "its final loss": kept, "the best": best},
    )


def sheet(rows: Table) -> Sheet:
    """Base-10 logarithms, as printed."""
    cells = []
    for task in TASKS:
        one, constant = tuning.decayed(rows, task), tuning.constant(rows, task)
        kept = constant[one.gamma].curve
        gamma, eta = printed.DECAY[task]
        cells.append(
            (
                settings.TITLES[task],
                [
                    Cell(math.log10(one.gamma), gamma),
                    Cell(math.log10(one.eta), eta),
                    Cell("diverged" if one.curve.diverged else f"{one.curve.end:.4g}"),
                    Cell("diverged" if kept.diverged else f"{kept.end:.4g}"),
                ],
            )
        )
    head = ("Task", "log10 gamma", "log10 eta", "final loss", "gamma kept")
    return Sheet(head, cells, ".1f", notes=("Printed for Shakespeare is 10^1.5, which grid (23) does not hold.",))


FIGURE = Figure(
    module=__name__,
    id="OLR.T2",
    title="Client and server rates used in LocalUpdateDecay",
    alt="A table with a row a task: base-10 logarithms of the client rate from which LocalUpdateDecay starts and of "
    "its tuned server rate, ours and, in brackets, the printed ones, and our final losses with decay and with that "
    "client rate kept constant.",
    claims=CLAIMS,
    flagship=True,
    statements=("OLR.A3",),
    runs=partial(settings.with_decay, TASKS),
    then=tuning.others,
    table=tuning.table,
    findings=findings,
    sheet=sheet,
)
