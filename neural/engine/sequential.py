"""The reference engine: one client after another, one step after another. Other engines must agree with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import torch
from torch import Tensor

from neural.engine.client import TorchClient
from neural.engine.draws import Draws, Visit
from neural.engine.mean import mean
from neural.engine.objective import objective
from neural.engine.settings import Settings
from neural.tasks.task import Task
from surrogate.methods import Message, Method, State

__all__ = ["Answer", "Sequential", "observed"]

SQUARE = "|delta|^2"  # entry that engines add to messages with a delta; the loop takes it out again


class Answer(NamedTuple):
    """What a round of local work leaves: the mean message, what clients keep, and the state that they all saw."""

    message: Message
    own: dict[int, State]
    shared: State


def observed(message: Message) -> Message:
    """The message with ||x - y_K||^2 beside it, which measures how far clients are apart at the end of a round."""
    if "delta" not in message:
        return message
    return {**message, SQUARE: torch.linalg.vector_norm(message["delta"], dim=-1, keepdim=True).square()}


class Sequential:
    """Plain and slow."""

    name = "sequential"

    def __init__(self, task: Task, settings: Settings, device: torch.device, draws: Draws) -> None:
        self.objective, self.draws = objective(task, settings, device), draws

    def client(self, visit: Visit, t: int) -> TorchClient:
        """A client with its minibatches of round t."""
        return TorchClient(self.objective, visit.client, self.draws.batches(t, visit))

    def survey(self, method: Method, state: State, drawn: Sequence[Visit], t: int) -> Message:
        """The mean of what the method wants to know at x before local work starts."""
        if method.survey is None:
            return {}
        return mean((v.share, method.survey(state, self.client(v, t), v.client)) for v in drawn)

    def local(
        self, method: Method, shared: State, own: Mapping[int, State], drawn: Sequence[Visit], t: int
    ) -> tuple[Message, dict[int, State]]:
        """Local work: the mean message and what the drawn clients keep."""
        kept: dict[int, State] = {}

        def sent(visit: Visit) -> Message:
            i = visit.client
            memory = own[i] if own.get(i) else method.enrol(shared["x"])
            message, kept[i] = method.local(shared, memory, self.client(visit, t), i)
            return observed(message)

        return mean((visit.share, sent(visit)) for visit in drawn), kept

    def round(self, method: Method, state: State, own: Mapping[int, State], drawn: Sequence[Visit], t: int) -> Answer:
        """Survey and local work of round t."""
        shared = state | self.survey(method, state, drawn, t)
        message, kept = self.local(method, shared, own, drawn, t)
        return Answer(message, kept, shared)

    def loss(self, x: Tensor, drawn: Sequence[Visit], t: int) -> Tensor:
        """The mean loss of the drawn clients at x, (1,)."""
        return torch.stack([v.share * self.client(v, t).loss(x) for v in drawn]).sum(dim=0)

    def outputs(self, x: Tensor) -> Callable[[Tensor], Tensor]:
        """The model with parameters x, for inputs to evaluate: until the next call of anything else."""
        return partial(self.objective.outputs, x)

    def close(self) -> None:
        """Nothing to end."""
