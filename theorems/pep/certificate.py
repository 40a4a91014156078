"""Check a bound on a worst case: an exact dual solution, re-expanded in rationals (stdlib alone).

A certificate names a quantity of `quantities`, its numbers, and multipliers. It proves objective <= bound * budget if

    bound * budget - objective - sum_k <Lambda_k, contraction of client k> - sum_j y_j zeros_j - sum_j z_j symmetric_j

is positive definite as a quadratic form in the basis vectors, Lambda_k = F_k F_k' being positive semidefinite: on Gram
matrices that a population has, the first sum is >= 0 and the other two vanish.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypedDict

from theorems.pep import quantities
from theorems.pep.model import Form, Problem

__all__ = ["Certificate", "check", "definite", "dense", "slack"]

Matrix = list[list[Fraction]]


class Certificate(TypedDict):
    """Rationals as text."""

    quantity: str
    numbers: dict[str, str]
    theta: list[str]
    bound: str  # of the squared quantity, for sigma_c = 1
    factors: list[list[list[str]]]
    multipliers: list[str]


def check(certificate: Certificate) -> Fraction:
    """The bound on the squared quantity, if the certificate proves it; ValueError where not."""
    numbers = {name: Fraction(value) for name, value in certificate["numbers"].items()}
    if certificate["quantity"] not in ("contraction", "displacement", "distance"):
        raise ValueError(f"no certificates are known for {certificate['quantity']!r}")
    if not 0 < numbers["mu"] < numbers["L"]:
        raise ValueError("a certificate is for 0 < mu < L")
    build: Callable[..., Problem] = getattr(quantities, certificate["quantity"])
    unit = numbers.get("unit", Fraction(1))
    problem, bound = build(theta=[Fraction(v) for v in certificate["theta"]], **numbers), Fraction(certificate["bound"])
    factors = [[[Fraction(v) for v in row] for row in factor] for factor in certificate["factors"]]
    multipliers = [Fraction(v) for v in certificate["multipliers"]]
    if not definite(dense(slack(problem, bound / unit**2, factors, multipliers), problem.size)):
        raise ValueError(f"the certificate does not prove that {certificate['quantity']}^2 is at most {bound}")
    return bound


def slack(problem: Problem, bound: Fraction, factors: Sequence[Matrix], multipliers: Sequence[Fraction]) -> Form:
    """bound * budget - objective - what the multipliers take, which must be a positive form."""
    if problem.vanishing:
        raise ValueError("certificates are for all populations: give no weights")
    total = problem.budget * bound - problem.objective
    for form, value in zip(problem.vanish(), multipliers, strict=True):
        total = total - form * value
    for client, factor in zip(problem.clients, factors, strict=True):
        forms = client.contraction()
        for row, first in zip(forms, factor, strict=True):
            for form, second in zip(row, factor, strict=True):
                total = total - form * sum((a * b for a, b in zip(first, second, strict=True)), Fraction(0))
    return total


def dense(form: Form, size: int) -> Matrix:
    """The symmetric matrix of a form."""
    half = {**form.terms, **{(i, i): 2 * value for (i, j), value in form.terms.items() if i == j}}
    return [[half.get((min(i, j), max(i, j)), Fraction(0)) / 2 for j in range(size)] for i in range(size)]


def definite(matrix: Matrix) -> bool:
    """Is the symmetric matrix positive definite? Exact LDL'.

    >>> definite([[Fraction(2), Fraction(1)], [Fraction(1), Fraction(1)]]), definite([[Fraction(0)]])
    (True, False)
    """
    rows = [list(row) for row in matrix]
    for k, pivot in enumerate(rows):
        if pivot[k] <= 0:
            return False
        for row in rows[k + 1 :]:
            ratio = row[k] / pivot[k]
            row[k:] = [a - ratio * b for a, b in zip(row[k:], pivot[k:], strict=True)]
    return True
