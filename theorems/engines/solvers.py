"""Opinions of SMT solvers (z3, cvc5) on formulas over the reals: sat with a model, unsat, or unknown."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from surrogate.kit.errors import problem
from theorems.engines.terms import Formula, Node

__all__ = ["model", "opinion"]

_PACKAGES = {"z3": ("z3", "z3-solver"), "cvc5": ("cvc5.pythonic", "cvc5")}


def opinion(solver: str, formulas: Sequence[Formula], seconds: float = 20.0) -> str:
    """What the solver ("z3" or "cvc5") says of the formulas together: "sat", "unsat" or "unknown"."""
    return str(_asked(_api(solver), solver, formulas, seconds)[0])


def model(formulas: Sequence[Formula], seconds: float = 20.0) -> dict[str, Fraction] | None:
    """Rational values that z3 finds for the variables; None where it finds none or its values are irrational."""
    api = _api("z3")
    answer, solver = _asked(api, "z3", formulas, seconds)
    if str(answer) != "sat":
        return None
    found, values = solver.model(), {}
    for name in sorted(frozenset().union(*(formula.names() for formula in formulas))):
        value = found.eval(api.Real(name), model_completion=True)
        if not api.is_rational_value(value):
            return None
        values[name] = Fraction(value.numerator_as_long(), value.denominator_as_long())
    return values


def _asked(api: Any, name: str, formulas: Sequence[Formula], seconds: float) -> tuple[Any, Any]:
    solver = api.Solver() if name == "z3" else api.SolverFor("QF_NRA")
    if name == "z3":
        solver.set("timeout", int(1000 * seconds))
    else:
        solver.setOption("tlimit-per", int(1000 * seconds))
    known: dict[Node, Any] = {}
    solver.add(*(_translated(api, formula, known) for formula in formulas))
    return solver.check(), solver


def _translated(api: Any, node: Node, known: dict[Node, Any]) -> Any:
    """The node in the solver's own terms."""
    if node in known:
        return known[node]
    if node.op == "variable":
        result = api.Real(node.args[0])
    elif node.op == "number":
        result = api.RealVal(str(node.args[0]))
    elif node.op == "^":
        result = _power(_translated(api, node.args[0], known), int(node.args[1].args[0]))
    else:
        args = [_translated(api, arg, known) for arg in node.args]
        result = _applied(api, node.op, args)
    known[node] = result
    return result


def _power(base: Any, n: int) -> Any:
    result = 1
    for _ in range(abs(n)):
        result = base * result
    return result if n >= 0 else 1 / result


def _applied(api: Any, op: str, args: list[Any]) -> Any:
    a, b = args[0], args[-1]
    if op == "abs":
        return api.If(a >= 0, a, -a)
    if op in ("max", "min"):
        return api.If(a >= b, a, b) if op == "max" else api.If(a <= b, a, b)
    if op in ("and", "or"):
        return api.And(*args) if op == "and" else api.Or(*args)
    return {
        "+": lambda: a + b,
        "-": lambda: a - b,
        "*": lambda: a * b,
        "/": lambda: a / b,
        "<=": lambda: a <= b,
        "<": lambda: a < b,
        ">=": lambda: a >= b,
        ">": lambda: a > b,
        "==": lambda: a == b,
        "!=": lambda: a != b,
    }[op]()


def _api(solver: str) -> Any:
    module, package = _PACKAGES[solver]
    try:
        import importlib

        return importlib.import_module(module)
    except ImportError:
        raise problem(
            f"the SMT solver {solver}",
            "not installed",
            f"the package {package}",
            "an installation without the extra 'proofs'",
            "run `pip install quadratic-surrogates[proofs]`",
        ) from None
