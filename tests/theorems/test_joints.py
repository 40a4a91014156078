"""Joints 1 and 2 of DESIGN.md section 4, for all statements: units, rescaled copies, padding; with planted faults."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from surrogate.numbers import FLOATS
from surrogate.numbers.units import LOSS, NUMBER, POINT
from theorems import registry
from theorems.engines.units import claims, mixed, moved, sheet
from theorems.instances import leaves
from theorems.statement import Claim, Comparison, Statement

STATEMENTS = {name: s for name, s in registry.all_statements().items() if any(claims(s))}
PAPERS = sorted({s.paper for s in STATEMENTS.values()})
OTHER_UNITS = ((4.0**6, 4.0**-3), (4.0**-5, 4.0**4), (355 / 113 * 100, 22 / 7 / 100))  # of f and of x


def altered(name: str, change) -> Statement:
    """The statement whose printed comparisons are changed."""
    statement = STATEMENTS[name]
    compare = statement.printed.compare
    return replace(statement, printed=replace(statement.printed, compare=lambda s: [change(s, c) for c in compare(s)]))


@pytest.mark.parametrize("name", STATEMENTS)
def test_both_sides_have_one_unit(name: str) -> None:
    """But for the claims whose sheet says why not; a reason that is not needed any more is no reason."""
    statement, declared = STATEMENTS[name], sheet(STATEMENTS[name].paper)
    for which, _ in claims(statement):
        found = mixed(statement, which)
        if declared.reason(name, which):
            assert found, f"{name} {which} is listed as mixed and is not"
        else:
            assert not found, f"{name}, {found}"


@pytest.mark.parametrize("name", STATEMENTS)
def test_other_units_change_no_ratio_and_no_truth(name: str) -> None:
    statement, declared = STATEMENTS[name], sheet(STATEMENTS[name].paper)
    for which, _ in claims(statement):
        if not declared.reason(name, which):
            assert [moved(statement, which, f, x) for f, x in OTHER_UNITS] == [[]] * 3, f"{name} {which}"


def test_claims_about_numbers_alone_say_so() -> None:
    """Where no letter has a unit the two tests above say nothing."""
    silent = []
    for name, statement in STATEMENTS.items():
        declared = sheet(statement.paper)
        for which, claim in claims(statement):
            of = declared.of(name, which)
            if {of(letter) for letter in letters(statement, claim)} <= {NUMBER} and not declared.number(name, which):
                silent.append(f"{name} {which}")
    assert not silent


def letters(statement: Statement, claim: Claim) -> set[str]:
    domain = statement.where(claim)
    discrete = domain.choices[-1]
    return {name for name, _ in leaves(domain.instance(FLOATS, np.full((1, domain.size(discrete)), 0.5), discrete))}


@pytest.mark.parametrize("paper", PAPERS)
def test_sheets_name_what_exists(paper: str) -> None:
    declared = sheet(paper)
    known = {s.id for s in STATEMENTS.values() if s.paper == paper}
    known |= {f"{s.id} {which}" for s in STATEMENTS.values() if s.paper == paper for which, _ in claims(s)}
    for table in (declared.own, declared.normalised, declared.numbers, declared.ranges, declared.mixed):
        assert set(table) <= known
    for name, ranges in declared.ranges.items():
        statement = STATEMENTS[name]
        assert set(ranges) <= {h.name for _, claim in claims(statement) for h in statement.assumed(claim)}


def test_a_factor_that_is_left_out_is_noticed() -> None:
    """LA (49) with L twice; OLR Theorem 17 times gamma; a hypothesis on gamma alone."""
    slip = altered("LA.E47", lambda s, c: c._replace(rhs=c.rhs * s.L))
    assert "against" in mixed(slip, "printed")
    assert moved(slip, "printed", *OTHER_UNITS[0])
    slip = altered("OLR.T17", lambda s, c: c._replace(rhs=c.rhs * s.gamma))
    assert "x against x^3/f" in mixed(slip, "printed")
    narrow = STATEMENTS["OLR.T17"].hypotheses[-1]
    narrow = replace(narrow, holds=lambda s: [Comparison("", s.gamma, "<", s.gamma * 0 + 1)])
    assert "x^2/f against 1" in mixed(replace(STATEMENTS["OLR.T17"], hypotheses=(narrow,)), "printed")


def test_a_wrong_unit_in_a_sheet_is_noticed() -> None:
    statement = STATEMENTS["OLR.T17"]
    declared = sheet("outsized")
    wrong = replace(declared, units={**declared.units, "p.c": LOSS})
    assert mixed(statement, "printed") == "" and moved(statement, "printed", *OTHER_UNITS[0]) == []
    wrong = replace(declared, units={**declared.units, "gamma": POINT})
    assert "of 1 and f/x" in mixed(statement, "printed", wrong)
    assert moved(statement, "printed", *OTHER_UNITS[0], wrong)


def padded(source: str) -> list[str]:
    """Comparisons both of whose sides carry the same whole number."""
    found = []
    for node in ast.walk(ast.parse(source)):
        name = getattr(getattr(node, "func", None), "id", "")
        left = getattr(getattr(node, "left", None), "func", None)
        if isinstance(node, ast.Call) and name == "Comparison" and len(node.args) == 4:
            _, lhs, relation, rhs = node.args
            strict = isinstance(relation, ast.Constant) and relation.value in ("<", ">")
        elif isinstance(node, ast.Compare) and getattr(left, "id", "") == "that":
            lhs, rhs, strict = node.left.args[-1], node.comparators[0], isinstance(node.ops[0], (ast.Lt, ast.Gt))
        else:
            continue
        if not strict and set(addends(lhs)) & set(addends(rhs)):
            found.append(f"{ast.unparse(lhs)} against {ast.unparse(rhs)}")
    return found


def addends(side: ast.expr) -> list[int]:
    """The whole numbers that are added at the top of an expression of two terms or more."""
    if not isinstance(side, ast.BinOp) or not isinstance(side.op, (ast.Add, ast.Sub)):
        return []
    ends = [side.left] + ([side.right] if isinstance(side.op, ast.Add) else [])
    own = [e.value for e in ends if isinstance(e, ast.Constant) and isinstance(e.value, int) and e.value]
    return own + addends(side.left)


def test_sides_are_not_padded() -> None:
    """Both sides are shown as they are judged: nothing is added to them so that floats see no zero."""
    assert padded('Comparison("q", 8 + q1, "==", 8 + 2 - g)') and padded('Comparison("", a + b + 1, "<=", c + 1)')
    assert padded('that("q", 8 + q1) == 8 + 2 - g') and not padded('that("q", 1 + q1) > 2 - g')
    genuine = {"1 - s.nb.exp(exponent * s.nb.log(s.beta1)) against 1 - s.beta1 ** s.t"}
    found = {text for name in STATEMENTS for text in padded(Path(registry.source(name)).read_text(encoding="utf-8"))}
    assert found <= genuine
