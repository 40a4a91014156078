"""Proofs by machine: symbolic identities, and inequalities over the reals; each is a leaf that ``proving`` lists.

A proof function calls these and returns a ``Proof``; any failure raises AssertionError with what was left open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from theorems.engines import solvers
from theorems.engines.terms import Formula, leaf_hash, negation, reals

__all__ = ["Leaf", "identity", "induction", "proving", "reals", "smt"]


class Leaf(NamedTuple):
    """One inequality or identity that a proof used: its hash, and whether a certificate of it was re-checked."""

    hash: str
    certified: bool


_RECORDERS: list[list[Leaf]] = []


@contextmanager
def proving() -> Iterator[list[Leaf]]:
    """The leaves that are used inside, each once, in their order.

    >>> a, b = reals("a b")
    >>> with proving() as leaves:
    ...     smt([0 <= a, a <= b], a * a <= b * b)
    >>> len(leaves)
    1
    """
    leaves: list[Leaf] = []
    _RECORDERS.append(leaves)
    try:
        yield leaves
    finally:
        _RECORDERS.remove(leaves)


def _used(leaf: Leaf) -> None:
    for leaves in _RECORDERS:
        if leaf not in leaves:
            leaves.append(leaf)


def identity(*pairs: tuple[Any, Any]) -> None:
    """Each pair of sympy expressions is equal: their difference cancels to 0 as a rational function."""
    import sympy

    for lhs, rhs in pairs:
        difference = sympy.cancel(sympy.together(sympy.expand(sympy.sympify(lhs) - sympy.sympify(rhs))))
        if sympy.simplify(difference) != 0:
            raise AssertionError(f"not an identity: the difference is {difference}")


def smt(hypotheses: Sequence[Formula], conclusion: Formula, seconds: float = 20.0) -> None:
    """No real numbers meet the hypotheses and not the conclusion; some meet the hypotheses."""
    satisfiable = solvers.opinion("z3", hypotheses, seconds)
    if satisfiable == "unsat":
        raise AssertionError("the hypotheses contradict each other: nothing would be proved")
    if satisfiable != "sat":
        raise AssertionError(f"z3 finds no reals that meet the hypotheses within {seconds:g} s")
    opposite = [*hypotheses, negation(conclusion)]
    answer = solvers.opinion("z3", opposite, seconds)
    if answer == "sat":
        raise AssertionError(f"a counterexample over the reals: {solvers.model(opposite, seconds)}")
    if answer != "unsat":
        raise AssertionError(f"z3 does not decide this within {seconds:g} s: {conclusion}")
    _used(Leaf(leaf_hash(hypotheses, conclusion), False))


def induction(base: Callable[[], None], step: Callable[[], None], facts: Mapping[str, str] | None = None) -> None:
    """Run a base case and a step; both raise where they fail. ``facts`` documents the induction hypothesis."""
    base()
    step()
