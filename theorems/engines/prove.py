"""Proofs by machine: symbolic identities, and inequalities over the reals decided by SMT.

A proof function calls these and returns a ``Proof``; any failure raises AssertionError with what was left open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from surrogate.kit.errors import problem

__all__ = ["identity", "induction", "reals", "smt"]


def identity(*pairs: tuple[Any, Any]) -> None:
    """Each pair of sympy expressions is equal: their difference cancels to 0 as a rational function."""
    import sympy

    for lhs, rhs in pairs:
        difference = sympy.cancel(sympy.together(sympy.expand(sympy.sympify(lhs) - sympy.sympify(rhs))))
        if sympy.simplify(difference) != 0:
            raise AssertionError(f"not an identity: the difference is {difference}")


def reals(names: str) -> Any:
    """Real variables for ``smt``: ``a, b = reals("a b")``."""
    z3 = _z3()
    variables = z3.Reals(names)
    return variables[0] if len(variables) == 1 else variables


def smt(hypotheses: list[Any], conclusion: Any, seconds: float = 20.0) -> None:
    """z3 finds no real numbers with the hypotheses and without the conclusion (and finds some with the hypotheses)."""
    z3 = _z3()
    solver = z3.Solver()
    solver.set("timeout", int(1000 * seconds))
    solver.add(*hypotheses)
    satisfiable = solver.check()
    if satisfiable == z3.unsat:
        raise AssertionError("the hypotheses contradict each other: nothing would be proved")
    if satisfiable != z3.sat:
        raise AssertionError(f"z3 finds no reals that meet the hypotheses within {seconds:g} s")
    solver.add(z3.Not(conclusion))
    answer = solver.check()
    if answer == z3.sat:
        raise AssertionError(f"a counterexample over the reals: {solver.model()}")
    if answer != z3.unsat:
        raise AssertionError(f"z3 does not decide this within {seconds:g} s: {conclusion}")


def _z3() -> Any:
    try:
        import z3
    except ImportError:
        raise problem(
            "the SMT solver z3",
            "not installed",
            "the package z3-solver",
            "an installation without the extra 'proofs'",
            "run `pip install quadratic-surrogates[proofs]`",
        ) from None
    return z3


def induction(base: Callable[[], None], step: Callable[[], None], facts: Mapping[str, str] | None = None) -> None:
    """Run a base case and a step; both raise where they fail. ``facts`` documents the induction hypothesis."""
    base()
    step()
