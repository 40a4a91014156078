"""Algorithms 1 and 2 of Charles and Konecny, "On the outsized importance of learning rates in local update methods".

Plain listings to compare with: one client after another, one step after another. All randomness is a function of (seed,
round, client), never of the order in which clients are visited.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from surrogate._types import Array, Given
from surrogate.kit import checks
from surrogate.linear import FLOAT64
from surrogate.linear_fields import thetas
from surrogate.moments import inputs
from surrogate.moments.population import Population
from surrogate.moments.sampling import check
from surrogate.quadratics import Quadratics
from surrogate.theta import Theta

__all__ = ["inner_loop", "outer_loop"]


def inner_loop(
    clients: Quadratics,
    i: int,
    x: Given,
    gamma: float,
    theta: Theta,
    batch: int | None = None,
    rng: np.random.Generator | None = None,
) -> Array:
    r"""Algorithm 2: one client takes K steps of SGD and returns ``sum_k theta_k g_k``, (d,).

    ``clients``: the quadratics, of which client ``i`` starts at ``x`` (d,) with rate ``gamma``; ``theta``: the weights
    theta_k, whose number is K. ``batch`` examples are drawn with replacement for each step (None: full gradients), by
    ``rng``.

    >>> clients = Quadratics([[[1.0]], [[2.0]]], [[1.0], [0.5]])
    >>> inner_loop(clients, 0, [0.0], 0.5, Theta.sum(2)).tolist()
    [-1.5]
    """
    i, x = checks.client(i, clients.n), FLOAT64.vector(x, "x", clients.d)
    gamma = FLOAT64.rates(gamma, "gamma", 1)[0]
    theta = thetas(theta, 1)[0]
    batch = inputs.batch_size(batch, clients.examples is not None)
    rng = np.random.default_rng() if rng is None else rng
    q = np.zeros(clients.d)
    for weight in theta.weights:
        g = clients.client_gradient(i, x) if batch is None else _minibatch_gradient(clients, i, x, batch, rng)
        q = q + float(weight) * g
        x = x - gamma * g
    return q


def outer_loop(
    clients: Quadratics,
    x0: Given,
    rounds: int,
    gamma: Given,
    eta: Given,
    theta: Theta | Sequence[Theta],
    batch: int | None = None,
    clients_per_round: int | None = None,
    sampling: str = "iid",
    seed: int = 0,
) -> Array:
    r"""Algorithm 1: iterates x_0, ..., x_T of ``x_{t+1} = x_t - eta_t q_t``, (T+1, d).

    ``clients``, ``x0``, ``rounds``, ``gamma``, ``eta``, ``theta``, ``batch``, ``clients_per_round``, ``sampling``: as
    in `moments.trajectory`; ``seed``: of all draws.

    >>> clients = Quadratics([[[1.0]], [[2.0]]], [[1.0], [0.5]])
    >>> outer_loop(clients, [0.0], 2, gamma=0.5, eta=0.5, theta=Theta.sum(1))[:, 0].tolist()
    [0.0, 0.5, 0.625]
    """
    clients = checks.clients(clients, Quadratics)
    population = Population(clients.A, -clients.b, clients.weights, np.zeros(clients.d))
    T = inputs.whole(rounds, "rounds")
    gammas = np.broadcast_to(inputs.schedule(population, gamma, "gamma", T, per_client=True), (T, clients.n))
    etas = inputs.schedule(population, eta, "eta", T, per_client=False)[:, 0]
    thetas = inputs.one_theta_each(theta, clients.n)
    check(clients_per_round, sampling, clients.weights)
    seed = inputs.whole(seed, "seed")
    x = FLOAT64.vector(x0, "x0", clients.d)
    iterates = [x]
    for t in range(T):
        drawn, shares = _draw(clients, clients_per_round, sampling, _generator(seed, t))
        q, answers = np.zeros(clients.d), Counter[int]()
        for i, share in zip(drawn, shares, strict=True):
            rng = _generator(seed, t, i, answers[i])
            own = thetas if isinstance(thetas, Theta) else thetas[i]
            q = q + share * inner_loop(clients, i, x, gammas[t, i], own, batch, rng)
            answers[i] += 1  # a client drawn twice answers twice, with fresh minibatches
        x = x - etas[t] * q
        iterates.append(x)
    return np.array(iterates)


def _minibatch_gradient(clients: Quadratics, i: int, x: Array, batch: int, rng: np.random.Generator) -> Array:
    assert clients.examples is not None  # inner_loop has seen to it
    A_z, c_z, owner = clients.examples
    own = np.flatnonzero(owner == i)
    gradients = [A_z[z] @ (x - c_z[z]) for z in rng.choice(own, size=batch)]
    return np.asarray(sum(gradients) / batch)


def _draw(
    clients: Quadratics, clients_per_round: int | None, sampling: str, rng: np.random.Generator
) -> tuple[list[int], Array]:
    """The clients that take part in a round, and the weight of each answer."""
    if clients_per_round is None:
        return list(range(clients.n)), clients.weights
    if sampling == "iid":
        drawn = rng.choice(clients.n, size=clients_per_round, p=clients.weights)
        return drawn.tolist(), np.full(clients_per_round, 1 / clients_per_round)
    drawn = rng.choice(clients.n, size=clients_per_round, replace=False)
    return drawn.tolist(), clients.weights[drawn] / clients.weights[drawn].sum()


def _generator(seed: int, *place: int) -> np.random.Generator:
    """A stream for one place in the run: (round,) draws clients, (round, client, answer) draws minibatches."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(len(place), *place)))
