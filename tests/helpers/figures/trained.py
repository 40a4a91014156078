"""A made-up figure that trains: quadratic clients, a run in a second."""

from __future__ import annotations

__all__ = ["SOURCE"]

SOURCE = """
from typing import Any

from figures import series
from figures.figure import Figure, no_more

CLAIMS = {{"falls": "the loss falls"}}
RATES = {rates}


def runs(scale: str) -> list[dict[str, Any]]:
    common = {{"task": "quadratic", "n": 3, "d": 2, "method": "fedavg", "steps": 2, "rounds": 4}}
    return [{{**common, "gamma": gamma}} for gamma in RATES]


def picks(scale: str, results: Any) -> list[dict[str, Any]]:
    return [{{**run.keys, "gamma": 2 * run.keys["gamma"]}} for run in results]


def table(scale: str, results: Any) -> dict[str, Any]:
    return series.long(results, ("gamma",), ("loss",))


def findings(rows: Any) -> list[Any]:
    from figures.findings import judge

    found = series.curve(rows, "loss", gamma=RATES[0])
    start, end = found.mean[0], found.mean[-1]
    return [judge(CLAIMS["falls"], "the end is below the start", end < start, {{"start": start, "end": end}})]


def draw(rows: Any) -> Any:
    from matplotlib import pyplot

    from figures import curves, style

    figure, ax = pyplot.subplots(figsize=(3, 2))
    looks = curves.ranked(RATES)
    for gamma in RATES:
        curves.line(ax, series.curve(rows, "loss", gamma=gamma), looks[gamma], str(gamma))
    style.sourced(figure, rows, "Ours.")
    return figure


FIGURE = Figure(
    module=__name__,
    id="{id}",
    title="Two rates on quadratic clients",
    alt="Two falling lines.",
    claims=CLAIMS,
    flagship={flagship},
    statements=("OLR.C13",),
    runs=runs,
    then={then},
    table=table,
    findings=findings,
    draw=draw,
)
"""
