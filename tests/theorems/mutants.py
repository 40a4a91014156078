"""Statements made false on purpose: an engine with teeth refutes them.

- tight: a bound whose tightest instance is within 1 % of equality, moved 1 % further inward than that;
- scaled: an equation with its right side 1 % too large;
- flipped: the right side of an equation turned upside down (an exponent with the wrong sign);
- shifted: the right side of an equation with K + 1 in the place of K (a swapped index).

A change that reaches no right side is no mutant.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from surrogate import Theta
from theorems.numbers import Floats
from theorems.statement import Claim, Comparison, Statement

__all__ = ["mutants"]


def mutants(statement: Statement, record: dict[str, Any]) -> Iterator[tuple[str, Claim]]:
    """(name, false claim) for a statement that is recorded as holding."""
    claim = statement.printed
    assert claim.compare is not None
    tight = record["tightness"]
    if tight and tight["ratio"] > 0.99:
        factor = Fraction(tight["ratio"]).limit_denominator(10**6) * Fraction(99, 100)
        yield f"{statement.id}: tight", _changed(claim, lambda s, c: _scaled(s, c, factor), tight["label"])
    candidates = {
        "scaled": _changed(claim, lambda s, c: _scaled(s, c, Fraction(101, 100))),
        "flipped": _changed(claim, lambda s, c: 1 / c.rhs),
        "shifted": _shifted(claim),
    }
    for name, mutant in candidates.items():
        if _differs(statement, mutant):
            yield f"{statement.id}: {name}", mutant


def _differs(statement: Statement, mutant: Claim) -> bool:
    """Does the change reach any right side? (1/x is x at x = 1; an equation may not know K; K may not stand alone.)"""
    before = {c.label: c.rhs for c in _sample(statement, statement.printed)}
    try:
        after = {c.label: c.rhs for c in _sample(statement, mutant)}
    except (ArithmeticError, AttributeError, IndexError, TypeError, ValueError):
        return False
    with np.errstate(all="ignore"):
        gaps = [np.max(np.abs(after[k] - before[k]) / (np.abs(before[k]) + 1e-300)) for k in after]
    return any(np.isfinite(gap) and gap > 1e-3 for gap in gaps)


def _sample(statement: Statement, claim: Claim) -> list[Comparison]:
    """The comparisons on a few instances of the largest setting."""
    domain = statement.where(statement.printed)
    discrete = domain.choices[-1]
    u = np.random.default_rng(0).uniform(0.1, 0.9, size=(20, domain.size(discrete)))
    assert claim.compare is not None
    with np.errstate(all="ignore"):
        return list(claim.compare(domain.instance(Floats(), u, discrete)))


def _numbers(s: Any) -> Any:
    return s.nb if hasattr(s, "nb") else s.p.nb


def _scaled(s: Any, c: Comparison, factor: Fraction) -> Any:
    return c.rhs * _numbers(s).number(factor)


def _changed(claim: Claim, rhs: Any, label: str | None = None) -> Claim:
    """The claim with new right sides of its equations, or of the one bound named."""
    assert claim.compare is not None
    compare = claim.compare

    def changed(s: Any) -> list[Comparison]:
        return [
            c._replace(rhs=rhs(s, c))
            for c in compare(s)
            if (c.label == label if label is not None else c.relation == "==")
        ]

    return replace(claim, compare=changed, prove=None)


def _shifted(claim: Claim) -> Claim:
    assert claim.compare is not None
    compare = claim.compare

    def shifted(s: Any) -> list[Comparison]:
        later = copy(s)
        later.K = s.K + 1
        if isinstance(getattr(s, "theta", None), Theta) and s.theta.kind != "weights":
            later.theta = getattr(Theta, s.theta.kind)(s.theta.steps + 1)
        pairs = zip(compare(s), compare(later), strict=True)
        return [c._replace(rhs=d.rhs) for c, d in pairs if c.relation == "=="]

    return replace(claim, compare=shifted, prove=None)
