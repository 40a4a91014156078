"""The tuned rates: which client and server rate of the grid ends with the highest accuracy, for each variant.

Below paper scale the grid is ours and eps_s is the printed one; at paper scale it is the printed pair and its
neighbours half a decade away (Table 4's ranges are lost in our copy).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

from figures import tuning as picking
from figures.figure import Figure
from figures.findings import Finding, judge
from figures.local_adaptivity import printed, settings, tuning
from figures.local_adaptivity.settings import TITLES, Variant
from figures.records import Columns, Keys, Row, Table, Trained
from figures.tables import Cell, Sheet

CLAIMS = {"server": "AdaGrad clients, uncorrected, are best at no lower rate of an adaptive server than SGD clients"}

STEP = 0.5
COLUMNS = [("SGD", "none"), ("AdaGrad", "none"), ("AdaGrad", "local"), ("AdaGrad", "joint")]
# Those of Table 5 that Tables 1 and 2 show; the others are printed alone.
SHOWN = [
    *(Variant(task, server, client) for task in printed.TABLE_1 for server in ("SGD", "AdaGrad")
      for client in ("SGD", "AdaGrad")),
    *(Variant(task, "AdaGrad", "AdaGrad", correction) for task in ("shakespeare-lstm", "tags-logreg")
      for correction in ("local", "joint")),
    *(Variant("words-lstm", "Adam", *column) for column in COLUMNS),
]  # fmt: skip


def _pairs(variant: Variant, scale: str) -> list[tuple[float, float]]:
    pairs = settings.rates(variant, scale)
    if scale != "paper":
        return pairs
    ((gamma, eta),) = pairs
    return [(gamma + a, eta + b) for a, b in product((-STEP, 0, STEP), repeat=2)]


def _cells(scale: str) -> list[tuple[Variant, float, float]]:
    return [(variant, *pair) for variant in SHOWN for pair in _pairs(variant, scale)]


def runs(scale: str) -> list[Keys]:
    """At ``laptop`` the grids of Tables 1 and 2 and of Figure 3."""
    return [settings.run(variant, scale, gamma, eta, final=False) for variant, gamma, eta in _cells(scale)]


def table(scale: str, results: Sequence[Trained]) -> Columns:
    """One row a cell: the variant, its rates' logarithms, percent at the end (-1 where the run diverged)."""
    rows = [
        {**variant._asdict(), "gamma": float(gamma), "eta": float(eta), "percent": tuning.scored(run)}
        for (variant, gamma, eta), run in zip(_cells(scale), results, strict=True)
    ]
    return {name: [row[name] for row in rows] for name in rows[0]}


def findings(rows: Table) -> list[Finding]:
    """Read off the printed table; client rates are left out, for our two grids of them lie apart."""
    best = _best(rows)
    servers = {
        f"{TITLES[v.task]}, S:{v.server}": best[v][1] - best[v._replace(client="SGD")][1]
        for v in SHOWN
        if v.server != "SGD" and v[2:4] == ("AdaGrad", "none")
    }
    return [
        judge(
            CLAIMS["server"],
            "difference of the best server rates' logarithms, AdaGrad minus SGD clients: at least 0 everywhere",
            all(value >= 0 for value in servers.values()),
            servers,
        )
    ]


def _best(rows: Table) -> dict[Variant, tuple[float, float]]:
    """The pair of rates with the highest percent; NaN where a number is missing."""
    return picking.best(map(_candidate, rows.to_pylist()))


def _candidate(row: Row) -> tuple[Variant, tuple[float, float], float]:
    variant = Variant(*(row[name] for name in Variant._fields))
    if math.isnan(row["percent"]):
        return variant, (math.nan, math.nan), math.inf
    return variant, (row["gamma"], row["eta"]), row["percent"]


def sheet(rows: Table) -> Sheet:
    """Pairs (client rate, server rate)."""
    best, lines = _best(rows), []
    for task, servers in printed.RATES.items():
        for server, cells in servers.items():
            line = []
            for column, (gamma, eta, _) in zip(COLUMNS, cells, strict=True):
                ours = best.get(Variant(task, server, *column))
                line.append(Cell(None if ours is None else _pair(ours), _pair((gamma, eta))))
            lines.append((f"{TITLES[task]}, S:{server}", line))
    notes = [
        "Pairs: client rate, server rate, best on test data. A dash: not run.",
        "Below paper scale AdaGrad's accumulator begins at 1e-6, not 0.1, so that its client rates are lower.",
    ]
    return Sheet(("Task and server", "SGD", "AdaGrad", "+ local cor.", "+ joint cor."), lines, notes=notes)


def _pair(pair: tuple[float, float]) -> str:
    return ", ".join(f"{value:g}" for value in pair)


FIGURE = Figure(
    module=__name__,
    id="LA.T5",
    title="Best client and server rates of each variant, base-10 logarithms",
    alt="A table with a row for each task and server optimizer and a column for SGD clients, AdaGrad clients and these "
    "with local or joint correction: our best client and server rate, as base-10 logarithms, beside the printed pair.",
    claims=CLAIMS,
    flagship=True,
    runs=runs,
    table=table,
    findings=findings,
    sheet=sheet,
)
