"""Claims that hold whatever their quantities are: tautologies, definitions read backwards, and identities of algebra.

A claim's sides are one program. What both sides use, computed or given, is cut off and replaced by numbers that have
nothing to do with each other, and so is every input. A claim that says what a quantity is fails then at some draw.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from theorems.engines.certify import exact_instance
from theorems.engines.derive import _small
from theorems.engines.traced import _rows, _traced
from theorems.statement import Claim, Statement

__all__ = ["can_fail"]

DRAWS, MOST = 400, 20_000  # draws of each kind; longer programs are left to larger steps
OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "max": np.maximum,
    "sqrt": np.sqrt, "exp": np.exp, "log": np.log, "abs": np.abs,
}  # fmt: skip
Nodes = Sequence[Sequence[Any]]


def can_fail(statement: Statement, claim: Claim) -> bool:
    """Does some comparison fail for unrelated numbers, at a small setting, one in the middle or the first?"""
    small = _small(statement.where(claim).choices)
    settings = {id(each): each for each in (small[-1], small[len(small) // 2], small[0])}.values()
    return any(_fails_at(statement, claim, discrete) for discrete in settings)


def _fails_at(statement: Statement, claim: Claim, discrete: Any) -> bool:
    domain = statement.where(claim)
    m = domain.size(discrete)
    u = np.array([[Fraction(3 + (3 * j) % 7, 17) for j in range(m)]], dtype=object).reshape(1, m)
    try:
        trace, _, compared = _traced(claim, (), exact_instance(domain, u, discrete))
    except ZeroDivisionError:
        return False
    nodes, rows = _rows(trace, list(compared))
    rng = np.random.default_rng(0)
    return len(nodes) <= MOST and any(_fails(nodes, relation, lhs, rhs, rng) for _, relation, lhs, rhs in rows)


def _fails(nodes: Nodes, relation: str, lhs: int, rhs: int, rng: np.random.Generator) -> bool:
    free = _shared(nodes, lhs, rhs)
    kinds = (
        lambda: rng.uniform(0.05, 0.95, DRAWS),
        lambda: rng.uniform(-3, 3, DRAWS),
        lambda: 10 ** rng.uniform(-3, 3, DRAWS),
    )
    return any(_broken(relation, lhs, rhs, _values(nodes, free, draw)) for draw in kinds)


def _broken(relation: str, lhs: int, rhs: int, values: list[Any]) -> bool:
    """Beyond the rounding of the largest number on the way."""
    with np.errstate(all="ignore"):
        a, b, way = values[lhs], values[rhs], np.abs(np.stack(values))
        largest = np.max(np.where(np.isfinite(way) & (way < 1e100), way, 0), axis=0)
        gap = np.maximum(1e-7 * (np.abs(a) + np.abs(b)), 1e-12 * largest)
        wrong = {"==": np.abs(a - b) > gap, "<": a > b + gap, ">": a < b - gap}[relation.replace("=", "") or "=="]
        return bool(np.any(wrong & (np.abs(a) < 1e12) & (np.abs(b) < 1e12)))


def _shared(nodes: Nodes, lhs: int, rhs: int) -> set[int]:
    """Nodes of both sides that something of one side alone uses."""
    left, right = _below(nodes, lhs), _below(nodes, rhs)
    both = left & right
    used = {lhs, rhs}.union(*(_operands(nodes[k]) for k in (left | right) - both))
    return {k for k in used & both if nodes[k][0] != "const"}


def _below(nodes: Nodes, root: int) -> set[int]:
    found = {root}
    for k in range(root, -1, -1):
        if k in found:
            found.update(_operands(nodes[k]))
    return found


def _operands(node: Sequence[Any]) -> Sequence[int]:
    return [] if node[0] in ("in", "const") else node[1:2] if node[0] == "pow" else node[1:]


def _values(nodes: Nodes, free: set[int], draw: Callable[[], Any]) -> list[Any]:
    """Every node on a batch of draws."""
    values: list[Any] = []
    with np.errstate(all="ignore"):
        for k, node in enumerate(nodes):
            if k in free or node[0] == "in":
                values.append(draw())
            elif node[0] == "const":
                values.append(np.full(DRAWS, float(Fraction(node[1]))))
            elif node[0] == "pow":
                values.append(values[node[1]] ** float(node[2]))
            else:
                values.append(OPERATIONS[node[0]](*(values[j] for j in node[1:])))
    return values
