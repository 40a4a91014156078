"""Rule 1 of the house: a formula stands once. A printed bound is a function of ``surrogate.bounds``."""

from __future__ import annotations

from typing import Any

import pytest

from surrogate import Theta, bounds, toys
from surrogate.reports import Request
from surrogate.reports import bounds as reported
from tests.house.tree import ROOT
from tests.theorems.judged_bounds import FUNCTIONS, called
from theorems import records

SHOWN_BY = ["surrogate/reports/bounds.py", "figures/plot.py", "figures/explorer/truth.py"]


def test_every_function_of_bounds_has_a_statement() -> None:
    assert set(bounds.STATEMENTS) == set(FUNCTIONS)
    assert [name for name in bounds.STATEMENTS.values() if records.read(name) is None] == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_statement_calls_the_function(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def plant(attribute: str, value: Any) -> None:
        monkeypatch.setattr(bounds, attribute, value)

    assert called(name, plant), f"{bounds.STATEMENTS[name]} computes {name} by a formula of its own"


def test_a_verdict_is_shown_beside_the_function_that_was_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    clients, request = toys.plane(), Request("local-update", {"gamma": 0.25, "theta": Theta.sum(4)})
    rows = reported.beside_truth(clients, request, 1.0)
    assert [row["id"] for row in rows] == [bounds.STATEMENTS[name] for name in reported.NAMES]
    for name, row in zip(reported.NAMES, rows, strict=True):
        assert row["verdict"] == reported.judged(name)
        monkeypatch.setattr(bounds, name, lambda *_: 42.0)
        assert reported.displacement_bound(name, clients, 0.25, Theta.sum(4)) == 42.0 != row["bound"]


@pytest.mark.parametrize("file", SHOWN_BY)
def test_ids_beside_bounds_come_from_the_table(file: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    assert "STATEMENTS" in text or "displacement_bound" in text
    assert [id for id in bounds.STATEMENTS.values() if f'"{id}"' in text.replace('verdict("', "")] == []
