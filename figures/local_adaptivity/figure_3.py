"""Final test accuracy over a grid of client and server rates: SGD or AdaGrad clients, server AdaGrad, 28 cells each.

The paper's axes are lost in our copy: 4 client rates by 7 server rates are ours. AdaGrad's client rates are lower
below paper scale, where its accumulator begins lower (see `settings`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import Any

from figures import style
from figures.figure import Figure
from figures.findings import Finding, judge
from figures.local_adaptivity import printed, settings, tuning
from figures.local_adaptivity.settings import Variant
from figures.records import Axes, Columns, Drawing, Keys, Row, Table, Trained

CLAIMS = {
    "robust": "more pairs of rates reach the target with AdaGrad on both sides (10 of 28) than server-only (2 of 28)"
}

CLIENTS = ("SGD", "AdaGrad")
TASK = "words-lstm"
TARGET = 20 / printed.TABLE_1[TASK]["AdaGrad", "AdaGrad"]  # 20 %, as a part of the best that Table 1 has
PAPER = (-1.5, -1.0, -0.5, 0.0)  # client rates around Table 5's
SMOKE = 2  # rates a side
TIMES = 2.0  # as many cells, at least


def _pairs(client: str, scale: str) -> list[tuple[float, float]]:
    """Base-10 logarithms of (client rate, server rate)."""
    if scale == "laptop":
        return settings.rates(Variant(TASK, "AdaGrad", client), scale)
    gammas = PAPER if client == "SGD" or scale == "paper" else tuple(rate - 1.5 for rate in PAPER)
    if scale == "smoke":
        return list(product(gammas[-SMOKE:], settings.SERVER_RATES[-SMOKE:]))
    return list(product(gammas, settings.SERVER_RATES))


def _cells(scale: str) -> list[tuple[str, float, float]]:
    return [(client, gamma, eta) for client in CLIENTS for gamma, eta in _pairs(client, scale)]


def runs(scale: str) -> list[Keys]:
    """At ``laptop`` the grids that Figure 2 and Tables 1 and 5 choose from."""
    return [
        settings.run(Variant(TASK, "AdaGrad", client), scale, gamma, eta, final=False)
        for client, gamma, eta in _cells(scale)
    ]


def table(scale: str, results: Sequence[Trained]) -> Columns:
    """One row a cell: clients, rates' logarithms, percent at the end (0 where the run diverged)."""
    cells = _cells(scale)
    return {
        "client": [client for client, _, _ in cells],
        "gamma": [gamma for _, gamma, _ in cells],
        "eta": [eta for _, _, eta in cells],
        "percent": [max(tuning.scored(run), 0.0) for run in results],
    }


def findings(rows: Table) -> list[Finding]:
    """Counts of cells that reach the target."""
    target = _target(rows)
    counts = {client: _count(rows, client, target) for client in CLIENTS}
    return [
        judge(
            CLAIMS["robust"],
            "cells with at least 20/24.40 of the best accuracy of all: at least twice as many with AdaGrad clients",
            counts["AdaGrad"] >= max(TIMES * counts["SGD"], 1),
            {
                **{f"C:{client}, of {_count(rows, client, -1)}": count for client, count in counts.items()},
                "target": target,
                **{f"best, C:{client}": max(_percents(rows, client)) for client in CLIENTS},
            },
        )
    ]


def _percents(rows: Table, client: str) -> list[float]:
    return [row["percent"] for row in rows.to_pylist() if row["client"] == client]


def _target(rows: Table) -> float:
    """NaN where a number is missing."""
    every = rows["percent"].to_pylist()
    return math.nan if any(map(math.isnan, every)) else TARGET * max(every)


def _count(rows: Table, client: str, target: float) -> int:
    return sum(not value < target for value in _percents(rows, client))


def draw(rows: Table) -> Drawing:
    """Two grids with one scale of colours."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(8.6, 3.1))
    target, top = _target(rows), max(rows["percent"].to_pylist())
    image: Any = None
    for ax, client in zip(axes, CLIENTS, strict=True):
        cells = [row for row in rows.to_pylist() if row["client"] == client]
        image = _grid(ax, cells, target, top)
        reached, name = _count(rows, client, target), "Server-only AdaGrad" if client == "SGD" else "AdaGrad on both"
        ax.set_title(f"{name}: {reached} of {len(cells)} reach {target:.1f} %")
    figure.colorbar(image, ax=axes, label="test accuracy, %", shrink=0.85)
    style.sourced(
        figure,
        rows,
        "Framed: at least 20/24.40 of the best of all cells, as 20 % is of 24.40 % in the paper. Both grids of rates "
        "are ours (the paper's axes are lost in our copy), and below paper scale clients, rounds and network. One seed "
        "a cell.",
    )
    return figure


def _grid(ax: Axes, cells: list[Row], target: float, top: float) -> Any:
    from matplotlib.patches import Rectangle

    etas, gammas = sorted({row["eta"] for row in cells}), sorted({row["gamma"] for row in cells})
    values = [[math.nan] * len(etas) for _ in gammas]
    for row in cells:
        i, j = gammas.index(row["gamma"]), etas.index(row["eta"])
        values[i][j] = row["percent"]
        dark = row["percent"] < 0.55 * top
        ax.text(j, i, f"{row['percent']:.1f}", ha="center", va="center", fontsize=7, color="white" if dark else "black")
        if row["percent"] >= target:
            ax.add_patch(Rectangle((j - 0.46, i - 0.46), 0.92, 0.92, fill=False, edgecolor="black", linewidth=1.4))
    image = ax.imshow(values, origin="lower", vmin=0, vmax=top, cmap="viridis", aspect="auto")
    ax.set_xticks(range(len(etas)), [f"{eta:g}" for eta in etas])
    ax.set_yticks(range(len(gammas)), [f"{gamma:g}" for gamma in gammas])
    ax.set(xlabel=r"server rate, $\log_{10}$", ylabel=r"client rate, $\log_{10}$")
    return image


FIGURE = Figure(
    module=__name__,
    id="LA.F3",
    title="Sensitivity to client and server rates on next-word prediction, server AdaGrad",
    alt="Two grids of 4 client rates by 7 server rates, coloured by final test accuracy, the numbers written inside: "
    "SGD clients on the left, AdaGrad clients on the right. Cells that reach the target are framed; how many do is "
    "told above each grid and by the findings below.",
    claims=CLAIMS,
    flagship=True,
    statements=("LA.D3",),
    runs=runs,
    table=table,
    findings=findings,
    draw=draw,
)
