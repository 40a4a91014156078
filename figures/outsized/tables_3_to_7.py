"""Tables 3 to 7: the best server rate of each client rate, task by task (appendix D); the claims are section 8.2's.

The printed Table 4 itself denies its claim; that of Table 7 is what the printed table shows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from figures.figure import Figure
from figures.findings import Finding, judge
from figures.outsized import compare, printed, settings, tuning
from figures.outsized.settings import CIFAR, EMNIST, PLAYS, TAGS, TITLES, WORDS
from figures.records import Table
from figures.tables import Cell, Sheet

ENABLES = "choosing larger gamma enables higher values of eta"
SAME = "with Yogi on tag prediction, one server rate is best for every client rate"


def enables(rows: Table, task: str) -> list[Finding]:
    """Whether the best server rate is larger at the largest client rate than at gamma = 0."""
    by_rate, known = tuning.constant(rows, task), printed.ETAS[task]
    top = compare.largest(by_rate)
    small, large = (math.log10(by_rate[gamma].eta) for gamma in (0.0, top))
    numbers = {
        "gamma 0": small,
        f"gamma {top:g}": large,
        "printed, gamma 0": known[0.0],
        f"printed, gamma {max(known):g}": known[max(known)],
        "final loss, gamma 0": by_rate[0.0].curve.end,
        f"final loss, gamma {top:g}": by_rate[top].curve.end,
    }
    check = "the best eta (log10) is larger at the largest gamma that does not diverge than at gamma = 0"
    return [judge(ENABLES, check, large > small, numbers)]


def same(rows: Table, task: str) -> list[Finding]:
    """Whether the best server rate is the same for all client rates."""
    by_rate = {gamma: one for gamma, one in tuning.constant(rows, task).items() if not one.curve.diverged}
    best = {f"log10 eta, gamma {gamma:g}": math.log10(one.eta) for gamma, one in by_rate.items()}
    ends = {f"final loss, gamma {gamma:g}": one.curve.end for gamma, one in by_rate.items()}
    return [judge(SAME, "one best eta for all gamma that do not diverge", len(set(best.values())) == 1, best | ends)]


def sheet(rows: Table, task: str) -> Sheet:
    """log10 of the best server rate of each client rate, largest first, as the paper has it."""
    by_rate, known = tuning.constant(rows, task), printed.ETAS[task]
    lines = [
        (f"{gamma:g}", _cells(by_rate.get(gamma), known.get(gamma)))
        for gamma in sorted({*by_rate, *known}, reverse=True)
    ]
    rates = sorted({row["eta"] for row in rows.to_pylist() if row["task"] == task})
    grid = (
        f"Ours are picked from 10^{_power(rates[0])}, ..., 10^{_power(rates[-1])}; the paper's from 10^-3, ..., 10^1."
    )
    return Sheet(("gamma", "log10 of the best eta", "final loss"), lines, ".1f", notes=(grid,))


def _cells(ours: tuning.Tuned | None, theirs: float | None) -> list[Cell]:
    if ours is None:
        return [Cell(None, theirs), Cell(None)]
    if ours.curve.diverged:
        return [Cell("diverged", theirs), Cell(None)]
    return [Cell(math.log10(ours.eta), theirs), Cell(f"{ours.curve.end:.4g}")]


def _power(rate: float) -> str:
    return f"{math.log10(rate):.1f}".removesuffix(".0")


def _table(number: int, task: str, claims: dict[str, str], findings: Callable[..., list[Finding]] = enables) -> Figure:
    return Figure(
        module=__name__,
        id=f"OLR.T{number}",
        title=f"Best server rate for each client rate on {TITLES[task]}",
        alt=f"A table with a row a client rate: the base-10 logarithm of its best server rate on {TITLES[task]}, ours "
        "and, in brackets, the printed one, and our final training loss.",
        claims=claims,
        flagship=True,
        statements=("OLR.C13",),
        runs=partial(settings.grid, (task,)),  # of Figure 5 or 7
        then=tuning.others,
        table=tuning.table,
        findings=partial(findings, task=task),
        sheet=partial(sheet, task=task),
    )


FIGURES = (
    _table(3, CIFAR, {"enables": ENABLES}),
    _table(4, EMNIST, {"enables": ENABLES}),
    _table(5, PLAYS, {"enables": ENABLES}),
    _table(6, WORDS, {"enables": ENABLES}),
    _table(7, TAGS, {"same": SAME}, same),
)
