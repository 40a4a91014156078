"""The bounds run on every kind of number, keep their digits in floats, and are right in the limits.

That they are what the papers print, and whether they hold, is judged in ``theorems/``: ``test_judged_bounds`` there
plants faults in each function, and its statement notices.
"""

from __future__ import annotations

import math
from fractions import Fraction
from types import FunctionType
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from surrogate import Surrogate, Theta, bounds, toys

F = Fraction
Epsilon = bounds.Epsilon


def test_theorem_29_rate_is_capped_by_the_logarithm() -> None:
    rates = bounds.theorem_29_rates(1, 1, 100, 1)
    assert rates.gamma == pytest.approx(math.log(2) / 100, rel=1e-15)


EVERY: dict[str, Any] = {
    "phi": lambda g: bounds.phi(5, 2, g),
    "phi_deficit": lambda g: bounds.phi_deficit(5, 2, g),
    "chi": lambda g: bounds.chi(g, 2, Theta([1, "1/2", 3])),
    "one_minus_chi": lambda g: bounds.one_minus_chi(g, 2, Theta.last(4)),
    "lemma_11": lambda g: bounds.lemma_11(1, 2, g, 4).condition_number,
    "lemma_12": lambda g: bounds.lemma_12(1, 2, g, 4).condition_number,
    "corollary_13": lambda g: bounds.corollary_13(1, 2, g, 4).smoothness,
    "corollary_14": lambda g: bounds.corollary_14(1, 2, g, 4).strong_convexity,
    "theorem_16": lambda g: bounds.theorem_16(1, 2, F(1, 2), F(1, 4), g, Theta.sum(6)),
    "theorem_17": lambda g: bounds.theorem_17(1, 2, F(1, 2), F(1, 4), g, 6),
    "corollary_20": lambda g: bounds.corollary_20(1, 2, F(1, 2), F(1, 4), g),
    "lemma_18": lambda g: bounds.lemma_18(6, 2, g),
    "theorem_21": lambda g: bounds.theorem_21(1, 2, F(1, 4), g / 3, g, 6),
    "corollary_22": lambda g: bounds.corollary_22(1, 2, F(1, 4), g / 3, g),
    "lemma_23": lambda g: bounds.lemma_23(4, g, 2, 3),
    "lemma_25_rate": lambda g: bounds.lemma_25_rate(1, 2, g, 4),
    "lemma_25": lambda g: bounds.lemma_25(1, g, F(1, 9), 4, 3, 2, 1, 5),
    "theorem_26": lambda g: bounds.theorem_26(1, g, F(1, 9), 4, 3, 2, 1, 7, 5),
    "theorem_27": lambda g: bounds.theorem_27(1, 2, g, 4, 3, 2, 1, 7, 5),
    "theorem_27_rate": lambda g: bounds.theorem_27_rate(1, 2, g, 4, 7),
    "theorem_27_offset": lambda g: bounds.theorem_27_offset(1, 2, g, 4),
    "theorem_29_offset": lambda g: bounds.theorem_29_offset(g, 2),
    "corollary_28": lambda g: bounds.corollary_28(1, 2, F(1, 2), F(1, 4), g, 4, 3, 2, 1, 7, 5, 40),
    "theorem_29": lambda g: bounds.theorem_29(1, 2, g, 4, 3, 2, 1, 7, 5),
    "corollary_28_noise": lambda g: bounds.corollary_28_noise(1, g, 4, 3, 2, 1),
    "corrected_29": lambda g: bounds.corrected_29(1, 2, g, 3, 7, 5),
    "corrected_29_rates": lambda g: bounds.corrected_29_rates(g, 2, 4, 7).eta,
    "corrected_29b": lambda g: bounds.corrected_29b(1, 2, g, 4, 3, 2, 1, 7, 5),
    "corrected_la_1": lambda g: bounds.corrected_la_1(g, 3, 5, 7),
    "corrected_la_1_rate": lambda g: bounds.corrected_la_1_rate(g, 8, 10),
    "la_theorem_1": lambda g: bounds.la_theorem_1(2, [g, g], [1, 2], [F(1, 2), F(1, 2)], 3, 4, 5),
    "phi_drop": lambda g: bounds.phi_drop(5, 2, g / 3, g),
    "sampled_noise": lambda g: bounds.sampled_noise(4, g, 3, 2, 5),
    "la_sgd_contraction": lambda g: bounds.la_sgd_contraction(g, 2, 3),
    "la_sgd_variance": lambda g: bounds.la_sgd_variance(g, 3),
}
IRRATIONAL = {
    "lemma_18_rate": lambda g: bounds.lemma_18_rate(6, 2, g),
    "theorem_17b": lambda g: bounds.theorem_17b(1, 2, F(1, 4), g, 6),
    "theorem_21b": lambda g: bounds.theorem_21b(1, 2, F(1, 4), g / 3, g, 6),
    "theorem_29_rates": lambda g: bounds.theorem_29_rates(10 * g, 2, 900, 1).eta,
}


