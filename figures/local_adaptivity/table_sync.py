"""Client states synchronized after each round or restarted: server AdaGrad, client AdaGrad, next characters."""

from __future__ import annotations

from functools import partial

from figures.figure import Figure
from figures.findings import Finding, vote
from figures.local_adaptivity import printed, tuning
from figures.local_adaptivity.settings import Variant
from figures.records import Table
from figures.tables import Cell, Sheet

CLAIMS = {"worse": "synchronizing client states achieves worse accuracy than restarting them (56.89 against 57.85)"}

VARIANTS = {states: Variant("shakespeare-lstm", "AdaGrad", "AdaGrad", states=states) for states in ("sync", "restart")}
LABELS = {"sync": "synchronized after each round", "restart": "restarted each round"}


def findings(rows: Table) -> list[Finding]:
    """The margin is the difference of final percents, one a seed."""
    sync, restart = (tuning.ends(rows, variant) for variant in VARIANTS.values())
    margins = [b - a for a, b in zip(sync, restart, strict=True)]
    return [vote(CLAIMS["worse"], "a lower final accuracy with each seed", margins, tuning.means(rows, VARIANTS))]


def sheet(rows: Table) -> Sheet:
    """Ours beside the printed, in percent."""
    means = tuning.means(rows, VARIANTS)
    lines = [(LABELS[states], [Cell(means[states], printed.SYNC[states])]) for states in VARIANTS]
    return Sheet(
        ("Client states", "accuracy"),
        lines,
        ".2f",
        "max",
        ["Mean over seeds, rates tuned on test data; AdaGrad on both sides."],
    )


FIGURE = Figure(
    module=__name__,
    id="LA.sync",
    title="Restarted against synchronized client states on next-character prediction, in percent",
    alt="A table of two rows, client states synchronized after each round and restarted at its beginning: our final "
    "test accuracy in percent beside the printed one in brackets, the better one of ours in bold.",
    claims=CLAIMS,
    flagship=True,
    runs=partial(tuning.grid, tuple(VARIANTS.values())),
    then=partial(tuning.finals, tuple(VARIANTS.values())),
    table=partial(tuning.table, tuple(VARIANTS.values())),
    findings=findings,
    sheet=sheet,
)
