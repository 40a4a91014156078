"""Algorithms 1 and 2 as listed: the surrogate where nothing is random, the exact moments where something is."""

from __future__ import annotations

import numpy as np
import pytest

from surrogate import ProblemError, Quadratics, Surrogate, Theta, moments, simulate
from tests.surrogate.test_moments import examples, population

THETAS = [Theta.sum(1), Theta.sum(4), Theta.last(3), Theta.maml(2), Theta([1, 0, "1/2"])]


@pytest.mark.parametrize("theta", THETAS, ids=repr)
def test_full_participation_is_gradient_descent_on_the_surrogate(theta):
    """batch None, all clients: x+ = x - eta grad f~(x), and a client's answer is D_i A_i (x - c_i)."""
    clients = population(d=3)
    s = Surrogate(clients, 0.7, theta)
    x = np.array([1.0, 2.0, -1.0])
    for i in range(clients.n):
        want = s.distortion[i] @ clients.client_gradient(i, x)
        assert np.allclose(simulate.inner_loop(clients, i, x, 0.7, theta), want, rtol=1e-12, atol=1e-13)
    iterates = simulate.outer_loop(clients, x, 6, 0.7, 0.3, theta)
    for t in range(7):
        assert np.allclose(iterates[t], x, rtol=1e-12, atol=1e-13)
        x = x - 0.3 * s.gradient(x)


def test_rates_a_round_and_rates_a_client():
    clients, x = population(), np.array([1.0, 2.0])
    gammas, thetas = np.array([[0.1, 0.5, 0.9], [0.3, 0.2, 0.0]]), [Theta.sum(2), Theta.last(4), Theta([1, 0, 3])]
    iterates = simulate.outer_loop(clients, x, 2, gammas, [0.3, 0.1], thetas)
    m = moments.trajectory(clients, x, 2, gammas, [0.3, 0.1], thetas)
    assert np.allclose(iterates, m.mean, rtol=1e-12, atol=1e-13)


def test_a_full_pass_of_equal_examples_is_the_full_gradient():
    clients = Quadratics.from_examples(np.array([np.eye(2)] * 4), np.ones((4, 2)), np.array([0, 0, 1, 1]))
    noisy = simulate.outer_loop(clients, [3.0, 4.0], 3, 0.5, 0.5, Theta.sum(2), batch=1)
    assert np.allclose(noisy, simulate.outer_loop(clients, [3.0, 4.0], 3, 0.5, 0.5, Theta.sum(2)), rtol=1e-14)


def test_randomness_belongs_to_seed_round_and_client():
    """Same seed, same run; fewer rounds, the same beginning; another seed, another run."""
    settings = dict(gamma=0.5, eta=0.5, theta=Theta.sum(2), batch=1, clients_per_round=2)
    long, again = (simulate.outer_loop(population(), [1.0, 2.0], 5, seed=3, **settings) for _ in range(2))
    short = simulate.outer_loop(population(), [1.0, 2.0], 2, seed=3, **settings)
    other = simulate.outer_loop(population(), [1.0, 2.0], 5, seed=4, **settings)
    assert (long == again).all() and (long[:3] == short).all() and not np.allclose(long[1:], other[1:])


def test_what_others_draw_does_not_matter():
    """Client 0 draws the same minibatches whether client 1 (all of whose gradients are 0) has one example or three."""
    A_z, c_z, _ = examples(n=1)

    def run(idle):
        A = np.concatenate([A_z, np.zeros((idle, 2, 2))])
        c = np.concatenate([c_z, np.ones((idle, 2))])
        clients = Quadratics.from_examples(A, c, np.array([0] * len(A_z) + [1] * idle))
        return simulate.outer_loop(clients, [1.0, 2.0], 4, 0.5, 0.5, Theta.sum(2), batch=2)

    assert np.allclose(run(1), run(3), rtol=1e-14)


def test_a_client_drawn_twice_draws_twice():
    """iid draws of the only client: two answers with fresh minibatches, not one answer counted twice."""
    clients = population(n=1)
    settings = (clients, [1.0, 2.0], 1, 0.5, 0.5, Theta.sum(2), 1)
    pairs = [[simulate.outer_loop(*settings, drawn, seed=seed)[1] for drawn in (1, 2)] for seed in range(8)]
    assert sum(np.allclose(once, twice) for once, twice in pairs) < 4  # the same two of four examples: 1 in 16


