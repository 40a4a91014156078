"""LADA's tables: what a round costs, counted by hand; speed-ups; our numbers beside the printed ones."""

from __future__ import annotations

import math

import pyarrow as pa
import pytest

from figures.fedlada import measures, table_4, table_11, table_12
from tests.figures.doctor import doctored, statuses
from tests.figures.fedlada.world import rows

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
