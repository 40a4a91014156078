"""Every statement of five papers, judged: verdicts with certificates, corrections, tightness.

``theorems.judge(id)`` judges one statement now; ``theorems.verdict(id)`` reads what is recorded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from surrogate.kit.lazy import lazy

if TYPE_CHECKING:
    from theorems.cards import Verdict
    from theorems.domain import Cursor, Domain, clients, grid, rate
    from theorems.engines.prove import identity, reals, smt
    from theorems.pep.worst import WorstCase
    from theorems.statement import Claim, Comparison, Hypothesis, Proof, Statement, Step

__all__ = [
    "Claim",
    "Comparison",
    "Cursor",
    "Domain",
    "Hypothesis",
    "Proof",
    "Statement",
    "Step",
    "Verdict",
    "WorstCase",
    "clients",
    "grid",
    "identity",
    "judge",
    "rate",
    "reals",
    "smt",
    "verdict",
    "worst_case",
]


def judge(statement_id: str, examples: int = 10_000) -> Verdict:
    """Judge one statement (an id like "OLR.T17", or the path of a statement file of your own) and return its record.

    >>> found = judge("OLR.L5", examples=100)
    >>> found["verdict"], found["evidence"]
    ('holds', 'argued')
    """
    from theorems.cards import Verdict
    from theorems.judging import judge_statement
    from theorems.registry import find

    return Verdict(judge_statement(find(statement_id), examples))


def verdict(statement_id: str) -> Verdict | None:
    """The recorded verdict of a statement, or None where it is not judged yet.

    >>> found = verdict("OLR.C22")
    >>> found["verdict"], found["correction"]["evidence"]
    ('false', 'certified')
    """
    from theorems.cards import Verdict
    from theorems.records import read

    found = read(statement_id)
    return None if found is None else Verdict(found)


def worst_case(quantity: Literal["displacement", "distance", "contraction"], **numbers: Any) -> WorstCase:
    """The largest value that a quantity has on any clients with ``mu I <= A_i <= L I``: any number, weights, dimension.

    ``quantity``: "displacement" of a resting point from x*, "distance" of the resting points at two client rates (both
    for sigma_c = 1), or "contraction" of a round. ``numbers``: the arguments of `theorems.pep.displacement`,
    `theorems.pep.distance`, `theorems.pep.contraction`. Needs the extra ``pep``.

    >>> worst = worst_case("displacement", mu="1/10", gamma="1/2", theta=3)
    >>> print(f"{worst.value:.4f} is attained in dimension {worst.dimension}")
    0.4632 is attained in dimension 2
    """
    from surrogate.kit.errors import unknown
    from theorems import pep

    if quantity not in ("displacement", "distance", "contraction"):
        known = ("displacement", "distance", "contraction")
        raise unknown("the quantity", quantity, known, "a quantity without a worst case here", "take one of them")
    found: WorstCase = getattr(pep, quantity)(**numbers)
    return found


__getattr__ = lazy(
    __name__,
    {
        "domain": "Cursor Domain clients grid rate",
        "engines.prove": "identity reals smt",
        "cards": "Verdict",
        "pep.worst": "WorstCase",
        "statement": "Claim Comparison Hypothesis Proof Statement Step",
    },
)
