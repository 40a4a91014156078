"""No proof is vacuous: each one makes machine checks, and a check that asks 1 % more than it proved fails."""

from __future__ import annotations

import dis
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import pytest
import sympy

import theorems
from theorems import registry
from theorems.engines import prove, solvers
from theorems.engines.terms import Formula, Relation, Term, absolute, negation, number, reals
from theorems.statement import Claim, Statement

FOLDER = str(Path(theorems.__file__).parent)
# The proofs of the dictionary are perturbed, method by method, in test_dictionary.py; they take minutes here.
STATEMENTS = {name: s for name, s in registry.all_statements().items() if s.paper != "dictionary"}

# Proofs that check nothing by machine, with the reason why that is right.
WITHOUT_CHECK: dict[str, str] = {}
# Proofs whose every check still passes when it asks for more, with the reason why that is right.
WITH_SLACK: dict[str, str] = {}


class Checks(NamedTuple):
    """What one proof asked of the machine."""

    smt: list[tuple[list[Any], Any]]
    identity: list[tuple[Any, Any]]
    assertions: set[str]  # of a proof without the two above: the functions of theorems/ that ran and can raise

    def __len__(self) -> int:
        return len(self.smt) + len(self.identity) + len(self.assertions)


def proved(statement: Statement) -> Iterator[tuple[str, Claim]]:
    claims = [("printed", statement.printed), ("corrected", statement.corrected)]
    claims += [(f"step {k}", step.claim) for k, step in enumerate(statement.steps)]
    return ((f"{statement.id} {which}", c) for which, c in claims if c is not None and c.prove is not None)


# Claims that share a proof (a statement and a step of it) are run once, under the first name.
PROOFS = {c.prove: (name, c) for s in reversed(STATEMENTS.values()) for name, c in reversed([*proved(s)])}


def can_raise(code: CodeType) -> bool:
    return any(i.opname in ("LOAD_ASSERTION_ERROR", "RAISE_VARARGS") for i in dis.get_instructions(code))


@contextmanager
def watched(checks: Checks) -> Iterator[None]:
    """Note which functions of theorems/ that hold an assertion run."""
    seen: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code not in seen:
            seen.add(code)
            inside = code.co_filename.startswith(FOLDER) and "engines" not in Path(code.co_filename).parts
            if inside and can_raise(code):
                checks.assertions.add(code.co_qualname)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(before)


@pytest.fixture(scope="module")
def checked() -> Iterator[dict[str, Checks]]:
    """Run every proof once, with the engines' functions wrapped wherever a module has imported them."""
    smt, identity = prove.smt, prove.identity
    current = Checks([], [], set())

    def counted_smt(hypotheses: list[Any], conclusion: Any, seconds: float = 20.0) -> None:
        smt(hypotheses, conclusion, seconds)
        current.smt.append((list(hypotheses), conclusion))

    def counted_identity(*pairs: tuple[Any, Any]) -> None:
        identity(*pairs)
        current.identity.extend(pairs)

    result: dict[str, Checks] = {}
    with pytest.MonkeyPatch.context() as patch:
        for module in [m for name, m in sys.modules.items() if name.split(".")[0] == "theorems"]:
            for name, value in list(vars(module).items()):
                if value is smt or value is identity:
                    patch.setattr(module, name, counted_smt if value is smt else counted_identity)
        for name, claim in reversed(PROOFS.values()):
            current = result[name] = Checks([], [], set())
            claim.prove()
            if not len(current):  # watching is slow: only those that do not use the engines
                with watched(current):
                    claim.prove()
        yield result


def test_every_proof_checks_something(checked):
    nothing = {name for name, checks in checked.items() if not len(checks)}
    assert nothing == set(WITHOUT_CHECK)


def test_no_proof_assumes_what_it_concludes(checked):
    circular = [
        f"{name}: {conclusion}"
        for name, checks in checked.items()
        for hypotheses, conclusion in checks.smt
        if conclusion in hypotheses or (isinstance(conclusion, Relation) and conclusion.lhs is conclusion.rhs)
    ]
    assert not circular


def test_every_proof_fails_when_it_asks_for_more(checked):
    """Of each proof that uses the engines, some check notices 1 % (an equation: any change of a side)."""
    slack = set()
    for name, checks in checked.items():
        if checks.smt or checks.identity:
            noticed = any(map(identity_bites, checks.identity)) or any(smt_bites(*c) for c in checks.smt)
            if not noticed:
                slack.add(name)
    assert slack == set(WITH_SLACK)


def identity_bites(pair: tuple[Any, Any]) -> bool:
    lhs, rhs = map(sympy.sympify, pair)
    try:
        prove.identity((lhs, rhs * sympy.Rational(101, 100) if rhs != 0 else rhs + sympy.Rational(1, 100)))
    except AssertionError:
        return True
    return False


def smt_bites(hypotheses: list[Formula], conclusion: Formula, seconds: float = 1.0) -> bool:
    """Some strictly stronger conclusion has a counterexample."""
    return any(solvers.opinion("z3", [*hypotheses, negation(more)], seconds) == "sat" for more in stronger(conclusion))


def stronger(claim: Formula) -> list[Formula]:
    """Strictly stronger versions: a <= b becomes a + |a|/100 <= b; 0 <= a - b, where a side is 0, loses |a|/100."""
    if not isinstance(claim, Relation):
        return [more for child in claim.args for more in stronger(child)] if claim.op == "and" else []
    small, large = (claim.rhs, claim.lhs) if claim.op in (">=", ">") else (claim.lhs, claim.rhs)
    if claim.op in ("<=", "<", ">=", ">"):
        return [small + percent(small, large) <= large]
    return [small + percent(small, large) == large] if claim.op == "==" else []


def percent(*sides: Term) -> Term:
    """1 % of the first side that is not 0, or of its first term where the other is 0; what a claim must not spare."""
    first, second = (None if side is number(0) else side for side in sides)
    if first is not None and second is not None:
        return absolute(first) / 100
    only = first if first is not None else second
    if only is None:
        return number(Fraction(1, 100))
    return absolute(only.args[0] if only.op in "+-" else number(1)) / 100


def test_the_perturbation_bites_where_a_bound_is_tight_and_only_there():
    x, y = reals("x y")
    assert smt_bites([x >= 1, y >= x], x <= y) and smt_bites([x == y, x > 1], x - y == 0)
    assert smt_bites([], (x - y) ** 2 + 2 * x * y >= 2 * x * y) and smt_bites([x >= 2 * y], 0 <= x - 2 * y)
    assert not smt_bites([x >= 1, y >= 2 * x], x <= y) and not smt_bites([x > 0], x > -1)
    assert identity_bites((sympy.Symbol("a"), sympy.Symbol("a"))) and identity_bites((0, 0))
