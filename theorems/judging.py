"""From a statement to its verdict: prove, search, confirm, refute, correct, tighten; nothing decided by floats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from theorems.engines.certify import agrees, certain, certify, exact_instance
from theorems.engines.evidence import Shown, shown
from theorems.engines.refute import again, refute, written
from theorems.engines.search import Find, SearchReport, search
from theorems.engines.tightness import tightest
from theorems.engines.traced import expression
from theorems.record import Correction, Counterexample, Judgement, Lines, Need, Record, Step, fails_in_proof
from theorems.statement import Claim, Hypothesis, Statement

__all__ = ["DEFAULT_EXAMPLES", "Record", "judge_statement"]

DEFAULT_EXAMPLES = 10_000


def judge_statement(statement: Statement, examples: int = DEFAULT_EXAMPLES, known: Record | None = None) -> Record:
    """The verdict of DESIGN.md section 4, as a record.

    ``known``: a record whose counterexamples count where the search finds none, if they still are some.
    """
    judge = _Judge(statement, examples, known)
    printed = judge.printed()
    false = printed["verdict"] == "false"
    correction = judge.correction() if false else None
    steps = [judge.step(k) for k in range(len(statement.steps))]
    broken = [step["name"] for step in steps if fails_in_proof(step)]
    claim = statement.corrected if correction and statement.corrected else statement.printed  # what is false needs none
    return {
        "id": statement.id,
        "paper": statement.paper,
        "kind": statement.kind,
        "location": statement.location,
        "headline": statement.headline,
        "says": statement.says,
        "latex": statement.printed.latex,
        "reading": statement.reading,
        **printed,
        "severity": statement.severity if false else "",
        "proof_broken": broken[0] if broken else None,
        "asked": examples,
        "correction": correction,
        "steps": steps,
        "needs": [need for h in statement.hypotheses if (need := judge.need(claim, h))],
        "note": " ".join(filter(None, [statement.not_checkable, statement.note])),
    }


@dataclass(frozen=True)
class _Judge:
    """Judges the claims of one statement; recorded counterexamples help where a search found none."""

    statement: Statement
    examples: int
    known: Record | None

    def printed(self) -> Judgement:
        if self.statement.not_checkable:
            return {**_unjudged(self.statement, self.statement.printed), "verdict": "not-checkable"}
        known = self.known["counterexample"] if self.known else None
        return _judge_claim(self.statement, self.statement.printed, "printed", self.examples, known)

    def correction(self) -> Correction | None:
        claim = self.statement.corrected
        if claim is None:
            return None
        recorded = self.known["correction"] if self.known else None
        known = recorded["counterexample"] if recorded else None
        judged = _judge_claim(self.statement, claim, "corrected", self.examples, known)
        return {"says": claim.says, "latex": claim.latex, **judged}

    def step(self, k: int) -> Step:
        step = self.statement.steps[k]
        recorded = [each for each in self.known["steps"] if each["name"] == step.name] if self.known else []
        known = recorded[0]["counterexample"] if recorded else None
        judged = _judge_claim(self.statement, step.claim, f"step {k}", self._fewer, known)
        return {
            "name": step.name,
            "says": step.claim.says,
            "latex": step.claim.latex,
            "correction": step.correction,
            "domain": judged["domain"],
            "expression": judged["expression"],
            "verdict": judged["verdict"],
            "evidence": judged["evidence"],
            "decided_by": judged["decided_by"],
            "bridges": judged["bridges"],
            "leaves": judged["leaves"],
            "examples": judged["examples"],
            "counterexample": judged["counterexample"],
            "certificate": judged["certificate"],
            **_lines(judged.get("lines", ())),
        }

    def need(self, claim: Claim, hypothesis: Hypothesis) -> Need | None:
        """What the hypothesis is for: a counterexample to the claim without it, or 'not needed, so far'."""
        name, without = hypothesis.name, hypothesis.without
        if without is None or claim.compare is None:
            return {"hypothesis": name, "without": f"not asked: {hypothesis.role}"} if hypothesis.role else None
        report = search(claim, without, self._fewer)
        others = tuple(h for h in self.statement.hypotheses if h.name != name)
        found = refute(claim, without, report.violations, others) if report.violations else None
        recorded = [need["counterexample"] for need in _needs(self.known, name) if "counterexample" in need]
        if found is None and recorded:
            found = again(claim, without, recorded[0], others)
        if found is None:
            looked_at = report.examples + report.adversarial
            return {"hypothesis": name, "without": f"not needed, so far ({looked_at} instances)"}
        counterexample, _ = written(self.statement, claim, found, f"without {name}", others)
        return {"hypothesis": name, "without": "false", "counterexample": counterexample}

    @property
    def _fewer(self) -> int:
        """Instances for what is not the statement itself."""
        return max(self.examples // 4, 1000)


def _needs(record: Record | None, name: str) -> list[Need]:
    return [need for need in record["needs"] if need["hypothesis"] == name] if record else []


def _unjudged(statement: Statement, claim: Claim) -> Judgement:
    """What is there before anything is found out."""
    return {
        "domain": "" if claim.compare is None else statement.where(claim).says,
        "expression": expression(statement, claim),
        "verdict": "holds",
        "evidence": "",
        "decided_by": "",
        "bridges": [],
        "leaves": [],
        "examples": 0,
        "tightness": None,
        "counterexample": None,
        "certificate": None,
    }


def _judge_claim(
    statement: Statement, claim: Claim, which: str, examples: int, known: Counterexample | None = None
) -> Judgement:
    proof = shown(statement, claim)
    result = _unjudged(statement, claim)
    if claim.compare is not None:
        domain, assumed = statement.where(claim), statement.assumed(claim)
        report = search(claim, domain, examples)
        result["examples"] = report.examples + report.adversarial
        found = refute(claim, domain, report.violations, assumed) if report.violations else None
        found = again(claim, domain, known, assumed) if found is None and known else found
        if found is not None:
            if proof is not None:
                raise AssertionError(
                    f"{statement.id}: both proved ({proof.decided_by}) and refuted at {found.instance}"
                )
            counterexample, certificate = written(statement, claim, found, which, assumed)
            return {
                **result,
                "verdict": "false",
                "evidence": "refuted",
                "decided_by": "ball arithmetic, re-checked in rationals",
                "counterexample": counterexample,
                "certificate": certificate,
            }
        result["tightness"] = tightest(domain, claim, report)
        unconfirmed = _unconfirmed(statement, claim, proof, report)
        if unconfirmed:
            worst = max(unconfirmed, key=lambda v: v.score)
            place = f"{worst.label}, ratio {worst.score:.9g}"
            note = f"a float violation ({place}) that no exact instance confirmed or cleared"
            return {**result, "verdict": "undecided", "evidence": "searched", "decided_by": note}
    if proof is None:
        return {**result, "evidence": "searched", "decided_by": "no violation found"}
    return {
        **result,
        "evidence": proof.evidence,
        "decided_by": proof.decided_by,
        "bridges": [*proof.bridges],
        "leaves": [*proof.leaves],
        **_lines(proof.lines),
    }


def _lines(lines: Sequence[str]) -> Lines:
    """The derivation's lines, where there is one."""
    return {"lines": [*lines]} if lines else {}


