"""Yogi and Adam on the clients with and without LA's corrections, on next-word prediction with server Adam."""

from __future__ import annotations

import math
from functools import partial

from figures.figure import Figure
from figures.findings import Finding, judge, vote
from figures.local_adaptivity import printed, tuning
from figures.local_adaptivity.settings import CORRECTIONS, Variant
from figures.records import Table
from figures.tables import Cell, Sheet

CLAIMS = {
    "corrected": "both corrections improve on no correction, for Yogi and for Adam",
    "joint": "joint correction is the best, for Yogi and for Adam",
    "server": "joint correction of Adam improves on server Adam with SGD clients, by 3.9 % relative",
    "fedavg": "and on vanilla FedAvg, by 78.6 % relative",
}

TASK = "words-lstm"
CLIENTS = {
    client: [Variant(TASK, "Adam", client, correction) for correction in CORRECTIONS] for client in printed.TABLE_3
}
SERVER_ADAM, FEDAVG = Variant(TASK, "Adam", "SGD"), Variant(TASK, "SGD", "SGD")
VARIANTS = [variant for row in CLIENTS.values() for variant in row] + [SERVER_ADAM, FEDAVG]
HALF = 0.5  # of the printed relative gain


def findings(rows: Table) -> list[Finding]:
    """Margins are differences of final percents, one a seed."""
    ends = [tuple(zip(*(tuning.ends(rows, variant) for variant in row), strict=True)) for row in CLIENTS.values()]
    numbers = tuning.means(rows, {f"{v.client}, {v.correction}": v for v in VARIANTS[:-2]})
    last = tuning.means(rows, {"joint": CLIENTS["Adam"][2], "server Adam": SERVER_ADAM, "FedAvg": FEDAVG})
    best, worst = last["joint"], {"server": last["server Adam"], "fedavg": last["FedAvg"]}
    words = {"server": ("3.9", 1 + HALF * 0.039), "fedavg": ("78.6", 1 + HALF * 0.786)}
    return [
        vote(
            CLAIMS["corrected"],
            "with each seed: local above none, joint above none",
            [min(local, joint) - none for row in ends for none, local, joint in row],
            numbers,
        ),
        vote(
            CLAIMS["joint"],
            "with each seed: above none and local",
            [joint - max(none, local) for row in ends for none, local, joint in row],
            numbers,
        ),
        *(
            judge(
                CLAIMS[name],
                f"mean over seeds: at least half of the printed {words[name][0]} %",
                best >= words[name][1] * worst[name],
                {"joint": best, name: worst[name], "gain, %": _gain(best, worst[name])},
                unless=not best and not worst[name],
            )
            for name in worst
        ),
    ]


def _gain(more: float, less: float) -> float:
    return 100 * (more / less - 1) if less else math.inf


def sheet(rows: Table) -> Sheet:
    """Ours beside the printed, in percent."""
    lines = []
    for client, variants in CLIENTS.items():
        means = tuning.means(rows, {v.correction: v for v in variants})
        lines.append((client, [Cell(means[c], p) for c, p in zip(CORRECTIONS, printed.TABLE_3[client], strict=True)]))
    sgd = tuning.means(rows, {"SGD": SERVER_ADAM})["SGD"]
    lines.append(("SGD", [Cell(sgd, printed.TABLE_2[TASK][0]), Cell(None), Cell(None)]))
    head = ("Clients", "no cor.", "local cor.", "joint cor.")
    return Sheet(head, lines, ".2f", "max", ["Mean over seeds, rates tuned on test data; S: Adam."])


FIGURE = Figure(
    module=__name__,
    id="LA.T3",
    title="Momentum-based adaptive clients on next-word prediction, server Adam, in percent",
    alt="A table with the rows Yogi and Adam, the clients' optimizer, and the columns no, local and joint correction: "
    "our final test accuracy in percent beside the printed one in brackets, our best in bold; below, SGD clients.",
    claims=CLAIMS,
    flagship=True,
    statements=("LA.A1", "LA.A2"),
    runs=partial(tuning.grid, VARIANTS),
    then=partial(tuning.finals, VARIANTS),
    table=partial(tuning.table, VARIANTS),
    findings=findings,
    sheet=sheet,
)
