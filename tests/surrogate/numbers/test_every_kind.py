"""Every kind of number passes the same checks: its functions agree with floats and with what defines them."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from flint import arb, fmpq

from surrogate import Theta, numbers
from surrogate.kit.errors import ProblemError
from surrogate.numbers import FLOATS, FRACTIONS, RATIONALS, Kind
from surrogate.numbers.balls import BALLS
from surrogate.numbers.symbols import FUNCTIONS, SYMBOLS, symbols
from surrogate.numbers.traces import Trace, Traced, Traces
from surrogate.numbers.units import Quantity, units
from theorems import verify


@dataclass(frozen=True)
class Case:
    """A kind, how its numbers are made from rationals, and how they are read as floats."""

    kind: Kind
    make: Callable[[F], Any]
    read: Callable[[Any], float]


def tracing() -> Case:
    """A trace of its own, read by the stand-alone verifier."""
    trace = Trace()

    def read(x: Any) -> float:
        interval = verify.evaluate(trace.nodes)[trace.lift(x).id]
        return float((interval.lo + interval.hi) / 2)

    return Case(trace.kind, trace.constant, read)


CASES = {
    "float": Case(FLOATS, float, float),
    "Fraction": Case(FRACTIONS, F, float),
    "fmpq": Case(RATIONALS, lambda q: fmpq(q.numerator, q.denominator), lambda q: float(F(str(q)))),
    "arb": Case(BALLS, lambda q: arb(fmpq(q.numerator, q.denominator)), lambda b: float(b.mid())),
    "units": Case(units(FRACTIONS), Quantity, float),
    "sympy": Case(SYMBOLS, lambda q: sympy.Rational(q.numerator, q.denominator), float),
}
VALUES = [F(0), F(1, 3), F(9, 4), F(-7, 5), F(16)]


@pytest.fixture(params=[*CASES, "trace"])
def case(request: pytest.FixtureRequest) -> Case:
    return CASES[request.param] if request.param in CASES else tracing()


def vector(case: Case, *values: Any) -> Any:
    made = [case.make(F(v)) for v in values]
    return np.array(made, dtype=float if case.kind is FLOATS else object)


def read(case: Case, values: Any) -> Any:
    return np.vectorize(lambda v: case.read(v), otypes=[float])(values)


def test_the_table_knows_single_numbers_and_arrays(case: Case) -> None:
    assert numbers.kind(case.make(F(1, 3))) is case.kind
    assert numbers.kind(vector(case, 1, 2)) is case.kind
    assert numbers.is_exact(vector(case, 1)) is (case.kind is not FLOATS)


def test_the_square_root_squared_is_the_number(case: Case) -> None:
    """sqrt(x)^2 = x, of squares in the kind itself."""
    for value in (F(0), F(9, 4), F(16)):
        x = case.make(value)
        assert case.read(numbers.sqrt(x) ** 2) == pytest.approx(float(value), rel=1e-15)
        assert numbers.kind(numbers.sqrt(x)) is case.kind
        assert case.read(case.kind.sqrt(vector(case, value))[0]) == math.sqrt(value)


@pytest.mark.parametrize("name", CASES)
def test_the_root_of_two_is_that_of_floats(name: str) -> None:
    case = CASES[name]
    root = numbers.sqrt(case.make(F(2)))
    assert float(root.mid() if isinstance(root, arb) else root) == pytest.approx(2**0.5, rel=1e-15)


def test_no_square_root_of_a_negative_number(case: Case) -> None:
    """Balls say nan, symbols are imaginary, and the verifier refuses a program."""
    if case.kind in (BALLS, SYMBOLS) or isinstance(case.kind, Traces):
        root = numbers.sqrt(case.make(F(-1)))
        assert str(root) in ("nan", "I") or isinstance(root, Traced)
        return
    with pytest.raises(ProblemError, match="of a number >= 0"):
        numbers.sqrt(case.make(F(-1)))


@pytest.mark.parametrize("name", ["Fraction", "fmpq"])
def test_rationals_keep_to_themselves(name: str) -> None:
    """What is irrational is refused by the kind, and a float or a ball where that is asked for."""
    case = CASES[name]
    for ask in ("sqrt", "exp", "log"):
        with pytest.raises(ProblemError):
            getattr(case.kind, ask)(case.make(F(2)))
    assert isinstance(numbers.sqrt(case.make(F(2))), float if name == "Fraction" else arb)
    assert isinstance(numbers.log(case.make(F(2))), float if name == "Fraction" else arb)


def test_maximum_modulus_and_sign(case: Case) -> None:
    for a in VALUES:
        x = case.make(a)
        assert case.read(numbers.absolute(x)) == abs(float(a))
        if isinstance(case.kind, Traces):
            with pytest.raises(ProblemError, match="sign"):
                case.kind.sign(x)
        else:
            assert case.read(case.kind.sign(x)) == (a > 0) - (a < 0)
        for b in VALUES:
            assert case.read(numbers.maximum(x, case.make(b))) == float(max(a, b))
            assert case.read(numbers.minimum(x, b)) == float(min(a, b))
    found = case.kind.maximum(vector(case, 1, -2), vector(case, 0, 3))
    assert read(case, found).tolist() == [1, 3]
    assert case.read(case.kind.largest(vector(case, 1, 4, 2))) == 4
    assert case.read(case.kind.smallest(vector(case, 3, 1, 2))) == 1


def test_whole_numbers_and_fractions_follow(case: Case) -> None:
    one, half, other = numbers.alike(1, F(1, 2), case.make(F(1, 3)))
    assert {numbers.kind(v) for v in (one, half, other)} == {case.kind}
    assert case.read(half + other) == pytest.approx(5 / 6, rel=1e-15)
    assert case.read(case.kind.decimal(0.9)) == pytest.approx(0.9, rel=1e-15)
    assert case.read(case.kind.decimal(0.5)) == 0.5
    assert read(case, case.kind.array([[1, "1/2" if case.kind is not FLOATS else 0.5]], "x")).tolist() == [[1, 0.5]]


def test_a_known_system_is_solved(case: Case) -> None:
    """A x = b with A = [[2, 1], [1, 3]] and x = (1, -2)."""
    A, b = np.stack([vector(case, 2, 1), vector(case, 1, 3)]), vector(case, 0, -5)
    assert read(case, numbers.solve(A, b)) == pytest.approx([1, -2], rel=1e-15)
    assert read(case, case.kind.solve(A, b)) == pytest.approx([1, -2], rel=1e-15)
    assert read(case, numbers.solve(A, A)) == pytest.approx(np.eye(2), abs=1e-15)


def test_a_singular_system_is_refused(case: Case) -> None:
    if case.kind in (BALLS, SYMBOLS) or isinstance(case.kind, Traces):  # division by 0: nan, zoo, a program
        return
    with pytest.raises(ProblemError, match="singular"):
        numbers.solve(np.stack([vector(case, 1, 2), vector(case, 2, 4)]), vector(case, 1, 1))


def test_norms_and_eigenvalues(case: Case) -> None:
    assert case.read(numbers.norm(vector(case, 3, 4))) == 5
    assert case.read(case.kind.length(vector(case, 3, 4))) == 5
    assert read(case, case.kind.norm(vector(case, 3, 4))).tolist() == [5]
    S = np.stack([vector(case, 2, 2), vector(case, 2, 5)])  # eigenvalues 1 and 6
    assert read(case, case.kind.eigenvalues(S)) == pytest.approx([1, 6], rel=1e-14)
    assert case.read(case.kind.opnorm(S)) == pytest.approx(6, rel=1e-14)


def test_filters_are_their_sums(case: Case) -> None:
    """At z = 1/3, by the sums that define them."""
    z, r = case.make(F(1, 3)), F(2, 3)
    for theta in (Theta.sum(4), Theta.last(3), Theta(["1/2", 0, 3])):
        expected = sum(F(t) * r**k for k, t in enumerate(theta.weights))
        assert case.read(case.kind.filter(z, theta)) == pytest.approx(float(expected), rel=1e-14)
        assert case.read(case.kind.deficit(z, theta)) == pytest.approx(float(expected - F(theta.total)), rel=1e-14)
    expected = sum(r**k for k in range(4))
    assert case.read(case.kind.geometric(z, 4)) == pytest.approx(float(expected), rel=1e-14)
    assert case.read(case.kind.geometric_deficit(z, 4)) == pytest.approx(float(expected - 4), rel=1e-14)


def test_steps_of_methods_are_their_formulas(case: Case) -> None:
    k, y, g = case.kind, vector(case, 1, 2), vector(case, 4, -1)
    half, quarter = case.make(F(1, 2)), case.make(F(1, 4))
    assert read(case, k.moved(y, half, 1, g)).tolist() == [-1, 2.5]
    assert read(case, k.moved(y, half, vector(case, 2, 0), g)).tolist() == [-3, 2]
    assert read(case, k.mixed(quarter, y, g)).tolist() == [3.25, -0.25]
    assert read(case, k.with_square(y, g)).tolist() == [17, 3]
    assert read(case, k.mixed_with_square(quarter, y, g)).tolist() == [12.25, 1.25]
    assert read(case, k.inverse_root(vector(case, 4, 9), half)) == pytest.approx([2 / 5, 2 / 7])
    lengths = k.lengths(vector(case, 3, 4, 6), vector(case, 0, 1, 2), [slice(0, 2), slice(2, 3)])
    assert read(case, lengths).tolist() == [5, 5, 3]


def test_zeros_are_of_the_kind(case: Case) -> None:
    zeros = numbers.zeros((2, 3), vector(case, 5))
    assert numbers.kind(zeros) is case.kind and read(case, zeros).tolist() == [[0] * 3] * 2


@pytest.mark.parametrize("value", ["1/2", None, 1j, [1]])
def test_what_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(ProblemError, match="register"):
        numbers.kind(value)


def test_a_ball_around_zero_has_a_root() -> None:
    """A sum of squares may come out as [-e, e]: the root is of its nonnegative part."""
    root = numbers.sqrt(arb(0, 1e-20))
    assert root.contains(0) and root < 1e-9


def test_nothing_heavy_is_loaded_for_floats() -> None:
    program = (
        "import sys, surrogate.numbers as n\n"
        "from surrogate import bounds\n"
        "n.sqrt(2.0), n.maximum(1, 2.5), bounds.phi(3, 1, 0.5)\n"
        "assert not {'flint', 'sympy', 'torch'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=Path(__file__).parents[3])


def test_rational_functions_are_a_kind_without_an_order() -> None:
    """A x = b over Q(a, b), a filter, and no roots."""
    a, b = symbols(["a", "b"]).values()
    assert numbers.kind(a) is FUNCTIONS and numbers.is_exact(a)
    A, right = np.array([[a, b], [b, a]], dtype=object), np.array([a + b, a + b], dtype=object)
    assert (numbers.solve(A, right) == 1).all()
    assert FUNCTIONS.filter(a, Theta(["1/2", 3])) == F(1, 2) + 3 * (1 - a)
    for ask in (numbers.sqrt, numbers.log, numbers.absolute, FUNCTIONS.sign):
        with pytest.raises(ProblemError, match="a rational function"):
            ask(a)
