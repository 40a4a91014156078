"""The bounds are what the papers print, on every kind of number; what we can prove of them holds; one fails.

Whether the others hold is judged in ``theorems/``; here the transcription is checked against the displayed formulas,
written out once more in Fractions.
"""

from __future__ import annotations

import math
from fractions import Fraction
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
UNIT = st.fractions(F(1, 1000), F(999, 1000), max_denominator=1000)
STEPS = st.integers(1, 12)
POSITIVE = st.fractions(F(1, 50), 20, max_denominator=50)


@st.composite
def constants(draw: st.DrawFn) -> dict[str, Any]:
    """mu <= L, sigmas, and gamma < 1 / L."""
    mu = draw(POSITIVE)
    L = mu + draw(st.fractions(0, 20, max_denominator=50))
    return {"mu": mu, "L": L, "sigma_A": draw(POSITIVE), "sigma_c": draw(POSITIVE), "gamma": draw(UNIT) / L}


def direct_phi(K: int, lam: F, gamma: F) -> F:
    return (1 - (1 - gamma * lam) ** K) / gamma  # (17)


def direct_chi(gamma: F, L: F, weights: tuple[Any, ...]) -> F:
    total = sum((F(w) for w in weights), F(0))
    return sum((F(w) * (1 - gamma * L) ** k for k, w in enumerate(weights)), F(0)) / total  # (21)


THETAS = st.one_of(
    STEPS.map(Theta.sum),
    STEPS.map(Theta.last),
    st.lists(st.fractions(F(1, 9), 5, max_denominator=9), min_size=1, max_size=6).map(Theta),
)


@given(STEPS, POSITIVE, POSITIVE)
def test_phi_is_17(K: int, lam: F, gamma: F) -> None:
    assert bounds.phi(K, lam, gamma) == direct_phi(K, lam, gamma)
    assert bounds.phi_deficit(K, lam, gamma) == K * lam - direct_phi(K, lam, gamma)


@given(constants(), THETAS)
def test_chi_is_21(c: dict[str, Any], theta: Theta) -> None:
    expected = direct_chi(c["gamma"], c["L"], theta.weights)
    assert bounds.chi(c["gamma"], c["L"], theta) == expected
    assert bounds.one_minus_chi(c["gamma"], c["L"], theta) == 1 - expected


@given(constants(), THETAS)
def test_theorem_16_is_20(c: dict[str, Any], theta: Theta) -> None:
    chi = direct_chi(c["gamma"], c["L"], theta.weights)
    expected = c["L"] * c["sigma_c"] / c["mu"] * (1 + c["sigma_A"] / c["mu"]) * (1 - chi) / chi
    assert bounds.theorem_16(**c, theta=theta) == expected


@given(constants(), STEPS)
def test_theorem_17_is_printed(c: dict[str, Any], K: int) -> None:
    top, bottom = (direct_phi(K, c[key], c["gamma"]) for key in ("L", "mu"))
    expected = c["sigma_c"] * (1 + c["sigma_A"] / c["mu"]) * (c["L"] * K - top) / bottom
    assert bounds.theorem_17(**c, K=K) == expected


@given(constants(), STEPS)
def test_theorem_17b_is_the_statement(c: dict[str, Any], K: int) -> None:
    """In 50 digits; and at most half of Theorem 17's, whatever sigma_A is."""
    mu, L, sigma_c, gamma = (c[key] for key in ("mu", "L", "sigma_c", "gamma"))
    with mpmath.workdps(50):
        kappa, after = (
            mpmath.mpf(q.numerator) / q.denominator
            for q in (L / mu, direct_phi(K, L, gamma) / direct_phi(K, mu, gamma))
        )
        squeezed = (kappa - after) / mpmath.sqrt(after)
        through_mean = (kappa - 1) / mpmath.sqrt(kappa) + (after - 1) / mpmath.sqrt(after)
        expected = float(mpmath.mpf(sigma_c.numerator) / sigma_c.denominator * min(squeezed, through_mean) / 2)
    found = bounds.theorem_17b(mu, L, sigma_c, gamma, K)
    assert found == pytest.approx(expected, rel=1e-13)
    floats = [float(v) for v in (mu, L, sigma_c, gamma)]
    assert bounds.theorem_17b(*floats, K) == pytest.approx(expected, rel=1e-13)
    assert found <= float(bounds.theorem_17(mu, L, 0, sigma_c, gamma, K)) / 2 * (1 + 1e-12)


