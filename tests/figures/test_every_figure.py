"""What every registered figure inherits: tables that repeat, drawings that open, findings for every claim."""

from __future__ import annotations

import json
import math
import os
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import figures
from figures import registry
from figures.figure import Figure
from figures.findings import STATUSES
from figures.render import render
from tests.helpers.figures.doctor import doctored, statuses

ENTRIES = registry.discover()
EXACT = [entry for entry in ENTRIES if entry.exact]
STATEMENTS = {record["id"] for record in json.loads((registry.FOLDER.parent / "theorems/verdicts.json").read_text())}
EACH = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
RUNS: list[Path] = []


@pytest.fixture(scope="module", autouse=True)
def runs(tmp_path_factory: pytest.TempPathFactory) -> None:
    """One folder of runs for all processes of this test session: each run is trained once."""
    base = tmp_path_factory.getbasetemp()
    RUNS.append((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "figures")


@cache
def rows_of(id: str) -> Any:
    return figures.table(id, "smoke", RUNS[-1])


@EACH
def test_the_table_repeats(entry: Figure) -> None:
    again = figures.table(entry.id, "smoke", RUNS[-1])
    assert again.equals(rows_of(entry.id), check_metadata=True)
    assert again.num_rows > (0 if entry.trained else 10)


@pytest.mark.parametrize("entry", EXACT, ids=lambda entry: entry.id)
def test_an_exact_table_is_the_same_at_every_scale(entry: Figure) -> None:
    paper, smoke = entry.table("paper"), rows_of(entry.id)
    assert pa.table(dict(paper)).equals(smoke.replace_schema_metadata(None))


def test_a_figure_is_exact_or_trained() -> None:
    assert [entry.id for entry in ENTRIES if entry.exact == entry.trained] == []


@EACH
def test_statements_and_their_figures_agree(entry: Figure) -> None:
    assert set(entry.statements) <= STATEMENTS


@EACH
def test_the_table_has_no_holes(entry: Figure) -> None:
    for column in rows_of(entry.id).columns:
        assert column.null_count == 0
        if pa.types.is_floating(column.type):
            assert all(map(math.isfinite, column.to_pylist()))


MEASURED = ("loss", "accuracy", "value", "percent", "update_norm", "consistency", "h")
# What may be said of runs that all stand still: two things are alike, which their claims say.
ALIKE = {("OLR.T7", "same"), ("LA.T5", "server"), ("LAMB.F3", "clothes")}
LOST = {("OLR.F4", "one")}  # the loss rises, says the paper


@pytest.mark.parametrize("entry", [e for e in ENTRIES if e.trained], ids=lambda entry: entry.id)
def test_what_shows_nothing_reproduces_nothing(entry: Figure) -> None:
    """Where no run learns, or all diverge, no claim that one does better may pass."""
    rows = rows_of(entry.id)
    still = doctored(rows, lambda row: {name: 1.0 for name in MEASURED if name in row})
    lost = doctored(rows, lambda row: {"status": "diverged"} if "status" in row else {})
    for table, allowed in ((still, ALIKE), (lost, LOST)) if "status" in rows.column_names else ((still, ALIKE),):
        found = statuses(entry, table)
        passed = {(entry.id, name) for name, status in found.items() if status == "reproduced"}
        assert passed <= allowed


@EACH
def test_there_is_one_finding_a_claim_in_order_with_numbers(entry: Figure) -> None:
    found = entry.findings(rows_of(entry.id))
    assert [finding.claim for finding in found] == list(entry.claims.values())
    for finding in found:
        assert finding.status in STATUSES
        assert finding.status != "not run"
        assert finding.numbers and finding.check


@EACH
def test_missing_numbers_are_inconclusive(entry: Figure) -> None:
    rows = rows_of(entry.id)
    floats = [field.name for field in rows.schema if pa.types.is_floating(field.type)]
    settings = {"gamma", "eta", "rate", "alpha", "x", "y"} & set(floats)
    holes = doctored(rows, lambda row: dict.fromkeys(set(floats) - settings, math.nan))
    assert {finding.status for finding in entry.findings(holes)} == {"inconclusive"}


@EACH
def test_three_files_are_drawn_with_a_footer(entry: Figure, tmp_path: Path) -> None:
    footers: list[str] = []

    def draw(rows: Any) -> Any:
        figure = entry.picture(rows)
        footers.append(figure.get_supxlabel())
        assert all(ax.get_xlabel() for ax in figure.axes if not ax.get_label().startswith("<colorbar"))
        return figure

    written = render(entry, draw, rows_of(entry.id), tmp_path / "figure")
    assert [path.suffix for path in written] == [".pdf", ".svg", ".png"]
    assert all(path.stat().st_size > 5000 for path in written)
    told = " ".join(footers[0].split())  # a line may end anywhere
    assert ("The same at every scale" if entry.exact else "cale: smoke") in told
    assert len(told) > 80
