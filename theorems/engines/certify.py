"""Decide one comparison on one rational instance in ball arithmetic: True, False, or None at the highest precision."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from surrogate.kit.errors import ProblemError
from surrogate.numbers import FRACTIONS
from surrogate.numbers.balls import BALLS
from theorems.domain import Domain
from theorems.instances import mapped
from theorems.statement import Claim, Comparison

__all__ = ["agrees", "certain", "certify", "decide", "entries", "exact_instance", "single", "to_ball"]

PRECISIONS = (128, 512, 2048)


def exact_instance(domain: Domain, u: Any, discrete: Mapping[str, Any]) -> Any:
    """The instance at rational u (1, m), in Fractions."""
    return domain.instance(FRACTIONS, u, discrete)


def certify(claim: Claim, instance: Any, label: str) -> bool | None:
    """Does the comparison named ``label`` hold on this instance of Fractions?"""
    import flint

    for bits in PRECISIONS:
        with flint.ctx.workprec(bits):
            ball = mapped(instance, to_ball, BALLS)
            for comparison in claim.compare(ball) if claim.compare else ():
                if comparison.label == label:
                    verdict = decide(comparison)
                    if verdict is not None:
                        return verdict
    return None


def agrees(claim: Claim, instance: Any, label: str) -> bool:
    """Is the equation named ``label`` right to a hundred digits? Then a gap between its floats was rounding."""
    import flint

    with flint.ctx.workprec(PRECISIONS[-1]):
        ball = mapped(instance, to_ball, BALLS)
        for comparison in claim.compare(ball) if claim.compare else ():
            if comparison.label == label and comparison.relation == "==":
                a, b = single(comparison.lhs), single(comparison.rhs)
                return bool((a - b).is_finite() and abs(a - b) <= abs(a).max(abs(b)).max(1) * flint.arb("1e-100"))
    return False


def certain(holds: Callable[[Any], Sequence[Comparison]], instance: Any) -> bool:
    """Do all these comparisons certainly hold on the instance?"""
    import flint

    with flint.ctx.workprec(512):
        found = [decide(each) for c in holds(mapped(instance, to_ball, BALLS)) for each in entries(c)]
    if False in found:
        return False
    try:  # weights of thirds sum to 1 in rationals, not in balls
        return None not in found or all(_exactly(each) for c in holds(instance) for each in entries(c))
    except (ArithmeticError, AttributeError, ProblemError, TypeError):
        return False  # a root, an exponential or a logarithm occurs


def entries(comparison: Comparison) -> Iterator[Comparison]:
    """A comparison of vectors entry by entry."""
    sides = [side if isinstance(side, np.ndarray) else np.array(side, dtype=object) for side in comparison[1::2]]
    for lhs, rhs in zip(*(side.flat for side in np.broadcast_arrays(*sides)), strict=True):
        yield comparison._replace(lhs=lhs, rhs=rhs)


def _exactly(comparison: Comparison) -> bool:
    """The comparison in rationals; TypeError where a side is none."""
    _, lhs, relation, rhs = comparison
    a, b = (side.reshape(-1)[0] if hasattr(side, "reshape") else side for side in (lhs, rhs))
    if not all(isinstance(side, (int, Fraction)) for side in (a, b)):
        raise TypeError("not a rational")
    holds = {"<=": a <= b, "<": a < b, "==": a == b, ">=": a >= b, ">": a > b}
    return bool(holds[relation])


def decide(comparison: Comparison) -> bool | None:
    """Three-valued: floats and midpoints never decide, only disjoint or exact balls do."""
    _, lhs, relation, rhs = comparison
    a, b = single(lhs), single(rhs)
    if relation in (">=", ">"):
        a, b, relation = b, a, "<=" if relation == ">=" else "<"
    if relation == "==":
        if a.is_exact() and b.is_exact():
            return bool(a == b)
        return None if a.overlaps(b) else False
    below, above = (a < b, a > b) if relation == "<=" else (a < b, a >= b)
    exact = relation == "<=" and a.is_exact() and b.is_exact() and a == b
    return True if below or exact else False if above else None


def to_ball(name: str, q: Any) -> Any:
    return BALLS.number(q)


def single(side: Any) -> Any:
    return BALLS.number(side.reshape(-1)[0] if hasattr(side, "reshape") else side)
