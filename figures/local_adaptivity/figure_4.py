"""h_i(k) of SGD and Adam on MNIST: how fast two starts of logistic regression approach each other (Assumption 1).

Printed are the four client rates and that the best is taken for each optimizer. Ours: best means least training loss
after the largest number of steps (from 0, a run of one client that holds all data), batches of 20, Adam as first
published (0.9, 0.999, eps 1e-7, bias corrected), the starts (see `contraction`) and how many sequences of batches.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from figures import curves, style
from figures.figure import Figure
from figures.findings import Finding, judge
from figures.local_adaptivity import contraction, printed
from figures.records import Columns, Drawing, Keys, Table, Trained

CLAIMS = {
    "contracts": "both contract, more with more local steps: h < 1 decreases in k (Assumption 1)",
    "adam": "given a number of local steps k, Adam can have a smaller h than SGD",
}

OPTIMIZERS = {"SGD": "fedavg", "Adam": "local-adam"}
ADAM = {"beta1": 0.9, "beta2": 0.999, "eps": 1e-7, "bias_correction": True}
STEPS = {
    "smoke": (1, 5, 20),
    "laptop": (1, 2, 5, 10, 20, 50, 100, 200),
    "paper": (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000),
}
REPEATS = {"smoke": 2, "laptop": 10, "paper": 50}  # sequences of batches
BATCH, SEED = 20, 1


def _settings(optimizer: str, rate: float) -> dict[str, Any]:
    return {"gamma": rate, **(ADAM if optimizer == "Adam" else {})}


def _cells() -> list[tuple[str, float]]:
    return [(optimizer, rate) for optimizer in OPTIMIZERS for rate in printed.H_RATES]


def runs(scale: str) -> list[Keys]:
    """One round of the most local steps at each rate: their losses choose the best."""
    task = {"task": "mnist-logreg", "clients": 1, "split": "iid", "run.batch": BATCH, "rounds": 1}
    return [
        {
            **task,
            "method": OPTIMIZERS[optimizer],
            "steps": max(STEPS[scale]),
            **{("method.eps" if key == "eps" else key): value for key, value in _settings(optimizer, rate).items()},
        }
        for optimizer, rate in _cells()
    ]


def table(scale: str, results: Sequence[Trained]) -> Columns:
    """One row an optimizer, rate and k: h, the loss that ranks the rate, whether it is the best."""
    from neural import tasks

    data = contraction.Data.of(tasks.build("mnist-logreg", scale, clients=1, split="iid"))
    losses = {cell: _loss(run) for cell, run in zip(_cells(), results, strict=True)}
    rows = []
    for optimizer, rate in _cells():
        best = min(printed.H_RATES, key=lambda other: losses[optimizer, other])
        found = contraction.walked(
            data, OPTIMIZERS[optimizer], _settings(optimizer, rate), STEPS[scale], REPEATS[scale], BATCH, SEED
        )
        for k, h in zip(STEPS[scale], found, strict=True):
            cell = {"optimizer": optimizer, "rate": rate, "k": k, "h": h}
            rows.append({**cell, "loss": losses[optimizer, rate], "best": rate == best})
    return {name: [row[name] for row in rows] for name in rows[0]}


def _loss(run: Trained) -> float:
    return math.inf if run.status == "diverged" else float(run.rows[-1]["loss"])


def findings(rows: Table) -> list[Finding]:
    """h of the best rates at each k."""
    best = {optimizer: _best(rows, optimizer) for optimizer in OPTIMIZERS}
    numbers = {f"{optimizer}, k={k}": h for optimizer, by_steps in best.items() for k, h in by_steps.items()}
    last = max(best["SGD"])
    least = {f"least of all rates, {o}, k={last}": _least(rows, o, last) for o in OPTIMIZERS}
    below = sum(best["Adam"][k] < best["SGD"][k] for k in best["SGD"])
    return [
        judge(
            CLAIMS["contracts"],
            "at the best rates: h below 1 at every k drawn, and strictly decreasing",
            all(a > b for by_steps in best.values() for a, b in pairwise([1.0, *by_steps.values()])),
            numbers,
        ),
        judge(
            CLAIMS["adam"],
            "at the best rates: Adam's h below SGD's at more than half of the k drawn",
            below > len(best["SGD"]) / 2,
            {**numbers, **least, "k with Adam below": below, "k drawn": len(best["SGD"])},
        ),
    ]


def _best(rows: Table, optimizer: str) -> dict[int, float]:
    return {row["k"]: row["h"] for row in rows.to_pylist() if row["optimizer"] == optimizer and row["best"]}


def _least(rows: Table, optimizer: str, k: int) -> float:
    return min(float(row["h"]) for row in rows.to_pylist() if (row["optimizer"], row["k"]) == (optimizer, k))


def draw(rows: Table) -> Drawing:
    """One panel; the rates at the right end of their lines, those that leave the picture named below it."""
    from matplotlib import pyplot

    figure, ax = pyplot.subplots(figsize=(5.4, 3.8))
    looks, every = curves.looks(list(OPTIMIZERS)), rows.to_pylist()
    top = max(1.0, *(row["h"] for row in every if row["best"]))
    low = min(row["h"] for row in every)
    limits = low - 0.1 * (top - low), top + 0.1 * (top - low)
    ends, lost = [], []
    for optimizer, rate in _cells():
        drawn = [row for row in every if (row["optimizer"], row["rate"]) == (optimizer, rate)]
        look = looks[optimizer] | ({"linewidth": 2.2, "zorder": 3} if drawn[0]["best"] else {"linewidth": 0.8})
        label = f"{optimizer}, best client rate {rate:g}" if drawn[0]["best"] else None
        ax.plot([row["k"] for row in drawn], [row["h"] for row in drawn], **look, label=label)
        if drawn[-1]["h"] <= limits[1]:
            ends.append((drawn[-1]["h"], f"{rate:g}", look["color"]))
        else:
            lost.append(f"{optimizer} at {rate:g} ({drawn[-1]['h']:.3g})")
    ax.set(xscale="log", xlabel="local steps $k$", ylabel="$h$", ylim=limits, xlim=(1, max(row["k"] for row in every)))
    figure.legend(loc="outside upper center", ncols=2)
    style.sourced(
        figure,
        rows,
        "Rates: the paper's; bold: the best of each by training loss. Batches of 20, starts and numbers of steps and "
        f"repeats are ours. {'Above the picture, with h at its right end: ' + ', '.join(lost) + '.' if lost else ''}",
    )
    style.end_labels(ax, ends)
    return figure


FIGURE = Figure(
    module=__name__,
    id="LA.F4",
    title="The contraction h of k local steps, SGD and Adam on logistic regression",
    alt="h against the number of local steps k, logarithmic: one bold line for SGD and one for Adam, each at its best "
    "client rate, and thin lines of the same colours for the other rates, which are written at the right. Whether they "
    "fall, and which is lower, is told by the findings below, for the scale and data that the figure names.",
    claims=CLAIMS,
    flagship=True,
    statements=("LA.B4",),
    runs=runs,
    table=table,
    findings=findings,
    draw=draw,
)
