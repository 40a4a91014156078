"""What the statements of ``bounds.STATEMENTS`` make of the functions that they judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import FunctionType
from typing import Any

import numpy as np

from surrogate import bounds
from surrogate.numbers import FLOATS
from theorems import records, registry
from theorems.engines.refute import refute
from theorems.engines.search import search
from theorems.statement import Claim, Statement

__all__ = ["FUNCTIONS", "called", "noticed", "violated"]

FUNCTIONS = tuple(name for name in bounds.__all__ if isinstance(getattr(bounds, name), FunctionType))
_LOOKS = 2000


def claims(statement: Statement) -> Iterator[tuple[Claim, str]]:
    """Every claim of a statement that is searched, with its recorded verdict."""
    record = records.read(statement.id)
    assert record is not None
    found = [(statement.printed, record), (statement.corrected, record["correction"])]
    found += zip((step.claim for step in statement.steps), record["steps"], strict=True)
    for claim, judged in found:
        if claim is not None and claim.compare is not None:
            yield claim, judged["verdict"]


def called(name: str, plant: Callable[[str, Any], None]) -> bool:
    """Does a claim or a hypothesis of the statement call the function on an instance?"""
    seen: list[str] = []
    original = getattr(bounds, name)

    def spy(*args: Any, **kwargs: Any) -> Any:
        seen.append(name)
        return original(*args, **kwargs)

    plant(name, spy)
    statement = registry.find(bounds.STATEMENTS[name])
    with np.errstate(all="ignore"):
        for claim, _ in claims(statement):
            domain = statement.where(claim)
            for discrete in domain.choices[:: max(1, len(domain.choices) // 4)]:
                u = np.full((1, domain.size(discrete)), 0.5)
                instance = domain.instance(FLOATS, u, discrete)
                assert claim.compare is not None
                claim.compare(instance)
                for hypothesis in statement.assumed(claim):
                    hypothesis.holds(instance)
    return bool(seen)


def violated(statement: Statement) -> list[set[tuple[str, int]]]:
    """For each claim that is recorded as false: where a short search sees it broken (label, place in the domain)."""
    return [_broken(statement, claim) for claim, verdict in claims(statement) if verdict == "false"]


def _broken(statement: Statement, claim: Claim) -> set[tuple[str, int]]:
    domain = statement.where(claim)
    place = {id(discrete): k for k, discrete in enumerate(domain.choices)}
    return {
        (find.label, place[id(find.discrete)]) for find in search(claim, domain, _LOOKS, adversarial=False).violations
    }


def noticed(statement: Statement, before: list[set[tuple[str, int]]]) -> bool:
    """Is a claim that holds refuted exactly, or is one that is false broken elsewhere, or nowhere?"""
    return any(_refuted(statement, claim) for claim, verdict in claims(statement) if verdict == "holds") or (
        violated(statement) != before
    )


def _refuted(statement: Statement, claim: Claim) -> bool:
    domain = statement.where(claim)
    for discrete in domain.choices:
        alone = replace(domain, choices=(discrete,))
        report = search(claim, alone, 200, adversarial=False)
        if report.violations and refute(claim, alone, report.violations, statement.assumed(claim)) is not None:
            return True
    return False
