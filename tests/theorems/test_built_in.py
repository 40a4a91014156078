"""Joint 2 of DESIGN.md section 4: whatever a domain builds in is a declared hypothesis, or listed with its reason."""

from __future__ import annotations

import tomllib
import warnings
from dataclasses import replace
from pathlib import Path

import pytest

from tests.helpers.theorems.outside import held, outside
from theorems import records, registry
from theorems.engines.search import search
from theorems.statement import Hypothesis, that

LISTED = tomllib.loads(Path(__file__).with_name("built_in.toml").read_text(encoding="utf-8"))
PAPERS = ("outsized", "local_adaptivity", "fedda", "fedlada", "fedlamb")


def letters(name: str, **changes) -> dict[str, str]:
    """The letters of a statement that break a claim of it outside of its domain, with the move and the comparison."""
    statement, found = replace(registry.find(name), **changes), {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        for _, claim in held(statement, records.read(name)):
            found |= outside(statement, claim)
    return found


@pytest.mark.parametrize("paper", PAPERS)
def test_what_a_domain_builds_in_is_a_hypothesis(paper: str, capsys) -> None:
    """Where every hypothesis is met, a claim that holds does so outside of its domain, too."""
    silent, idle, owed = [], [], 0
    for name in registry.ids(paper):
        found, listed = letters(name), LISTED.get(name, {})
        silent += [f"{name}, {letter} ({how})" for letter, how in found.items() if letter not in listed]
        idle += [f"{name}, {letter}" for letter in listed if letter not in found]
        owed += sum(why.startswith("owed: ") and letter in found for letter, why in listed.items())
    with capsys.disabled():
        print(f"\n{paper}: conditions that no hypothesis says as yet: {owed}; listed and not found any more: {idle}")
    assert not silent, "moved out of the domain, with every hypothesis met, these letters break a claim"


def test_the_list_names_statements_that_are() -> None:
    assert set(LISTED) <= set(registry.ids())


@pytest.mark.parametrize(
    ("name", "dropped", "letter"),
    [
        ("OLR.T16", "0 < gamma", "gamma"),
        ("OLR.T21", "0 <= gamma_1", "gamma_2"),
        ("DA.E44", "0 <= beta", "beta"),
        ("LA.E50", "0 < eta L", "eta"),
    ],
)
def test_a_narrowed_domain_is_noticed(name: str, dropped: str, letter: str) -> None:
    """A hypothesis is struck out, and the domain keeps to it in silence."""
    kept = tuple(h for h in registry.find(name).hypotheses if not h.name.startswith(dropped))
    assert letter not in letters(name)
    assert letter in letters(name, hypotheses=kept)


def test_a_hypothesis_that_says_less_than_the_domain_is_noticed() -> None:
    """gamma < 100/L in place of gamma < 1/L."""
    statement = registry.find("OLR.T17")
    weaker = Hypothesis("gamma < 100/L", lambda s: [that(s.gamma * s.p.L) < s.gamma * 0 + 100])
    kept = tuple(h for h in statement.hypotheses if not h.name.startswith("0 < gamma"))
    assert "gamma" in letters("OLR.T17", hypotheses=(*kept, weaker))


@pytest.mark.parametrize(
    ("name", "setting", "premise"),
    [
        ("OLR.C14", "d", "A_i are numbers (d = 1)."),
        ("OLR.L12", "n", "There is one client."),
        ("DA.E35", "T", "T = 1."),
        ("DA.D3", "n", "There is one client."),
        ("LADA.D2", "K", "K = 1."),
        ("LAMB.L1", "n", "n = 1."),
    ],
)
def test_a_premise_that_a_reading_adds_is_noticed(name: str, setting: str, premise: str) -> None:
    """A false claim "holds" where its reading, and its domain with it, take in one setting alone."""
    statement = registry.find(name)
    domain = statement.where(statement.printed)
    least = min(choice[setting] for choice in domain.choices)
    narrow = replace(domain, choices=tuple(choice for choice in domain.choices if choice[setting] == least))
    claim = replace(statement.printed, domain=None)
    added = replace(statement, domain=narrow, printed=claim, reading=f"{statement.reading} {premise}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        assert not search(claim, narrow, 600).violations
        assert setting in outside(added, claim)
