"""The record of a judged statement (DESIGN.md section 4), part by part: typed dictionaries, as they stand in JSON."""

from __future__ import annotations

from typing import NotRequired, TypedDict

__all__ = [
    "WORDS",
    "Certificate",
    "Correction",
    "Counterexample",
    "Judgement",
    "Need",
    "Record",
    "Sides",
    "Step",
    "Tightness",
]

# evidence, from strongest: what decided a verdict
WORDS = {
    "refuted": "by an exact counterexample",
    "kernel": "by a proof that Coq accepts",
    "certified": "line by line, each with a certificate, joined by standard facts that are named",
    "argued": "by an argument in words, whose scalar steps a solver decided",
    "family": "for a family that the statement's page names",
    "searched": "by search alone, which says how hard it looked",
}


class Sides(TypedDict):
    """Both sides of a comparison, as exact numbers or as enclosures."""

    lhs: str
    rhs: str


class Traced(TypedDict):
    """A comparison of two nodes of a certificate's program."""

    relation: str
    lhs: int
    rhs: int


class Certificate(TypedDict):
    """A counterexample that ``surrogate verify`` re-checks: the instance, and both sides as a program of operations."""

    id: str
    claim_checked: str
    label: str
    instance: dict[str, str]
    program: list[list[object]]
    hypotheses: list[list[object]]
    claim: Traced
    sides: NotRequired[Sides]


class Counterexample(TypedDict):
    """An instance that meets every hypothesis, and the two sides that contradict the claim there."""

    label: str
    instance: dict[str, str]
    sides: Sides


class Tightness(TypedDict):
    """The largest left side over right side of the declared box, and where it was found."""

    label: str
    ratio: float
    status: str
    at: dict[str, str]


class Judgement(TypedDict):
    """What was found out about one claim: the printed one, its correction, or a step of the proof."""

    verdict: str
    evidence: str
    decided_by: str
    examples: int
    tightness: Tightness | None
    counterexample: Counterexample | None
    certificate: Certificate | None


class Correction(TypedDict):
    """The corrected claim, judged."""

    says: str
    latex: str
    verdict: str
    evidence: str
    examples: int
    tightness: Tightness | None
    decided_by: str


class Step(TypedDict):
    """A step of the printed proof, judged."""

    name: str
    says: str
    latex: str
    correction: str
    verdict: str
    evidence: str
    examples: int
    counterexample: Counterexample | None
    certificate: NotRequired[Certificate | None]
    decided_by: str


class Need(TypedDict):
    """What a hypothesis is for: a counterexample without it, or that none was found."""

    hypothesis: str
    without: str
    counterexample: NotRequired[dict[str, str]]


class Record(TypedDict):
    """The verdict on a statement, and all that it rests on."""

    id: str
    paper: str
    kind: str
    location: str
    headline: bool
    says: str
    latex: str
    reading: str
    verdict: str
    severity: str
    proof_broken: str | None
    evidence: str
    decided_by: NotRequired[str]
    examples: int
    tightness: Tightness | None
    counterexample: Counterexample | None
    correction: Correction | None
    steps: list[Step]
    needs: list[Need]
    note: str
    certificate: Certificate | None
