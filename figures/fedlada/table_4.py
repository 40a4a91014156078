r"""Table 4: FedLADA's best test accuracy on TinyImageNet, and its round, as the local interval K varies."""

from __future__ import annotations

import math
from collections.abc import Sequence

from figures.fedlada import counted, intervals, measures, printed, settings
from figures.figure import Figure
from figures.findings import Finding, vote
from figures.records import Table
from figures.tables import Cell, Sheet

CLAIMS = {
    "falls": "the best accuracy falls as K grows from 2 to 20",
    "trade": "the best accuracy comes earlier with K = 4 than with K = 2",
}


def best(rows: Table, k: int) -> tuple[list[float], list[float]]:
    """Each seed's best accuracy in percent, and its round; NaN where measurements are missing."""
    curve = measures.curve(rows, "accuracy", settings.TINY, "fedlada", K=k)
    tops = [100 * float(one.max()) for one in curve.each]
    rounds = [float(curve.rounds[one.argmax()]) for one in curve.each]
    return tops, [math.nan if math.isnan(top) else t for top, t in zip(tops, rounds, strict=True)]


def findings(rows: Table) -> list[Finding]:
    """Each K against the next."""
    by_interval = {k: best(rows, k) for k in intervals.values(rows)}
    first, second = list(by_interval)[:2]
    return [
        vote(
            CLAIMS["falls"],
            f"with each seed: lower for each K of {', '.join(map(str, by_interval))} than for the one before",
            measures.falling(tops for tops, _ in by_interval.values()),
            measures.averages({k: tops for k, (tops, _) in by_interval.items()}, "K = {} (%)"),
        ),
        vote(
            CLAIMS["trade"],
            "with each seed: an earlier round",
            measures.ahead(by_interval[first][1], by_interval[second][1]),
            measures.averages({k: rounds for k, (_, rounds) in by_interval.items()}, "round of K = {}"),
        ),
    ]


def sheet(rows: Table) -> Sheet:
    """Ours beside the printed."""
    ours = {k: best(rows, k) for k in intervals.values(rows)}
    lines = [
        (name, [_cell(form, ours[k][part] if k in ours else None, own[part]) for k, own in printed.INTERVALS.items()])
        for part, (name, form) in enumerate((("Top-1 accuracy (%)", ".1f"), ("Rounds", ".0f")))
    ]
    notes = ["K: local epochs; at laptop scale local steps.", *counted.dashes(printed.INTERVALS, ours)]
    return Sheet(["K", *map(str, printed.INTERVALS)], lines, notes=notes)


def _cell(form: str, ours: Sequence[float] | None, theirs: float) -> Cell:
    return Cell(None if ours is None else format(measures.mean(ours), form), format(theirs, form))


FIGURE = Figure(
    module=__name__,
    id="LADA.T4",
    title="FedLADA with different intervals K on TinyImageNet: best accuracy",
    alt="A table with a column for each local interval K: the best test accuracy that FedLADA reached on TinyImageNet, "
    "the mean over seeds, and the round at which it was reached, each beside the number that the paper prints.",
    claims=CLAIMS,
    flagship=True,
    statements=("LADA.N7",),
    runs=intervals.runs,  # shared with Figure 3
    table=measures.table,
    findings=findings,
    sheet=sheet,
)
