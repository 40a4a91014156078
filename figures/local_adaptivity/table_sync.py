"""Client states synchronized after each round or restarted: server AdaGrad, client AdaGrad, next characters."""

from __future__ import annotations

from collections.abc import Sequence

from figures.findings import Finding, vote
from figures.local_adaptivity import printed, tuning
from figures.local_adaptivity.settings import Variant
from figures.records import Columns, Keys, Table, Trained
from figures.tables import Cell, Sheet

ID = "LA.sync"
TITLE = "Restarted against synchronized client states on next-character prediction, in percent"
ALT = (
    "A table of two rows, client states synchronized after each round and restarted at its beginning: our final test "
    "accuracy in percent beside the printed one in brackets, the better one of ours in bold."
)
CLAIMS = {"worse": "synchronizing client states achieves worse accuracy than restarting them (56.89 against 57.85)"}
EXACT = False
FLAGSHIP = True

VARIANTS = {states: Variant("shakespeare-lstm", "AdaGrad", "AdaGrad", states=states) for states in ("sync", "restart")}
LABELS = {"sync": "synchronized after each round", "restart": "restarted each round"}


def runs(scale: str) -> list[Keys]:
    """The grids; restarting is shared with Tables 1, 2 and 5."""
    return tuning.grid(list(VARIANTS.values()), scale)


def then(scale: str, results: Sequence[Trained]) -> list[Keys]:
    """At the best rates."""
    return tuning.finals(list(VARIANTS.values()), scale, results)


def table(scale: str, results: Sequence[Trained]) -> Columns:
    """One row a final run and measured round."""
    return tuning.table(list(VARIANTS.values()), scale, results)


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
