"""Mutation test: the engines notice statements that were made false on purpose, and say how many of how many."""

from __future__ import annotations

from tests.theorems.mutants import mutants
from theorems import records, registry
from theorems.engines.refute import refute
from theorems.engines.search import search

# What must be noticed, of all mutants. A mutant may be a true statement again (1/x = x at x = 1, a bound that does not
# depend on K): those are listed by name below, with the reason, never counted as noticed.
STILL_TRUE: dict[str, str] = {}


def noticed(statement, claim) -> bool:
    domain = statement.where(claim)
    report = search(claim, domain, 4000)
    return bool(report.violations) and refute(claim, domain, report.violations, statement.hypotheses) is not None


def test_every_mutant_is_refuted(capsys):
    statements = registry.all_statements()
    seen, missed = 0, []
    for name, statement in statements.items():
        record = records.read(name)
        if not record or record["verdict"] != "holds" or statement.printed.compare is None:
            continue
        for mutant, claim in mutants(statement, record):
            seen += 1
            if mutant not in STILL_TRUE and not noticed(statement, claim):
                missed.append(mutant)
    with capsys.disabled():
        print(f"\nmutants refuted: {seen - len(missed) - len(STILL_TRUE)} of {seen} ({len(STILL_TRUE)} true again)")
    assert not missed, f"not noticed: {missed}"


def test_every_needed_hypothesis_has_its_counterexample(capsys):
    """A hypothesis that the record calls needed is needed now: dropping it is noticed."""
    needed, unnoticed = 0, []
    for name, statement in registry.all_statements().items():
        record = records.read(name)
        for need in record["needs"] if record else []:
            if need["without"] != "false":
                continue
            hypothesis = next(h for h in statement.hypotheses if h.name == need["hypothesis"])
            claim = statement.corrected if record["correction"] else statement.printed
            report = search(claim, hypothesis.without, 4000)
            others = tuple(h for h in statement.hypotheses if h is not hypothesis)
            needed += 1
            if refute(claim, hypothesis.without, report.violations, others) is None:
                unnoticed.append(f"{name}: {hypothesis.name}")
    with capsys.disabled():
        print(f"\nneeded hypotheses whose loss is noticed: {needed - len(unnoticed)} of {needed}")
    assert not unnoticed