@given(constants(), STEPS, UNIT)
def test_theorem_21_and_corollary_22_are_printed(c: dict[str, Any], K: int, share: F) -> None:
    mu, L, sigma_c, two = c["mu"], c["L"], c["sigma_c"], c["gamma"]
    one = two * share

    def phi(lam: F, gamma: F) -> F:
        return direct_phi(K, lam, gamma)

    expected = sigma_c * (1 + phi(L, two) / phi(mu, two)) * ((phi(L, one) - phi(L, two)) / phi(mu, one))
    assert bounds.theorem_21(mu, L, sigma_c, one, two, K) == expected
    assert bounds.corollary_22(mu, L, sigma_c, one, two) == 2 * sigma_c * L**3 / mu**2 * (two - one)


@given(constants(), STEPS)
def test_corollaries_13_and_14_are_printed(c: dict[str, Any], K: int) -> None:
    mu, L, gamma = c["mu"], c["L"], c["gamma"]
    one = bounds.corollary_13(mu, L, gamma, K)
    assert one == (
        direct_phi(K, L, gamma),
        direct_phi(K, mu, gamma),
        (1 - (1 - gamma * L) ** K) / (1 - (1 - gamma * mu) ** K),
    )
    assert one == bounds.lemma_11(mu, L, gamma, K)
    two = bounds.corollary_14(mu, L, gamma, K)
    assert two[:2] == ((1 - gamma * L) ** (K - 1) * L, (1 - gamma * mu) ** (K - 1) * mu)
    assert two.condition_number == ((1 - gamma * L) / (1 - gamma * mu)) ** (K - 1) * L / mu
    assert two == bounds.lemma_12(mu, L, gamma, K)


@given(constants(), UNIT, STEPS)
def test_lemma_18_and_corollary_20_are_printed(c: dict[str, Any], epsilon: F, K: int) -> None:
    assert bounds.lemma_18(K, c["L"], epsilon) == (1 - epsilon) * K * c["L"]
    rate = bounds.lemma_18_rate(K, c["L"], epsilon)
    assert rate == pytest.approx(math.log(1 / (1 - epsilon)) / float(K * c["L"]), rel=1e-12)
    expected = c["sigma_c"] * (1 + c["sigma_A"] / c["mu"]) * c["L"] / c["mu"] * epsilon / (1 - epsilon)
    assert bounds.corollary_20(c["mu"], c["L"], c["sigma_A"], c["sigma_c"], epsilon) == expected


NOISE = {"G": F(3, 2), "M": 3, "B": 5}


@given(constants(), STEPS, POSITIVE, st.integers(1, 40))
def test_convergence_bounds_are_printed(c: dict[str, Any], K: int, distance2: F, t: int) -> None:
    mu, L, gamma = c["mu"], c["L"], c["gamma"]
    noise, low, high = K * F(9, 4) / 15, direct_phi(K, mu, gamma), direct_phi(K, L, gamma)
    eta = low / high**2
    assert bounds.lemma_23(K, **NOISE) == noise
    assert bounds.lemma_25_rate(mu, L, gamma, K) == eta
    step = bounds.lemma_25(mu, gamma, eta, K, **NOISE, distance2=distance2)
    assert step == (1 - eta * low) * distance2 + eta**2 * noise
    after = bounds.theorem_26(mu, gamma, eta, K, **NOISE, t=t, distance2=distance2)
    assert after == (1 - eta * low) ** t * distance2 + eta * noise / low
    b = 2 * high**2 / low**2
    assert bounds.theorem_27_rate(mu, L, gamma, K, t) == 2 / low / (b + t)
    assert bounds.theorem_27_rate(mu, L, gamma, K, t, b=b + 1) == 2 / low / (b + 1 + t)
    nu = max(4 * noise / low**2, (b + 1) * distance2)
    assert bounds.theorem_27(mu, L, gamma, K, **NOISE, t=t, distance2=distance2) == nu / (b + t)


