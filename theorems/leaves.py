"""Certificates of leaves: a stored inequality or identity over the reals is shown again, with fractions and json alone.

A leaf says: wherever its divisions are defined, its hypotheses give its conclusion. Its certificate shows that the
hypotheses and the opposite of the conclusion contradict each other: a sum, with positive rational coefficients, of
products of sides that are at least 0, plus multiples of sides that are 0, is the polynomial 0, though one of the
products is positive. "cases" takes apart an "or", "cut" supposes a relation and then its opposite: one without
divisions and roots, for in both cases these would be taken to be defined.
"""

from __future__ import annotations

import json
from fractions import Fraction

__all__ = ["Facts", "Polynomial", "alternatives", "check_leaf", "facts", "holds_at", "opened", "opposite", "read"]

Term = str | list  # a name, a rational number, or ["+", term, term] ...
Formula = list  # ["<=", term, term] ..., ["and", formula, ...] or ["or", formula, ...]
_OPPOSITE = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "==": "!=", "!=": "=="}
_ARGUMENTS = {"abs": 1, "sqrt": 1} | dict.fromkeys(("+", "-", "*", "/", "^", "max", "min", *_OPPOSITE), 2)
_DEEPEST = 60
_HIGHEST = 1000  # power of a term


class Polynomial:
    """Rational coefficients by monomial, ((name, power), ...) in the order of names."""

    __slots__ = ("terms",)

    def __init__(self, terms: dict[tuple[tuple[str, int], ...], Fraction]) -> None:
        self.terms = {monomial: c for monomial, c in terms.items() if c}

    @staticmethod
    def constant(value: Fraction | int) -> Polynomial:
        return Polynomial({(): Fraction(value)})

    @staticmethod
    def variable(name: str) -> Polynomial:
        return Polynomial({((name, 1),): Fraction(1)})

    def __add__(self, other: Polynomial) -> Polynomial:
        total = dict(self.terms)
        for monomial, c in other.terms.items():
            total[monomial] = total.get(monomial, Fraction(0)) + c
        return Polynomial(total)

    def __neg__(self) -> Polynomial:
        return Polynomial({monomial: -c for monomial, c in self.terms.items()})

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self + -other

    def __mul__(self, other: Polynomial) -> Polynomial:
        total: dict[tuple[tuple[str, int], ...], Fraction] = {}
        for a, c in self.terms.items():
            for b, e in other.terms.items():
                powers = dict(a)
                for name, power in b:
                    powers[name] = powers.get(name, 0) + power
                monomial = tuple(sorted(powers.items()))
                total[monomial] = total.get(monomial, Fraction(0)) + c * e
        return Polynomial(total)

    def __pow__(self, n: int) -> Polynomial:
        if not 0 <= n <= _HIGHEST:
            raise ValueError(f"the power {n}")
        result = Polynomial.constant(1)
        for _ in range(n):
            result = result * self
        return result

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Polynomial) and self.terms == other.terms

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def json(self) -> list:
        return [[str(c), *([name, power] for name, power in monomial)] for monomial, c in sorted(self.terms.items())]


def read(polynomial: list) -> Polynomial:
    """A polynomial as ``json`` writes it."""
    total = Polynomial({})
    for c, *powers in polynomial:
        term = Polynomial.constant(_rational(c))
        for name, power in powers:
            term = term * Polynomial.variable(name) ** power
        total = total + term
    return total


class Ratio:
    """A numerator over a product of powers of denominators."""

    __slots__ = ("below", "top")

    def __init__(self, top: Polynomial, below: dict[Polynomial, int] | None = None) -> None:
        self.top, self.below = top, {b: n for b, n in (below or {}).items() if n}

    def over(self, below: dict[Polynomial, int]) -> Polynomial:
        """The numerator over a common denominator."""
        top = self.top
        for base, n in below.items():
            top = top * base ** (n - self.below.get(base, 0))
        return top

    def __add__(self, other: Ratio) -> Ratio:
        below = {b: max(self.below.get(b, 0), other.below.get(b, 0)) for b in {**self.below, **other.below}}
        return Ratio(self.over(below) + other.over(below), below)

    def __sub__(self, other: Ratio) -> Ratio:
        return self + Ratio(-other.top, other.below)

    def __mul__(self, other: Ratio) -> Ratio:
        both = {b: self.below.get(b, 0) + other.below.get(b, 0) for b in {**self.below, **other.below}}
        return Ratio(self.top * other.top, both)

    def inverse(self) -> Ratio:
        """1 over it; a divisor of one term is divided by variable by variable."""
        if not self.top.terms:
            raise ValueError("a division by 0")
        top = Polynomial.constant(1)
        for base, n in self.below.items():
            top = top * base**n
        if len(self.top.terms) > 1:
            return Ratio(top, {self.top: 1})
        ((monomial, c),) = self.top.terms.items()
        return Ratio(top * Polynomial.constant(1 / c), {Polynomial.variable(name): n for name, n in monomial})