MONTE_CARLO = [  # batch, clients per round, sampling, theta
    (None, 2, "iid", Theta.sum(3)),
    (None, 2, "uniform", Theta.last(2)),
    (1, None, "iid", Theta.sum(3)),
    (2, 2, "iid", Theta([1, 2])),
    (1, 2, "uniform", Theta.maml(1)),
]


@pytest.mark.parametrize("batch, clients_per_round, sampling, theta", MONTE_CARLO)
def test_many_runs_have_the_exact_moments(batch, clients_per_round, sampling, theta):
    """1000 seeded runs: mean, E||x_T - y||^2 and every entry of the covariance within 5 standard errors."""
    clients = population(n=3)
    check_runs(clients, theta, batch, clients_per_round, sampling)


@pytest.mark.parametrize("sampling", ["iid", "uniform"])
def test_many_runs_with_unequal_weights(sampling):
    clients = Quadratics(clients_hessians(), 2 * np.eye(4)[:, :2], weights=[0.4, 0.3, 0.2, 0.1])
    check_runs(clients, Theta.sum(2), None, 2, sampling)


def clients_hessians():
    G = np.random.default_rng(5).normal(size=(4, 2, 3))
    return G @ G.transpose(0, 2, 1) / 6


def check_runs(clients, theta, batch, clients_per_round, sampling, runs=1000, rounds=2):
    settings = ([2.0, -1.0], rounds, 0.6, [0.8, 0.5], theta, batch, clients_per_round, sampling)
    ends = np.array([simulate.outer_loop(clients, *settings, seed=seed)[-1] for seed in range(runs)])
    m = moments.trajectory(clients, *settings)
    spread, y = ends - m.mean[-1], np.array([0.5, 0.5])
    products = np.einsum("rj,rk->rjk", spread, spread).reshape(runs, -1)
    distance = ((ends - y) ** 2).sum(axis=1)
    for sample, want in (
        (ends, m.mean[-1]),
        (products, m.covariance[-1].ravel()),
        (distance[:, None], m.squared_distance(y)[-1:]),
    ):
        error = sample.std(axis=0, ddof=1) / np.sqrt(runs)
        assert (error > 1e-4).all()
        assert (np.abs(sample.mean(axis=0) - want) < 5 * error).all()


@pytest.mark.parametrize(
    "change, words",
    [
        (dict(clients=Quadratics([np.eye(2)], [[0.0, 0.0]]), batch=1), "from_examples"),
        (dict(batch=0), "batch is 0"),
        (dict(sampling="all"), "'all'"),
        (dict(clients_per_round=4, sampling="uniform"), "at most the 3 clients"),
        (dict(rounds=1.5), "rounds is 1.5"),
        (dict(gamma=-1), "gamma is -1"),
        (dict(x0=[1.0]), "x0 is of length 1"),
        (dict(theta=2), "Theta.sum"),
        (dict(seed=-1), "seed is -1"),
        (dict(clients=np.eye(2)), "expected surrogate.Quadratics"),
    ],
)
def test_bad_input_is_named(change, words):
    settings = dict(clients=population(), x0=[0.0, 0.0], rounds=3, gamma=0.5, eta=0.5, theta=Theta.sum(2))
    with pytest.raises(ProblemError) as caught:
        simulate.outer_loop(**{**settings, **change})
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "change, words",
    [
        (dict(i=3), "the client is 3, expected a whole number from 0 to 2"),
        (dict(i=-1), "the client is -1"),
        (dict(gamma=-0.5), "gamma is -0.5"),
        (dict(theta=2), "Theta.sum"),
        (dict(batch=1.5), "batch is 1.5"),
    ],
)
def test_bad_input_of_the_inner_loop_is_named(change, words):
    settings = dict(clients=population(), i=0, x=[0.0, 0.0], gamma=0.5, theta=Theta.sum(2))
    with pytest.raises(ProblemError) as caught:
        simulate.inner_loop(**{**settings, **change})
    assert words in str(caught.value)
