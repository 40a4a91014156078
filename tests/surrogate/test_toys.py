"""The toys have the answers that the paper and integration give; random populations have the constants asked for."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st

from surrogate import ProblemError, Surrogate, Theta, toys
from surrogate.toys import random_population


def fractions(values: Any) -> list[Fraction]:
    return [Fraction(int(v.p), int(v.q)) for v in values]


def test_two_clients_are_those_of_olr_section_4() -> None:
    clients = toys.two_clients()
    assert clients.minimizer[0] == pytest.approx(2 / 3, rel=1e-15)
    assert (clients.mean_minimizer[0], clients.mu, clients.L) == (0.75, 1.0, 2.0)
    assert (clients.sigma_A, clients.sigma_c) == (0.5, 0.25)


@pytest.mark.parametrize("K", range(1, 13))
def test_two_clients_at_gamma_one_half_rest_where_olr_says(K: int) -> None:
    from surrogate import exact

    s = exact.Surrogate(toys.two_clients(exact=True), "1/2", Theta.sum(K))
    assert fractions(s.minimizer) == [Fraction(3 * 2**K - 2, 2 ** (K + 2) - 2)]
    assert fractions(s.displacement) == [Fraction(2**K - 2, 6 * (2 ** (K + 1) - 1))]


def density_answer(gamma: Fraction, K: int) -> Fraction:
    """E[Q_i b_i] / E[Q_i A_i] with density 8 i / 15 on [1/2, 2], integrating powers of i in rationals.

    Q_i = sum_k (1 - gamma i)^k = sum_j (-gamma)^j i^j sum_k C(k, j).
    """

    def integral(power: int) -> Fraction:  # of i^power * 8 i / 15
        n = power + 2
        return Fraction(8, 15) * (Fraction(2) ** n - Fraction(1, 2) ** n) / n

    q = [(-gamma) ** j * sum(math.comb(k, j) for k in range(K)) for j in range(K)]
    top, bottom = (sum(c * integral(j + shift) for j, c in enumerate(q)) for shift in (0, 1))
    return Fraction(top) / Fraction(bottom)


@pytest.mark.parametrize("K", [1, 2, 5, 10, 20])
@pytest.mark.parametrize("gamma", ["1/100", "1/2", "1"])
def test_density_rests_where_the_continuum_does(K: int, gamma: str) -> None:
    s = Surrogate(toys.density_problem(), float(Fraction(gamma)), Theta.sum(K))
    assert s.minimizer[0] == pytest.approx(float(density_answer(Fraction(gamma), K)), rel=1e-12)


@pytest.mark.parametrize("K", [1, 2, 7, 10])
def test_exact_density_is_the_continuum_up_to_nodes_minus_two_steps(K: int) -> None:
    from surrogate import exact

    s = exact.Surrogate(toys.density_problem(exact=True), "1/2", Theta.sum(K))
    assert fractions(s.minimizer) == [density_answer(Fraction(1, 2), K)]


def test_exact_density_is_not_the_continuum_one_step_further() -> None:
    """The degree that is claimed is the degree that there is."""
    from surrogate import exact

    s = exact.Surrogate(toys.density_problem(nodes=4, exact=True), "1/2", Theta.sum(4))
    assert fractions(s.minimizer) != [density_answer(Fraction(1, 2), 4)]


@pytest.mark.parametrize("nodes", [2, 3, 8, 64])
def test_density_has_its_closed_forms_for_every_number_of_nodes(nodes: int) -> None:
    clients = toys.density_problem(nodes)
    assert clients.weights.sum() == pytest.approx(1, abs=1e-14)
    assert clients.minimizer[0] == pytest.approx(5 / 7, rel=1e-14)
    assert clients.mean_minimizer[0] == pytest.approx(4 / 5, rel=1e-14)


def test_exact_density_has_its_closed_forms_and_positive_weights() -> None:
    for nodes in (3, 12, 20):
        clients = toys.density_problem(nodes, exact=True)
        assert fractions(clients.minimizer) == [Fraction(5, 7)]
        assert fractions(clients.mean_minimizer) == [Fraction(4, 5)]
        assert all(w > 0 for w in clients.weights)


def test_density_second_moment_is_exact_up_to_nodes_minus_one_steps() -> None:
    """E[(Q_i A_i)^2] has degree 2 K + 1 against dx: 8 nodes integrate K = 7, and not K = 8."""

    def second(nodes: int, K: int) -> float:
        clients = toys.density_problem(nodes)
        J = Surrogate(clients, 0.9, Theta.sum(K)).client_jacobians[:, 0, 0]
        return float(clients.weights @ J**2)

    assert second(8, 7) == pytest.approx(second(64, 7), rel=1e-13)
    assert second(8, 8) != pytest.approx(second(64, 8), rel=1e-13)


def test_density_sigma_c_converges_to_its_integral() -> None:
    assert toys.density_problem().sigma_c ** 2 == pytest.approx(8 / 15 * math.log(4) - 16 / 25, rel=1e-12)


@pytest.mark.parametrize("nodes", [1, 0, -3, 2.0, True, "8"])
def test_density_refuses_too_few_nodes(nodes: Any) -> None:
    with pytest.raises(ProblemError, match=f"nodes is {nodes!r}"):
        toys.density_problem(nodes)


def test_plane_has_its_spectrum_and_three_directions() -> None:
    clients = toys.plane()
    np.testing.assert_allclose(clients.spectra, [[0.1, 1.0]] * 3, rtol=1e-14)
    steep = clients.frames[:, :, 1]
    angles = np.abs(steep @ steep.T)
    assert (angles[np.triu_indices(3, 1)] < 0.99).all()


@pytest.mark.parametrize("make", [toys.two_clients, toys.plane])
def test_exact_toy_rounds_to_the_float_toy(make: Any) -> None:
    one, other = make(), make(exact=True).to_float()
    np.testing.assert_array_equal(one.A, other.A)
    np.testing.assert_array_equal(one.c, other.c)


def reach(n: int, d: int, mu: float, L: float) -> tuple[float, float]:
    """The feasible sigma_A, as the refusal of an impossible one names it."""
    with pytest.raises(ProblemError) as refused:
        random_population(0, n, d, mu, L, sigma_A=1e9)
    low, high = str(refused.value).split("[")[1].split("]")[0].split(", ")
    return float(low), float(high)


@st.composite
def requests(draw: st.DrawFn) -> dict[str, Any]:
    n, d = draw(st.integers(2, 6)), draw(st.integers(1, 8))
    L = draw(st.sampled_from([1.0, 7.5, 1e-3]))
    mu = L * draw(st.sampled_from([1e-6, 0.01, 0.5]))
    low, high = reach(n, d, mu, L)
    share = draw(st.floats(0.001, 0.999))
    return {
        "seed": draw(st.integers(0, 2**32)),
        "n": n,
        "d": d,
        "mu": mu,
        "L": L,
        "sigma_A": low + share * (high - low),
        "sigma_c": draw(st.sampled_from([0.0, 1e-9, 1.0, 1e6])),
    }


@given(requests())
def test_population_has_the_constants_asked_for(asked: dict[str, Any]) -> None:
    clients = random_population(**asked)
    L, mu = asked["L"], asked["mu"]
    assert (clients.n, clients.d) == (asked["n"], asked["d"])
    assert clients.L == pytest.approx(L, rel=1e-13)
    assert abs(clients.mu - mu) <= 1e-14 * L
    assert abs(clients.sigma_A - asked["sigma_A"]) <= 1e-10 * L
    assert clients.sigma_c == pytest.approx(asked["sigma_c"], rel=1e-9)


@given(requests())
def test_population_is_within_the_proved_bound(asked: dict[str, Any]) -> None:
    """sigma_A <= (L - mu) (sum w (1 - w)^2)^(1/2) for any population; the free draw, too."""
    clients = random_population(**{**asked, "sigma_A": None})
    w = clients.weights
    assert clients.sigma_A <= (clients.L - clients.mu) * math.sqrt(w @ (1 - w) ** 2) * (1 + 1e-12)


@pytest.mark.parametrize(("n", "d"), [(2, 1), (2, 2), (3, 3), (4, 8)])
def test_reach_attains_the_proved_bound_where_axes_suffice(n: int, d: int) -> None:
    assert reach(n, d, 0.25, 1)[1] == pytest.approx(0.75 * (1 - 1 / n), rel=1e-5)


@pytest.mark.parametrize("n", [2, 3, 5, 6])
def test_reach_in_one_dimension_is_that_of_two_groups(n: int) -> None:
    """The variance of points in [mu, L] is largest with half of them at either end, smallest with the rest between."""
    low, high = reach(n, 1, 0.5, 1.5)
    assert high == pytest.approx(math.sqrt((n // 2) * (n - n // 2)) / n, rel=1e-5)
    assert low == pytest.approx(math.sqrt(1 / 2 / n), rel=1e-5)


def test_ends_of_the_reach_are_reached() -> None:
    least, most = reach(3, 1, 0.5, 1.5)
    assert random_population(5, 3, 1, 0.5, 1.5, sigma_A=0.41).sigma_A == pytest.approx(0.41, abs=1e-10)
    assert random_population(5, 3, 3, 0.25, 1, sigma_A=0.5).sigma_A == pytest.approx(0.5, abs=1e-12)
    assert random_population(5, 3, 3, 0.25, 1, sigma_A=0).sigma_A < 1e-15
    assert 0.408 < least < 0.409 < most < 0.472


def test_population_with_weights() -> None:
    clients = random_population(3, 3, 4, 0.1, 1, sigma_A=0.2, sigma_c=1, weights=[0.5, 0.3, 0.2])
    assert clients.sigma_A == pytest.approx(0.2, abs=1e-10)
    assert clients.sigma_c == pytest.approx(1, rel=1e-12)


def test_population_does_not_commute_and_repeats_with_its_seed() -> None:
    one, same, other = (random_population(s, 3, 3, 0.1, 1, sigma_A=0.4) for s in (7, 7, 8))
    np.testing.assert_array_equal(one.A, same.A)
    assert np.abs(one.A - other.A).max() > 0.01
    assert np.abs(one.A[1] @ one.A[2] - one.A[2] @ one.A[1]).max() > 0.01


@pytest.mark.parametrize(("n", "d", "sigma_A"), [(3, 2, 0.3), (4, 1, 0.4), (2, 5, None), (1, 3, None)])
def test_exact_population_has_exact_mu_and_L(n: int, d: int, sigma_A: float | None) -> None:
    clients = random_population(11, n, d, "1/10", 1, sigma_A=sigma_A, sigma_c=None if n == 1 else 2, exact=True)
    assert fmpq_mat(d, d, list(clients.A[-1 if d == 1 else 0].flat)).charpoly()(fmpq(1, 10)) == 0
    assert abs(clients.mu - fmpq(1, 10)) < 1e-16
    assert clients.L == 1
    if sigma_A is not None:
        assert float(clients.sigma_A.mid()) == pytest.approx(sigma_A, abs=1e-10)
    if n > 1:
        assert float(clients.sigma_c.mid()) == pytest.approx(2, abs=1e-9)


def test_exact_population_keeps_rational_weights() -> None:
    clients = random_population(3, 3, 2, weights=["1/2", "1/3", "1/6"], sigma_A=0.3, sigma_c=1, exact=True)
    assert list(clients.weights) == [fmpq(1, 2), fmpq(1, 3), fmpq(1, 6)]
    assert float(clients.sigma_A.mid()) == pytest.approx(0.3, abs=1e-10)
    with pytest.raises(ProblemError, match="weights is sum 5/6, expected sum 1, exactly"):
        random_population(3, 2, 2, weights=["1/2", "1/3"], exact=True)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"n": 0}, r"n is 0, expected a whole number >= 1"),
        ({"d": 2.5}, r"d is 2.5"),
        ({"mu": 2, "L": 1}, r"mu, L is 2, 1, expected 0 < mu <= L"),
        ({"mu": 0}, r"expected 0 < mu <= L"),
        ({"mu": "abc"}, r"mu, L is 'abc'"),
        ({"n": 1, "d": 1}, r"one client in one dimension has one eigenvalue"),
        ({"sigma_A": 0.9}, r"sigma_A is 0.9, expected a number in \[0, 0.6\].*no population goes further"),
        ({"sigma_A": -0.1}, r"sigma_A is -0.1(.|\n)*a sign slip"),
        ({"n": 5, "d": 2, "sigma_A": 0.7}, r"in \[0, 0.52\d*\].*no population goes beyond 0.72"),
        ({"d": 1, "sigma_A": 0}, r"in one dimension a client at mu and one at L already differ"),
        ({"n": 1, "sigma_A": 0.1}, r"a spread asked of one client"),
        ({"n": 1, "sigma_c": 1}, r"sigma_c is 1, expected 0"),
        ({"sigma_c": -1}, r"sigma_c is -1, expected a finite number >= 0"),
        ({"sigma_A": math.nan}, r"sigma_A is nan"),
        ({"weights": [0.5, 0.5]}, r"weights is of length 2, expected length 3"),
    ],
)
def test_impossible_requests_are_refused(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ProblemError, match=said):
        random_population(**{"seed": 0, "n": 3, "d": 3, "mu": 0.1, "L": 1, **settings})
