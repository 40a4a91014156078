"""Nothing is left unsaid: each hypothesis of a headline is asked about, each bound is measured, no corner is cut."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest

from surrogate.numbers import FLOATS
from theorems import records, registry
from theorems.engines.certify import certain, exact_instance
from theorems.engines.refute import SIMPLE
from theorems.statement import Claim, Statement

STATEMENTS = registry.all_statements()
HEADLINES = {name: s for name, s in STATEMENTS.items() if s.headline}

# Claims that leave a hypothesis out on purpose: what is false without it is what they say.
DROPPED = {
    "DA.D1": {"all clients take part"},
    "OLR.L12": {"0 <= gamma < 1/(K L)"},  # B.2.6 assumes gamma < 1/L alone
    "OLR.L23": {"0 <= gamma <= 2/L (the lemma has all gamma >= 0; the correction needs it)"},
}
# OLR's hypotheses that are in no domain's power to drop say what the terms are, without a role in words.
WITHOUT_ROLE = {"outsized"}
# Bounds of 0, every printed side 0 where it is attained; or an order of numbers that come as close as one
# likes: a ratio says nothing.
NO_RATIO = {"DA.E7", "LADA.N6", "LA.D5c"}


def held(name: str, statement: Statement) -> Iterator[tuple[str, Claim, dict]]:
    """(which, claim, its record) of what holds: the statement, or its correction."""
    record = records.read(name)
    if record["verdict"] == "holds":
        yield "printed", statement.printed, record
    if (record["correction"] or {}).get("verdict") == "holds":
        yield "corrected", statement.corrected, record["correction"]


@pytest.mark.parametrize("name", HEADLINES)
def test_every_hypothesis_of_a_headline_is_asked_about(name):
    """The record says what happens without it, or why it cannot be dropped."""
    told = {need["hypothesis"]: need["without"] for need in records.read(name)["needs"]}
    silent = [h for h in HEADLINES[name].hypotheses if h.name not in told]
    assert not silent or (HEADLINES[name].paper in WITHOUT_ROLE and all(h.without is None for h in silent))
    for without in told.values():
        assert without == "false" or without.startswith(("not needed, so far (", "not asked: "))


def test_every_bound_has_its_tightness():
    """Where an inequality with sides above 0 holds, the record says how close they come."""
    unmeasured = []
    for name, statement in STATEMENTS.items():
        for which, claim, record in held(name, statement):
            if not record["tightness"] and name not in NO_RATIO and has_positive_bound(statement, claim):
                unmeasured.append(f"{name} {which}")
    assert not unmeasured


def has_positive_bound(statement: Statement, claim: Claim) -> bool:
    if claim.compare is None:
        return statement.kind == "upper bound"
    domain = statement.where(claim)
    rng = np.random.default_rng(0)
    for discrete in (domain.choices[0], domain.choices[-1]):
        u = rng.uniform(0.1, 0.9, size=(20, domain.size(discrete)))
        with np.errstate(all="ignore"):
            for _, lhs, relation, rhs in claim.compare(domain.instance(FLOATS, u, discrete)):
                small, large = (rhs, lhs) if relation in (">=", ">") else (lhs, rhs)
                if relation != "==" and np.any((np.asarray(small) > 1e-6 * np.abs(large)) & (np.asarray(large) > 0)):
                    return True
    return False


def judged_false() -> Iterator[tuple[str, str, Statement, Claim]]:
    """What is recorded false on a domain of its own."""
    for name, statement in STATEMENTS.items():
        record = records.read(name)
        claims = [("printed", statement.printed, record["verdict"])]
        for k, (step, judged) in enumerate(zip(statement.steps, record["steps"], strict=True)):
            claims.append((f"step {k}", step.claim, judged["verdict"]))
        for which, claim, verdict in claims:
            if verdict == "false" and claim.domain is not None:
                yield name, which, statement, claim


@pytest.mark.parametrize(
    ("name", "which", "statement", "claim"), [pytest.param(*c, id=" ".join(c[:2])) for c in judged_false()]
)
def test_a_domain_of_its_own_meets_the_hypotheses_or_names_them(name, which, statement, claim):
    """So that no counterexample leaves them; hypotheses about numbers that a claim does not have say nothing of it."""
    broken = set()
    for row, discrete in instances(claim):
        try:
            instance = exact_instance(claim.domain, row, discrete)
        except ArithmeticError:  # no instance: a division by 0 at an end
            continue
        for hypothesis in statement.hypotheses:
            try:
                if not certain(hypothesis.holds, instance):
                    broken.add(hypothesis.name)
            except (AttributeError, IndexError):
                continue
    assert broken - {h.name for h in claim.given} <= DROPPED.get(name, set())


def instances(claim: Claim) -> Iterator[tuple[np.ndarray, dict]]:
    """The corners of the smallest and the largest setting, and simple fractions between."""
    rng = np.random.default_rng(0)
    for discrete in {id(d): d for d in (claim.domain.choices[0], claim.domain.choices[-1])}.values():
        m = claim.domain.size(discrete)
        rows = [[Fraction(k, 2)] * m for k in range(3)]
        rows += [[SIMPLE[j] for j in rng.integers(len(SIMPLE), size=m)] for _ in range(10)]
        for row in rows:
            yield np.array([row], dtype=object).reshape(1, -1), discrete
