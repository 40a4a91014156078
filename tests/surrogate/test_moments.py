"""Moments in float64: closed formulas at the edges, restatements that must change nothing, and what is refused."""

from __future__ import annotations

import tracemalloc
from fractions import Fraction
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surrogate import ProblemError, Quadratics, Surrogate, Theta, moments
from surrogate.moments.population import Population
from surrogate.moments.ratios import share_moments
from surrogate.moments.sampling import coefficients

PER_CLIENT = 4


def examples(n=3, d=2, seed=0, spread=1.0, shift=0.0):
    """Random examples: Hessians of eigenvalues in (0, 1], every client's a little different."""
    rng = np.random.default_rng(seed)
    m = n * PER_CLIENT
    frames = np.linalg.qr(rng.normal(size=(m, d, d)))[0]
    A_z = (frames * rng.uniform(0.05, 1.0, (m, 1, d))) @ frames.transpose(0, 2, 1)
    c_z = shift + spread * rng.normal(size=(m, d))
    return A_z, c_z, np.repeat(np.arange(n), PER_CLIENT)


def population(**kwargs):
    return Quadratics.from_examples(*examples(**kwargs))


def close(got, want, rtol=1e-12):
    return np.abs(got - want).max() <= rtol * max(np.abs(want).max(), 1e-300)


SCHEMES = [(None, "iid"), (1, "iid"), (2, "iid"), (5, "iid"), (1, "uniform"), (2, "uniform"), (3, "uniform")]


@pytest.mark.parametrize("clients_per_round, sampling", SCHEMES)
def test_mean_is_gradient_descent_on_the_surrogate(clients_per_round, sampling):
    """E x_{t+1} = E x_t - eta grad f~(E x_t) (OLR Theorem 3), whoever is drawn and whatever the batch."""
    clients = population(d=3)
    s = Surrogate(clients, 0.5, Theta.sum(4))
    m = moments.trajectory(clients, np.ones(3), 5, 0.5, 0.3, Theta.sum(4), 2, clients_per_round, sampling)
    x = np.ones(3)
    for t in range(6):
        assert close(m.mean[t], x)
        x = x - 0.3 * s.gradient(x)


def test_nothing_random_leaves_no_covariance():
    """All clients, full gradients: the covariance is exactly 0, and q_t is the surrogate gradient."""
    clients = population()
    m = moments.trajectory(clients, [1.0, 2.0], 4, 0.7, 0.5, Theta.last(3))
    assert not m.covariance.any()
    law = moments.update(clients, [1.0, 2.0], 0.7, Theta.last(3))
    assert close(law.mean, Surrogate(clients, 0.7, Theta.last(3)).gradient(np.array([1.0, 2.0])))
    assert not law.covariance.any()


def test_one_step_is_minibatch_sgd():
    """K = 1: the covariance of q_t is that of an average of B example gradients, over M draws of clients."""
    A_z, c_z, owner = examples()
    clients, x = Quadratics.from_examples(A_z, c_z, owner), np.array([3.0, -1.0])
    g = (A_z @ (x - c_z)[..., None])[..., 0].reshape(3, PER_CLIENT, 2)
    within = np.mean([np.cov(g[i].T, bias=True) for i in range(3)], axis=0)
    between = np.cov(g.mean(axis=1).T, bias=True)
    law = moments.update(clients, x, 0.9, Theta.sum(1), batch=5, clients_per_round=4)
    assert close(law.covariance, (within / 5 + between) / 4)
    law = moments.update(clients, x, 0.9, Theta.sum(1), batch=5, clients_per_round=2, sampling="uniform")
    assert close(law.covariance, within / 5 / 2 + between / 2 * (3 - 2) / (3 - 1))


def test_rate_zero_clients_repeat_one_gradient():
    """gamma = 0: K independent minibatches of one gradient, so the noise of their sum grows like K."""
    clients, x = population(), [3.0, -1.0]
    one = moments.update(clients, x, 0.0, Theta.sum(1), batch=2)
    seven = moments.update(clients, x, 0.0, Theta.sum(7), batch=2)
    assert close(seven.mean, 7 * one.mean) and close(seven.covariance, 7 * one.covariance)


