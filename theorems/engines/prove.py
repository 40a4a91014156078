"""Proofs by machine: symbolic identities, and inequalities over the reals; each is a leaf that ``proving`` lists.

A proof function calls these and returns a ``Proof``; any failure raises AssertionError with what was left open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from typing import Any, NamedTuple

from surrogate.kit.errors import ProblemError
from theorems import leaf_store
from theorems.engines.terms import Formula, canonical, negation, reals

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
    """No real numbers meet the hypotheses and not the conclusion; some meet the hypotheses.

    A stored certificate shows it. Where there is none z3 decides, and a certificate is looked for and kept.
    """
    leaf = (canonical(hypotheses), conclusion.json())
    name = leaf_store.digest(*leaf)
    certified = leaf_store.find(name) is not None
    if not certified:
        point = _met(hypotheses, seconds)
        opinions = {"z3": _decided(hypotheses, conclusion, seconds)}
        certified = point is not None and _kept(leaf, point, opinions, [*hypotheses, negation(conclusion)])
    _used(Leaf(name, certified))


def _met(hypotheses: Sequence[Formula], seconds: float) -> dict[str, Fraction] | None:
    """Rational numbers that meet the hypotheses; None where z3 finds only others."""
    from theorems.engines import solvers

    satisfiable = solvers.opinion("z3", hypotheses, seconds)
    if satisfiable == "unsat":
        raise AssertionError("the hypotheses contradict each other: nothing would be proved")
    if satisfiable != "sat":
        raise AssertionError(f"z3 finds no reals that meet the hypotheses within {seconds:g} s")
    return solvers.model(hypotheses, seconds)


def _decided(hypotheses: Sequence[Formula], conclusion: Formula, seconds: float) -> str:
    from theorems.engines import solvers

    opposite = [*hypotheses, negation(conclusion)]
    answer = solvers.opinion("z3", opposite, seconds)
    if answer == "sat":
        raise AssertionError(f"a counterexample over the reals: {solvers.model(opposite, seconds)}")
    if answer != "unsat":
        raise AssertionError(f"z3 does not decide this within {seconds:g} s: {conclusion}")
    return answer


def _kept(leaf: tuple[Any, Any], point: Mapping[str, Fraction], opinions: dict[str, str], opposite: Any) -> bool:
    """Look for a certificate, and keep it with what a second solver says."""
    from theorems.engines import solvers
    from theorems.engines.positive import certificate

    found = certificate(*leaf)
    if found is None:
        return False
    with suppress(ProblemError):  # not installed
        opinions["cvc5"] = solvers.opinion("cvc5", opposite, 5.0)
    if "sat" in opinions.values():
        raise AssertionError(f"certified, and contradicted by a solver: {opinions}, {opposite}")
    values = {variable: str(value) for variable, value in point.items()}
    entry = {"leaf": leaf, "point": values, "certificate": found, "opinions": opinions}
    return leaf_store.find(leaf_store.keep(entry)) is not None


def induction(base: Callable[[], None], step: Callable[[], None], facts: Mapping[str, str] | None = None) -> None:
    """Run a base case and a step; both raise where they fail. ``facts`` documents the induction hypothesis."""
    base()
    step()
