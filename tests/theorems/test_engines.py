"""The engines: what is true survives, what is false is refuted by a small exact instance, floats decide nothing."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from surrogate.kit.errors import ProblemError
from theorems import Claim, Comparison, Domain, Hypothesis, Statement, grid, registry, template, verify
from theorems.engines.certify import certain, certify, decide, exact_instance
from theorems.engines.evidence import shown
from theorems.engines.prove import identity, reals, smt
from theorems.engines.refute import refute, written
from theorems.engines.search import search
from theorems.judging import judge_statement


def scalar_domain(count: int = 2) -> Domain:
    return Domain(lambda cursor: SimpleNamespace(nb=cursor.nb, x=cursor.many(count)), grid(), "x in [0, 1]^2")


def claim(compare) -> Claim:
    return Claim("a test", "", compare)


def statement(compare, **settings) -> Statement:
    fields = {"id": "T.1", "paper": "t", "kind": "upper bound", "location": "", "says": "", "domain": scalar_domain()}
    return Statement(**{**fields, "printed": claim(compare), **settings})


def test_a_true_bound_holds_and_its_tightness_is_found():
    """x y <= (x^2 + y^2) / 2 holds, with equality on the diagonal."""
    record = judge_statement(
        statement(lambda s: [Comparison("", s.x[0] * s.x[1], "<=", (s.x[0] ** 2 + s.x[1] ** 2) / 2)])
    )
    assert record["verdict"] == "holds" and record["evidence"] == "searched" and record["examples"] > 10_000
    assert record["tightness"]["ratio"] == pytest.approx(1, abs=1e-6)


def test_a_bound_off_by_one_percent_is_refuted_exactly():
    record = judge_statement(
        statement(lambda s: [Comparison("", s.x[0] * s.x[1] * 101, "<=", (s.x[0] ** 2 + s.x[1] ** 2) * 50)])
    )
    assert record["verdict"] == "false" and record["evidence"] == "refuted"
    x, y = (Fraction(v) for v in record["counterexample"]["instance"].values())
    assert 101 * x * y > 50 * (x * x + y * y)
    assert x.denominator < 10 and y.denominator < 10
    assert verify.check_certificate(record["certificate"]) == (True, "broken as recorded")


def test_an_equality_that_rounding_breaks_is_not_a_counterexample():
    """(x + y)^2 = x^2 + 2xy + y^2 differs in floats, never in balls."""
    holds = claim(
        lambda s: [Comparison("", (s.x[0] + s.x[1]) ** 2, "==", s.x[0] ** 2 + 2 * s.x[0] * s.x[1] + s.x[1] ** 2)]
    )
    report = search(holds, scalar_domain(), 5000)
    assert refute(holds, scalar_domain(), report.violations) is None
    u = np.array([[Fraction(1, 3), Fraction(1, 7)]], dtype=object)
    assert certify(holds, exact_instance(scalar_domain(), u, {}), "") in (True, None)


def test_a_strict_inequality_is_broken_by_equality():
    record = judge_statement(statement(lambda s: [Comparison("", s.x[0] * s.x[1], "<", s.x[0] * 0 + 1)]))
    assert record["verdict"] == "false"
    assert set(record["counterexample"]["instance"].values()) == {"1"}


def test_a_violation_in_one_corner_of_the_box_is_found():
    """x <= 1 - 1e-7 fails only within 1e-7 of the end: the search goes to the ends on a log scale."""
    almost = Fraction(10**7 - 1, 10**7)
    record = judge_statement(statement(lambda s: [Comparison("", s.x[0], "<=", s.x[0] * 0 + s.nb.number(almost))]))
    assert record["verdict"] == "false"


def test_roots_are_decided_by_balls():
    record = judge_statement(
        statement(lambda s: [Comparison("", s.nb.sqrt(s.x[0]), "<=", s.x[0] + s.nb.number(Fraction(6, 25)))])
    )
    assert record["verdict"] == "false"  # max of sqrt(x) - x is 1/4 > 6/25
    record = judge_statement(
        statement(lambda s: [Comparison("", s.nb.sqrt(s.x[0]), "<=", s.x[0] + s.nb.number(Fraction(1, 4)))])
    )
    assert record["verdict"] == "holds"


def test_a_tampered_certificate_is_dead():
    record = judge_statement(template.STATEMENT)
    sound = record["certificate"]
    assert verify.check_certificate(sound)[0]
    for k, node in enumerate(sound["program"]):
        if node[0] == "in" and node[1] in ("p.lam[0][0]", "gamma"):
            program = [*sound["program"][:k], ["in", node[1], "0"], *sound["program"][k + 1 :]]
            assert not verify.check_certificate({**sound, "program": program})[0]
    assert not verify.check_certificate({**sound, "claim": {**sound["claim"], "relation": ">="}})[0]
    assert not verify.check_certificate({**sound, "program": sound["program"][:3]})[0]


def test_certificates_name_hypotheses_that_must_hold():
    """An instance outside the hypotheses is no counterexample."""
    s = template.STATEMENT
    report = search(s.printed, s.where(s.printed), 2000)
    found = refute(s.printed, s.where(s.printed), report.violations, s.hypotheses)
    assert found is not None
    _, certificate = written(s, s.printed, found, "printed", s.hypotheses)
    assert {text.split(":")[0] for text, *_ in certificate["hypotheses"]} == {"mu > 0", "0 < gamma < 1/L"}
    found.instance.gamma = found.instance.gamma * 0 + 2
    with pytest.raises(AssertionError, match="does not verify"):
        written(s, s.printed, found, "printed", s.hypotheses)


def test_proofs_raise_where_they_fail():
    import sympy

    x, y = sympy.symbols("x y")
    identity(((x + y) ** 2, x**2 + 2 * x * y + y**2))
    with pytest.raises(AssertionError, match="not an identity"):
        identity(((x + y) ** 2, x**2 + y**2))
    a, b = reals("a b")
    smt([a > 0, b > 0], a * b <= (a * a + b * b) / 2)
    with pytest.raises(AssertionError, match="counterexample over the reals"):
        smt([a > 0, b > 0], a * b <= (a * a + b * b) / 3)
    with pytest.raises(AssertionError, match="contradict"):
        smt([a > 0, a < 0], a == b)


def test_the_template_is_refuted_and_its_correction_holds():
    record = judge_statement(template.STATEMENT)
    assert record["verdict"] == "false" and record["correction"]["verdict"] == "holds"
    assert record["correction"]["tightness"]["ratio"] > 0.999


def test_hypotheses_are_decided_in_rationals_where_they_are_rational():
    """1/3 + 2/3 = 1 is no equality of balls; sqrt(x) >= 0 asks for them."""
    u = np.array([[Fraction(1, 3), Fraction(2, 3)]], dtype=object)
    instance = exact_instance(scalar_domain(), u, {})
    assert certain(lambda s: [Comparison("", s.x[0] + s.x[1], "==", s.x[0] * 0 + 1)], instance)
    assert not certain(lambda s: [Comparison("", s.x[0] + s.x[0], "==", s.x[0] * 0 + 1)], instance)
    assert certain(lambda s: [Comparison("", s.nb.sqrt(s.x[0]), ">", s.x[0])], instance)


def test_what_balls_leave_open_is_not_certain():
    """sqrt(x)^2 = x holds, but no ball says so, nor are its sides rationals."""
    u = np.array([[Fraction(1, 3), Fraction(2, 3)]], dtype=object)
    instance = exact_instance(scalar_domain(), u, {})
    assert not certain(lambda s: [Comparison("", s.nb.sqrt(s.x[0]) ** 2, "==", s.x[0])], instance)


@pytest.mark.parametrize(("relation", "below", "equal"), [("<=", True, True), ("<", True, False), ("==", False, True)])
def test_balls_decide_where_they_are_exact_or_apart_alone(relation, below, equal):
    """a below b, at b, above b; and a ball of 1 that touches 1 decides nothing."""
    import flint

    wide = flint.arb(1, 0.5)
    assert decide(Comparison("", 1, relation, 2)) is below and decide(Comparison("", 1, relation, 1)) is equal
    assert decide(Comparison("", 2, relation, 1)) is False
    assert decide(Comparison("", wide, relation, 1)) is None and decide(Comparison("", wide, relation, wide)) is None
    assert decide(Comparison("", wide, relation, 3)) is below and decide(Comparison("", 3, relation, wide)) is False
    turned = {"<=": ">=", "<": ">"}.get(relation)
    if turned:
        assert decide(Comparison("", 2, turned, 1)) is True and decide(Comparison("", 1, turned, 2)) is False
        assert decide(Comparison("", 1, turned, 1)) is equal and decide(Comparison("", 1, turned, wide)) is None


def test_sides_of_certificates_are_written_exactly_where_they_are_rational():
    third = Fraction(1, 3)
    assert verify.Interval(third, third).text() == "1/3"
    assert verify.Interval(third, Fraction(1, 2)).text() == "in [0.333333333333, 0.5]"


def test_an_equation_has_no_tightness():
    record = judge_statement(statement(lambda s: [Comparison("", s.x[0] + s.x[1], "==", s.x[1] + s.x[0])]))
    assert record["verdict"] == "holds" and record["tightness"] is None


def test_rounding_in_a_small_setting_does_not_hide_a_counterexample_in_a_larger_one():
    """K = 1 holds but for rounding near 0; K = 2 is false by a percent."""

    def decode(cursor, K):
        return SimpleNamespace(nb=cursor.nb, x=cursor.take(), K=K)

    def compare(s):
        difference = (1 + s.x) - 1
        return [Comparison("", difference * s.K, "==", s.x * s.K if s.K == 1 else s.x * 2 + s.x / 100)]

    record = judge_statement(statement(compare, domain=Domain(decode, grid(K=(1, 2)), "x in [0, 1]")), examples=2000)
    assert record["verdict"] == "false" and record["counterexample"]["instance"]["K"] == "2"


def test_rounding_in_many_small_settings_does_not_hide_a_counterexample_behind_them():
    """K <= 8 holds but for rounding near 0; K = 9 is false by a percent."""

    def compare(s):
        difference = (1 + s.x) - 1
        return [Comparison("", difference * s.K, "==", s.x * s.K + (s.x / 10 if s.K == 9 else 0))]

    def decode(cursor, K):
        return SimpleNamespace(nb=cursor.nb, x=cursor.take(), K=K)

    settings = grid(K=tuple(range(1, 10)))
    record = judge_statement(statement(compare, domain=Domain(decode, settings, "x in [0, 1]")), examples=4000)
    assert record["verdict"] == "false" and record["counterexample"]["instance"]["K"] == "9"


def test_what_a_hypothesis_is_for_is_asked_of_the_corrected_claim():
    """x^2 <= x / 2 is false on [0, 1]; x^2 <= x holds there, and needs x <= 1."""

    def beyond(cursor):
        return SimpleNamespace(nb=cursor.nb, x=[2 * u for u in cursor.many(1)])

    upto = Hypothesis(
        "x <= 1", lambda s: [Comparison("", s.x[0], "<=", s.x[0] * 0 + 1)], Domain(beyond, grid(), "[0, 2]")
    )
    record = judge_statement(
        statement(
            lambda s: [Comparison("", s.x[0] ** 2 * 2, "<=", s.x[0])],
            domain=scalar_domain(1),
            hypotheses=(upto,),
            corrected=claim(lambda s: [Comparison("", s.x[0] ** 2, "<=", s.x[0])]),
        ),
        examples=2000,
    )
    assert record["correction"]["verdict"] == "holds"
    (need,) = record["needs"]
    assert need["without"] == "false" and Fraction(need["counterexample"]["instance"]["x[0]"]) > 1


def test_a_statement_without_an_id_is_named_by_its_place_or_refused():
    assert registry.find("OLR.T17").id == "OLR.T17"
    with pytest.raises(ProblemError, match="without an id"):
        Statement(kind="identity", location="", says="", printed=Claim("", "", None), not_checkable="no place")


def test_a_proof_without_words_of_its_own_argues_by_its_docstring():
    def prove() -> None:
        """Squares are not negative."""

    found = shown(template.STATEMENT, Claim("", "", None, prove))
    assert found is not None
    assert found.evidence == "argued"
    assert found.decided_by == "scalar steps decided by solvers: Squares are not negative."


def test_a_docstring_may_say_what_decides_a_proof_and_go_on_with_notes():
    def prove() -> None:
        """z3 and sympy: squares: they are
        not negative.

        A note.
        """

    def prove_some() -> None:
        """sympy, exactly, for n <= 3: squares are not negative."""

    every, some = (shown(template.STATEMENT, Claim("", "", None, f)) for f in (prove, prove_some))
    assert every is not None and some is not None and (every.evidence, some.evidence) == ("argued", "family")
    assert every.decided_by == "z3 and sympy: squares: they are not negative."
    assert some.decided_by == "sympy, exactly (n <= 3): squares are not negative."