@given(constants(), STEPS, POSITIVE, st.integers(1, 40), UNIT)
def test_corollary_28_and_theorem_29_are_printed(c: dict[str, Any], K: int, distance2: F, t: int, epsilon: F) -> None:
    mu, L, sigma_A, sigma_c = c["mu"], c["L"], c["sigma_A"], c["sigma_c"]
    b = 5 * L / mu
    nu = max(4 * F(9, 4) / ((1 - epsilon) ** 2 * mu**2 * K * 15), (b + 1) * distance2)
    gap = sigma_c**2 * (1 + sigma_A / mu) ** 2 * (L / mu) ** 2 * epsilon**2 / (1 - epsilon) ** 2
    found = bounds.corollary_28(mu, L, sigma_A, sigma_c, epsilon, K, **NOISE, t=t, distance2=distance2, b=b)
    assert found == 2 * nu / (b + t) + 2 * gap
    kappa = L / mu
    nu = max(18 * F(9, 4) / (mu**2 * K * 15), (3 * kappa**2 + 1) * distance2)
    found = bounds.theorem_29(mu, L, sigma_c, K, **NOISE, t=t, distance2=distance2)
    assert found == (2 * nu + 16 * sigma_c**2 * kappa**2) / (3 * kappa**2 + t)


@given(constants(), STEPS, st.integers(1, 40))
def test_theorem_29_rates_are_printed(c: dict[str, Any], K: int, t: int) -> None:
    mu, L = c["mu"], c["L"]
    b = 3 * (L / mu) ** 2
    rates = bounds.theorem_29_rates(mu, L, K, t)
    gamma = min(1 / (L * (b + t)), math.log(2) / float(K * mu))
    assert float(rates.gamma) == pytest.approx(float(gamma), rel=1e-14)
    assert float(rates.eta) == pytest.approx(float(3 / direct_phi(K, mu, F(rates.gamma)) / (b + t)), rel=1e-12)
    if 1 / (L * (b + t)) <= F(1, 2) / (K * mu):
        assert isinstance(rates.gamma, Fraction)


def test_theorem_29_rate_is_capped_by_the_logarithm() -> None:
    rates = bounds.theorem_29_rates(1, 1, 100, 1)
    assert rates.gamma == pytest.approx(math.log(2) / 100, rel=1e-15)


def test_la_theorem_1_is_7() -> None:
    h, q, w = [F(1, 2), F(1, 3)], [2, 5], [F(1, 4), F(3, 4)]
    H, noise = F(1, 8) + F(1, 4), F(9, 4) * (F(1, 16) * 2 + F(9, 16) * 5)
    expected = 7 * (H**4 * 3 / (1 - H) + noise / (4 * (1 - H) ** 2))
    assert bounds.la_theorem_1(7, h, q, w, sigma=F(3, 2), T=4, distance2=3) == expected
    assert bounds.la_sgd_contraction(F(1, 3), 2, 3) == F(1, 3) ** 6
    assert bounds.la_sgd_variance(F(1, 3), 5) == F(5, 9)


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
    "corollary_28": lambda g: bounds.corollary_28(1, 2, F(1, 2), F(1, 4), g, 4, 3, 2, 1, 7, 5, 40),
    "theorem_29": lambda g: bounds.theorem_29(1, 2, g, 4, 3, 2, 1, 7, 5),
    "la_theorem_1": lambda g: bounds.la_theorem_1(2, [g, g], [1, 2], [F(1, 2), F(1, 2)], 3, 4, 5),
    "la_sgd_contraction": lambda g: bounds.la_sgd_contraction(g, 2, 3),
    "la_sgd_variance": lambda g: bounds.la_sgd_variance(g, 3),
}
IRRATIONAL = {
    "lemma_18_rate": lambda g: bounds.lemma_18_rate(6, 2, g),
    "theorem_17b": lambda g: bounds.theorem_17b(1, 2, F(1, 4), g, 6),
    "theorem_29_rates": lambda g: bounds.theorem_29_rates(10 * g, 2, 900, 1).eta,
}


def test_every_public_bound_is_in_the_lists() -> None:
    named = set(EVERY) | set(IRRATIONAL) | {"Conditioning", "Rates"}
    assert named == set(bounds.__all__)


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
