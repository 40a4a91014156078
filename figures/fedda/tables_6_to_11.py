"""Tables 6 to 11: FedDA's final accuracy as one of its two rates varies and the other stays.

At ``laptop`` the rates are ours: client rates around the middle of the grids' with alpha fixed, or alpha around what
the grids try, client rate in the middle. eta = alpha gamma (Algorithms 1 and 2), so that both rates move the server.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from figures import series
from figures.fedda import printed, settings, tuning
from figures.figure import Figure
from figures.findings import Finding, judge
from figures.records import Columns, Keys, Table, Trained
from figures.tables import Cell, Sheet

TIMES = (0.1, 1 / 3, 1.0, 10 / 3)  # at laptop scale: of the middle rate
STATEMENTS = {"sgdm": "DA.E28", "adam": "DA.E35", "adagrad": "DA.E39"}
CRUCIAL = 0.75  # the worst rate ends below this part of the best, on two of three data sets


def _fixed(number: int, scale: str, task: str) -> tuple[float, tuple[float, ...]]:
    """The rate that stays, and those of the other."""
    optimizer, varied, lines = printed.RATES[number]
    if scale == "paper":
        stays, pairs = lines[task]
        return stays, tuple(rate for rate, _ in pairs)
    middle = settings.grid(task, "smoke", "fedda", optimizer)[0]
    alpha = middle["eta"] / middle["gamma"]
    stays, centre = (alpha, middle["gamma"]) if varied == "client" else (middle["gamma"], alpha)
    times = TIMES if scale == "laptop" else (1.0,)  # at smoke scale a run that other figures share
    return float(f"{stays:.6g}"), tuple(float(f"{factor * centre:.3g}") for factor in times)


def runs(number: int, scale: str) -> list[Keys]:
    """A run a data set, rate and seed."""
    optimizer, varied, _ = printed.RATES[number]
    configs = []
    for task in settings.TASKS:
        stays, rates = _fixed(number, scale, task)
        for rate in rates:
            gamma, alpha = (rate, stays) if varied == "client" else (stays, rate)
            pair = {"gamma": float(gamma), "eta": settings.eta(alpha, gamma)}
            configs += [settings.run(task, scale, "fedda", optimizer, pair, seed) for seed in settings.seeds(scale)]
    return configs


def table(number: int, scale: str, results: Sequence[Trained]) -> Columns:
    """One row a run and measured round; ``rate``: the one that varies."""
    rows = tuning.by_task(results, ("task",))
    by_gamma = printed.RATES[number][1] == "client"
    pairs = zip(rows["gamma"], rows["eta"], strict=True)
    rows["rate"] = [float(gamma if by_gamma else f"{eta / gamma:.3g}") for gamma, eta in pairs]
    return rows


def _ends(rows: Table, task: str) -> dict[float, float]:
    """Mean final value of each rate; 0 where a seed diverged."""
    rates = sorted({row["rate"] for row in rows.to_pylist() if row["task"] == task})
    curves = {rate: series.curve(rows, "value", task=task, rate=rate) for rate in rates}
    return {rate: 0.0 if one.diverged else float(one.mean[-1]) for rate, one in curves.items()}


def findings(rows: Table, claim: str) -> list[Finding]:
    """How much of the best rate's accuracy the worst one keeps."""
    kept = {}
    for task in settings.TASKS:
        values = list(_ends(rows, task).values())
        best = max(values)
        missing = any(map(math.isnan, values))
        kept[settings.TITLES[task]] = math.nan if missing else min(values) / best if best > 0 else 1.0
    check = "on two of three data sets the worst rate's final accuracy is less than 3/4 of the best rate's"
    return [judge(claim, check, sum(value < CRUCIAL for value in kept.values()) >= 2, kept)]


def sheet(number: int, rows: Table) -> Sheet:
    """A row a data set, accuracy / rate from the smallest rate on."""
    lines = []
    for task in settings.TASKS:
        _, pairs = printed.RATES[number][2][task]
        ours = [f"{value:.3f} / {rate:g}" for rate, value in _ends(rows, task).items()]
        theirs = [f"{value:.3f} / {rate:,g}" for rate, value in pairs]
        padded = [*ours, *[None] * (len(theirs) - len(ours))]
        lines.append((settings.TITLES[task], [Cell(*pair) for pair in zip(padded, theirs, strict=True)]))
    which = printed.RATES[number][1]
    head = ("Dataset", *(f"{which} rate {k}" for k in range(1, 5)))
    note = (
        "Each cell: accuracy / rate (recall at 5 on Stack Overflow); our rates are ours, the printed ones are theirs."
    )
    return Sheet(head, lines, notes=(note,))


def _table(number: int) -> Figure:
    """A.4 says the same of all six."""
    optimizer, varied, _ = printed.RATES[number]
    name, fixed = settings.WORDS[optimizer], {"client": "server", "server": "client"}[varied]
    claim = f"it is crucial to choose the {varied} rate to achieve competitive performance ({name})"
    return Figure(
        module=__name__,
        id=f"DA.T{number}",
        title=f"FedDA's final accuracy with {name} and varying {varied} learning rate",
        alt=f"A table of three data sets by four {varied} rates, the {fixed} rate fixed: FedDA's final accuracy and "
        "the rate, ours and, in grey brackets, the printed. How much a bad rate costs is told by the finding below.",
        claims={"crucial": claim},
        statements=(STATEMENTS[optimizer],),
        runs=partial(runs, number),
        table=partial(table, number),
        findings=partial(findings, claim=claim),
        sheet=partial(sheet, number),
    )


FIGURES = tuple(map(_table, printed.RATES))
