"""Terms: evaluation on numbers of every kind, canonical JSON, and what they refuse."""

from __future__ import annotations

import pickle
from fractions import Fraction

import flint
import numpy as np
import pytest

from surrogate.kit.errors import ProblemError
from surrogate.numbers.units import CURVATURE, Quantity
from theorems.engines.prove import proving, smt
from theorems.engines.terms import absolute, both, either, leaf_hash, maximum, negation, reals, sqrt

a, b, K = reals("a b K")
RELATION = (1 - a / 3) ** K * b <= absolute(b) + Fraction(1, 2) * maximum(a, b)


def test_sides_are_evaluated_on_numbers_of_any_kind():
    at = {"a": Fraction(1, 2), "b": Fraction(2), "K": 3}
    lhs, rhs = RELATION.at(at)
    assert (lhs, rhs) == (Fraction(125, 108), 3)
    batch = RELATION.at({"a": np.full(2, 0.5), "b": np.full(2, 2.0), "K": 3})
    assert np.allclose(batch[0], 125 / 108) and batch[1].tolist() == [3.0, 3.0]
    assert RELATION.at({"a": flint.fmpq(1, 2), "b": flint.fmpq(2), "K": 3}) == (flint.fmpq(125, 108), 3)
    assert RELATION.at({"a": flint.arb(1) / 2, "b": flint.arb(2), "K": 3})[0].contains(flint.fmpq(125, 108))
    assert sqrt(a * a).at({"a": 3.0}) == 3 and 3**b  # exponents may be terms
    assert ((a + b) / 2).at({name: Quantity(Fraction(1), CURVATURE) for name in "ab"}) == Quantity(1, CURVATURE)


def test_equal_terms_are_one_object_and_do_not_change():
    assert a + b is reals("a") + reals("b") and pickle.loads(pickle.dumps(RELATION)) is RELATION
    with pytest.raises(AttributeError):
        RELATION.op = "<"
    assert len({a, b, a + 0, a}) == 3


def test_truth_values_are_refused():
    for slip in (lambda: 0 <= a <= b, lambda: max(a, b), lambda: a == b or a < b):
        with pytest.raises(ProblemError, match="a relation between terms"):
            slip()
    with pytest.raises(ProblemError, match="a rational number"):
        a + 0.1


def test_a_leaf_is_known_by_what_it_says_however_that_is_written():
    assert (a >= b).json() == (b <= a).json() == ["<=", "b", "a"]
    assert leaf_hash([a > 0, b > 0], a < b) == leaf_hash([0 < b, 0 < a, 0 < a], b > a)
    assert leaf_hash([a > 0], a < b) != leaf_hash([a >= 0], a < b) != leaf_hash([a >= 0], a <= b)
    opposite = negation(either(a < b, both(a == 0, b != 0)))
    assert opposite is both(a >= b, either(a != 0, b == 0)) and negation(opposite) is either(
        a < b, both(a == 0, b != 0)
    )


def test_a_recorder_lists_the_leaves_inside_it():
    with proving() as outer:
        smt([0 <= a, a <= b], a * a <= b * b)
        with proving() as inner:
            smt([a > 0], a >= 0)
            smt([a > 0], a >= 0)
    assert [leaf.hash for leaf in inner] == [leaf_hash([a > 0], a >= 0)] and outer == [outer[0], *inner]
