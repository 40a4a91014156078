"""DA's procedures, transcribed step by step for any gradients: lists of clients, weights p_i = N^i/N."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from surrogate._types import Scalar

Gradient = Callable[[Any], Any]
Pair = tuple[Any, Any]


def average(p: Sequence[Any], values: Sequence[Any]) -> Any:
    """sum_i p_i v_i."""
    return sum((w * v for w, v in zip(p[1:], values[1:], strict=True)), p[0] * values[0])


def client(g: Gradient, W: Scalar, m: Scalar, eta: Scalar, beta: Scalar, T: int, mu: Scalar = 0) -> tuple[Any, Any]:
    """(28), (34), (38): P^i and m^i(T); ``mu``: FedDA + FedProx with its parenthesis where the momentum has it."""
    y, P = W, W * 0
    for _ in range(T):
        step = g(y) + mu * (y - W)
        y = y - step * eta
        m = beta * m + (1 - beta) * step
        P = P + m
    return P, m


def server(
    grads: Sequence[Gradient], p: Sequence[Any], W: Scalar, m: Any, r: Any, T: int, mu: Any = 0
) -> tuple[Any, ...]:
    """(28) and (29): W(E+1), m(E+1) and P."""
    ends = [client(g, W, m, r.eta, r.beta, T, mu) for g in grads]
    P = average(p, [P for P, _ in ends])
    return W - P * r.alpha * r.eta, average(p, [m for _, m in ends]), P


def decoupled(grads: Sequence[Gradient], p: Sequence[Any], W: Scalar, m: Scalar, r: Any, T: int) -> list[Pair]:
    """Euler's scheme for (22): one global momentum of the local gradients; (W(t), m(t)) for t = 0..T."""
    y, path = [W] * len(grads), [(W, m)]
    for _ in range(T):
        local = [g(w) for g, w in zip(grads, y, strict=True)]
        m = r.beta * m + (1 - r.beta) * average(p, local)
        W = W - r.eta * r.alpha * m
        y = [w - r.eta * v for w, v in zip(y, local, strict=True)]
        path.append((W, m))
    return path


def sgdm(grads: Sequence[Gradient], p: Sequence[Any], W: Scalar, m: Scalar, r: Any, T: int) -> list[Pair]:
    """(18): centralized SGDM, (W(t), m(t)) for t = 0..T."""
    path = [(W, m)]
    for _ in range(T):
        m = r.beta * m + (1 - r.beta) * average(p, [g(W) for g in grads])
        W = W - r.eta * m
        path.append((W, m))
    return path


def local_sgdm(grads: Sequence[Gradient], p: Sequence[Any], W: Any, m: Any, r: Any, T: int) -> list[Pair]:
    """(21) on every client from the same (W, m), and the means of W^i(t) and m^i(t)."""
    paths = [sgdm([g], [1], W, m, r, T) for g in grads]
    return [tuple(average(p, [path[t][k] for path in paths]) for k in (0, 1)) for t in range(T + 1)]


def algorithm_1(grads: Sequence[Gradient], p: Sequence[Any], W: Scalar, m: Any, r: Any, T: int, R: int) -> Pair:
    """Algorithm 1, line by line."""
    for _ in range(R):
        P_T, m_T = [], []
        for g in grads:
            P_i, W_i, m_i = 0 * W, W, m
            for _ in range(T):
                old = W_i
                W_i = W_i - g(old) * r.eta
                m_i = r.beta * m_i + (1 - r.beta) * g(old)
                P_i = P_i + m_i
            P_T.append(P_i)
            m_T.append(m_i)
        P = average(p, P_T)
        m = average(p, m_T)
        W = W - P * r.eta * r.alpha
    return W, m


def adam_round(P: Scalar, m: Scalar, V: Scalar, beta1: Scalar, beta2: Scalar) -> tuple[Any, Any]:
    """Lines 11 and 14 of Algorithm 2: G and V_{r+1}."""
    G = (P - beta1 * m) / (1 - beta1)
    return G, beta2 * V + (1 - beta2) * G * G


def algorithm_2(
    grads: Sequence[Gradient],
    p: Sequence[Any],
    W: Scalar,
    m: Scalar,
    V: Scalar,
    r: Any,
    T: int,
    R: int,
    sqrt: Any,
    adam: bool,
) -> Pair:
    """Algorithm 2 with r + 1 for r in lines 13 and 15, where the listing divides by 0 at r = 0."""
    for k in range(R):
        ends = [client(g, W, m, r.eta, r.beta, T) for g in grads]
        P = average(p, [P for P, _ in ends])
        G, V_adam = adam_round(P, m, V, r.beta, r.beta2)
        if adam:
            V = V_adam
            m_hat = (r.beta * m + (1 - r.beta) * G) / (1 - r.beta ** (k + 1))
            W = W - m_hat / (sqrt(V / (1 - r.beta2 ** (k + 1))) + r.eps) * r.eta * r.alpha
        else:
            V = V + G * G
            W = W - G / (sqrt(V) + r.eps) * r.eta * r.alpha
        m = average(p, [m for _, m in ends])
    return W, m
