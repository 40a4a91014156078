r"""How much of each bound is used: the largest lhs/rhs that the search for counterexamples has met.

Every upper bound and rate of the five papers, as ``theorems/verdicts.json`` records it. A bound that holds has a ratio
of at most 1; 1 means that nothing of it can be given away. For a bound that is false as printed the ratio of the
correction stands in its place, and a cross where the recorded counterexample, the simplest and not the worst, stands.
The verdicts were known when these checks were written: they are a summary, not a test.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

from figures import style
from figures.figure import Figure
from figures.findings import Finding, judge
from figures.records import Axes, Columns, Drawing, Row, Table

CLAIMS = {
    "sound": "no bound that is recorded as holding, and no correction, was ever exceeded",
    "tight": "most bounds that hold are tight, up to 1 %",
    "loose": "the distance bounds of OLR section 6 lose a factor of at least 5",
    "mended": "every bound that is false as printed has a correction that holds",
}

READS = ("theorems/verdicts.json",)  # data that the table depends on besides code
KINDS = ("upper bound", "convergence")
LOOSE = ("OLR.T16", "OLR.T17", "OLR.C20", "OLR.T21")
REPORT = "../../report/statements"  # seen from out/figures/beyond, where `surrogate report` writes
LOW, HIGH = 1 / 30, 30.0  # edges of the picture
ROUNDING, NEAR, FACTOR, MOST = 1e-9, 0.99, 5.0, 0.5


def table(scale: str) -> Columns:
    """One row a bound. ``ratio``: of the claim that holds (-1: none recorded); ``broken``: at the counterexample."""
    import json

    from theorems.records import TABLE

    records = json.loads(TABLE.read_text(encoding="utf-8"))
    rows = [_row(record) for record in records if record["kind"] in KINDS]
    return {name: [row[name] for row in rows] for name in rows[0]}


def _row(record: dict[str, Any]) -> dict[str, Any]:
    holds, mended = record["verdict"] == "holds", record["correction"] or {}
    tightness: dict[str, Any] = (record if holds else mended).get("tightness") or {}
    return {
        "id": record["id"],
        "paper": record["id"].split(".")[0],
        "kind": record["kind"],
        "holds": holds,
        "severity": record["severity"] or "",
        "mended": holds or mended.get("verdict") == "holds",
        "ratio": float(tightness.get("ratio", -1.0)),
        "broken": -1.0 if holds else _broken(record["counterexample"]),
    }


def _broken(counterexample: dict[str, Any] | None) -> float:
    """lhs/rhs of a recorded counterexample; 1e6 stands for all that is larger; -1 where its sides are no such pair."""
    sides = (counterexample or {}).get("sides", {})
    left, right = (_number(sides.get(side)) for side in ("lhs", "rhs"))
    if left is None or right is None or left <= right or left <= 0:
        return -1.0
    return min(left / right, 1e6) if right > 0 else 1e6


def _number(text: Any) -> float | None:
    """A rational, a decimal, or the middle of an enclosure "in [a, b]"."""
    ends = re.findall(r"[-+]?[\d.]+(?:e[-+]?\d+)?(?:/\d+)?", str(text))
    try:
        values = [float(Fraction(end)) for end in ends]
    except (ValueError, OverflowError):
        return None
    return sum(values) / len(values) if values else None


def findings(rows: Table) -> list[Finding]:
    """Summaries of what is recorded; a bound without a recorded ratio counts in none of them but the last."""
    import numpy as np

    every = rows.to_pylist()
    known = [row for row in every if row["ratio"] != -1]
    top = float(np.max([row["ratio"] for row in known]))
    holding = np.array([row["ratio"] for row in known if row["holds"]])
    tight = float(np.mean(holding >= NEAR)) if not np.isnan(holding).any() else math.nan
    loose = {row["id"]: row["ratio"] for row in known if row["id"] in LOOSE}
    false = [row for row in every if not row["holds"]]
    mended = float(np.max([row["ratio"] for row in false]))
    return [
        judge(
            CLAIMS["sound"],
            "the largest ratio of a bound or correction that holds is at most 1, up to rounding",
            top <= 1 + ROUNDING,
            {"largest": top, "bounds": len(known)},
        ),
        judge(
            CLAIMS["tight"],
            "more than half of the bounds that hold as printed reach a ratio of 0.99",
            tight > MOST,
            {"share": tight, "bounds": len(holding)},
        ),
        judge(
            CLAIMS["loose"],
            "ratios of Theorems 16, 17, 21 and Corollary 20: at most 1/5",
            len(loose) == len(LOOSE) and max(loose.values()) <= 1 / FACTOR,
            loose,
        ),
        judge(
            CLAIMS["mended"],
            "a correction is recorded as holding for each, with a ratio of at most 1 where one is recorded",
            all(row["mended"] for row in false) and mended <= 1 + ROUNDING,
            {"false as printed": len(false), "of": len(every), "largest ratio of a correction": mended},
        ),
    ]


def draw(rows: Table) -> Drawing:
    """One column a paper, one line a bound; statements' names link to their pages in the SVG."""
    from matplotlib import pyplot

    every = rows.to_pylist()
    papers = list(dict.fromkeys(row["paper"] for row in every))
    columns = [[row for row in every if row["paper"] == paper] for paper in papers]
    tallest = max(map(len, columns))
    figure, axes = pyplot.subplots(1, len(papers), figsize=(10.4, 1.3 + 0.185 * tallest), sharex=True)
    for ax, paper, column in zip(axes, papers, columns, strict=True):
        _column(ax, column, tallest)
        false = sum(not row["holds"] for row in column)
        ax.set(title=f"{paper}: {false} of {len(column)} false", xlabel="lhs / rhs")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), handletextpad=0.2)
    style.footer(
        figure,
        "The same at every scale. The largest ratio met by the search (theorems/verdicts.json), not an upper bound on "
        "it. Left edge: below 1/30. Right edge: beyond 30, or a right side of 0.\n"
        "A name without a dot: no ratio is recorded, or the statement is proved without one.",
    )
    return figure


