"""Every statement of five papers, judged: verdicts with certificates, corrections, tightness.

``theorems.judge(id)`` judges one statement now; ``theorems.verdict(id)`` reads what is recorded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from surrogate.kit.lazy import lazy

if TYPE_CHECKING:
    from theorems.cards import Verdict
    from theorems.domain import Cursor, Domain, clients, grid, rate
    from theorems.engines.prove import identity, reals, smt
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
    "clients",
    "grid",
    "identity",
    "judge",
    "rate",
    "reals",
    "smt",
    "verdict",
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
    ('false', 'argued')
    """
    from theorems.cards import Verdict
    from theorems.records import read

    found = read(statement_id)
    return None if found is None else Verdict(found)


__getattr__ = lazy(
    __name__,
    {
        "domain": "Cursor Domain clients grid rate",
        "engines.prove": "identity reals smt",
        "cards": "Verdict",
        "statement": "Claim Comparison Hypothesis Proof Statement Step",
    },
)
