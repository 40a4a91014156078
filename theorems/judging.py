"""From a statement to its verdict: prove, search, confirm, refute, correct, tighten; nothing decided by floats."""

from __future__ import annotations

import numpy as np

from surrogate.numbers import FLOATS
from theorems.domain import Domain
from theorems.engines.certify import agrees, certain, certify, exact_instance, ratio_at
from theorems.engines.evidence import shown
from theorems.engines.refute import certificate, refute
from theorems.engines.search import Find, SearchReport, search
from theorems.instances import describe
from theorems.record import Counterexample, Judgement, Need, Record, Step, Tightness
from theorems.statement import Claim, Statement

__all__ = ["DEFAULT_EXAMPLES", "Record", "judge_statement"]

DEFAULT_EXAMPLES = 10_000


def judge_statement(statement: Statement, examples: int = DEFAULT_EXAMPLES) -> Record:
    """The verdict of DESIGN.md section 4, as a record."""
    record: Record = {
        "id": statement.id,
        "paper": statement.paper,
        "kind": statement.kind,
        "location": statement.location,
        "headline": statement.headline,
        "says": statement.says,
        "latex": statement.printed.latex,
        "reading": statement.reading,
        "verdict": "not-checkable",
        "severity": "",
        "proof_broken": None,
        "evidence": "",
        "examples": 0,
        "tightness": None,
        "counterexample": None,
        "correction": None,
        "steps": [],
        "needs": [],
        "note": statement.note,
        "certificate": None,
    }
    if statement.not_checkable:
        record["note"] = " ".join(filter(None, [statement.not_checkable, statement.note]))
    else:
        record = {**record, **_judge_claim(statement, statement.printed, "printed", examples)}
        record["severity"] = statement.severity if record["verdict"] == "false" else ""
    if record["verdict"] == "false" and statement.corrected is not None:
        judged = _judge_claim(statement, statement.corrected, "corrected", examples)
        record["correction"] = {
            "says": statement.corrected.says,
            "latex": statement.corrected.latex,
            "verdict": judged["verdict"],
            "evidence": judged["evidence"],
            "examples": judged["examples"],
            "tightness": judged["tightness"],
            "decided_by": judged["decided_by"],
        }
    record["steps"] = [_judge_step(statement, k, examples) for k in range(len(statement.steps))]
    broken = [step for step in record["steps"] if step["verdict"] == "false"]
    record["proof_broken"] = broken[0]["name"] if broken else None
    right = statement.corrected if record["correction"] is not None else None  # what is false needs nothing
    claim = right or statement.printed
    record["needs"] = [need for h in statement.hypotheses if (need := _need(statement, claim, h.name, examples))]
    return record


def _judge_claim(statement: Statement, claim: Claim, which: str, examples: int) -> Judgement:
    proof = shown(statement, claim)
    report = search(claim, statement.where(claim), examples) if claim.compare is not None else SearchReport()
    result: Judgement = {
        "decided_by": "",
        "tightness": None,
        "counterexample": None,
        "certificate": None,
        "examples": report.examples + report.adversarial,
        "verdict": "holds",
        "evidence": "",
    }
    if report.violations:
        found = refute(claim, statement.where(claim), report.violations, statement.assumed(claim))
        if found is not None:
            if proof is not None:
                raise AssertionError(
                    f"{statement.id}: both proved ({proof.decided_by}) and refuted at {found.instance}"
                )
            cert = certificate(statement, claim, found, which)
            counterexample: Counterexample = {
                "label": found.label,
                "instance": cert["instance"],
                "sides": cert["sides"],
            }
            return {
                **result,
                "verdict": "false",
                "evidence": "refuted",
                "decided_by": "ball arithmetic, re-checked in rationals",
                "counterexample": counterexample,
                "certificate": cert,
            }
    result["tightness"] = _tightness(statement.where(claim), claim, report) if claim.compare is not None else None
    answers = {id(v): _exactly(statement, claim, v) for v in report.violations}
    contradicted = [v for v in report.violations if proof is not None and answers[id(v)] is False]
    if proof is not None and contradicted:
        raise AssertionError(f"{statement.id}: proved ({proof.decided_by}), but broken at {contradicted[0]}")
    # A proof settles what balls cannot (an equality, a bound that is attained); without one nothing does.
    unconfirmed = [v for v in report.violations if proof is None and answers[id(v)] is not True]
    if unconfirmed:
        worst = max(unconfirmed, key=lambda v: v.score)
        note = f"a float violation ({worst.label}, ratio {worst.score:.9g}) that no exact instance confirmed or cleared"
        return {**result, "verdict": "undecided", "evidence": "searched", "decided_by": note}
    word, why = (proof.evidence, proof.decided_by) if proof else ("searched", "no violation found")
    return {**result, "evidence": word, "decided_by": why}


