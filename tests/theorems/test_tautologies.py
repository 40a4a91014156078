"""Joint 3 of DESIGN.md section 4: a claim that holds for unrelated numbers is a tautology, and is refused or listed."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from tests.helpers.theorems.outside import held
from tests.helpers.theorems.unrelated import can_fail
from theorems import records, registry
from theorems.fedda.common_rest import gradients
from theorems.fedda.e35 import carried, numeric
from theorems.statement import Comparison, that

LISTED = tomllib.loads(Path(__file__).with_name("tautologies.toml").read_text(encoding="utf-8"))
WHY = {name: why for why, names in LISTED.items() for name in names}


def test_a_claim_that_cannot_fail_is_listed(capsys) -> None:
    """Of those that are recorded as holding; reasons that nothing needs any more are printed, to be struck out."""
    found = [
        f"{name} {which}"
        for name, statement in registry.all_statements().items()
        for which, claim in held(statement, records.read(name))
        if not can_fail(statement, claim)
    ]
    assert sorted(set(found) - set(WHY)) == [], "holds for unrelated numbers: rework it, or say why in tautologies.toml"
    with capsys.disabled():
        print(f"\nclaims that hold for unrelated numbers: {len(found)}; not any more: {sorted(set(WHY) - set(found))}")


def read_backwards(s) -> list[Comparison]:
    """DA (35) as it was once judged: G = (P - b m)/(1 - b) gives b m + (1 - b) G = P."""
    r = numeric(s)
    P, _, _ = gradients(r)
    return [that("P", r.beta * r.m + (1 - r.beta) * ((P - r.beta * r.m) / (1 - r.beta))) == P]


def planted(name: str, compare) -> bool:
    statement = registry.find(name)
    return can_fail(statement, replace(statement.printed, compare=compare, domain=None))


def test_a_definition_read_backwards_is_noticed() -> None:
    assert not planted("DA.E35", read_backwards)
    assert planted("DA.E35", carried)


@pytest.mark.parametrize("name", ["OLR.T17", "OLR.L5", "LA.E50", "LADA.H3", "LAMB.E6"])
def test_planted_tautologies_are_noticed(name: str) -> None:
    """Each side against itself, against itself and a square, against the larger of both."""
    compare = registry.find(name).printed.compare

    def against(change):
        return lambda s: [that(c.label, c.lhs) <= change(s, c) for c in compare(s)]

    assert not planted(name, against(lambda s, c: c.lhs))
    assert not planted(name, against(lambda s, c: c.lhs + c.rhs * c.rhs))
    assert not planted(name, against(lambda s, c: (getattr(s, "nb", None) or s.p.nb).maximum(c.lhs, c.rhs)))
    assert planted(name, against(lambda s, c: c.rhs / 2))
