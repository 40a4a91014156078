"""Claims and hypotheses as straight-line programs: what a certificate holds, and the hash of what a claim compares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from surrogate._types import Numbers
from surrogate.numbers.traces import Trace
from theorems.engines.certify import entries, exact_instance
from theorems.instances import describe, mapped
from theorems.record import Program, Traced
from theorems.records import digest
from theorems.statement import Claim, Comparison, Hypothesis, Statement

__all__ = ["encoded", "expression", "program"]


def program(claim: Claim, assumed: Iterable[Hypothesis], label: str, instance: Any) -> tuple[Program, Program, Traced]:
    """Nodes, hypotheses and the comparison named ``label`` on an exact instance; nodes that these need, no others."""
    trace, conditions, compared = _traced(claim, assumed, instance)
    nodes, rows = _rows(trace, [*conditions, next(c for c in compared if c.label == label)])
    _, relation, lhs, rhs = rows.pop()
    return nodes, rows, {"relation": relation, "lhs": lhs, "rhs": rhs}


def expression(statement: Statement, claim: Claim) -> str:
    """Hash of what a claim compares and assumes: its program on one fixed instance, and its domain's settings.

    A renamed variable, a function moved or a docstring leaves it as it was; a dropped factor, another hypothesis or a
    narrowed domain does not. It is made of rationals, so it is the same on every machine. Empty for a claim without
    sides.
    """
    if claim.compare is None:
        return ""
    domain = statement.where(claim)
    first = domain.choices[0]
    m = domain.size(first)
    u = np.array([[Fraction(3 + (3 * j) % 7, 17) for j in range(m)]], dtype=object).reshape(1, m)
    trace, conditions, compared = _traced(claim, statement.assumed(claim), exact_instance(domain, u, first))
    return digest(
        [domain.says, [encoded(choice) for choice in domain.choices], *_rows(trace, [*conditions, *compared])]
    )


def encoded(discrete: Mapping[str, Any]) -> dict[str, Any]:
    """A discrete setting as JSON holds it: whole numbers and words as they are, the rest in words."""
    return {name: value if isinstance(value, (bool, int, str)) else str(value) for name, value in discrete.items()}


def _traced(
    claim: Claim, assumed: Iterable[Hypothesis], instance: Any
) -> tuple[Trace, list[Comparison], Sequence[Comparison]]:
    """The trace, the hypotheses as comparisons with their names as labels, and the claim's comparisons.

    Inputs are what a described instance shows; a rotation that turns nothing is constant.
    """
    trace, shown = Trace(), describe(instance)
    given = lambda name, value: trace.input(name, value) if name in shown else trace.constant(value)  # noqa: E731
    traced = mapped(instance, given, trace.kind)
    conditions = [
        each._replace(label=f"{h.name}: {c.label}" if c.label else h.name)
        for h in assumed
        for c in h.holds(traced)
        for each in entries(c)
    ]
    return trace, conditions, list(claim.compare(traced)) if claim.compare else []


def _rows(trace: Trace, comparisons: Sequence[Comparison]) -> tuple[Program, Program]:
    """The nodes that comparisons need, and each comparison as [label, relation, left node, right node]."""
    sides = [[_node(trace, c.lhs), _node(trace, c.rhs)] for c in comparisons]
    nodes, place = trace.program(k for pair in sides for k in pair)
    return nodes, [[c.label, c.relation, place[i], place[j]] for c, (i, j) in zip(comparisons, sides, strict=True)]


def _node(trace: Trace, side: Numbers) -> int:
    value = side.reshape(-1)[0] if hasattr(side, "reshape") else side
    return trace.lift(value).id
