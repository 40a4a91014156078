"""Certificates of leaves: products of facts by a linear programme, its multipliers made rational; cases and cuts.

Nothing here is believed: what it finds is shown by ``theorems.leaves``, with fractions alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

from theorems.leaves import Facts, Formula, Polynomial, Term, alternatives, facts, opened, opposite

__all__ = ["certificate"]

_TRIES = ((2, 4, False), (3, 6, False), (2, 4, True), (3, 6, True), (4, 8, False))  # factors, degree, with squares?
_MOST = 4000  # products of one linear programme
_CUTS = 3  # suppositions inside each other

Known = Sequence[tuple[str, Polynomial]]
Node = dict[str, Any]
Monomial = tuple[tuple[str, int], ...]


class Product(NamedTuple):
    """Facts and squares that are multiplied."""

    factors: tuple[int, ...]
    squares: tuple[Polynomial, ...]
    value: Polynomial


def certificate(hypotheses: list[Formula], conclusion: Formula) -> Node | None:
    """What shows that hypotheses and the opposite of the conclusion contradict each other; None where none is found."""
    return _contradiction([*hypotheses, opposite(conclusion)], _CUTS)


def _contradiction(formulas: list[Formula], cuts: int) -> Node | None:
    formulas = opened(formulas)
    k = next((k for k, (op, *_) in enumerate(formulas) if op in ("or", "!=")), None)
    if k is not None:
        each = []
        for case in alternatives(formulas[k]):
            shown = _contradiction([*formulas[:k], case, *formulas[k + 1 :]], cuts)
            if shown is None:
                return None
            each.append(shown)
        return {"cases": k, "each": each}
    found = facts(formulas)
    for factors, degree, squares in _TRIES:
        shown = _vanishing(found.known, factors, degree, squares)
        if shown:
            return shown
    return (_by_factors(formulas, found, cuts) or _by_cutting(formulas, found, cuts)) if cuts else None


def _by_factors(formulas: list[Formula], found: Facts, cuts: int) -> Node | None:
    """Something positive is a product of factors whose signs, each shown for itself, say the opposite."""
    for relation, p in found.known:
        factors = _factors(p) if relation != "==" else []
        if factors and max(_degree(f) for f, _ in factors) < _degree(p):
            strictly = relation == ">="
            shown = _with_signs(formulas, [f for f, n in factors if n % 2 or strictly], ">" if strictly else ">=")
            if shown:
                return shown
    return None


def _with_signs(formulas: list[Formula], factors: list[Polynomial], sign: str) -> Node | None:
    """Suppose the sign that can be shown of each factor that has none yet; then products of factors."""
    found = facts(formulas)
    known = {p for relation, p in found.known if relation in (">", sign)}
    unknown = next((f for f in factors if f not in known and -f not in known), None)
    if unknown is None:
        return _product(found.known, sign)
    for supposed in ([sign, _expression(unknown), "0"], [sign, _expression(-unknown), "0"]):
        otherwise = _contradiction([*formulas, opposite(supposed)], 0)
        below = otherwise and _with_signs([*formulas, supposed], factors, sign)
        if below:
            return {"cut": supposed, "each": [below, otherwise]}
    return None


def _product(known: Known, sign: str) -> Node | None:
    """A side is minus a product of sides and squares, and one of both is positive."""
    at = {p: k for k, (relation, p) in reversed(list(enumerate(known))) if relation in (">", sign)}
    for k, (relation, p) in enumerate(known):
        if relation == "==" or (relation == ">=" and sign == ">="):
            continue
        parts = _factors(p)
        chosen = [at.get(f, at.get(-f, -1)) for f, n in parts for _ in range(n if sign == ">" else n % 2)]
        if not parts or -1 in chosen:
            continue
        squares = [f ** (n // 2) for f, n in parts if n > 1 and sign == ">="]
        total = Polynomial.constant(1)
        for each in [*(known[j][1] for j in chosen), *(f * f for f in squares)]:
            total = total * each
        monomial, c = next(iter(total.terms.items()))
        ratio = -p.terms.get(monomial, Fraction(0)) / c
        if ratio > 0 and not (total * Polynomial.constant(ratio) + p).terms:
            return {"sum": [["1", [k]], [str(ratio), chosen, *(f.json() for f in squares)]]}
    return None


def _factors(p: Polynomial) -> list[tuple[Polynomial, int]]:
    """Irreducible factors that are no constants, with their powers."""
    import flint

    names = sorted({name for monomial in p.terms for name, _ in monomial})
    if not names:
        return []
    ring = flint.fmpq_mpoly_ctx.get(names, flint.Ordering.lex)
    as_flint = ring.from_dict({
        tuple(dict(m).get(name, 0) for name in names): flint.fmpq(c.numerator, c.denominator)
        for m, c in p.terms.items()
    })  # fmt: skip
    return [
        (Polynomial({
            tuple((name, int(n)) for name, n in zip(names, powers, strict=True) if n): Fraction(int(c.p), int(c.q))
            for powers, c in factor.to_dict().items()
        }), int(n))
        for factor, n in as_flint.factor()[1]
    ]  # fmt: skip


def _by_cutting(formulas: list[Formula], found: Facts, cuts: int) -> Node | None:
    """Suppose a relation, then its opposite: signs of what is not known, and which of two is the larger."""
    for supposed in _suppositions(formulas, found):
        each: list[Node] = []
        for case in (supposed, opposite(supposed)):
            shown = _contradiction([*formulas, case], 0) or (
                _contradiction([*formulas, case], cuts - 1) if cuts > 1 and each else None
            )
            if shown is None:
                break
            each.append(shown)
        if len(each) == 2:
            return {"cut": supposed, "each": each}
    return None


def _suppositions(formulas: list[Formula], found: Facts) -> Iterator[Formula]:
    signed = {p for relation, p in found.known if relation != "=="}
    for base in found.bases:
        if found.sign(base) is None:
            yield [">", _expression(base), "0"]
    names = sorted(
        {name for _, p in found.known for monomial in p.terms for name, _ in monomial if name.isidentifier()}
    )
    for name in names:
        x = Polynomial.variable(name)
        if x not in signed and -x not in signed:
            yield [">", name, "0"]
    for name, other in combinations_with_replacement(names, 2):
        if name != other:
            yield ["<=", name, other]


def _expression(p: Polynomial) -> Term:
    """A polynomial as an expression of formulas."""
    total: Any = None
    for monomial, c in sorted(p.terms.items()):
        term: Any = str(c)
        for name, power in monomial:
            factor = name if power == 1 else ["^", name, str(power)]
            term = factor if term == "1" else ["*", term, factor]
        total = term if total is None else ["+", total, term]
    return "0" if total is None else total


def _vanishing(known: Known, factors: int, degree: int, squared: bool) -> Node | None:
    """Positive multiples of products, and multiples of what is 0, that sum to the polynomial 0."""
    signed = [k for k, (relation, p) in enumerate(known) if relation == ">" or (relation == ">=" and p.terms)]
    products = [Product((), (), Polynomial.constant(1))]
    last = products
    for _ in range(factors):
        last = [
            Product((*each.factors, k), (), each.value * known[k][1])
            for each in last
            for k in signed
            if not each.factors or k >= each.factors[-1]
            if _degree(each.value) + _degree(known[k][1]) <= degree
        ]
        products = [*products, *last]
        if len(products) > _MOST:
            break
    if squared:
        products += [
            Product(each.factors, (square,), each.value * square * square)
            for square in _squares(known)
            for each in products
            if _degree(each.value) + 2 * _degree(square) <= degree
        ]
    products = products[:_MOST]
    monomials = {m for each in products for m in each.value.terms}
    return _solved(known, products, _multiples(known, monomials, degree))


def _squares(known: Known) -> list[Polynomial]:
    """Sums and differences of two of: 1 and the variables."""
    names = sorted({name for _, p in known for monomial in p.terms for name, _ in monomial})
    basis = [Polynomial.constant(1), *(Polynomial.variable(name) for name in names)]
    pairs = [(a, b) for a, b in combinations_with_replacement(basis, 2) if a != b]
    return [*basis[1:], *(a - b for a, b in pairs), *(a + b for a, b in pairs)]


def _multiples(known: Known, monomials: set[Monomial], degree: int) -> list[tuple[int, Polynomial, Polynomial]]:
    """(index, multiplier, product) for what is 0, times each monomial that stays within the degree."""
    found: list[tuple[int, Polynomial, Polynomial]] = []
    zeros = [(k, p) for k, (relation, p) in enumerate(known) if relation == "=="]
    for k, p in zeros:
        for m in sorted({(), *monomials}, key=lambda m: (sum(n for _, n in m), m)):
            times = Polynomial({m: Fraction(1)})
            product = times * p
            if _degree(product) <= degree and len(found) < _MOST:
                found.append((k, times, product))
    return found


def _degree(p: Polynomial) -> int:
    return max((sum(n for _, n in m) for m in p.terms), default=0)


def _solved(known: Known, products: list[Product], multiples: list[tuple[int, Polynomial, Polynomial]]) -> Node | None:
    columns = [each.value for each in products] + [p for *_, p in multiples]
    strict = [not each.squares and all(known[k][0] == ">" for k in each.factors) for each in products]
    cost = [1.0 + len(each.factors) + 2 * len(each.squares) for each in products] + [0.0] * len(multiples)
    support = _support(columns, strict, cost)
    exact = _exactly([columns[j] for j in support], [j < len(strict) and strict[j] for j in support])
    chosen = [(j, x) for j, x in zip(support, exact, strict=False) if x]
    if not chosen or any(x < 0 for j, x in chosen if j < len(products)):
        return None
    terms = [(products[j], x) for j, x in chosen if j < len(products)]
    node: Node = {"sum": [[str(x), [*t.factors], *(s.json() for s in t.squares)] for t, x in terms]}
    zero: dict[int, Polynomial] = {}
    for j, x in chosen:
        if j >= len(products):
            k, times, _ = multiples[j - len(products)]
            zero[k] = zero.get(k, Polynomial({})) + times * Polynomial.constant(x)
    return node | ({"zero": [[k, p.json()] for k, p in zero.items()]} if zero else {})


def _support(columns: list[Polynomial], strict: list[bool], cost: list[float]) -> list[int]:
    """Which columns a linear programme takes so that they sum to 0, and the strict ones' multipliers to 1."""
    import numpy as np
    from scipy.optimize import linprog
    from scipy.sparse import coo_matrix

    rows = {m: k for k, m in enumerate(dict.fromkeys(m for p in columns for m in p.terms))}
    entries = [(rows[m], j, float(c)) for j, p in enumerate(columns) for m, c in p.terms.items()]
    entries += [(len(rows), j, 1.0) for j, is_strict in enumerate(strict) if is_strict]
    i, j, c = zip(*entries, strict=True)
    matrix = coo_matrix((c, (i, j)), shape=(len(rows) + 1, len(columns))).tocsr()
    right = np.zeros(len(rows) + 1)
    right[-1] = 1
    bounds = [(0, None)] * len(strict) + [(None, None)] * (len(columns) - len(strict))
    found = linprog(cost, A_eq=matrix, b_eq=right, bounds=bounds, method="highs-ds")
    return [j for j, x in enumerate(found.x) if abs(x) > 1e-9] if found.status == 0 else []


def _exactly(columns: list[Polynomial], strict: list[bool]) -> list[Fraction]:
    """The multipliers as rationals, or none: the sum is 0, and those of strict products sum to 1."""
    import flint

    if not columns:
        return []
    rows = list(dict.fromkeys(m for p in columns for m in p.terms))
    table = [[p.terms.get(m, Fraction(0)) for p in columns] + [Fraction(0)] for m in rows]
    table.append([Fraction(int(s)) for s in strict] + [Fraction(1)])
    flat = [flint.fmpq(q.numerator, q.denominator) for row in table for q in row]
    reduced, rank = flint.fmpq_mat(len(table), len(columns) + 1, flat).rref()
    solution = [Fraction(0)] * len(columns)
    for r in range(rank):
        pivot = next(j for j in range(len(columns) + 1) if reduced[r, j] != 0)
        if pivot == len(columns):
            return []
        value = reduced[r, len(columns)]
        solution[pivot] = Fraction(int(value.p), int(value.q))
    return solution
