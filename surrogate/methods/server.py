"""The server's side that most methods share: an optimizer fed with the mean message."""

from __future__ import annotations

from collections.abc import Callable

from surrogate._types import Scalar, Vector
from surrogate.methods.method import Message, State
from surrogate.methods.optimizers import Optimizer
from surrogate.numbers import Kind

__all__ = ["server"]

Start = Callable[[Vector], State]
Update = Callable[[State, Message, int, int], State]


def server(optimizer: Optimizer, eta: Scalar, ops: Kind, entry: str) -> tuple[Start, Update]:
    """x+ = x - eta P m with P, m of the optimizer fed with the mean of the messages' ``entry``."""

    def start(x: Vector) -> State:
        return {"x": x, **optimizer.start(x)}

    def update(state: State, message: Message, drawn: int, clients: int) -> State:
        P, m, kept = optimizer.step(state, message[entry], ops)
        return {"x": ops.moved(state["x"], eta, P, m), **kept}

    return start, update
