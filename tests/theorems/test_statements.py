"""Every statement inherits these checks: it is filed where its id says, its hypotheses can be met, its sides agree."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from surrogate.numbers import FLOATS
from surrogate.numbers.balls import BALLS
from theorems import catalogue, records, registry, verify
from theorems.engines.certify import certain, exact_instance
from theorems.instances import mapped
from theorems.record import WORDS

STATEMENTS = registry.all_statements()
SEARCHED = {i: s for i, s in STATEMENTS.items() if s.printed.compare is not None}
VERDICTS = {"holds", "false", "undecided", "not-checkable"}
EVIDENCE = {*WORDS, ""}
SEVERITIES = {"substantive", "missing-hypothesis", "typo"}


@pytest.mark.parametrize("name", STATEMENTS)
def test_it_is_filed_under_its_id(name):
    statement = STATEMENTS[name]
    assert statement.id == name
    assert name in catalogue.IDS or name.split(".")[0] in catalogue.PAPERS
    assert statement.paper == catalogue.paper_of(name)
    assert statement.headline == (name in catalogue.HEADLINES)
    file = registry.source(name)
    assert file.parent.name == statement.paper
    assert file.stem == name.split(".", 1)[1].lower().replace("-", "_")
    assert statement.says and statement.location
    # Judging starts with small settings, so that the first counterexample is a small one.
    if statement.domain is not None:
        sizes = [(d.get("n", 1), d.get("d", 1)) for d in statement.domain.choices]
        assert sizes[0] == min(sizes)


@pytest.mark.parametrize("name", SEARCHED)
def test_its_hypotheses_can_be_met(name):
    """Some rational instance certainly satisfies all of them: the statement is not about nothing."""
    statement = SEARCHED[name]
    domain = statement.domain if statement.domain is not None else statement.where(statement.printed)
    for k in (3, 5, 7, 11, 13):
        m = domain.size(domain.choices[0])
        u = np.array([[Fraction(1 + (k * j) % 7, 10 + k) for j in range(m)]], dtype=object).reshape(1, m)
        instance = exact_instance(domain, u, domain.choices[0])
        if all(certain(h.holds, instance) for h in statement.hypotheses):
            return
    pytest.fail(f"{name}: no instance of its own domain meets its hypotheses")


@pytest.mark.parametrize("name", SEARCHED)
def test_its_sides_are_the_same_in_floats_and_balls(name):
    statement = SEARCHED[name]
    domain = statement.where(statement.printed)
    discrete = domain.choices[min(1, len(domain.choices) - 1)]
    compared = sum(_compared(statement, domain, discrete, start) for start in range(6))
    assert compared, f"{name}: no instance looked at has finite sides"


def _compared(statement, domain, discrete, start: int) -> int:
    """How many sides of one instance were finite balls; each must be what the floats say (u inside the floats' box)."""
    import flint

    m = domain.size(discrete)
    u = np.array([[Fraction(3 + start + (3 * j) % 7, 17) for j in range(m)]], dtype=object).reshape(1, m)
    try:
        instance = exact_instance(domain, u, discrete)
    except ZeroDivisionError:
        return 0
    with np.errstate(all="ignore"):
        floats = statement.printed.compare(domain.instance(FLOATS, u.astype(float), discrete))
    with flint.ctx.workprec(256):
        nb = BALLS
        exact = statement.printed.compare(mapped(instance, lambda _, q: nb.number(q), nb))
        assert [c.label for c in floats] == [c.label for c in exact]
        pairs = [
            p for a, b in zip(floats, exact, strict=True) for p in ((a.label, a.lhs, b.lhs), (a.label, a.rhs, b.rhs))
        ]
        numbers = [
            (label, float(np.ravel(a)[0]), float(np.ravel(np.asarray(b, dtype=object))[0])) for label, a, b in pairs
        ]
    finite = [(label, a, b) for label, a, b in numbers if np.isfinite(b)]
    for label, a, b in finite:
        assert a == pytest.approx(b, rel=1e-6, abs=1e-9), f"{statement.id}: {label}"
    return len(finite)


@pytest.mark.parametrize("name", STATEMENTS)
def test_its_record_is_whole(name):
    """Recorded verdicts speak the closed vocabulary, and every certificate verifies."""
    record = records.read(name)
    assert record is not None, f"{name} is not recorded: surrogate check {name} --record"
    assert record["verdict"] in VERDICTS and record["evidence"] in EVIDENCE
    if record["verdict"] == "false":
        assert record["severity"] in SEVERITIES and record["evidence"] == "refuted"
        assert verify.check_certificate(record["certificate"]) == (True, "broken as recorded")
    if record["verdict"] == "holds":
        assert record["evidence"] != "refuted"
        assert record["evidence"] != "searched" or record["examples"] >= 10_000
    if record["verdict"] in ("undecided", "not-checkable"):
        assert record["note"] or record.get("decided_by")
    for step in record["steps"]:
        if step["certificate"]:
            assert verify.check_certificate(step["certificate"])[0]


@pytest.mark.parametrize("name", STATEMENTS)
def test_its_record_says_what_its_file_says(name):
    """Nobody changed the words, the steps or the hypotheses without judging again."""
    statement, record = STATEMENTS[name], records.read(name)
    for key in ("paper", "kind", "location", "headline", "says", "reading"):
        assert record[key] == getattr(statement, key), key
    assert record["latex"] == statement.printed.latex
    assert [(s["name"], s["says"], s["latex"], s["correction"]) for s in record["steps"]] == [
        (s.name, s.claim.says, s.claim.latex, s.correction) for s in statement.steps
    ]
    right = statement.corrected if record["verdict"] == "false" else None
    assert (record["correction"] is None) == (right is None)
    if right is not None:
        assert (record["correction"]["says"], record["correction"]["latex"]) == (right.says, right.latex)
    searched = (right or statement.printed).compare is not None
    asked = [h.name for h in statement.hypotheses if h.role or (searched and h.without is not None)]
    assert [need["hypothesis"] for need in record["needs"]] == asked


def test_the_table_is_generated_from_the_records():
    import json

    table = json.loads(Path(records.TABLE).read_text(encoding="utf-8"))
    assert table == json.loads(json.dumps(records.table(records.read_all())))
    manifest = json.loads(records.MANIFEST.read_text(encoding="utf-8"))
    assert manifest == records.manifest(records.read_all())
