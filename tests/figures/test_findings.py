"""Statuses are the four of DESIGN.md, and a missing number is inconclusive, not a verdict."""

from __future__ import annotations

import json
import math

import pytest

from figures.findings import Finding, judge, not_run


def test_the_check_decides() -> None:
    assert judge("c", "a < b", True, {"a": 1}).status == "reproduced"
    assert judge("c", "a < b", False, {"a": 1}).status == "not reproduced"


@pytest.mark.parametrize("holds", [True, False])
def test_a_number_that_is_missing_is_inconclusive(holds: bool) -> None:
    assert judge("c", "a < b", holds, {"a": math.nan, "b": 1}).status == "inconclusive"


def test_infinity_is_an_answer() -> None:
    assert judge("c", "rounds(a) < rounds(b)", True, {"a": 3, "b": math.inf}).status == "reproduced"


def test_other_statuses_are_refused() -> None:
    with pytest.raises(ValueError, match="'probably' is not one of reproduced"):
        Finding("c", "a < b", "probably")


def test_a_finding_survives_json() -> None:
    finding = judge("c", "a < b", True, {"a": 1.5, "b": math.inf})
    assert Finding.from_record(json.loads(json.dumps(finding.record()))) == finding
    unknown = judge("c", "a < b", True, {"a": math.nan})
    back = Finding.from_record(json.loads(json.dumps(unknown.record(), allow_nan=False)))
    assert math.isnan(back.numbers["a"]) and back.status == "inconclusive"


def test_not_run_says_why() -> None:
    assert not_run("c", "no time") == Finding("c", "no time", "not run", {})