class Facts:
    """What the formulas say as polynomials: ``known`` lists (relation to 0, polynomial), relations >=, > and ==."""

    def __init__(self) -> None:
        self.known: list[tuple[str, Polynomial]] = []
        self.defined: dict[str, Ratio] = {}
        self.bases: list[Polynomial] = []
        self._later: list[tuple[str, Ratio]] = []

    def add(self, relation: str, side: Ratio) -> None:
        """``side relation 0``; with denominators it waits until all without are known."""
        self.bases += [base for base in side.below if base not in self.bases]
        if side.below:
            self._later.append((relation, side))
        else:
            self.known.append((relation, side.top))

    def clear(self) -> None:
        """Multiply sides by their denominators, which are not 0: by the sign where it is known, or by themselves."""
        for base in self.bases:
            sign = self.sign(base)
            if sign is None:
                self.known.append((">", base * base))
            elif (">", sign) not in self.known:
                self.known.append((">", sign))
        for relation, side in self._later:
            top = side.top
            for base in (base for base, n in side.below.items() if n % 2 and relation != "=="):
                sign = self.sign(base)
                top = top * base if sign is None else top if sign == base else -top
            self.known.append((relation, top))
        self._later = []

    def sign(self, base: Polynomial) -> Polynomial | None:
        """The base or its negative, whichever is known to be at least 0."""
        for each in (base, -base):
            if (">", each) in self.known or (">=", each) in self.known:
                return each
        return None

    def ratio(self, term: Term) -> Ratio:
        """The value of an expression; roots, absolute values, maxima, minima are variables with what defines them."""
        if isinstance(term, str):
            if term.isidentifier():
                return Ratio(Polynomial.variable(term))
            return Ratio(Polynomial.constant(_rational(term)))
        op, *given = _parted(term)
        if op == "^":
            n = _power(given[1])
            base = self.ratio(given[0])
            power = Ratio(Polynomial.constant(1))
            for _ in range(abs(n)):
                power = power * base
            return power if n >= 0 else power.inverse()
        sides = [self.ratio(each) for each in given]
        if op in ("abs", "sqrt", "max", "min"):
            return self._define(op, json.dumps(term), sides)
        a, b = sides
        if op == "/":
            return a * b.inverse()
        return {"+": a.__add__, "-": a.__sub__, "*": a.__mul__}[op](b)

    def _define(self, op: str, name: str, sides: list[Ratio]) -> Ratio:
        if name in self.defined:
            return self.defined[name]
        value = self.defined[name] = Ratio(Polynomial.variable(name))
        a, b = sides[0], sides[-1]
        if op == "sqrt":
            self.add(">=", value)
            self.add("==", value * value - a)
            return value
        a, b = (a, Ratio(-a.top, a.below)) if op == "abs" else (a, b)
        for each in (a, b):
            self.add(">=", each - value if op == "min" else value - each)
        self.add("==", (value - a) * (value - b))
        return value


def _rational(text: object) -> Fraction:
    """A whole number or a fraction, written out: "1e9", "0.5" and 0.5 are refused."""
    if not isinstance(text, str) or not set(text) <= set("-0123456789/"):
        raise ValueError(f"{text!r} is no rational number")
    return Fraction(text)


def _power(text: object) -> int:
    n = _rational(text)
    if n.denominator != 1 or abs(n) > _HIGHEST:
        raise ValueError(f"the power {text}")
    return int(n)


def _parted(node: list) -> list:
    """An operation with as many arguments as it takes."""
    if not isinstance(node, list) or len(node) - 1 != _ARGUMENTS.get(node[0]):
        raise ValueError(f"{node!r} is no term or relation")
    return node


def _everywhere(formula: Formula) -> Formula:
    """The formula, if it neither divides nor takes roots: to suppose it or its opposite then supposes nothing else."""
    if formula[0] in ("/", "sqrt") or (formula[0] == "^" and _power(formula[2]) < 0):
        raise ValueError(f"a cut that is not defined everywhere: {formula!r}")
    for each in formula[1:]:
        if isinstance(each, list):
            _everywhere(each)
    return formula


