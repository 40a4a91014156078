"""Claims made false on purpose: an engine with teeth refutes them.

- tight: a bound that comes within 1 % of equality, moved 1 % further inward than that;
- scaled: an equation with its right side 1 % too large;
- flipped: the right side of an equation turned upside down (an exponent with the wrong sign);
- squared: the right side of an equation squared (an exponent one too large);
- shifted: the right side of an equation with a whole number (K, T, t, r ...) one too large;
- swapped: the right side of an equation with one list of numbers in reverse order (a swapped index).

A change that reaches no right side is no mutant, and one that does makes a true equation false: none is true again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from surrogate import Theta
from surrogate.numbers import FLOATS
from theorems.engines.search import search
from theorems.population import Population
from theorems.statement import Claim, Comparison, Statement

__all__ = ["held", "mutants"]

Change = Callable[[Any], Any]  # of an instance


def held(statement: Statement, record: dict[str, Any]) -> Iterator[tuple[str, Claim]]:
    """(name, claim) of what is recorded as holding and can be searched: the statement or its correction, its steps."""
    correction = record["correction"] or {}
    judged = [(statement.id, statement.printed, record), (f"{statement.id} corrected", statement.corrected, correction)]
    for k, (step, recorded) in enumerate(zip(statement.steps, record["steps"], strict=True)):
        judged.append((f"{statement.id} step {k}", step.claim, recorded))
    for name, claim, found in judged:
        if claim is not None and claim.compare is not None and found.get("verdict") == "holds":
            yield name, claim


def mutants(statement: Statement, name: str, claim: Claim) -> Iterator[tuple[str, Claim]]:
    """(name, false claim)."""
    report = search(claim, statement.where(claim), 1000)
    coarse = {find.label for find in report.violations}  # rounding, as the claim holds
    for label, find in report.tightest.items():
        if label not in report.equations | coarse and 0.99 < find.score <= 1:
            factor = Fraction(find.score).limit_denominator(10**6) * Fraction(99, 100)
            yield f"{name}: tight {label}".strip(), _tightened(claim, label, factor)
    changes = {
        "scaled": _changed(claim, lambda c, nb: c.rhs * nb.number(Fraction(101, 100))),
        "flipped": _changed(claim, lambda c, nb: 1 / c.rhs),
        "squared": _changed(claim, lambda c, nb: c.rhs * c.rhs),
        **{what: _moved(claim, change) for what, change in _moves(_sample(statement, claim))},
    }
    for what, mutant in changes.items():
        if _differs(statement, claim, mutant):
            yield f"{name}: {what}", mutant


def _sample(statement: Statement, claim: Claim) -> Any:
    """A few instances of the largest setting, in floats."""
    domain = statement.where(claim)
    discrete = domain.choices[-1]
    u = np.random.default_rng(0).uniform(0.1, 0.9, size=(20, domain.size(discrete)))
    return domain.instance(FLOATS, u, discrete)


def _compared(claim: Claim, s: Any) -> dict[str, Comparison]:
    with np.errstate(all="ignore"):
        return {c.label: c for c in claim.compare(s)}


def _differs(statement: Statement, claim: Claim, mutant: Claim) -> bool:
    """Does the change reach a right side of an equation that says something there (its left side is no nan)?"""
    try:
        before, after = (_compared(c, _sample(statement, claim)) for c in (claim, mutant))
        with np.errstate(all="ignore"):
            gaps = [_gap(before[label], changed.rhs) for label, changed in after.items()]
    except (ArithmeticError, AttributeError, IndexError, KeyError, TypeError, ValueError):
        return False
    return any(gap > 1e-3 for gap in gaps)


def _gap(before: Comparison, changed: Any) -> float:
    gap = np.abs(changed - before.rhs) / (np.abs(before.rhs) + np.abs(changed) + 1e-300)
    gap = np.where(np.isfinite(gap) & np.isfinite(before.lhs), gap, 0.0)
    return float(np.median(gap))  # of most instances, not of one where a division by almost 0 inflates rounding


def _changed(claim: Claim, rhs: Callable[[Comparison, Any], Any]) -> Claim:
    """The equations alone, with new right sides."""

    def compare(s: Any) -> list[Comparison]:
        nb = s.nb if hasattr(s, "nb") else s.p.nb
        return [c._replace(rhs=rhs(c, nb)) for c in claim.compare(s) if c.relation == "=="]

    return replace(claim, compare=compare, prove=None)


def _tightened(claim: Claim, label: str, factor: Fraction) -> Claim:
    """One bound alone (not every setting has it), moved inward by 1 - factor of the longer side."""

    def compare(s: Any) -> list[Comparison]:
        nb = s.nb if hasattr(s, "nb") else s.p.nb
        return [_inward(c, nb, nb.number(1 - factor)) for c in claim.compare(s) if c.label == label]

    return replace(claim, compare=compare, prove=None)


def _inward(c: Comparison, nb: Any, share: Any) -> Comparison:
    lhs, rhs = c.lhs + 0 * c.rhs, c.rhs + 0 * c.lhs
    by = share * nb.maximum(nb.abs(lhs), nb.abs(rhs))
    return c._replace(lhs=lhs - by) if c.relation in (">=", ">") else c._replace(rhs=rhs - by)


def _moved(claim: Claim, change: Change) -> Claim:
    """The equations alone, with the right sides of a changed instance."""

    def compare(s: Any) -> list[Comparison]:
        pairs = zip(claim.compare(s), claim.compare(change(s)), strict=True)
        return [c._replace(rhs=d.rhs) for c, d in pairs if c.relation == "=="]

    return replace(claim, compare=compare, prove=None)


def _moves(s: Any) -> Iterator[tuple[str, Change]]:
    """Every whole number one larger, every list of two or more in reverse order."""
    for key, value in vars(s).items():
        if isinstance(value, int) and not isinstance(value, bool):
            yield f"shifted {key}", partial(_shifted, key=key)
        if _listed(value):
            yield f"swapped {key}", partial(_swapped, key=key)
    if isinstance(getattr(s, "p", None), Population) and s.p.n > 1:
        for key in ("lam", "c", "w"):
            yield f"swapped p.{key}", partial(_swapped_clients, key=key)


def _listed(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.ndim > 1 and value.shape[1] > 1
    return isinstance(value, list) and len(value) > 1


def _shifted(s: Any, key: str) -> Any:
    later = copy(s)
    setattr(later, key, getattr(s, key) + 1)
    theta = getattr(s, "theta", None)
    if key == "K" and isinstance(theta, Theta) and theta.kind != "weights":
        later.theta = getattr(Theta, theta.kind)(theta.steps + 1)
    return later


def _swapped(s: Any, key: str) -> Any:
    other, value = copy(s), getattr(s, key)
    setattr(other, key, value[:, ::-1] if isinstance(value, np.ndarray) else value[::-1])
    return other


def _swapped_clients(s: Any, key: str) -> Any:
    other = copy(s)
    other.p = replace(s.p, **{key: np.flip(getattr(s.p, key), axis=1)})
    return other