def _exactly(statement: Statement, claim: Claim, find: Find) -> bool | None:
    """What a float violation is on the same instance, taken as the rationals that its floats are.

    None: undecided in balls, or the exact instance leaves the hypotheses (floats are clipped to the declared box).
    """
    from fractions import Fraction

    row = np.array([[Fraction(float(v)) for v in find.u]], dtype=object)
    try:
        instance = exact_instance(statement.where(claim), row, find.discrete)
        answer = certify(claim, instance, find.label)
        if answer is False and not all(certain(h.holds, instance) for h in statement.assumed(claim)):
            return None
        return True if answer is None and agrees(claim, instance, find.label) else answer
    except (ArithmeticError, ValueError):
        return None


def _tightness(domain: Domain, claim: Claim, report: SearchReport) -> Tightness | None:
    """The largest lhs / rhs seen over the declared box, comparison by comparison; in balls where floats are too coarse.

    Too coarse: somewhere rounding put a ratio above 1.
    """
    coarse = {find.label for find in report.violations}
    ratios = {
        label: (ratio_at(domain, claim, find) or 0.0) if label in coarse else find.score
        for label, find in report.tightest.items()
        if label not in report.equations
    }
    bounds = {label: ratio for label, ratio in ratios.items() if 1e-6 < ratio <= 1}  # x > 0 has no ratio
    if not bounds:
        return None
    label, found = max(bounds.items(), key=lambda item: item[1])
    find, ratio = report.tightest[label], min(1.0, found + 1e-9)
    return {
        "label": label,
        "ratio": ratio,
        "status": "attained up to rounding" if ratio >= 1 - 1e-6 else "largest found",
        "at": _place(domain, find),
    }


def _place(domain: Domain, find: Find) -> dict[str, str]:
    """The float instance of a find, named as counterexamples are, to six digits."""
    u = np.asarray(find.u, dtype=float).reshape(1, -1)
    named = describe(domain.instance(FLOATS, u, find.discrete))
    return {name: _short(value) for name, value in named.items()}


def _short(value: str) -> str:
    try:
        return f"{float(value):.6g}"
    except ValueError:
        return value


def _judge_step(statement: Statement, k: int, examples: int) -> Step:
    step = statement.steps[k]
    judged = _judge_claim(statement, step.claim, f"step {k}", max(examples // 4, 1000))
    return {
        "name": step.name,
        "says": step.claim.says,
        "latex": step.claim.latex,
        "correction": step.correction,
        "verdict": judged["verdict"],
        "evidence": judged["evidence"],
        "examples": judged["examples"],
        "counterexample": judged["counterexample"],
        "certificate": judged["certificate"],
        "decided_by": judged["decided_by"],
    }


def _need(statement: Statement, claim: Claim, name: str, examples: int) -> Need | None:
    """What the hypothesis is for: a counterexample to the (corrected) claim without it, or 'not needed, so far'."""
    hypothesis = next(h for h in statement.hypotheses if h.name == name)
    if hypothesis.without is None or claim.compare is None:
        return {"hypothesis": name, "without": f"not asked: {hypothesis.role}"} if hypothesis.role else None
    report = search(claim, hypothesis.without, max(examples // 4, 1000))
    others = tuple(h for h in statement.hypotheses if h.name != name)
    found = refute(claim, hypothesis.without, report.violations, others) if report.violations else None
    if found is None:
        return {"hypothesis": name, "without": f"not needed, so far ({report.examples + report.adversarial} instances)"}
    return {"hypothesis": name, "without": "false", "counterexample": dict(describe(found.instance))}