def test_rate_zero_server_and_no_rounds_keep_x0():
    clients = population()
    still = moments.trajectory(clients, [1.0, 2.0], 3, 0.5, 0.0, Theta.sum(2), 1, 1)
    assert still.mean.tolist() == [[1.0, 2.0]] * 4 and not still.covariance.any()
    none = moments.trajectory(clients, [1.0, 2.0], 0, 0.5, 0.5, Theta.sum(2), 1, 1)
    assert none.mean.shape == (1, 2) and none.covariance.shape == (1, 2, 2)
    assert none.squared_distance([0.0, 0.0]).tolist() == [5.0]
    none = moments.trajectory(clients, [1.0, 2.0], 0, [], [], Theta.sum(2), 1, 1)
    assert none.mean.tolist() == [[1.0, 2.0]]


def test_equal_examples_are_full_gradients():
    """Examples that do not differ make a minibatch exact, clients that do not differ make sampling exact."""
    A, c = np.array([[1.0, 0.25], [0.25, 0.5]]), np.array([1.0, -2.0])
    clients = Quadratics.from_examples(np.array([A] * 6), np.array([c] * 6), np.repeat([0, 1, 2], 2))
    m = moments.trajectory(clients, [5.0, 5.0], 4, 0.5, 0.5, Theta.sum(3), 1, 1)
    assert np.abs(m.covariance).max() <= 1e-30


def test_interpolation_keeps_noise_only_on_the_way():
    """Random A_z, equal c: noise proportional to the distance, none at the minimizer."""
    A_z, _, owner = examples()
    clients = Quadratics.from_examples(A_z, np.full((12, 2), 7.0), owner)
    away = moments.trajectory(clients, [5.0, 5.0], 3, 0.5, 0.5, Theta.sum(3), 1, 2)
    there = moments.trajectory(clients, [7.0, 7.0], 3, 0.5, 0.5, Theta.sum(3), 1, 2)
    assert np.trace(away.covariance[3]) > 1e-3 and np.abs(there.covariance).max() <= 1e-28
    assert moments.update(clients, [7.0, 7.0], 0.5, Theta.sum(3), 1).covariance.max() <= 1e-28


def test_uniform_draw_of_everybody_is_full_participation():
    clients, same = population(), Quadratics([np.eye(2)] * 3, np.eye(3)[:, :2], weights=[0.5, 0.3, 0.2])
    for who, batch in ((clients, 2), (same, None)):
        full = moments.trajectory(who, [1.0, 2.0], 3, 0.5, 0.5, Theta.sum(3), batch)
        drawn = moments.trajectory(who, [1.0, 2.0], 3, 0.5, 0.5, Theta.sum(3), batch, 3, "uniform")
        assert close(drawn.mean, full.mean) and np.abs(drawn.covariance - full.covariance).max() <= 1e-15


def test_one_client_needs_no_sampling():
    clients = population(n=1)
    full = moments.trajectory(clients, [1.0, 2.0], 3, 0.5, 0.5, Theta.sum(3), 1)
    for sampling in ("iid", "uniform"):
        drawn = moments.trajectory(clients, [1.0, 2.0], 3, 0.5, 0.5, Theta.sum(3), 1, 1, sampling)
        assert close(drawn.covariance, full.covariance)


def test_ratio_weights_move_the_mean():
    """ "uniform" with unequal weights is biased: one client a round is heard with share 1, whatever its weight."""
    clients = Quadratics([[[1.0]], [[1.0]]], [[0.0], [1.0]], weights=[0.9, 0.1])
    assert moments.update(clients, [0.0], 0.1, Theta.sum(1), None, 1, "uniform").mean[0] == pytest.approx(
        -0.5, abs=1e-15
    )
    assert moments.update(clients, [0.0], 0.1, Theta.sum(1), None, 1, "iid").mean[0] == pytest.approx(-0.1, abs=1e-15)


