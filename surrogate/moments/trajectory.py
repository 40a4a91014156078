"""Mean and covariance of x_0, ..., x_T, and of one update q_t."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from surrogate._types import Given, Numbers, QuadraticClients
from surrogate.kit.errors import problem
from surrogate.moments import inputs
from surrogate.moments.population import Population
from surrogate.numbers import is_exact
from surrogate.theta import Theta

__all__ = ["Law", "Trajectory", "trajectory", "update"]


@dataclass(frozen=True, eq=False)
class Law:
    """First two moments of a random vector: ``mean`` (d,) and ``covariance`` (d, d)."""

    mean: Numbers
    covariance: Numbers


@dataclass(frozen=True, eq=False)
class Trajectory:
    """Exact first two moments of the iterates: ``mean`` (T+1, d) and ``covariance`` (T+1, d, d).

    The mean is held as ``origin`` (d,) plus ``offset`` (T+1, d), so that no digits are lost next to the minimizer.
    """

    origin: Numbers
    offset: Numbers
    covariance: Numbers

    @property
    def mean(self) -> Numbers:
        """E x_t, (T+1, d)."""
        return np.asarray(self.origin + self.offset)

    def squared_distance(self, y: Given) -> Numbers:
        """E ||x_t - y||^2 = trace Cov x_t + ||E x_t - y||^2, (T+1,)."""
        gap = self.offset - inputs.point(self.origin, y, "y")
        with np.errstate(over="ignore", invalid="ignore"):
            found = np.asarray(np.trace(self.covariance, axis1=1, axis2=2) + (gap * gap).sum(axis=1))
        inputs.finite("E ||x_t - y||^2", found)
        return found


def trajectory(
    clients: QuadraticClients | Population,
    x0: Given,
    rounds: int,
    gamma: Given,
    eta: Given,
    theta: Theta | Sequence[Theta],
    batch: int | None = None,
    clients_per_round: int | None = None,
    sampling: str = "iid",
) -> Trajectory:
    r"""Exact mean and covariance of ``x_{t+1} = x_t - eta q_t`` for t = 0..T (OLR Algorithms 1 and 2).

    Client i takes K steps ``x <- x - gamma g`` with g the mean gradient of ``batch`` examples, drawn with replacement,
    independently in every step (None: the full gradient), and answers ``q_i = sum_k theta_k g_k``. The server averages
    all clients by weight (``clients_per_round=None``), or M of them: ``sampling="iid"``, M draws from the weights and
    their plain mean; ``"uniform"``, M distinct clients and their weighted mean ``sum w_i q_i / sum w_i``.

    - ``clients``: a `Quadratics` of surrogate or of surrogate.exact; ``x0`` (d,): where the iterates begin
    - ``rounds``: T; ``gamma``: the client rate, one number, one a round (T,), or (T, n); ``eta``: the server rate, one
      number or (T,)
    - ``theta``: weights theta_k of the local gradients, a `Theta`, or one a client
    - ``batch``, ``clients_per_round``, ``sampling``: as above

    Returns a `Trajectory`. Expectations are exact up to rounding, and to the last digit for clients of
    `surrogate.exact`. A round costs 4 d^3 flops an example and local step (without ``batch``: none).

    >>> from surrogate import Quadratics, Theta
    >>> coin = Quadratics.from_examples([[[1.0]], [[1.0]]], [[-1.0], [1.0]], [0, 0])   # one client, two examples
    >>> m = trajectory(coin, [4.0], 2, gamma=0.5, eta=0.5, theta=Theta.sum(1), batch=1)
    >>> m.mean[:, 0].tolist(), m.covariance[:, 0, 0].tolist(), m.squared_distance([0.0]).tolist()
    ([4.0, 2.0, 1.0], [0.0, 0.25, 0.3125], [16.0, 4.25, 1.3125])
    """
    pop, T = Population.of(clients), inputs.whole(rounds, "rounds")
    gammas = inputs.schedule(pop, gamma, "gamma", T, per_client=True)
    etas = inputs.schedule(pop, eta, "eta", T, per_client=False)
    z, S = inputs.point(pop.origin, x0, "x0"), pop.zeros(pop.d, pop.d)
    offsets, covariances = [z], [S]
    law = inputs.round_law(pop, gammas[0] if T else pop.zeros(1), theta, batch, clients_per_round, sampling)
    for t in range(T):
        if (gammas[t] != gammas[t - 1]).any() and t > 0:
            law = replace(law, gamma=np.broadcast_to(gammas[t], (pop.n,)))
        with np.errstate(over="ignore", invalid="ignore"):
            z, S = law.after(z, S, etas[t, 0])
        inputs.finite(f"the second moment of x_{t + 1}", z, S)
        offsets.append(z)
        covariances.append(S)
    return Trajectory(pop.origin, np.array(offsets, dtype=pop.A.dtype), np.array(covariances, dtype=pop.A.dtype))


def update(
    clients: QuadraticClients | Population,
    x: Given,
    gamma: Given,
    theta: Theta | Sequence[Theta],
    batch: int | None = None,
    clients_per_round: int | None = None,
    sampling: str = "iid",
    covariance: Given = None,
) -> Law:
    r"""Mean (d,) and covariance (d, d) of one update ``q_t``, the mean of the clients' answers, at ``x_t = x``.

    ``clients``, ``theta``, ``batch``, ``clients_per_round``, ``sampling``: as in `trajectory`. ``gamma``: one rate, or
    one a client. ``covariance`` (d, d): x_t is random, with mean ``x`` and this covariance, and is averaged out.

    >>> from surrogate import Quadratics, Theta
    >>> clients = Quadratics([[[1.0]], [[2.0]]], [[1.0], [0.5]])
    >>> law = update(clients, [0.0], 0.5, Theta.sum(2), clients_per_round=1)     # answers -1.5 or -1
    >>> law.mean.tolist(), law.covariance.tolist()
    ([-1.25], [[0.0625]])
    """
    pop = Population.of(clients)
    gammas = inputs.rates(pop, gamma, "gamma", f"one number, or {pop.n} (one a client)", [(), (pop.n,)])
    law = inputs.round_law(pop, gammas, theta, batch, clients_per_round, sampling)
    z = inputs.point(pop.origin, x, "x")
    S = pop.zeros(pop.d, pop.d) if covariance is None else _covariance(pop, covariance)
    with np.errstate(over="ignore", invalid="ignore"):
        result = Law(law.mean(z), law.covariance(z, S))
    inputs.finite("the second moment of q_t", result.mean, result.covariance)
    return result


def _covariance(clients: Population, value: object) -> Numbers:
    S, d = clients.numbers(value, "covariance"), clients.d
    if S.shape != (d, d) or not _is_symmetric(S):
        raise problem(
            "covariance",
            f"of shape {S.shape}{'' if S.shape != (d, d) else ', not symmetric'}",
            f"a symmetric matrix of shape {(d, d)}",
            "a vector of variances, or a matrix that is not symmetric",
            "np.diag turns variances into a covariance",
        )
    if not clients.is_exact and np.linalg.eigvalsh(S)[0] < -1e-12 * np.abs(S).max():
        raise problem(
            "covariance",
            f"indefinite: its smallest eigenvalue is {np.linalg.eigvalsh(S)[0]:.6g}",
            "a positive semidefinite matrix",
            "a sign slip, or standard deviations in the place of variances",
            "pass a covariance",
        )
    return S


def _is_symmetric(S: Numbers) -> bool:
    if is_exact(S):
        return bool((S == S.T).all())
    return bool(np.isfinite(S).all() and np.abs(S - S.T).max() <= 1e-12 * np.abs(S).max())
