"""Theta: the filter sum_k theta_k (1 - z)^(k-1), its deficit, and what it refuses."""

from __future__ import annotations

import time
from fractions import Fraction as F

import flint
import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surrogate import ProblemError, Theta
from tests.helpers.surrogate.populations import thetas
from tests.surrogate.test_filters import EPS, POINTS

mp = mpmath.mp.clone()
mp.dps = 700


@given(thetas(), POINTS)
def test_filter_and_deficit_are_the_written_out_sums(theta, z):
    """sum theta_k r^(k-1) and sum theta_k (r^(k-1) - 1), relative to the sums of their moduli."""
    r = 1 - mp.mpf(z)
    powers = [r**k for k in range(theta.steps)]
    log = 1 + theta.steps * abs(mp.log(abs(r))) if r else 1
    for value, terms in (
        (theta.filter(np.array([z]))[0], [t * p for t, p in zip(theta.weights, powers, strict=True)]),
        (theta.deficit(np.array([z]))[0], [t * (p - 1) for t, p in zip(theta.weights, powers, strict=True)]),
    ):
        truth, size = mp.fsum(terms), mp.fsum([abs(t) for t in terms])
        if size < 1e307:
            # The closed form of the sum divides: where the terms alternate it is far better than their moduli suggest.
            assert abs(mp.mpf(float(value)) - truth) <= 8 * EPS * log * size + mp.mpf(10) ** -307
        else:
            assert abs(truth) < 1e307 or not np.isfinite(value) or abs(value) > 1e306


@given(thetas(most=7), st.fractions(-2, 3, max_denominator=12))
def test_ring_is_the_written_out_sum(theta, r):
    """With + and * alone, in Fractions."""
    assert theta.ring(r, F(1)) == sum(F(t) * r**k for k, t in enumerate(theta.weights))


@given(thetas(most=7), st.fractions(-2, 3, max_denominator=64), st.fractions(-2, 3, max_denominator=64))
def test_secant_is_the_divided_difference(theta, a, b):
    """(q(a) - q(b)) / (a - b) in Fractions, and the derivative where a = b; relative to the sum of the moduli."""
    a, b = F(float(a)), F(float(b))
    r, s = 1 - a, 1 - b
    powers = [[r**j * s ** (k - 1 - j) for j in range(k)] for k in range(theta.steps)]
    truth = -sum(F(t) * sum(row, F(0)) for t, row in zip(theta.weights, powers, strict=True))
    size = sum(F(t) * sum(map(abs, row), F(0)) for t, row in zip(theta.weights, powers, strict=True))
    assert abs(F(float(theta.secant(np.array(float(a)), np.array(float(b))))) - truth) <= 256 * F(EPS) * size
    if a != b:
        assert truth == (theta.ring(r, F(1)) - theta.ring(s, F(1))) / (a - b)


@pytest.mark.parametrize("K", [1, 2, 3, 10, 1000])
def test_secants_where_powers_vanish(K):
    """At a = b = 1, where r = 0, sum_{k<K} (1 - z)^k has the slope -1 from its second term on, whatever K."""
    assert Theta.sum(K).secant(np.array([[1.0]]), np.array([1.0])).tolist() == [[-float(K > 1)]]
    near = np.array([1.0, 1 - 1e-9, 1 + 1e-9])
    found = Theta.sum(K).secant(near[:, None], near)
    terms = [
        sum((1 - a) ** j * (1 - b) ** (k - 1 - j) for j in range(k))
        for k in range(1, min(K, 5))
        for a in near
        for b in near
    ]
    wanted = -np.array(terms).reshape(-1, 3, 3).sum(axis=0) if terms else np.zeros((3, 3))
    assert found == pytest.approx(wanted, rel=1e-14)


@given(thetas())
def test_totals_weights_and_steps_agree(theta):
    assert theta.total == sum(theta.weights) and theta.steps == len(theta.weights) and theta.weights[-1] != 0
    assert theta.filter(np.zeros(3)).tolist() == [float(theta.total)] * 3
    assert (theta.deficit(np.zeros(3)) == 0).all()
    same = Theta(theta.weights)
    assert np.allclose(same.filter(np.array([0.3, 1.7])), theta.filter(np.array([0.3, 1.7])), rtol=1e-12)
    assert hash(theta) == hash(eval(repr(theta), {"Theta": Theta})) and eval(repr(theta), {"Theta": Theta}) == theta