@given(
    seed=st.integers(0, 10**6),
    d=st.integers(1, 5),
    scheme=st.sampled_from(SCHEMES),
    batch=st.sampled_from([None, 1, 3]),
)
def test_restating_the_problem_changes_nothing(seed, d, scheme, batch):
    """Rotate space, move the origin, rename the clients, list the examples twice: the same moments."""
    rng = np.random.default_rng(seed)
    A_z, c_z, owner = examples(d=d, seed=seed)
    R, shift, names = np.linalg.qr(rng.normal(size=(d, d)))[0], 10 * rng.normal(size=d), rng.permutation(3)
    x0 = rng.normal(size=d)
    restated = Quadratics.from_examples(
        np.concatenate([R @ A_z @ R.T] * 2), np.concatenate([c_z @ R.T + shift] * 2), np.tile(names[owner], 2)
    )
    settings = (4, 0.8, 0.6, Theta([1, 0.5, 2]), batch, *scheme)
    a = moments.trajectory(Quadratics.from_examples(A_z, c_z, owner), x0, *settings)
    b = moments.trajectory(restated, R @ x0 + shift, *settings)
    assert close(b.mean, a.mean @ R.T + shift, 1e-11)
    assert np.abs(b.covariance - R @ a.covariance @ R.T).max() <= 1e-11 * (1e-3 + np.abs(a.covariance).max())


@given(seed=st.integers(0, 10**6), d=st.integers(1, 5), count=st.integers(1, 4))
def test_splitting_a_client_changes_nothing_under_iid(seed, d, count):
    """A client split in two of half the weight is the same client, to draws from the weights."""
    rng = np.random.default_rng(seed)
    G = rng.normal(size=(3, d, d))
    A, c, w = G @ G.transpose(0, 2, 1) / d + 0.1 * np.eye(d), rng.normal(size=(3, d)), np.array([0.5, 0.3, 0.2])
    split = Quadratics(A[[0, 1, 2, 0]], c[[0, 1, 2, 0]], [0.2, 0.3, 0.2, 0.3])
    settings = (4, 0.2, 0.3, Theta.sum(5), None, count)
    a = moments.trajectory(Quadratics(A, c, w), np.ones(d), *settings)
    b = moments.trajectory(split, np.ones(d), *settings)
    assert close(b.mean, a.mean) and close(b.covariance, a.covariance, 1e-11)


@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_small_covariances_keep_their_digits(shift):
    """Heterogeneity of 1e-9 about 1 (or about 1e6): the covariance, 1e-18, scales as if it stood alone."""
    small = examples(spread=2.0**-30, seed=4)
    offsets = np.ldexp(np.round(np.ldexp(small[1], 30)), -30)  # so that shift + offset is exact
    exact_big = Quadratics.from_examples(small[0], np.ldexp(offsets, 30), small[2])
    tiny = Quadratics.from_examples(small[0], shift + offsets, small[2])
    settings = (5, 0.5, 0.5, Theta.sum(3), 1, 2)
    want = moments.trajectory(exact_big, np.zeros(2), *settings).covariance
    got = moments.trajectory(tiny, np.full(2, shift), *settings).covariance * 2.0**60
    assert close(got, want, 1e-9)


def test_rates_a_round_and_rates_a_client():
    """A schedule acts round by round; client-dependent gamma and theta are those of client-dependent Surrogate."""
    clients, x0 = population(), [1.0, 2.0]
    whole = moments.trajectory(clients, x0, 2, [0.5, 0.2], [0.4, 0.1], Theta.sum(3), 1, 2)
    first = moments.trajectory(clients, x0, 1, 0.5, 0.4, Theta.sum(3), 1, 2)
    law = moments.update(clients, first.mean[1], 0.2, Theta.sum(3), 1, 2, covariance=first.covariance[1])
    assert close(whole.mean[1], first.mean[1]) and close(whole.covariance[1], first.covariance[1])
    assert close(whole.mean[2], first.mean[1] - 0.1 * law.mean)
    gammas, thetas = [0.1, 0.5, 0.9], [Theta.sum(2), Theta.last(4), Theta([1, 0, 3])]
    law = moments.update(clients, x0, gammas, thetas, 3, 2)
    assert close(law.mean, Surrogate(clients, gammas, thetas).gradient(np.array(x0)))
    one = [moments.update(clients, x0, g, t, 3, 2) for g, t in zip(gammas, thetas, strict=True)]
    assert not any(close(law.covariance, o.covariance, 1e-3) for o in one)


