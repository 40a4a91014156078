"""The record of a judged statement (DESIGN.md section 4), part by part: typed dictionaries, as they stand in JSON."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, NotRequired, TypedDict

__all__ = [
    "BESIDE",
    "NOT_ASKED",
    "WORDS",
    "Certificate",
    "Correction",
    "Counterexample",
    "Judged",
    "Judgement",
    "Lines",
    "Need",
    "Point",
    "Program",
    "Record",
    "Sides",
    "Step",
    "Tightness",
    "Traced",
    "brief",
    "broken",
    "fails_in_proof",
    "is_ours",
    "is_printed",
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

NOT_ASKED = "not asked: "  # how ``without`` begins where there is nothing to leave out
BESIDE = "beside the proof: "  # how the name begins of a step that the statement does not rest on

Program = list[list[Any]]  # ["in", name, "1/2"], ["add", 0, 1]; or [label, relation, left node, right node]


class Sides(TypedDict):
    """Both sides of a comparison, as exact numbers or as enclosures."""

    lhs: str
    rhs: str


class Traced(TypedDict):
    """A comparison of two nodes of a certificate's program."""

    relation: str
    lhs: int
    rhs: int


class Point(TypedDict):
    """Where a domain is decoded: its coordinates in [0, 1], and one of its discrete settings."""

    u: list[str]
    discrete: dict[str, Any]


class Counterexample(Point):
    """An instance that meets every hypothesis, and the two sides that contradict the claim there."""

    label: str
    relation: str
    instance: dict[str, str]
    sides: Sides


class Certificate(TypedDict):
    """What ``surrogate verify`` re-checks of a counterexample: both sides and the hypotheses as one program.

    ``expression`` is the hash of the claim that it refutes, ``point`` that of the counterexample that it belongs to.
    """

    id: str
    claim_checked: str
    expression: str
    point: str
    program: Program
    hypotheses: Program
    claim: Traced


class Tightness(Point):
    """The largest left side over right side of the declared box, and where it was found."""

    label: str
    ratio: float
    status: str
    at: dict[str, str]


class Lines(TypedDict, total=False):
    """The lines of a derivation, each with what it follows by; absent where there is none."""

    lines: list[str]


class Judged(Lines):
    """What was found out about one claim: the printed one, its correction, or a step of the proof.

    ``expression`` is the hash of what was judged, ``bridges`` names the standard facts that its proof rests on, and
    ``leaves`` the certificates of its parts.
    """

    domain: str
    expression: str
    verdict: str
    evidence: str
    decided_by: str
    bridges: list[str]
    leaves: list[str]
    examples: int
    counterexample: Counterexample | None
    certificate: Certificate | None


class Judgement(Judged):
    """With how close its sides come."""

    tightness: Tightness | None


class Correction(Judgement):
    """The corrected claim, judged."""

    says: str
    latex: str


class Step(Judged):
    """A step of the printed proof, judged."""

    name: str
    says: str
    latex: str
    correction: str


class Need(TypedDict):
    """What a hypothesis is for: a counterexample without it, or that none was found."""

    hypothesis: str
    without: str
    counterexample: NotRequired[Counterexample]


class Record(Judgement):
    """The verdict on a statement, and all that it rests on; ``asked`` is the number of instances asked for."""

    id: str
    paper: str
    kind: str
    location: str
    headline: bool
    says: str
    latex: str
    reading: str
    severity: str
    proof_broken: str | None
    asked: int
    correction: Correction | None
    steps: list[Step]
    needs: list[Need]
    note: str


def is_ours(step: Step) -> bool:
    """Is it a step that we add, which the paper does not print?"""
    return "(ours)" in step["name"] or step["name"].startswith("ours:")


def is_printed(record: Record) -> bool:
    """Is it the paper's own statement, not one of ours about it?"""
    return record["paper"] != "dictionary" and not record["location"].startswith(("not in the paper", "ours"))


def brief(number: str) -> str:
    """A number of many digits in decimals, and weightings in the paper's letters.

    >>> brief("1/3"), brief(f"{10**50}/{3 * 10**50}")
    ('1/3', 'about 0.333333333333')
    >>> brief("Theta.sum(3)"), brief("Theta.last(2)"), brief("Theta([2, -1])")
    ('Theta_{1:3}', 'Theta_2', '(2, -1)')
    """
    if weighting := re.fullmatch(r"Theta(?:\.(sum|last))?\(\[?(.*?)\]?\)", number):
        kind, weights = weighting.groups()
        return {"sum": f"Theta_{{1:{weights}}}", "last": f"Theta_{weights}"}.get(kind, f"({weights})")
    digits = re.fullmatch(r"-?\d+(/\d+)?", number) and len(number) > 40
    return f"about {float(Fraction(number)):.12g}" if digits else number


def broken(found: Counterexample) -> str:
    """The comparison that a counterexample breaks, with its label and both sides as they are.

    >>> sides: Sides = {"lhs": "in [0.5, 0.5]", "rhs": "1/4"}
    >>> broken({"label": "bound", "relation": "<=", "sides": sides, "instance": {}, "u": [], "discrete": {}})
    'left <= right fails [bound]: about 0.5 <= 1/4 is false'
    """
    relation, label = found["relation"], f" [{found['label']}]" if found["label"] else ""
    left, right = (_decimals(found["sides"][side]) for side in ("lhs", "rhs"))
    return f"left {relation} right fails{label}: {left} {relation} {right} is false"


def fails_in_proof(step: Step) -> bool:
    """Is it a step that fails, and one that the printed proof takes? What stands beside it says so in its name."""
    return step["verdict"] == "false" and not step["name"].startswith(BESIDE)


def _decimals(side: str) -> str:
    """An enclosure whose ends agree as the number that it encloses."""
    low, _, high = side.removeprefix("in [").removesuffix("]").partition(", ")
    return f"about {low}" if low == high else brief(side)