def test_names_stand_for_the_papers_lists():
    """Equations 3, 4, 8: Theta_{1:K}, Theta_K, and MAML's Theta_{2K+1}."""
    assert Theta.sum(3).weights == (1, 1, 1) and Theta.last(3).weights == (0, 0, 1)
    assert Theta.maml(2) == Theta.last(5) and Theta.maml(0).weights == (1,)
    assert Theta([1, 0, "1/3", 0, 0]).weights == (1, 0, F(1, 3))
    assert Theta([flint.fmpq(1, 3)]).weights == (F(1, 3),) and Theta([np.int64(2), np.float64(0.5)]).total == 2.5
    assert Theta([1, -1], signed=True).weights == (1, -1)
    assert Theta([1.0]) is not None and Theta(t for t in (1, 2)).weights == (1, 2)


@pytest.mark.parametrize("make", [Theta.sum, Theta.last, Theta.maml])
def test_a_million_steps_cost_what_ten_cost(make):
    """Closed forms: no loop over K."""
    z = np.linspace(0, 1, 200_000)

    def seconds(K):
        start = time.process_time()
        make(K).filter(z)
        make(K).deficit(z)
        return time.process_time() - start

    seconds(10)
    assert min(seconds(10**6) for _ in range(5)) < 8 * min(seconds(10) for _ in range(5)) + 0.02


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Theta([]), "theta is empty, expected at least one weight that is not 0"),
        (lambda: Theta([0, 0]), r"theta is \[0, 0\]"),
        (lambda: Theta(t for t in (0, 0)), r"theta is \[0, 0\]"),
        (lambda: Theta([1, -2]), r"theta_2 is -2, expected a weight >= 0.*signed=True"),
        (lambda: Theta([1, "-1/3"]), "theta_2 is -1/3"),
        (lambda: Theta([1, float("nan")]), "theta_2 is nan, expected a finite number"),
        (lambda: Theta([float("inf")]), "theta_1 is inf"),
        (lambda: Theta(["a"]), "theta_1 is 'a'"),
        (lambda: Theta(["1/0"]), "theta_1 is '1/0'"),
        (lambda: Theta([1j]), "theta_1 is 1j"),
        (lambda: Theta([10**400]), "theta_1 is 1000"),
        (lambda: Theta.sum(10**101), r"K is beyond 10\^100"),
        (lambda: Theta(3), r"theta is 3, expected a list of weights.*Theta\.sum\(K\)"),
        (lambda: Theta("11"), "theta is '11', expected a list"),
        (lambda: Theta.sum(0), "K is 0, expected a whole number >= 1"),
        (lambda: Theta.last(-1), "K is -1"),
        (lambda: Theta.maml(-1), "K is -1, expected a whole number >= 0"),
        (lambda: Theta.sum(2.5), r"K is 2\.5"),
        (lambda: Theta.sum(True), "K is True"),
        (lambda: Theta.sum(10**8).weights, r"K is 100000000, expected at most 10000000.*theta\.filter"),
    ],
)
def test_bad_thetas_are_refused_in_words(make, message):
    with pytest.raises(ProblemError, match=f"(?s){message}") as caught:
        make()
    assert "Likely cause:" in str(caught.value) and "What to do:" in str(caught.value)


@given(thetas(most=9), st.floats(0, 2))
def test_no_slope_is_steeper_than_steepest(theta, z):
    """|q'(z)| = |sum theta_k (k - 1) r^(k-2)| <= steepest where |r| <= 1, with equality at z = 0 for weights >= 0."""
    at = np.array([z])
    assert abs(theta.secant(at, at)[0]) <= theta.steepest * (1 + 1e-12) + 1e-300
    zero = np.array([0.0])
    assert abs(theta.secant(zero, zero)[0]) == pytest.approx(theta.steepest, rel=1e-12)
