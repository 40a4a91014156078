"""Tables of tuned server rates beside the printed ones (appendix D): what Tables 3 to 7 share."""

from __future__ import annotations

import math
from typing import Any

from figures.findings import Finding, judge
from figures.outsized import compare, printed, tuning
from figures.records import Table
from figures.tables import Cell, Sheet

__all__ = ["enables", "same", "sheet"]


def sheet(rows: Table, task: str) -> Sheet:
    """log10 of the best server rate of each client rate, largest first, as the paper has it."""
    found, known = tuning.constant(rows, task), printed.ETAS[task]
    cells = []
    for gamma in sorted({*found, *known}, reverse=True):
        one = found.get(gamma)
        ours: list[Any] = [None, None]
        if one is not None:
            ours = ["diverged", None] if one.curve.diverged else [math.log10(one.eta), f"{one.curve.end:.4g}"]
        cells.append((f"{gamma:g}", [Cell(ours[0], known.get(gamma)), Cell(ours[1])]))
    rates = sorted({row["eta"] for row in rows.to_pylist() if row["task"] == task})
    grid = (
        f"Ours are picked from 10^{_power(rates[0])}, ..., 10^{_power(rates[-1])}; the paper's from 10^-3, ..., 10^1."
    )
    return Sheet(("gamma", "log10 of the best eta", "final loss"), cells, ".1f", notes=(grid,))


def _power(rate: float) -> str:
    return f"{math.log10(rate):.1f}".removesuffix(".0")


def enables(claim: str, rows: Table, task: str) -> Finding:
    """Whether the best server rate is larger at the largest client rate than at gamma = 0."""
    found, known = tuning.constant(rows, task), printed.ETAS[task]
    top = compare.largest(found)
    small, large = (math.log10(found[gamma].eta) for gamma in (0.0, top))
    return judge(
        claim,
        "the best eta (log10) is larger at the largest gamma that does not diverge than at gamma = 0",
        large > small,
        {
            "gamma 0": small,
            f"gamma {top:g}": large,
            "printed, gamma 0": known[0.0],
            f"printed, gamma {max(known):g}": known[max(known)],
            "final loss, gamma 0": found[0.0].curve.end,
            f"final loss, gamma {top:g}": found[top].curve.end,
        },
    )


def same(claim: str, rows: Table, task: str) -> Finding:
    """Whether the best server rate is the same for all client rates."""
    found = {gamma: one for gamma, one in tuning.constant(rows, task).items() if not one.curve.diverged}
    best = {f"log10 eta, gamma {gamma:g}": math.log10(one.eta) for gamma, one in found.items()}
    ends = {f"final loss, gamma {gamma:g}": one.curve.end for gamma, one in found.items()}
    return judge(claim, "one best eta for all gamma that do not diverge", len(set(best.values())) == 1, best | ends)