def test_client_dependent_rates_answer_one_by_one():
    """With gamma_i and theta_i per client, all clients heard: covariances of single clients add with w_i^2."""
    A_z, c_z, owner = examples()
    clients, x = Quadratics.from_examples(A_z, c_z, owner), [1.0, 2.0]
    gammas, thetas = [0.1, 0.5, 0.9], [Theta.sum(2), Theta.last(4), Theta([1, 0, 3])]
    law = moments.update(clients, x, gammas, thetas, 2)
    single = [
        moments.update(
            Quadratics.from_examples(A_z[owner == i], c_z[owner == i], np.zeros(PER_CLIENT, int)), x, g, t, 2
        )
        for i, (g, t) in enumerate(zip(gammas, thetas, strict=True))
    ]
    assert close(law.covariance, sum(s.covariance for s in single) / 9)


@given(seed=st.integers(0, 10**6), n=st.integers(2, 9), spread=st.floats(0, 6), data=st.data())
def test_ratio_moments_are_means_over_subsets(seed, n, spread, data):
    """The integrals give the means over all subsets to 1e-13, for weights up to e^12 apart."""
    count = data.draw(st.integers(1, n))
    w = np.exp(spread * np.random.default_rng(seed).uniform(-1, 1, n))
    w /= w.sum()
    alpha = np.zeros((0, n))
    for S in combinations(range(n), count):
        row = np.zeros(n)
        row[list(S)] = w[list(S)] / w[list(S)].sum()
        alpha = np.vstack([alpha, row])
    mean, squares, pairs = share_moments(w, count)
    assert np.allclose(mean, alpha.mean(axis=0), rtol=1e-13, atol=0)
    assert np.allclose(squares, (alpha**2).mean(axis=0), rtol=1e-13, atol=0)
    assert np.allclose(pairs, alpha.T @ alpha / len(alpha), rtol=1e-13, atol=0)


def test_ratio_moments_of_many_clients():
    """40 clients, 15 drawn (4e10 subsets): shares sum to one in every draw, and equal weights meet the closed form."""
    w = np.random.default_rng(0).exponential(size=40)
    mean, squares, pairs = share_moments(w / w.sum(), 15)
    assert mean.sum() == pytest.approx(1, abs=1e-14) and np.allclose(pairs.sum(axis=1), mean, rtol=1e-13)
    assert np.allclose(np.diag(pairs), squares)
    heard = coefficients(Population.of(Quadratics(np.ones((40, 1, 1)), np.ones((40, 1)))), 15, "uniform")
    mean, squares, pairs = share_moments(np.full(40, 1 / 40), 15)
    assert np.allclose(heard.mean, mean, rtol=1e-13) and np.allclose(heard.noise, squares, rtol=1e-13)
    assert np.allclose(heard.covariance, pairs - np.outer(mean, mean), rtol=0, atol=1e-16)


