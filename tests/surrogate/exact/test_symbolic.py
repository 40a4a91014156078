"""gamma as a variable: the closed formulas of OLR section 4, and agreement with rational rates."""

from __future__ import annotations

import time
from fractions import Fraction as F

import numpy as np
import pytest
import sympy
from flint import fmpq, fmpq_poly
from hypothesis import given
from hypothesis import strategies as st

from surrogate import ProblemError, Theta, exact
from tests.helpers.surrogate import populations as pop

g = sympy.Symbol("g")


def test_two_clients_of_olr_come_out_as_printed():
    """Theta_{1:2}: minimizer (4 - 3 g) / (6 - 5 g), displacement g / (3 (6 - 5 g)), singular at 6/5, Q_i = 2 - g i."""
    s = exact.Surrogate(pop.toy()[1], "g", Theta.sum(2))
    assert sympy.simplify(s.minimizer[0].sympy() - (4 - 3 * g) / (6 - 5 * g)) == 0
    assert sympy.simplify(s.displacement[0].sympy() - g / (3 * (6 - 5 * g))) == 0
    assert [sympy.expand(q.sympy()) for q in s.distortion[:, 0, 0]] == [2 - g, 2 - 2 * g]
    assert s.singular_at == [fmpq(6, 5)] and s.hessian[0, 0].sympy() == (6 - 5 * g) / 2
    assert repr(s.minimizer[0]) == "(4 - 3*g)/(6 - 5*g)"


def test_client_two_turns_at_one_and_not_at_a_half():
    """Q_2 = 2 - 2 g is positive up to g = 1; the print of OLR section 4 says 1/2 (twice)."""
    s = exact.Surrogate(pop.toy()[1], "g", Theta.sum(2))
    for gamma, bad in (("1/2", ()), ("3/4", ()), ("999/1000", ()), (1, (1,)), ("11/10", (1,)), ("119/100", (1,))):
        assert s.at(gamma).ill_behaved == bad
        assert s.at(gamma).strong_convexity > 0


@pytest.mark.parametrize("K", range(1, 13))
def test_two_clients_of_olr_over_K(K):
    """gamma = 1/2: minimizer (3 2^K - 2) / (2^(K+2) - 2), gap (2^K - 2) / (6 (2^(K+1) - 1))."""
    s = exact.Surrogate(pop.toy()[1], "1/2", Theta.sum(K))
    assert s.minimizer[0] == fmpq(3 * 2**K - 2, 2 ** (K + 2) - 2)
    assert s.displacement[0] == fmpq(2**K - 2, 6 * (2 ** (K + 1) - 1))
    assert s.distortion[0, 0, 0] == 2 - fmpq(1, 2 ** (K - 1)) and s.distortion[1, 0, 0] == 1


def test_many_steps_lead_to_the_mean_minimizer():
    """K -> infinity at gamma = 1/2: 3/4 = mean of the c_i, gap to 1/12, monotonically."""
    clients = pop.toy()[1]
    gaps = [exact.Surrogate(clients, "1/2", Theta.sum(K)).displacement[0] for K in (1, 2, 5, 50, 500)]
    assert gaps == sorted(gaps) and gaps[0] == 0 and 0 < fmpq(1, 12) - gaps[-1] < fmpq(1, 2**500)
    assert clients.minimizer[0] + fmpq(1, 12) == clients.mean_minimizer[0] == fmpq(3, 4)


@given(st.data())
def test_substituting_a_rate_is_solving_at_it(data):
    """Everything symbolic, evaluated at a rational, equals the exact surrogate there; poles are singular Hessians."""
    p = data.draw(pop.general(max_n=3, max_d=4))
    theta = [data.draw(pop.thetas(most=2)) for _ in range(p.n)]
    s = exact.Surrogate(p.exact(), "gamma", theta)
    gamma = F(data.draw(st.integers(0, 40)), data.draw(st.sampled_from([1, 7, 64])))
    there = s.at(gamma)
    for name in ("distortion", "hessian", "jacobian"):
        symbolic, rational = getattr(s, name), getattr(there, name)
        assert [q(gamma) for q in symbolic.flat] == list(rational.flat)
    try:
        point = there.minimizer
    except ProblemError:
        assert any(
            exact.less(root, gamma) is not True and exact.less(gamma, root) is not True for root in s.singular_at
        )
        return
    assert [q(gamma) for q in s.minimizer] == list(point)
    assert [q(gamma) for q in s.displacement] == list(there.displacement)
    assert [q(gamma) for q in s.resting_point] == list(point)