def test_every_public_bound_is_in_the_lists() -> None:
    functions = {name for name in bounds.__all__ if isinstance(getattr(bounds, name), FunctionType)}
    assert set(EVERY) | set(IRRATIONAL) == functions


@pytest.mark.parametrize("name", EVERY)
def test_all_kinds_of_numbers_agree(name: str) -> None:
    """Fractions, fmpq, balls, symbols, floats and arrays: the same function, no rounding but where floats came in."""
    evaluate = EVERY[name]
    value = evaluate(F(1, 5))
    assert isinstance(value, Fraction)
    assert F(str(evaluate(fmpq(1, 5)))) == value
    ball = evaluate(arb(fmpq(1, 5)))
    assert isinstance(ball, arb)
    assert ball.overlaps(arb(fmpq(value.numerator, value.denominator)))
    assert ball.rad() < 1e-9
    assert evaluate(0.2) == pytest.approx(float(value), rel=1e-13)
    symbol = sympy.Symbol("g", positive=True)
    assert sympy.simplify(evaluate(symbol).subs(symbol, sympy.Rational(1, 5)) - sympy.Rational(value)) == 0
    array = evaluate(np.array([0.2, 0.3]))
    np.testing.assert_allclose(array, [float(value), float(evaluate(F(3, 10)))], rtol=1e-13)


@pytest.mark.parametrize("name", IRRATIONAL)
def test_logarithms_and_roots_are_those_of_the_kind(name: str) -> None:
    evaluate = IRRATIONAL[name]
    value = evaluate(F(1, 5))
    assert isinstance(value, float)  # a logarithm or a root of a rational is irrational
    assert evaluate(0.2) == pytest.approx(value, rel=1e-13)
    for kind in (fmpq(1, 5), arb(fmpq(1, 5))):
        ball = evaluate(kind)
        assert isinstance(ball, arb)
        assert float(ball.mid()) == pytest.approx(value, rel=1e-12)
    symbol = sympy.Symbol("g", positive=True)
    assert float(evaluate(symbol).subs(symbol, sympy.Rational(1, 5))) == pytest.approx(value, rel=1e-12)
    assert evaluate(np.array([0.2]))[0] == pytest.approx(value, rel=1e-13)


@given(
    st.sampled_from([1, 2, 10, 1000, 10**6]),
    st.floats(-300, -1e-9).map(lambda e: 10**e),
    st.sampled_from([1e-6, 0.3, 1.0]),
)
def test_floats_keep_their_digits_at_every_rate(K: int, gamma: float, lam: float) -> None:
    """Against 400 digits: K lambda - phi is right even where phi rounds to K lambda."""
    with mpmath.workdps(700):
        r = 1 - mpmath.mpf(gamma) * mpmath.mpf(lam)
        phi = (1 - r**K) / mpmath.mpf(gamma)
        deficit, chi = K * mpmath.mpf(lam) - phi, phi / (K * mpmath.mpf(lam))
        assert bounds.phi(K, lam, gamma) == pytest.approx(float(phi), rel=1e-12)
        assert bounds.phi_deficit(K, lam, gamma) == pytest.approx(float(deficit), rel=1e-11, abs=1e-320)
        assert bounds.one_minus_chi(gamma, lam, Theta.sum(K)) == pytest.approx(float(1 - chi), rel=1e-11, abs=1e-320)
        last = 1 - r ** (K - 1)
        assert bounds.one_minus_chi(gamma, lam, Theta.last(K)) == pytest.approx(float(last), rel=1e-11, abs=1e-320)


