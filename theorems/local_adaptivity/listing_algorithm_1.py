"""LA Algorithm 1 as printed, for one coordinate: adaptive clients, restarts, local and global correction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Number = Any
Gradient = Callable[[Number, int], Number]
Preconditioner = Callable[[list[Number]], Number]  # of the gradients so far, this step's included


def client(grad: Gradient, x: Number, eta: Number, tau: int, beta1: Number, P: Preconditioner) -> tuple[Number, Number]:
    """Lines 4 to 12: the local change Delta_i and N_i."""
    m, N, M, y = 0 * x, 0 * x, 0 * x, x  # line 4
    seen: list[Number] = []
    for k in range(tau):  # line 5
        g = grad(y, k)
        seen.append(g)
        p = P(seen)  # line 6
        m = beta1 * m + (1 - beta1) * g  # line 7
        y = y - eta * p * m  # line 8
        M = beta1 * M + (1 - beta1) * p  # line 9
        N = N + M  # line 10
    return x - y, N


def server(
    messages: Sequence[tuple[Number, Number]], x: Number, alpha: Number, local: bool, everywhere: bool
) -> Number:
    """Lines 13 to 17 with SGD on the server; ``local`` and ``everywhere`` switch lines 13 and 16."""
    changes = [change / N if local else change for change, N in messages]
    delta = sum(changes) / len(changes)
    if everywhere:
        delta = delta / (sum(1 / N for _, N in messages) / len(messages))
    return x - alpha * delta
