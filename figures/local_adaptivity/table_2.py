"""AdaGrad clients with and without LA's corrections against SGD clients, with the best adaptive server of each task."""

from __future__ import annotations

from functools import partial

from figures.figure import Figure
from figures.findings import Finding, vote
from figures.local_adaptivity import printed, tuning
from figures.local_adaptivity.settings import TITLES, Variant
from figures.records import Table
from figures.tables import Cell, Sheet

CLAIMS = {
    "corrected": "with one or both corrections, AdaGrad clients achieve the highest accuracy on all tasks",
    "joint": "joint correction is the best on NWP and NCP",
    "hurt": "on SO TP, AdaGrad clients without correction are worse than SGD clients (65.79 against 66.39)",
    "local": "on SO TP, local correction is the best (67.04 against 66.39 with SGD clients)",
}

SERVERS = {"words-lstm": "Adam", "shakespeare-lstm": "AdaGrad", "tags-logreg": "AdaGrad"}
COLUMNS = [("SGD", "none"), ("AdaGrad", "none"), ("AdaGrad", "local"), ("AdaGrad", "joint")]
HEADS = ("SGD", "AdaGrad", "+ local cor.", "+ joint cor.")
VARIANTS = [Variant(task, server, *column) for task, server in SERVERS.items() for column in COLUMNS]


def findings(rows: Table) -> list[Finding]:
    """Margins are differences of final percents, one a seed."""
    ends = {task: [tuning.ends(rows, v) for v in VARIANTS if v.task == task] for task in SERVERS}
    numbers = tuning.means(rows, {f"{TITLES[v.task]}, {_head(v)}": v for v in VARIANTS})
    tags = {name: value for name, value in numbers.items() if name.startswith("SO TP")}
    corrected = [
        max(local, joint) - max(sgd, none)
        for task in SERVERS
        for sgd, none, local, joint in zip(*ends[task], strict=True)
    ]
    joint_first = [
        joint - max(others)
        for task in ("words-lstm", "shakespeare-lstm")
        for *others, joint in zip(*ends[task], strict=True)
    ]
    seeds = list(zip(*ends["tags-logreg"], strict=True))
    return [
        vote(
            CLAIMS["corrected"],
            "on each task, with each seed: the better of the two above both without correction",
            corrected,
            numbers,
        ),
        vote(CLAIMS["joint"], "on both, with each seed: above the other three", joint_first, numbers),
        vote(CLAIMS["hurt"], "a lower recall with each seed", [sgd - none for sgd, none, _, _ in seeds], tags),
        vote(
            CLAIMS["local"],
            "with each seed: above the other three",
            [local - max(sgd, none, joint) for sgd, none, local, joint in seeds],
            tags,
        ),
    ]


def _head(variant: Variant) -> str:
    return HEADS[COLUMNS.index((variant.client, variant.correction))]


def sheet(rows: Table) -> Sheet:
    """Ours beside the printed, in percent."""
    lines = []
    for task, server in SERVERS.items():
        means = tuning.means(rows, {_head(v): v for v in VARIANTS if v.task == task})
        cells = [Cell(means[head], value) for head, value in zip(HEADS, printed.TABLE_2[task], strict=True)]
        lines.append((f"{TITLES[task]} (S:{server})", cells))
    notes = ["Mean over seeds, rates tuned on test data; clients run SGD or AdaGrad. Recall at 5 on SO TP."]
    return Sheet(("Task and server", *HEADS), lines, ".2f", None, notes)


FIGURE = Figure(
    module=__name__,
    id="LA.T2",
    title="Corrections of local AdaGrad against server-only adaptive methods, in percent",
    alt="A table with a row for each of three tasks and four columns: SGD clients, AdaGrad clients, these with local "
    "and with joint correction; our final test accuracy, or recall at 5 on tags, beside the printed one in brackets.",
    claims=CLAIMS,
    flagship=True,
    statements=("LA.A1", "LA.A2", "LA.T2"),
    runs=partial(tuning.grid, VARIANTS),
    then=partial(tuning.finals, VARIANTS),
    table=partial(tuning.table, VARIANTS),
    findings=findings,
    sheet=sheet,
)
