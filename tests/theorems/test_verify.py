"""The stand-alone checker: intervals enclose, decide only when disjoint, and it imports fractions and json alone."""

from __future__ import annotations

import ast
import math
from fractions import Fraction
from pathlib import Path

import mpmath
from hypothesis import given
from hypothesis import strategies as st

from surrogate.numbers.traces import Trace
from theorems import verify

POSITIVE = st.fractions(min_value=Fraction(1, 1000), max_value=1000)


def enclosure(op: str, q: Fraction) -> verify.Interval:
    return verify.evaluate([["in", "x", str(q)], [op, 0]])[-1]


@given(POSITIVE)
def test_roots_logarithms_and_exponentials_are_enclosed(q):
    with mpmath.workdps(70):
        x = mpmath.mpf(q.numerator) / q.denominator
        for op, value in (("sqrt", mpmath.sqrt(x)), ("log", mpmath.log(x)), ("exp", mpmath.exp(x / 10))):
            interval = enclosure(op, q / 10 if op == "exp" else q)
            low, high = (mpmath.mpf(e.numerator) / e.denominator for e in (interval.lo, interval.hi))
            slack = mpmath.mpf(10) ** -65 * (1 + abs(value))
            assert low - slack <= value <= high + slack
            assert float(high - low) <= 1e-40 * float(1 + abs(value))


@given(st.fractions(-5, 5, max_denominator=30), st.integers(0, 40))
def test_powers_are_exact_while_short(q, n):
    value = verify.evaluate([["in", "x", str(q)], ["pow", 0, n]])[-1]
    assert value.lo == value.hi == q**n


def test_long_numbers_are_rounded_outward():
    """(1 - 1/3)^100000 has 50,000 digits: its enclosure stays short and contains the double's value."""
    value = verify.evaluate([["in", "x", "2/3"], ["pow", 0, 100_000]])[-1]
    assert 0 < value.lo <= value.hi
    assert value.hi.numerator.bit_length() < 5000
    logarithm = (math.log(value.lo.numerator) - math.log(value.lo.denominator)) / 100_000
    assert math.isclose(logarithm, math.log(2 / 3), rel_tol=1e-12)


def test_overlapping_intervals_decide_nothing():
    program = [["in", "x", "2"], ["sqrt", 0], ["mul", 1, 1]]
    values = verify.evaluate(program)
    assert verify._holds("<=", values[2], values[0]) is None
    assert verify._holds("==", values[2], values[0]) is None
    assert verify._holds("<", values[1], values[0]) is True
    assert verify._holds(">", values[1], values[0]) is False


def test_division_by_zero_makes_a_certificate_dead():
    record = {
        "program": [["in", "x", "0"], ["div", 0, 0]],
        "hypotheses": [],
        "claim": {"relation": "<=", "lhs": 1, "rhs": 0},
    }
    sound, why = verify.check_certificate(record)
    assert not sound and "divides" in why


def test_it_imports_fractions_and_json_alone():
    tree = ast.parse(Path(verify.__file__).read_text(encoding="utf-8"))
    imported = {n.names[0].name for n in ast.walk(tree) if isinstance(n, ast.Import)}
    imported |= {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    assert imported == {"json", "fractions", "__future__"}


@given(st.fractions(-3, 3, max_denominator=9), st.fractions(-3, 3, max_denominator=9))
def test_traces_compute_what_the_formula_says(x, y):
    trace = Trace()
    a, b = trace.input("x", x), trace.input("y", y)
    result = (a * 0 + 1) * (a - b) ** 2 + 3 * a / 2 - (-b) + 0 * b
    assert verify.evaluate(trace.nodes)[result.id].lo == (x - y) ** 2 + Fraction(3, 2) * x + y
