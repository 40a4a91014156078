"""One round of any method, played plainly: survey, local work client by client, the server's update."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from surrogate._types import Numbers, QuadraticClients, Scalar, Vector
from surrogate.kit.errors import ProblemError
from surrogate.methods.method import Client, Message, Method, State
from surrogate.numbers import solve

__all__ = ["QuadraticClient", "mean_message", "play", "quadratic_clients"]


class QuadraticClient:
    """The client with gradient ``A y - b``, ``A`` (d, d) and ``b`` (d,) of any kind of number."""

    def __init__(self, A: Numbers, b: Numbers) -> None:
        self.A, self.b = A, b

    def __call__(self, y: Vector, k: int) -> Numbers:
        gradient: Numbers = self.A @ y - self.b
        return gradient

    def hvp(self, y: Vector, v: Vector, k: int) -> Numbers:
        """The Hessian times ``v``, A v: the same at every point ``y`` and step ``k``."""
        product: Numbers = self.A @ v
        return product

    def loss(self, y: Vector) -> Numbers:
        """1/2 (y - c)^T A (y - c) with A c = b, (1,): least at 0; 1/2 y^T A y - b^T y where no such c is found."""
        try:
            z = y - solve(self.A, self.b)
            value = z @ (self.A @ z) / 2
        except ProblemError:  # singular
            value = y @ (self.A @ y) / 2 - self.b @ y
        return np.array([value], dtype=self.b.dtype)

    def prox(self, x: Vector, mu: Scalar) -> Numbers:
        """(A + mu I)^-1 (b + mu x), the minimiser of f(y) + mu/2 ||y - x||^2."""
        point: Numbers = solve(self.A + mu * np.eye(len(self.b), dtype=int), self.b + mu * x)
        return point


def quadratic_clients(clients: QuadraticClients) -> list[QuadraticClient]:
    """The clients of a ``Quadratics`` (float64 or exact) as methods see them."""
    return [QuadraticClient(A, b) for A, b in zip(clients.A, clients.b, strict=True)]


def mean_message(messages: Iterable[tuple[Scalar, Message]]) -> Message:
    """sum_i w_i m_i / sum_i w_i, entry by entry, of the pairs (w_i, m_i) in ``messages``."""
    pairs = list(messages)
    total = sum(w for w, _ in pairs)
    return {key: sum((w * m[key] for w, m in pairs[1:]), pairs[0][0] * pairs[0][1][key]) / total for key in pairs[0][1]}


def play(
    method: Method,
    state: State,
    own: Mapping[int, State],
    clients: Sequence[Client],
    weights: Sequence[Scalar] | Numbers,
    drawn: Sequence[int] | None = None,
) -> tuple[State, dict[int, State]]:
    """One round of ``method``: the server's next state, and what each client keeps.

    ``state``: the server's; ``own``: that of each client by its number (those missing are enrolled); ``clients`` and
    their ``weights`` (n,); ``drawn``: the numbers of the clients that take part, all when left out.
    """
    drawn = range(len(clients)) if drawn is None else drawn
    shared = dict(state)
    if method.survey is not None:
        shared.update(mean_message((weights[i], method.survey(state, clients[i], i)) for i in drawn))
    kept, messages = dict(own), []
    for i in drawn:
        message, kept[i] = method.local(shared, own.get(i) or method.enrol(state["x"]), clients[i], i)
        messages.append((weights[i], message))
    return method.update(shared, mean_message(messages), len(drawn), len(clients)), kept
