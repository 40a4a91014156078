"""Mutation test: the engines notice claims that were made false on purpose, and say how many of how many.

CI looks at a few dozen of the mutants, always the same ones; ``HYPOTHESIS_PROFILE=thorough`` looks at all.
"""

from __future__ import annotations

import os
from collections import Counter
from zlib import crc32

import pytest

from tests.helpers.theorems.mutants import held, mutants
from theorems import records, registry
from theorems.engines.refute import again, refute
from theorems.engines.search import search
from theorems.statement import Claim, Statement

ALL = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
STATEMENTS = registry.all_statements()
PAPERS = sorted({s.paper for s in STATEMENTS.values()} - {"dictionary"})  # its mutants: test_dictionary


def noticed(statement: Statement, claim: Claim) -> bool:
    domain = statement.where(claim)
    report = search(claim, domain, 4000)
    return bool(report.violations) and refute(claim, domain, report.violations, statement.assumed(claim)) is not None


def looked_at(name: str) -> bool:
    return ALL or crc32(name.encode()) % 3 == 0


@pytest.mark.parametrize("paper", PAPERS)
def test_every_mutant_is_refuted(paper, capsys):
    seen, missed, kinds = 0, [], Counter()
    for statement in registry.all_statements(paper).values():
        for name, claim in held(statement, records.read(statement.id)):
            if not ALL and crc32(name.encode()) % 5:
                continue
            for mutant, changed in mutants(statement, name, claim):
                if looked_at(mutant):
                    seen += 1
                    kinds[mutant.split(": ", 1)[1].split()[0]] += 1
                    if not noticed(statement, changed):
                        missed.append(mutant)
    with capsys.disabled():
        print(f"\n{paper}: mutants refuted: {seen - len(missed)} of {seen} ({dict(kinds)})")
    assert seen and not missed, f"not noticed: {missed}"


def test_every_needed_hypothesis_has_its_counterexample(capsys):
    """A hypothesis that the record calls needed is needed now: dropping it is noticed, or shown where recorded."""
    needed, unnoticed = 0, []
    for name, statement in STATEMENTS.items():
        record = records.read(name)
        for need in record["needs"]:
            if need["without"] != "false" or not looked_at(f"{name}: {need['hypothesis']}"):
                continue
            hypothesis = next(h for h in statement.hypotheses if h.name == need["hypothesis"])
            claim = statement.corrected if record["correction"] else statement.printed
            report = search(claim, hypothesis.without, 4000)
            others = tuple(h for h in statement.hypotheses if h is not hypothesis)
            needed += 1
            found = refute(claim, hypothesis.without, report.violations, others)
            if found is None and again(claim, hypothesis.without, need["counterexample"], others) is None:
                unnoticed.append(f"{name}: {hypothesis.name}")
    with capsys.disabled():
        print(f"\nneeded hypotheses whose loss is noticed: {needed - len(unnoticed)} of {needed}")
    assert needed and not unnoticed
