"""B3 against the records themselves; sides are read rightly, and its checks can fail."""

from __future__ import annotations

import json
from typing import Any

import pytest

from figures.beyond import figure_b3
from tests.helpers.figures.doctor import doctored, statuses
from tests.helpers.figures.exact import rows_of
from theorems.records import TABLE


@pytest.fixture(scope="module")
def rows() -> Any:
    return rows_of("B3")


@pytest.fixture(scope="module")
def records() -> dict[str, Any]:
    return {record["id"]: record for record in json.loads(TABLE.read_text(encoding="utf-8"))}


def test_every_bound_has_a_row_and_nothing_else(rows: Any, records: dict[str, Any]) -> None:
    bounds = [name for name, record in records.items() if record["kind"] in ("upper bound", "convergence")]
    assert rows["id"].to_pylist() == bounds
    assert len(bounds) > 90


def test_ratios_are_those_recorded(rows: Any, records: dict[str, Any]) -> None:
    for row in rows.to_pylist():
        record = records[row["id"]]
        source = record if row["holds"] else record["correction"]
        assert row["holds"] == (record["verdict"] == "holds")
        assert row["ratio"] == (source["tightness"]["ratio"] if source["tightness"] else -1)


@pytest.mark.parametrize(
    ("text", "value"),
    [("45/64", 45 / 64), ("-3", -3.0), ("in [0.25, 0.75]", 0.5), ("in [1e-05, 3e-05]", 2e-5), ("2.5", 2.5)],
)
def test_a_side_is_a_rational_a_decimal_or_an_enclosure(text: str, value: float) -> None:
    assert figure_b3._number(text) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("text", [None, "", "not a number"])
def test_what_is_no_number_is_none(text: Any) -> None:
    assert figure_b3._number(text) is None


@pytest.mark.parametrize(
    ("lhs", "rhs", "ratio"),
    [("3", "2", 1.5), ("1", "0", 1e6), ("1", "-1", 1e6), ("2", "3", -1.0), ("-1", "-2", -1.0), (None, "1", -1.0)],
)
def test_how_far_a_counterexample_breaks_a_bound(lhs: Any, rhs: Any, ratio: float) -> None:
    assert figure_b3._broken({"sides": {"lhs": lhs, "rhs": rhs}}) == ratio


def test_a_statement_without_a_counterexample_breaks_by_no_ratio() -> None:
    assert figure_b3._broken(None) == -1.0


def test_names_link_to_the_pages_of_their_statements(rows: Any) -> None:
    from matplotlib import pyplot, rc_context

    from figures import style

    with rc_context(style.rc() | {"backend": "Agg"}):
        figure = figure_b3.draw(rows)
        linked = {tick.get_url(): tick.get_text() for ax in figure.axes for tick in ax.get_yticklabels()}
        pyplot.close(figure)
    assert {f"../../report/statements/{name}.html" for name in rows["id"].to_pylist()} == set(linked)
    assert all(url.endswith(f".{text}.html") for url, text in linked.items())


def test_it_comes_out_as_recorded(rows: Any) -> None:
    assert set(statuses(figure_b3, rows).values()) == {"reproduced"}


@pytest.mark.parametrize(
    ("names", "change"),
    [
        ({"sound"}, lambda row: {"ratio": 1.001} if row["id"] == "OLR.C13" else {}),
        ({"sound", "mended"}, lambda row: {"ratio": 1.001} if row["id"] == "OLR.C22" else {}),
        ({"tight"}, lambda row: {"ratio": 0.05} if row["holds"] and row["ratio"] >= 0 else {}),
        ({"loose"}, lambda row: {"ratio": 0.3} if row["id"] == "OLR.T17" else {}),
        ({"loose"}, lambda row: {"ratio": -1.0} if row["id"] == "OLR.T17" else {}),
        ({"mended"}, lambda row: {"mended": False} if row["id"] == "LA.T1" else {}),
    ],
)
def test_checks_notice_other_records(rows: Any, names: set[str], change: Any) -> None:
    found = statuses(figure_b3, doctored(rows, change))
    assert {key for key, status in found.items() if status == "not reproduced"} == names