def _unconfirmed(statement: Statement, claim: Claim, proof: Shown | None, report: SearchReport) -> list[Find]:
    """Float violations that exact arithmetic does not clear.

    A proof settles what balls cannot (an equality, a bound that is attained); without one nothing does.
    """
    answers = [(find, _exactly(statement, claim, find)) for find in report.violations]
    if proof is None:
        return [find for find, answer in answers if answer is not True]
    contradicted = [find for find, answer in answers if answer is False]
    if contradicted:
        raise AssertionError(f"{statement.id}: proved ({proof.decided_by}), but broken at {contradicted[0]}")
    return []


def _exactly(statement: Statement, claim: Claim, find: Find) -> bool | None:
    """What a float violation is on the same instance, taken as the rationals that its floats are.

    None: undecided in balls, or the exact instance leaves the hypotheses (floats are clipped to the declared box).
    """
    row = np.array([[Fraction(float(v)) for v in find.u]], dtype=object)
    try:
        instance = exact_instance(statement.where(claim), row, find.discrete)
        answer = certify(claim, instance, find.label)
        if answer is False and not all(certain(h.holds, instance) for h in statement.assumed(claim)):
            return None
        return True if answer is None and agrees(claim, instance, find.label) else answer
    except (ArithmeticError, ValueError):
        return None