BAD = {
    "no examples": (dict(clients=Quadratics([[[1.0]]], [[0.0]]), x0=[0.0], batch=2), "from_examples"),
    "batch 0": (dict(batch=0), "batch is 0"),
    "batch share": (dict(batch=0.5), "batch is 0.5"),
    "too many": (dict(clients_per_round=4, sampling="uniform"), "at most the 3 clients"),
    "nobody": (dict(clients_per_round=0), "clients_per_round is 0"),
    "spelling": (dict(sampling="unifrom"), "'unifrom'"),
    "x0": (dict(x0=[1.0]), "x0 is of length 1"),
    "rounds": (dict(rounds=-1), "rounds is -1"),
    "negative gamma": (dict(gamma=-0.5), "gamma is -0.5"),
    "text gamma": (dict(gamma="half"), "gamma is 'half'"),
    "endless eta": (dict(eta=float("inf")), "eta is inf"),
    "short schedule": (dict(eta=[0.1, 0.2]), "or 3 (one a round)"),
    "bare theta": (dict(theta=[1, 1]), "Theta.sum(K)"),
    "divergence": (dict(eta=1e90, rounds=9), "the iterates diverge"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_named(name):
    """Every refusal names the value and a way out."""
    change, words = BAD[name]
    settings = dict(clients=population(), x0=[0.0, 0.0], rounds=3, gamma=0.5, eta=0.5, theta=Theta.sum(2))
    with pytest.raises(ProblemError) as caught:
        moments.trajectory(**{**settings, **change})
    assert words in str(caught.value) and "What to do" in str(caught.value)


def test_what_sampling_refuses():
    """Draws without weight, too many subsets in rationals or pairs in floats, a covariance of the wrong shape."""
    light = Quadratics([np.eye(1)] * 3, np.zeros((3, 1)), [1.0, 0.0, 0.0])
    with pytest.raises(ProblemError, match="weight 0"):
        moments.update(light, [1.0], 0.1, Theta.sum(1), None, 2, "uniform")
    weights = np.arange(1, 801) / np.arange(1, 801).sum()
    many = Quadratics(np.ones((800, 1, 1)), np.ones((800, 1)), weights)
    with pytest.raises(ProblemError, match="two minutes"):
        moments.update(many, [1.0], 0.1, Theta.sum(1), None, 400, "uniform")
    ones = np.full((30, 1, 1), Fraction(1), dtype=object)
    shares = np.array([Fraction(k, 465) for k in range(1, 31)])
    exact = SimpleNamespace(A=ones, b=ones[:, 0], weights=shares, examples=None)
    with pytest.raises(ProblemError, match="155117520 subsets"):
        moments.update(exact, [1], Fraction(1, 9), Theta.sum(1), None, 15, "uniform")


@pytest.mark.parametrize("bad", [[1.0, 1.0], [[1.0, 2.0], [0.0, 1.0]], [[1.0, 2.0], [2.0, 1.0]], [[np.nan, 0], [0, 1]]])
def test_what_is_no_covariance_is_refused(bad):
    with pytest.raises(ProblemError, match="covariance is"):
        moments.update(population(), [1.0, 1.0], 0.1, Theta.sum(1), covariance=bad)


def test_what_is_no_population_is_refused():
    with pytest.raises(ProblemError, match=r"(?s)clients is array.*expected Quadratics"):
        moments.trajectory(np.eye(2), [0.0, 0.0], 1, 0.1, 0.1, Theta.sum(1))


def test_points_of_another_dimension_are_refused():
    m = moments.trajectory(population(), [0.0, 0.0], 1, 0.5, 0.5, Theta.sum(2))
    with pytest.raises(ProblemError, match="y is of length 3"):
        m.squared_distance([1.0, 2.0, 3.0])


def test_local_steps_that_run_away_are_refused():
    """gamma L far beyond 2 and many steps: an error, not a warning and not a nan."""
    for batch in (None, 1):
        with pytest.raises(ProblemError, match="beyond float64"):
            moments.update(population(), [1.0, 1.0], 1e3, Theta.sum(150), batch)
        with pytest.raises(ProblemError, match="beyond float64"):
            moments.stationary(population(), 1e3, 0.1, Theta.sum(150), batch)


@pytest.mark.parametrize("what", ["trajectory", "stationary"])
def test_memory_stays_far_below_one_d2_by_d2_matrix(what):
    """d = 60: a matrix on vectorised covariances would take 104 MB; the moments take a tenth of that."""
    clients, theta = population(n=3, d=60), Theta.sum(3)
    assert clients.minimizer.shape == (60,)
    tracemalloc.start()
    try:
        if what == "trajectory":
            moments.trajectory(clients, np.ones(60), 3, 0.5, 0.5, theta, 1, 2)
        else:
            moments.stationary(clients, 0.5, 0.5, theta, 1, 2)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 10e6


def test_a_square_beyond_float64_is_refused_without_a_warning():
    """The mean 1e200 is a float64, its square is none."""
    law = moments.trajectory(Quadratics([[[1.0]]], [[0.0]]), [1e200], 0, 0.1, 0.1, Theta.sum(1))
    with pytest.raises(ProblemError, match="beyond float64"):
        law.squared_distance([0.0])
