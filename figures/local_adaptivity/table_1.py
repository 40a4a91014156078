"""Final accuracy of FedOpt with SGD or AdaGrad on clients and server, on three tasks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from figures.figure import Figure
from figures.findings import Finding, vote
from figures.local_adaptivity import printed, tuning
from figures.local_adaptivity.settings import TITLES, Variant
from figures.records import Table
from figures.tables import Cell, Sheet

CLAIMS = {
    "clients": "AdaGrad clients are more accurate than SGD clients (all pairs but server AdaGrad on TP)",
    "both": "AdaGrad on both sides achieves the highest accuracy on NWP and NCP",
    "tags": "on SO TP, server and client AdaGrad is worse than server-only AdaGrad (65.79 against 66.39)",
}

SIDES = [(server, client) for server in ("SGD", "AdaGrad") for client in ("SGD", "AdaGrad")]
TASKS = tuple(printed.TABLE_1)
VARIANTS = [Variant(task, *sides) for task in TASKS for sides in SIDES]


def findings(rows: Table) -> list[Finding]:
    """Margins are differences of final percents, one a seed."""
    ends = {variant: tuning.ends(rows, variant) for variant in VARIANTS}
    numbers = tuning.means(rows, {_label(variant): variant for variant in VARIANTS})
    better = [
        gap
        for variant in VARIANTS
        if variant.client == "AdaGrad" and variant[:2] != ("tags-logreg", "AdaGrad")
        for gap in _gaps(ends[variant], ends[variant._replace(client="SGD")])
    ]
    best = [
        gap
        for variant in VARIANTS
        if variant.task != "tags-logreg" and variant[1:3] != ("AdaGrad", "AdaGrad")
        for gap in _gaps(ends[Variant(variant.task, "AdaGrad", "AdaGrad")], ends[variant])
    ]
    tags = [Variant("tags-logreg", "AdaGrad", client) for client in ("SGD", "AdaGrad")]
    return [
        vote(CLAIMS["clients"], "a higher final percent with each seed, on each of the five pairs", better, numbers),
        vote(CLAIMS["both"], "on both tasks, with each seed, higher than each of the other three", best, numbers),
        vote(
            CLAIMS["tags"],
            "a lower final percent with each seed",
            _gaps(*(ends[variant] for variant in tags)),
            {_label(variant): numbers[_label(variant)] for variant in tags},
        ),
    ]


def _gaps(more: Sequence[float], less: Sequence[float]) -> list[float]:
    return [a - b for a, b in zip(more, less, strict=True)]


def _label(variant: Variant) -> str:
    return f"{TITLES[variant.task]}, S:{variant.server}, C:{variant.client}"


def sheet(rows: Table) -> Sheet:
    """Ours beside the printed, in percent."""
    means = tuning.means(rows, {_label(variant): variant for variant in VARIANTS})
    lines = []
    for server, client in SIDES:
        cells = [
            Cell(means[_label(Variant(task, server, client))], printed.TABLE_1[task][server, client]) for task in TASKS
        ]
        lines.append((f"S:{server}, C:{client}", cells))
    head = ("", *(TITLES[task] for task in TASKS))
    return Sheet(
        head,
        lines,
        ".2f",
        "max",
        ["Mean over seeds, rates tuned on test data; S: server, C: clients. Recall at 5 on SO TP."],
    )


FIGURE = Figure(
    module=__name__,
    id="LA.T1",
    title="Accuracy or recall at 5 of FedOpt variants, in percent",
    alt="A table with four rows, SGD or AdaGrad on the server and on the clients, and a column for each of three "
    "tasks: our final test accuracy, or recall at 5 on tags, in percent, beside the printed one in brackets, our best "
    "in bold.",
    claims=CLAIMS,
    flagship=True,
    statements=("LA.T2",),
    runs=partial(tuning.grid, VARIANTS),
    then=partial(tuning.finals, VARIANTS),
    table=partial(tuning.table, VARIANTS),
    findings=findings,
    sheet=sheet,
)