@given(
    st.sampled_from([2, 10, 1000, 10**6]),
    st.floats(-300, -1e-9).map(lambda e: 10**e),
    st.sampled_from([1e-12, 0.3, 30.0]),
)
def test_our_bound_keeps_its_digits(K: int, gamma: float, more: float) -> None:
    """Against 700 digits, as gamma -> 0 and as mu -> L, where kappa and kappa~ agree to all their digits."""
    L = 0.5
    mu = L / (1 + more)
    with mpmath.workdps(700):
        low, high = (1 - (1 - mpmath.mpf(gamma) * lam) ** K for lam in (mu, L))
        kappa, after = mpmath.mpf(L) / mu, high / low
        through_mean = (kappa - 1) / mpmath.sqrt(kappa) + (after - 1) / mpmath.sqrt(after)
        expected = float(min((kappa - after) / mpmath.sqrt(after), through_mean) / 2)
    assert bounds.theorem_17b(mu, L, 1.0, gamma, K) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("K", [1, 2, 9])
def test_limits_as_gamma_vanishes(K: int) -> None:
    """phi -> K lambda, chi -> 1; the bounds on the displacement vanish like gamma K (K - 1) / 2 L^2 over K mu."""
    tiny = 1e-200
    assert bounds.phi(K, 2.0, 0.0) == bounds.phi(K, 2.0, tiny) == 2 * K
    assert bounds.chi(0, 2, Theta.last(K)) == 1
    assert bounds.corollary_13(1, 2, 0, K).condition_number == 2
    slope = bounds.theorem_17(1.0, 2.0, 0.5, 0.25, tiny, K) / tiny
    assert slope == pytest.approx(0.25 * 1.5 * 4 * (K - 1) / 2, rel=1e-12)
    slope = bounds.theorem_16(1.0, 2.0, 0.5, 0.25, tiny, Theta.sum(K)) / tiny
    assert slope == pytest.approx(2 * 0.25 * 1.5 * 2 * (K - 1) / 2, rel=1e-12)


@given(
    seed=st.integers(0, 2**32),
    n=st.integers(2, 5),
    d=st.integers(2, 8),
    kappa=st.floats(1.01, 1e4),
    z=st.floats(1e-9, 1 - 1e-9),
    K=st.sampled_from([1, 2, 7, 100, 10**5]),
)
def test_spectrum_is_within_corollaries_13_and_14(seed: int, n: int, d: int, kappa: float, z: float, K: int) -> None:
    """Proved: each Q_i A_i has its eigenvalues between phi at mu and at L, phi rising in lambda; averages follow.

    lambda (1 - gamma lambda)^(K-1) rises, too, as long as K gamma lambda < 1.
    """
    clients = toys.random_population(seed, n, d, mu=1 / kappa, L=1)
    moved = np.linalg.norm(Surrogate(clients, z, Theta.sum(K)).displacement)
    assert moved <= bounds.theorem_17b(clients.mu, clients.L, clients.sigma_c, z, K) * (1 + 1e-9)
    for s, bound in (
        (Surrogate(clients, z, Theta.sum(K)), bounds.corollary_13(clients.mu, clients.L, z, K)),
        (Surrogate(clients, z / K, Theta.last(K)), bounds.corollary_14(clients.mu, clients.L, z / K, K)),
    ):
        assert s.smoothness <= bound.smoothness * (1 + 1e-9)
        assert s.strong_convexity >= bound.strong_convexity * (1 - 1e-9) - 1e-12 * s.smoothness
        assert s.condition_number <= bound.condition_number * (1 + 1e-6)


