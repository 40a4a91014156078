"""Symbolic real expressions: terms, comparisons, "both" and "either"; evaluable on numbers of any kind, hashed as JSON.

>>> a, b = reals("a b")
>>> relation = (a + b) ** 2 <= 2 * a * a + 2 * b * b
>>> relation.at({"a": Fraction(1), "b": Fraction(1, 2)})
(Fraction(9, 4), Fraction(5, 2))
>>> json.dumps(relation.json())
'["<=", ["^", ["+", "a", "b"], "2"], ["+", ["*", ["*", "2", "a"], "a"], ["*", ["*", "2", "b"], "b"]]]'
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Self, TypeAlias

from surrogate.kit.errors import problem
from surrogate.numbers import kind
from theorems.leaf_store import digest

__all__ = [
    "Formula",
    "Json",
    "Relation",
    "Term",
    "absolute",
    "both",
    "canonical",
    "either",
    "leaf_hash",
    "maximum",
    "minimum",
    "negation",
    "number",
    "reals",
    "sqrt",
]

Json: TypeAlias = "str | list[Json]"
_NODES: dict[tuple[Any, ...], Any] = {}  # every node once, so that equal nodes are one object


class Node:
    """``op`` and its arguments; equal nodes are the same object, so that ``==`` is free to build a relation."""

    __slots__ = ("_hash", "args", "op")
    op: str
    args: tuple[Any, ...]
    _hash: int

    def __new__(cls, op: str, *args: Any) -> Self:
        key = (cls, op, *((Node, id(arg)) if isinstance(arg, Node) else arg for arg in args))  # no node is ever freed
        if key not in _NODES:
            node = object.__new__(cls)
            object.__setattr__(node, "op", op)
            object.__setattr__(node, "args", args)
            object.__setattr__(node, "_hash", hash(key))
            _NODES[key] = node
        known: Self = _NODES[key]
        return known

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} objects do not change")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.op, *self.args)

    def __hash__(self) -> int:
        return self._hash

    def json(self) -> Json:
        """Prefix lists; names and rational numbers are strings."""
        if self.op in ("variable", "number"):
            return str(self.args[0])
        return [self.op, *(arg.json() for arg in self.args)]

    def names(self) -> frozenset[str]:
        """The variables."""
        if self.op == "variable":
            return frozenset(self.args)
        return frozenset[str]().union(*(arg.names() for arg in self.args if isinstance(arg, Node)))

    def __repr__(self) -> str:
        return _text(self)


class Term(Node):
    """A real expression: ``+ - * / **`` build terms, ``<= < >= > == !=`` relations."""

    __slots__ = ()

    def __add__(self, other: Number) -> Term:
        return _binary("+", self, other)

    def __radd__(self, other: Number) -> Term:
        return _binary("+", other, self)

    def __sub__(self, other: Number) -> Term:
        return _binary("-", self, other)

    def __rsub__(self, other: Number) -> Term:
        return _binary("-", other, self)

    def __mul__(self, other: Number) -> Term:
        return _binary("*", self, other)

    def __rmul__(self, other: Number) -> Term:
        return _binary("*", other, self)

    def __truediv__(self, other: Number) -> Term:
        return _binary("/", self, other)

    def __rtruediv__(self, other: Number) -> Term:
        return _binary("/", other, self)

    def __pow__(self, exponent: int | Term) -> Term:
        return _binary("^", self, exponent)

    def __rpow__(self, base: Number) -> Term:
        return _binary("^", base, self)

    def __neg__(self) -> Term:
        return Term("number", -self.args[0]) if self.op == "number" else _binary("*", -1, self)

    def __pos__(self) -> Term:
        return self

    def __abs__(self) -> Term:
        return absolute(self)

    def __le__(self, other: Number) -> Relation:
        return Relation("<=", self, number(other))

    def __lt__(self, other: Number) -> Relation:
        return Relation("<", self, number(other))

    def __ge__(self, other: Number) -> Relation:
        return Relation(">=", self, number(other))

    def __gt__(self, other: Number) -> Relation:
        return Relation(">", self, number(other))

    def __eq__(self, other: object) -> Relation:  # type: ignore[override]
        return Relation("==", self, number(other))

    def __ne__(self, other: object) -> Relation:  # type: ignore[override]
        return Relation("!=", self, number(other))

    __hash__ = Node.__hash__

    def at(self, values: Mapping[str, Any]) -> Any:
        """The value where the variables have these ``values``: floats, batches, Fractions, balls, units ..."""
        nb = kind(Fraction(0), *values.values())
        return _evaluate(self, values, nb, {})


Number: TypeAlias = "Term | int | float | Fraction"


class Formula(Node):
    """``both`` ("and") or ``either`` ("or") of relations and formulas."""

    __slots__ = ()

    def __bool__(self) -> bool:
        raise problem(
            "a relation between terms",
            f"{self!r} as a truth value",
            "a relation of two sides",
            "a chain such as 0 <= a <= b, an `and`, an `if`",
            "write 0 <= a, a <= b apart; use both(...) and either(...)",
        )


class Relation(Formula):
    """``lhs relation rhs``."""

    __slots__ = ()

    def json(self) -> Json:
        """With the smaller side first: a >= b is ["<=", "b", "a"]."""
        op, sides = {">=": ("<=", (1, 0)), ">": ("<", (1, 0))}.get(self.op, (self.op, (0, 1)))
        return [op, *(self.args[k].json() for k in sides)]

    @property
    def lhs(self) -> Term:
        return self.args[0]  # type: ignore[no-any-return]

    @property
    def relation(self) -> str:
        return self.op

    @property
    def rhs(self) -> Term:
        return self.args[1]  # type: ignore[no-any-return]

    def at(self, values: Mapping[str, Any]) -> tuple[Any, Any]:
        """Both sides where the variables have these ``values``."""
        return self.lhs.at(values), self.rhs.at(values)


def reals(names: str) -> Any:
    """Real variables: ``a, b = reals("a b")``; one name gives one variable."""
    listed = names.replace(",", " ").split()
    if wrong := [name for name in listed if not name.isidentifier()]:
        raise problem("a variable", repr(wrong[0]), "a name", "a number or an operator", "write x, mu or sigma_c")
    variables = [Term("variable", name) for name in listed]
    return variables[0] if len(variables) == 1 else variables


def number(value: object) -> Term:
    """A term as it is, or a rational number as a term; floats only where they are short binary fractions."""
    if isinstance(value, Term):
        return value
    exact = Fraction(value) if isinstance(value, (int, float, Fraction)) else Fraction(str(value))
    if isinstance(value, float) and exact.denominator > 2**20:
        raise problem("a number in a term", repr(value), "a rational number", "a float", "write Fraction(1, 3)")
    return Term("number", exact)


def absolute(term: Number) -> Term:
    """|term|"""
    return Term("abs", number(term))


def maximum(first: Number, *others: Number) -> Term:
    """The largest."""
    return _fold("max", first, others)


def minimum(first: Number, *others: Number) -> Term:
    """The smallest."""
    return _fold("min", first, others)


def sqrt(term: Number) -> Term:
    """The root that is not negative."""
    return Term("sqrt", number(term))


def both(*formulas: Formula) -> Formula:
    """All of them."""
    return formulas[0] if len(formulas) == 1 else Formula("and", *formulas)


def either(*formulas: Formula) -> Formula:
    """At least one of them."""
    return formulas[0] if len(formulas) == 1 else Formula("or", *formulas)


_NOT = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "==": "!=", "!=": "=="}


def negation(formula: Formula) -> Formula:
    """The opposite, without a "not"."""
    if isinstance(formula, Relation):
        return Relation(_NOT[formula.op], *formula.args)
    return Formula({"and": "or", "or": "and"}[formula.op], *(negation(arg) for arg in formula.args))


def leaf_hash(hypotheses: Sequence[Formula], conclusion: Formula) -> str:
    """What a leaf is known by: its canonical JSON, hashed; the order of hypotheses does not matter."""
    return digest(canonical(hypotheses), conclusion.json())


def canonical(hypotheses: Sequence[Formula]) -> list[Json]:
    """The hypotheses as JSON, sorted, each once."""
    return [json.loads(text) for text in sorted({json.dumps(h.json()) for h in hypotheses})]


def _binary(op: str, first: Number, second: Number) -> Term:
    if not all(isinstance(side, (Term, int, float, Fraction)) for side in (first, second)):
        refused: Term = NotImplemented
        return refused
    a, b = number(first), number(second)
    if a.op == b.op == "number" and op != "^" and not (op == "/" and b.args[0] == 0):
        p, q = a.args[0], b.args[0]
        return number({"+": p + q, "-": p - q, "*": p * q}[op] if op != "/" else p / q)
    return Term(op, a, b)


def _fold(op: str, first: Number, others: Sequence[Number]) -> Term:
    result = number(first)
    for other in others:
        result = Term(op, result, number(other))
    return result


_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
}


def _evaluate(term: Term, values: Mapping[str, Any], nb: Any, done: dict[Term, Any]) -> Any:
    """The value of a term, each node once; numbers become numbers of the kind ``nb``."""
    if term in done:
        return done[term]
    if term.op == "variable":
        value = values[term.args[0]]
        value = nb.number(value) if isinstance(value, (int, Fraction)) else value
    elif term.op == "number":
        value = nb.number(term.args[0])
    elif term.op == "^":
        base, exponent = term.args
        power = exponent.args[0] if exponent.op in ("number", "variable") else exponent.at(values)
        power = values[power] if exponent.op == "variable" else power
        value = _evaluate(base, values, nb, done) ** (int(power) if power == int(power) else power)
    else:
        args = [_evaluate(arg, values, nb, done) for arg in term.args]
        named = {"abs": nb.abs, "max": nb.maximum, "min": nb.minimum, "sqrt": nb.sqrt}
        value = (_OPERATIONS | named)[term.op](*args)
    done[term] = value
    return value


_STRENGTH = {"or": 0, "and": 1} | dict.fromkeys(_NOT, 2) | {"+": 3, "-": 3, "*": 4, "/": 4, "^": 5}


def _text(node: Node) -> str:
    """As one would write it in Python."""
    if node.op in ("variable", "number"):
        return str(node.args[0])
    if node.op not in _STRENGTH:
        return f"{node.op}({', '.join(map(_text, node.args))})"
    own = _STRENGTH[node.op]
    return f" {'**' if node.op == '^' else node.op} ".join(_parts(node, own))


def _parts(node: Node, own: int) -> Iterator[str]:
    for k, arg in enumerate(node.args):
        inner = _STRENGTH.get(arg.op, 9 if arg.op != "number" or arg.args[0].denominator == 1 else 4)
        weak = inner < own or (inner == own and k > 0 and node.op in "-/^")
        yield f"({_text(arg)})" if weak else _text(arg)