def opposite(formula: Formula) -> Formula:
    """The formula's negation, without a "not"."""
    op, *given = formula
    if op in ("and", "or"):
        return ["or" if op == "and" else "and", *(opposite(each) for each in given)]
    return [_OPPOSITE[op], *given]


def opened(formulas: list[Formula]) -> list[Formula]:
    """The formulas with each "and" taken apart."""
    flat: list[Formula] = []
    for formula in formulas:
        flat += opened(list(formula[1:])) if formula[0] == "and" else [formula]
    return flat


def alternatives(formula: Formula) -> list[Formula]:
    """The cases of an "or" and of a "!="."""
    op, *given = formula
    if op == "!=":
        return [["<", *given], [">", *given]]
    if op != "or":
        raise ValueError(f"cases of {op!r}")
    return given


def facts(formulas: list[Formula]) -> Facts:
    """What the relations among the formulas say; "or" and "!=" say nothing before they are taken apart."""
    found = Facts()
    for op, *given in formulas:
        if op in ("<=", "<", ">=", ">", "=="):
            _parted([op, *given])
            a, b = found.ratio(given[0]), found.ratio(given[1])
            found.add({"<=": ">=", "<": ">"}.get(op, op), b - a if op in ("<=", "<") else a - b)
    found.clear()
    return found


def _contradicts(formulas: list[Formula], node: dict, depth: int = 0) -> bool:
    """Is it shown that no real numbers meet all formulas?"""
    if not isinstance(node, dict) or depth > _DEEPEST:
        return False
    formulas = opened(formulas)
    if "cases" in node:
        k = node["cases"]
        each = [[*formulas[:k], case, *formulas[k + 1 :]] for case in alternatives(formulas[k])]
    elif "cut" in node:
        cut = _everywhere(node["cut"])
        each = [[*formulas, cut], [*formulas, opposite(cut)]]
    else:
        return _vanishes(facts(formulas).known, node)
    return len(each) == len(node["each"]) and all(
        _contradicts(case, below, depth + 1) for case, below in zip(each, node["each"], strict=True)
    )


def _vanishes(known: list[tuple[str, Polynomial]], node: dict) -> bool:
    """Is a sum of what is at least 0, one part of which is positive, the polynomial 0?"""
    total, positive = Polynomial({}), False
    for c, factors, *squares in node["sum"]:
        term = Polynomial.constant(_rational(c))
        for k in factors:
            if known[k][0] not in (">=", ">") or k < 0:
                return False
            term = term * known[k][1]
        for square in squares:
            term = term * read(square) ** 2
        if _rational(c) <= 0:
            return False
        positive = positive or (not squares and all(known[k][0] == ">" for k in factors))
        total = total + term
    for k, multiple in node.get("zero", []):
        if known[k][0] != "==" or k < 0:
            return False
        total = total + known[k][1] * read(multiple)
    return positive and not total.terms


def holds_at(formula: Formula, point: dict[str, str]) -> bool:
    """Is the formula true at rational values of its variables?"""
    op, *given = formula
    if op in ("and", "or"):
        return (all if op == "and" else any)(holds_at(each, point) for each in given)
    a, b = (_value(each, point) for each in _parted(formula)[1:])
    return {"<=": a <= b, "<": a < b, ">=": a >= b, ">": a > b, "==": a == b, "!=": a != b}[op]


def _value(term: Term, point: dict[str, str]) -> Fraction:
    if isinstance(term, str):
        return _rational(point[term] if term.isidentifier() else term)
    op, *given = _parted(term)
    if op == "^":
        return _value(given[0], point) ** _power(given[1])
    a, b = (_value(each, point) for each in (given[0], given[-1]))
    if op in ("abs", "max", "min"):
        return abs(a) if op == "abs" else (max if op == "max" else min)(a, b)
    return a / b if op == "/" else {"+": a + b, "-": a - b, "*": a * b}[op]


def check_leaf(entry: dict) -> tuple[bool, str]:
    """Does a stored certificate show its leaf, and do some numbers meet its hypotheses? With the reason where not."""
    try:
        hypotheses, conclusion = entry["leaf"]
        point = entry["point"]
        if not all(holds_at(each, point) for each in hypotheses):
            return False, "its example does not meet its hypotheses"
        if not _contradicts([*hypotheses, opposite(conclusion)], entry["certificate"]):
            return False, "its certificate does not show it"
    except (ArithmeticError, ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        return False, f"its certificate cannot be read: {type(error).__name__}: {error}"
    return True, "shown as recorded"