@given(st.integers(1, 10**6), st.floats(0, 1), st.sampled_from([0.01, 1.0, 30.0]))
def test_lemma_18_holds(K: int, share: float, lam: float) -> None:
    """Proved: (1 - (1 - z)^K) / z >= K (1 - e^-u) / u with u = K z <= ln(1 / (1 - epsilon)), and
    epsilon / ln(1 / (1 - epsilon)) >= 1 - epsilon."""
    epsilon = share * (1 - math.exp(-K))
    if epsilon < 1:
        gamma = bounds.lemma_18_rate(K, lam, epsilon)
        assert bounds.phi(K, lam, gamma) >= bounds.lemma_18(K, lam, epsilon) * (1 - 1e-12)


@pytest.mark.parametrize("x", [1e-12, 0.5, 30.0])
def test_epsilon_may_be_given_by_its_logarithm(x: float) -> None:
    """epsilon = 1 - e^-x; beside it, the number in 60 digits."""
    with mpmath.workdps(60):
        epsilon = sympy.Float(str(1 - mpmath.exp(-mpmath.mpf(x))), 60)
    four = [
        lambda e: bounds.lemma_18(3, 2, e),
        lambda e: bounds.lemma_18_rate(3, 2, e),
        lambda e: bounds.corollary_20(1, 2, F(1, 2), F(1, 4), e),
        lambda e: bounds.corollary_28(1, 2, F(1, 2), F(1, 4), e, 3, 1, 2, 1, 4, 5, 8),
    ]
    for bound in four:
        assert bound(Epsilon(x)) == pytest.approx(float(bound(epsilon)), rel=1e-13)


def test_terms_of_our_bound() -> None:
    both = bounds.theorem_17b(1.0, 2.0, 0.25, 0.25, 9, terms=True)
    assert min(both) == bounds.theorem_17b(1.0, 2.0, 0.25, 0.25, 9)
    assert both[0] == pytest.approx(bounds.theorem_21b(1.0, 2.0, 0.25, 0.0, 0.25, 9), rel=1e-14)


def test_a_far_start_of_la_theorem_1_is_scaled() -> None:
    """||x^(0) - x~||^2 = 5 * 4^T is more than floats hold; H^T of it is not."""
    h, q, w, T = [F(1, 4)], [1], [1], 1000
    exact = bounds.la_theorem_1(1, h, q, w, 1, T, 5 * 4**T)
    assert bounds.la_theorem_1(1, h, q, w, 1, T, 5, scale=F(1, 4)) == exact
    assert bounds.la_theorem_1(1.0, [0.25], [1.0], [1.0], 1.0, T, 5.0, scale=0.25) == pytest.approx(float(exact))


def test_lemma_23_forgets_the_draw_of_clients_as_printed() -> None:
    """A find, pinned: without example noise (G = 0) the bound is 0, yet a drawn client's answer varies.

    Two clients of OLR section 4, gamma = 1/2, K = 2, at x = 0: q_1 = -3/2, q_2 = -1, so M = 1 has variance 1/16.
    """
    from surrogate import exact

    s = exact.Surrogate(toys.two_clients(exact=True), "1/2", Theta.sum(2))
    answers = [F(str(s.client_gradient(i, [0])[0])) for i in range(2)]
    mean = sum(answers) / 2
    assert sum((q - mean) ** 2 for q in answers) / 2 == F(1, 16)
    assert bounds.lemma_23(2, 0, 1, 1) == 0


def test_corollary_22_fails_for_many_steps_as_printed() -> None:
    """A find of the search, pinned in rationals: on the two clients of OLR section 4, from gamma_1 = 0.

    To first order the minimizer moves by gamma (K - 1) / 18, while the bound, 4 gamma, does not know K.
    (The proof bounds (1 - gamma_2 L)^(k-1) from below by the larger (1 - gamma_2 L)(1 - gamma_1 L)^(k-2).)
    """
    from surrogate import exact

    clients = toys.two_clients(exact=True)
    gamma, K = F(1, 10_000), 100
    moved = exact.Surrogate(clients, gamma, Theta.sum(K)).displacement[0]
    assert moved > fmpq(54, 100_000)
    assert bounds.corollary_22(1, 2, F(1, 4), 0, gamma) == F(4, 10_000)
    assert F(str(moved)) > bounds.corollary_22(1, 2, F(1, 4), 0, gamma)
    assert F(str(moved)) <= bounds.theorem_21(1, 2, F(1, 4), 0, gamma, K)
