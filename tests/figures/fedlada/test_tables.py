"""LADA's tables: what a round costs, counted by hand; speed-ups; our numbers beside the printed ones."""

from __future__ import annotations

import math
from typing import Any

import pyarrow as pa
import pytest

from figures.fedlada import (
    counted,
    measures,
    printed,
    table_1,
    table_4,
    table_5,
    table_7,
    table_10,
    table_11,
    table_12,
)
from tests.helpers.figures.doctor import doctored, statuses
from tests.helpers.figures.fedlada_world import rows

# Down and up, read off the algorithms: x; x and c; x and g_a; x, g_a and the second moment, which comes back, too.
BY_HAND = {
    "fedavg": (1, 1),
    "fedprox": (1, 1),
    "scaffold": (2, 2),
    "fedcm": (2, 1),
    "fedopt-adam": (1, 1),
    "local-adam": (1, 1),
    "fedlada": (3, 2),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_what_a_round_costs(name: str) -> None:
    assert table_11.counted(name) == BY_HAND[name]


def test_costs_that_are_not_printed_are_noticed() -> None:
    found = pa.table(table_11.table("paper"))
    assert statuses(table_11, found) == {"double": "reproduced", "exact": "not reproduced"}
    as_printed = doctored(found, lambda row: {"vectors": row["printed"]})
    assert statuses(table_11, as_printed) == {"double": "reproduced", "exact": "reproduced"}
    cheap = doctored(found, lambda row: {"vectors": 1.0})
    assert statuses(table_11, cheap)["double"] == "not reproduced"


def test_speed_ups() -> None:
    never = math.inf
    assert measures.speedup([[8.0], [2.0]], [[2.0], [2.0]]) == pytest.approx([2.0])
    assert measures.speedup([[never, 4.0]], [[4.0, never]]) == [never, 0.0]
    assert measures.speedup([[never]], [[never]]) == [1.0]
    assert all(math.isnan(value) for value in measures.speedup([[math.nan]], [[4.0]]))


def test_ours_stand_beside_the_printed() -> None:
    sheet = table_4.sheet(rows(table_4))
    first = sheet.rows[0][1][0]
    assert (first.ours, first.printed) == ("42.0", "41.9")
    communication = dict(table_12.sheet(rows(table_12)).rows)
    assert [cell.printed for cell in communication["FedLADA"]] == ["45", "90", "0.95", "186", "372", "0.69"]
    assert [cell.ours for cell in communication["LocalAdam"]][3:] == ["never"] * 3


@pytest.mark.parametrize(("table", "theirs"), [
    (table_4, printed.INTERVALS), (table_5, printed.ALPHA), (table_10, printed.SCALED),
])  # fmt: skip
def test_what_is_printed_and_not_run_is_a_dash(table: Any, theirs: dict[float, Any]) -> None:
    sheet = table.sheet(rows(table))
    assert list(sheet.head[1:]) == [f"{value:g}" for value in theirs]
    for _, cells in sheet.rows:
        assert all(cell.printed is not None for cell in cells)
        assert 1 < sum(cell.ours is not None for cell in cells) < len(cells)
    assert "A dash: not run at this scale." in sheet.notes


def test_rows_stand_in_the_order_of_the_paper() -> None:
    names = ["FedAvg", "FedAdam", "SCAFFOLD", "FedCM", "FedProx", "LocalAdam", "FedLADA"]
    for sheet in (table_11.sheet(pa.table(table_11.table("paper"))), table_12.sheet(rows(table_12))):
        assert [name for name, _ in sheet.rows] == names


def test_factors_of_the_text_stand_beside_what_the_printed_tables_give() -> None:
    """Geometric means over data sets, by hand from Tables 1 and 7."""
    found = [finding for table in (table_1, table_7) for finding in table.findings(rows(table))]
    told = [finding.numbers["in print"] for finding in found if "in print" in finding.numbers]
    adam = (575 * 746 * 971 / (765 * 618 * 878)) ** (1 / 3)
    sgd = (740 * 966 * 1338 / (765 * 618 * 878)) ** (1 / 3)
    fedadam = (2554 * 2778 * 2834 / (765 * 618 * 878)) ** (1 / 3)
    early = (65.5 * 120.5 * 115.9 / (44.6 * 93.9 * 110.2)) ** (1 / 3)
    middle = (262.5 * 200.0 * 245.8 / (186.4 * 143.7 * 170.2)) ** (1 / 3)
    assert told == pytest.approx([adam, sgd, fedadam, early, middle])
    denied = [finding for finding in found if "the text's factor" in finding.check]
    assert [round(finding.numbers["in print"], 2) for finding in denied] == [1.0, 1.32, 1.26, 1.41]
    assert counted.SGD == ("fedavg", "fedprox", "scaffold", "fedcm")
