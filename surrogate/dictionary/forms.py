"""What the families share: the local recurrences as elements of a client's algebra."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from surrogate.dictionary.algebra import Element, block_power
from surrogate.dictionary.rings import Ring
from surrogate.theta import Theta

__all__ = ["LocalMomentum", "alike", "descent", "heavy_ball", "one_step", "synced", "weighed"]


def descent(A: Element, gamma: Any, steps: int) -> Element:
    """Q = sum_{k < steps} (I - gamma A)^k: the local gradients of plain descent sum to Q g."""
    return (1 - gamma * A).geometric(steps)


def weighed(theta: Theta, A: Element, gamma: Any, number: Any) -> Element:
    """Q = sum_k theta_k (I - gamma A)^(k-1)."""
    r = 1 - gamma * A
    if theta.kind == "sum":
        return r.geometric(theta.steps)
    if theta.kind == "last":
        return r.power(theta.steps - 1)
    total, power = number(theta.given[0]) * r.power(0), r.power(0)
    for weight in theta.given[1:]:
        power = power * r
        total = total + number(weight) * power
    return total


class LocalMomentum:
    """A round of local momentum: y_K - x = -(move g + carry m), m_K = store g + keep m, each a function of A_i."""

    def __init__(self, move: Element, carry: Element, store: Element, keep: Element) -> None:
        self.move, self.carry, self.store, self.keep = move, carry, store, keep


def heavy_ball(A: Element, gamma: Any, steps: int, beta: Any, new: Any) -> LocalMomentum:
    """m <- beta m + new grad(y), y <- y - gamma m, K times: the K-th power of a 3 x 3 block matrix on (y - x, m, g).

    ``new`` is 1 - beta (exponential mean) or 1 (heavy ball).
    """
    gradient = new * A
    one = A * 0 + 1
    step = [
        [1 - gamma * gradient, one * (-gamma * beta), one * (-gamma * new)],
        [gradient, one * beta, one * new],
        [one * 0, one * 0, one],
    ]
    power = block_power(step, steps)
    return LocalMomentum(-power[0][2], -power[0][1], power[1][2], power[1][1])


def synced(ring: Ring, rounds: Sequence[LocalMomentum]) -> list[Element]:
    """D_i when the momentum is averaged with the model: at rest m = mean(store g) + mean(keep) m, so

    D_i = move_i + mean(carry) (I - mean(keep))^-1 store_i.
    """

    def dense(part: str) -> list[Element]:
        return [ring.dense(i, getattr(r, part)) for i, r in enumerate(rounds)]

    share = ring.mean(dense("carry")) * (1 - ring.mean(dense("keep"))).inverse()
    return [move + share * store for move, store in zip(dense("move"), dense("store"), strict=True)]


def alike(values: Sequence[Any]) -> bool:
    """All the same?"""
    return all(v == values[0] for v in values)


def one_step(s: Any) -> bool:
    """Each client takes one step, all with the same rate: what they send is a common multiple of their gradients."""
    return all(k == 1 for k in s.steps) and alike(s.gamma)
