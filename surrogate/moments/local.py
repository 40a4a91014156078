r"""What minibatches add to a client's answer: the covariance of q_i around its mean given x, by a linear recursion.

Step k of client i takes ``g = A x + r + nu`` with ``nu`` the mean of B deviations ``H_z x + s_z``, z drawn with
replacement; so ``E nu = 0`` given the past and

    N = E nu nu^T = (1/B) mean_z (H_z S H_z + t_z t_z^T),   t_z = H_z m + s_z,

with m, S the mean and covariance of x there. With e the part of x due to minibatches, P = E e e^T, C = E q e^T,
V = E q q^T (fluctuations about the mean given x_t), F = I - gamma A:

    V+ = V + theta (C A + A C^T) + theta^2 (A P A + N)      S+ = F S F + gamma^2 N
    C+ = C F + theta A P F - theta gamma N                  P+ = F P F + gamma^2 N
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from surrogate._types import Numbers
from surrogate.moments.population import Population
from surrogate.theta import Theta

__all__ = ["answer_noise"]


def answer_noise(
    clients: Population,
    gamma: Numbers,
    theta: Theta | Sequence[Theta],
    batch: int,
    mean: Numbers,
    covariance: Numbers,
) -> Numbers:
    """V (n, d, d): E over x of Cov(q_i | x), for x with this mean (about the origin) and covariance.

    One local step costs 4 d^3 flops an example and 10 d^3 a client; nothing larger than the examples is stored.
    """
    A, n, d = clients.A, clients.n, clients.d
    gamma = gamma.reshape(-1, 1, 1)
    m = np.broadcast_to(mean, (n, d))
    S = np.broadcast_to(covariance, (n, d, d))
    V = C = P = clients.zeros(n, d, d)
    for weight in clients.theta_weights(theta):
        N = _step_noise(clients, batch, m, S)
        AP, CA = A @ P, C @ A
        APA = AP @ A
        V = V + weight * (CA + _transposed(CA)) + weight * weight * (APA + N)
        C = C - gamma * CA + weight * (AP - gamma * APA - gamma * N)
        P = P - gamma * (AP + _transposed(AP)) + gamma * gamma * (APA + N)
        AS = A @ S
        S = S - gamma * (AS + _transposed(AS)) + gamma * gamma * (AS @ A + N)
        m = m - gamma[..., 0] * ((A @ m[..., None])[..., 0] + clients.r)
    return V


def _step_noise(clients: Population, batch: int, m: Numbers, S: Numbers) -> Numbers:
    """N_i = (1/B) mean_z (H_z S_i H_z + t_z t_z^T), (n, d, d), as two matrix products a client."""
    assert clients.scatter is not None
    d = clients.d
    result = np.empty_like(S, subok=False)
    for i, (H, s) in enumerate(clients.scatter):
        tall = H.reshape(-1, d)
        HS = (tall @ S[i]).reshape(-1, d, d)
        t = (tall @ m[i]).reshape(-1, d) + s
        total = HS.transpose(1, 0, 2).reshape(d, -1) @ tall + t.T @ t
        result[i] = (total + total.T) / (2 * batch * len(H))
    return result


def _transposed(stack: Numbers) -> Numbers:
    return stack.transpose(0, 2, 1)