@given(st.data())
def test_first_singular_rate_ends_definiteness(data):
    """The Hessian is definite before the first positive root of its determinant, not at or shortly after it."""
    p = data.draw(pop.general(max_n=2, max_d=3))
    s = exact.Surrogate(p.exact(), "gamma", Theta.sum(2))
    first = s.singular_at[0]
    below = float(exact.balls(first).mid()) * (1 - 1e-9)
    assert s.at(below).strong_convexity > 0 and s.at(below / 2).strong_convexity > 0
    above = s.at(float(exact.balls(first).mid()) * (1 + 1e-9)).strong_convexity
    assert above < 0


def test_one_step_changes_nothing_for_any_rate():
    """K = 1: displacement 0, Hessian of f, no singular rate."""
    s = exact.Surrogate(pop.toy()[1], sympy.Symbol("gamma"), Theta.sum(1))
    assert s.displacement[0] == 0 and s.minimizer[0] == fmpq(2, 3) and s.singular_at == []


def test_five_clients_in_six_dimensions_within_a_second():
    """K = 10: the minimizer's degree is at most d (K - 1) = 54, and it takes less than a second of processor time."""
    rng = np.random.default_rng(0)
    factors = pop.fractions(rng.integers(-9, 10, (5, 6, 6))) / 10
    A = np.stack([f @ f.T / 6 + pop.fractions(np.eye(6, dtype=int)) / 10 for f in factors])
    clients = exact.Quadratics(A, pop.fractions(rng.integers(-9, 10, (5, 6))) / 10)
    start = time.process_time()
    s = exact.Surrogate(clients, "gamma", Theta.sum(10))
    minimizer = s.minimizer
    assert time.process_time() - start < 1
    assert all(q.numerator.degree() <= 54 and q.denominator.degree() == 54 for q in minimizer)
    assert [q(F(1, 3)) for q in minimizer] == list(s.at("1/3").minimizer)


def test_questions_without_a_rational_answer_are_refused():
    s = exact.Surrogate(pop.toy()[1], "gamma", Theta.sum(2))
    with pytest.raises(
        ProblemError, match=r"best_eta is asked of a surrogate with the variable gamma.*\n.*\n.*at\('1/2'\)"
    ):
        _ = s.best_eta
    with pytest.raises(AttributeError):
        _ = s.nonsense
    with pytest.raises(ProblemError, match="gamma is 6/5"):
        s.minimizer[0]("6/5")
    cancel = exact.Quadratics([[[1]], [[1]]], [[1], [2]])
    with pytest.raises(ProblemError, match="singular for every gamma"):
        _ = exact.Surrogate(cancel, "gamma", [Theta.sum(2), Theta([-1, -1], signed=True)]).minimizer


@given(st.data())
def test_ratios_are_a_field(data):
    """+ - * / of Ratios evaluate like those of their values, in lowest terms, and sympy agrees."""
    coefficients = st.lists(st.integers(-4, 4), min_size=1, max_size=4)
    top, bottom, other = (fmpq_poly(data.draw(coefficients)) for _ in range(3))
    a = exact.Ratio(top, fmpq_poly([1, 0, 2]), "g")
    b = exact.Ratio(bottom * fmpq_poly([2, 3]) + fmpq_poly([7]) * 100, fmpq_poly([3, 0, 1]), "g")
    at = F(data.draw(st.integers(-9, 9)), 5)
    x, y = a(at), b(at)
    assert (a + b)(at) == x + y and (a - b)(at) == x - y and (a * b)(at) == x * y and (1 - a)(at) == 1 - x
    if y != 0:
        assert (a / b)(at) == x / y and (2 / b)(at) == 2 / y
    assert (a + b) - b == a and hash((a + b) - b) == hash(a) and (a == other) is False
    assert a.sympy().subs(g, sympy.Rational(at.numerator, at.denominator)) == sympy.Rational(int(x.p), int(x.q))
    assert (a + b).numerator.gcd((a + b).denominator).degree() <= 0
