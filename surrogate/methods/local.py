"""The local loop: y_0 = x, y_{k+1} = y_k - gamma_k * direction_k, the same for every client step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from surrogate._types import Scalar, Vector
from surrogate.methods.method import Client
from surrogate.methods.settings import scaled
from surrogate.numbers import FLOATS, Kind

__all__ = ["descend", "walk", "weighted_gradients"]

C = TypeVar("C")  # what is carried from step to step
# (k, y, gradient, carry) -> (direction, carry); the direction as a vector, or as a pair (P, m) that stands for P * m
Direction = Vector | tuple[Scalar, Vector]
Step = Callable[[int, Vector, Vector, C], tuple[Direction, C]]


def walk(
    client: Client, x: Vector, rates: Sequence[Scalar], step: Step[C], carry: C, ops: Kind = FLOATS
) -> tuple[Vector, C]:
    """Where the local steps end, and what they carried along."""
    y = x
    for k, rate in enumerate(rates):
        direction, carry = step(k, y, client(y, k), carry)
        P, m = direction if isinstance(direction, tuple) else (1, direction)
        y = ops.moved(y, rate, P, m)
    return y, carry


def _taken(client: Client, *arguments: object) -> tuple[Vector, Vector] | None:
    """The steps as the client takes them itself, where it knows how and does not decline (None)."""
    descend = getattr(client, "descend", None)
    return None if descend is None else descend(*arguments)


def descend(client: Client, x: Vector, rates: Sequence[Scalar], correction: Vector | None = None) -> Vector:
    """The end of gradient steps, each with the same ``correction`` added to its gradient."""
    if (taken := _taken(client, x, rates, correction, None)) is not None:
        return taken[0]
    if correction is None:
        return walk(client, x, rates, lambda k, y, g, carry: (g, carry), None)[0]
    return walk(client, x, rates, lambda k, y, g, carry: (g + correction, carry), None)[0]


def weighted_gradients(
    client: Client, x: Vector, rates: Sequence[Scalar], weights: Sequence[Scalar], correction: Vector | None = None
) -> tuple[Vector, Vector]:
    """The end of such steps, and sum_k theta_k (g_k + correction) along them (OLR Algorithm 2)."""
    if (taken := _taken(client, x, rates, correction, weights)) is not None:
        return taken

    def step(k: int, y: Vector, g: Vector, total: Vector) -> tuple[Vector, Vector]:
        direction = g if correction is None else g + correction
        return direction, total + scaled(direction, weights[k]) if weights[k] != 0 else total

    return walk(client, x, rates, step, 0 * x)