def _column(ax: Axes, rows: list[Row], tallest: int) -> None:
    blue, grey, red = (style.COLOURS[name] for name in ("blue", "grey", "vermilion"))
    ax.axvline(1, color=grey, linewidth=0.8, zorder=0)
    for k in range(len(rows)):
        ax.axhline(k, color="#e4e4e4", linewidth=0.5, zorder=0)
    held = [(k, row["ratio"]) for k, row in enumerate(rows) if row["holds"] and row["ratio"] >= 0]
    mended = [(k, row["ratio"]) for k, row in enumerate(rows) if not row["holds"] and row["ratio"] >= 0]
    broken = [(k, row["broken"]) for k, row in enumerate(rows) if row["broken"] >= 0]
    plain = [(k, HIGH) for k, row in enumerate(rows) if not row["holds"] and row["broken"] < 0]
    _dots(ax, held, "holds as printed", marker="o", color=blue)
    _dots(ax, mended, "its correction holds", marker="o", color="white", markeredgecolor=blue, markeredgewidth=1.2)
    _dots(ax, broken, "counterexample to the print", marker="x", color=red, markeredgewidth=1.4)
    _dots(ax, plain, "false, but not by a ratio", marker="|", color=red)
    ax.set(xscale="log", xlim=(LOW / 1.4, HIGH * 1.4), ylim=(tallest - 0.5, -0.8))
    ax.set_xticks([0.1, 1, 10], ["1/10", "1", "10"])
    ax.set_yticks(range(len(rows)), [row["id"].split(".")[1] for row in rows], fontsize=6.5)
    ax.tick_params(axis="y", length=0)
    for tick, row in zip(ax.get_yticklabels(), rows, strict=True):
        tick.set(url=f"{REPORT}/{row['id']}.html", color="black" if row["holds"] else red)


def _dots(ax: Axes, dots: list[tuple[int, float]], label: str, **look: Any) -> None:
    places = [min(max(value, LOW), HIGH) for _, value in dots]
    ax.plot(places, [k for k, _ in dots], linestyle="none", markersize=4, label=label, **look)


FIGURE = Figure(
    module=__name__,
    id="B3",
    title="Tightness: the largest lhs/rhs of every bound, and which bounds are false as printed",
    alt="Five columns, one a paper, one line a bound, the ratio of its sides on a logarithmic axis. Most bounds that "
    "hold, and most corrections, reach 1. A few of OLR section 6, FedLADA's and Fed-LAMB's rates stay near 1/10. "
    "Crosses beyond 1 mark about half of all bounds: the counterexamples of those that are false as printed.",
    claims=CLAIMS,
    statements=("OLR.T16", "OLR.T17", "OLR.C20", "OLR.T21", "LA.T1", "LADA.T35", "LAMB.T1"),
    table=table,
    findings=findings,
    draw=draw,
)
