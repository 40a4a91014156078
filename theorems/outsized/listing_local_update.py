"""OLR Algorithms 1 and 2, LocalUpdate, transcribed as printed: every draw is given, every gradient is injected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from surrogate._types import Numbers, Scalar

Gradient = Callable[[Any, Any], Any]  # (x, z) -> the gradient of f(x; z)
Round = Sequence[Sequence[Sequence[Any]]]  # of each client drawn, of each of its local steps: the examples in S_k


def inner_loop(grad: Gradient, x: Scalar, gamma: Scalar, theta: Sequence[Any], S: Sequence[Sequence[Any]]) -> Any:
    """Algorithm 2: x_1 = x; g_k = (1/B) sum_{z in S_k} grad f(x_k; z); x_{k+1} = x_k - gamma g_k; sum_k theta_k g_k."""
    total: Any = 0
    for weight, batch in zip(theta, S, strict=True):
        g = sum(grad(x, z) for z in batch) / len(batch)
        total = total + weight * g
        x = x - gamma * g
    return total


def outer_loop(
    grad: Gradient, x: Scalar, eta: Scalar, gamma: Any, theta: Sequence[Any], rounds: Sequence[Round]
) -> Any:
    """Algorithm 1: q_t = (1/M) sum_{i in I_t} q_t^i; x_{t+1} = x_t - eta q_t."""
    for drawn in rounds:
        q = sum(inner_loop(grad, x, gamma, theta, S) for S in drawn) / len(drawn)
        x = x - eta * q
    return x


def grads(A: Numbers, c: Numbers) -> Gradient:
    """Gradients of 1/2 A_z (x - c_z)^2 for examples z with A (batch, m) and c (batch, m), in d = 1."""
    return lambda x, z: A[:, z] * (x - c[:, z])


def draws(T: int, M: int, K: int, B: int, examples: int) -> list[list[list[list[int]]]]:
    """T rounds of draws for M clients, K steps and minibatches of B, spread over the examples."""
    return [
        [[[(t + 2 * i + 3 * k + b * b + i * k) % examples for b in range(B)] for k in range(K)] for i in range(M)]
        for t in range(T)
    ]
