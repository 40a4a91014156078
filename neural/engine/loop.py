"""The reference: federated training round by round, a client after another, a step after another.

``train`` is the loop over rounds; ``Sequential`` is what a round asks of an engine, done plainly. Other engines replace
its ``survey`` and ``local`` by faster ones, and must agree with it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, cast

import torch
from torch import Tensor

from neural.engine import evaluate
from neural.engine.client import TorchClient
from neural.engine.draws import Draws, Visit
from neural.engine.flush_denormals import flush_denormals
from neural.engine.mean import mean
from neural.engine.objective import Objective
from neural.engine.scheduled_method import ScheduledMethod
from neural.engine.settings import Settings
from neural.tasks.task import Task
from surrogate.methods import Client, Message, Method, State

__all__ = ["Answer", "Position", "Report", "Sequential", "diverged", "observed", "train"]

DIVERGED = 1e6  # a loss so many times the first one is the end of a run
SQUARE = "|delta|^2"  # entry that engines add to messages with a delta; the loop takes it out again


@dataclass(frozen=True)
class Position:
    """Where a run is: ``rounds`` done, the server's state, and what clients keep, by id. Enough to resume it."""

    rounds: int
    state: State
    own: dict[int, State] = field(default_factory=dict)


@dataclass(frozen=True)
class Report:
    """A position, and what was measured in the round that led there: numbers still on the device until `read`."""

    position: Position
    measures: Mapping[str, Tensor]
    seconds: float

    def read(self) -> dict[str, float]:
        """The measures as floats: the one place of a round that waits for the device."""
        if not self.measures:
            return {}
        values = torch.stack([value.reshape(()).to(torch.float64) for value in self.measures.values()]).tolist()
        return dict(zip(self.measures, values, strict=True))


class Answer(NamedTuple):
    """What a round of local work leaves: the mean message, what clients keep, and the state that they all saw."""

    message: Message
    own: dict[int, State]
    shared: State


def train(
    task: Task,
    scheduled: ScheduledMethod,
    settings: Settings,
    rounds: int,
    *,
    engine: str | Sequential = "auto",
    device: str | torch.device = "auto",
    start: Position | None = None,
    draws: Draws | None = None,
) -> Iterator[Report]:
    """Train until ``rounds`` rounds are done, from ``start`` (or from the beginning, which is reported first).

    ``engine``: "auto", "sequential", "inplace", "batched", "workers", or an engine. Each report has ``update_norm`` (of
    what the server receives), ``loss_before`` where the settings say so, ``consistency`` where clients send x - y_K,
    ``loss_adapted`` (after local steps) where they send that, and, as often as the settings say, ``loss`` over training
    clients and the task's metrics.
    """
    draws = Draws(task, settings, scheduled.full_batch_from) if draws is None else draws
    worker = _built(engine, task, settings, device, draws, scheduled)
    scheduled = scheduled.on(task.dtype, worker.objective.device, worker.objective.flat.layers)
    evaluated = draws.sample(settings.eval_clients)
    tests = worker.objective.tests(draws.tests(settings.eval_tests, len(task.data.test_x)))

    def measured(x: Tensor, t: int) -> dict[str, Tensor]:
        """Loss and metrics at x (D,), after t rounds."""
        if not settings.eval_every or (t % settings.eval_every and t != rounds):
            return {}
        outputs = worker.outputs(x)
        loss = evaluate.training_loss(worker.objective, outputs, evaluated, draws.weights[evaluated])
        return {"loss": loss, **evaluate.metrics(worker.objective, outputs, tests)}

    try:
        began = time.perf_counter()
        if start is None:
            state, own = scheduled.at(0).start(worker.objective.start()), dict[int, State]()
            with flush_denormals():
                measures = measured(state["x"], 0)
            yield Report(Position(0, state), measures, time.perf_counter() - began)
        else:
            state, own = start.state, dict(start.own)
        for t in range(start.rounds if start else 0, rounds):
            began = time.perf_counter()
            with flush_denormals():
                method, drawn = scheduled.at(t), draws.visits(t)
                before = {"loss_before": worker.loss(state["x"], drawn, t)} if settings.loss_before else {}
                answer = worker.round(method, state, own, drawn, t)  # the clients' work
                message: dict[str, Any] = {key: value for key, value in answer.message.items() if key != SQUARE}
                updated = method.update(answer.shared, message, len(drawn), len(draws.present))  # the server's step
                measures = {"update_norm": _update_norm(message), **before, **_consistency(answer, updated["x"])}
                measures |= {"loss_adapted": message["adapted"]} if "adapted" in message else {}
                state, own = updated, {**own, **{i: kept for i, kept in answer.own.items() if kept}}
                measures |= measured(state["x"], t + 1)
            yield Report(Position(t + 1, state, own), measures, time.perf_counter() - began)
    finally:
        if isinstance(engine, str):
            worker.close()


def _built(
    engine: str | Sequential, task: Task, settings: Settings, device: str | torch.device, draws: Draws,
    scheduled: ScheduledMethod,
) -> Sequential:  # fmt: skip
    """The engine, or the one of that name."""
    from neural.engine import build  # which imports this file

    return build(engine, task, settings, device, draws, scheduled.maker) if isinstance(engine, str) else engine


class Sequential:
    """The reference engine: a client after another. x is (D,), single numbers (1,)."""

    name = "sequential"

    def __init__(self, task: Task, settings: Settings, device: torch.device, draws: Draws) -> None:
        self.objective, self.draws = Objective(task, settings, device), draws

    def client(self, visit: Visit, t: int) -> TorchClient:
        """A client with its minibatches of round t."""
        return TorchClient(self.objective, visit.client, self.draws.batches(t, visit))

    def survey(self, method: Method, state: State, drawn: Sequence[Visit], t: int) -> Message:
        """The mean of what the method wants to know at x before local work starts."""
        if method.survey is None:
            return {}
        return mean((v.share, method.survey(state, cast(Client, self.client(v, t)), v.client)) for v in drawn)

    def local(
        self, method: Method, shared: State, own: Mapping[int, State], drawn: Sequence[Visit], t: int
    ) -> tuple[Message, dict[int, State]]:
        """Local work: the mean message and what the drawn clients keep."""
        kept: dict[int, State] = {}

        def sent(visit: Visit) -> Message:
            i = visit.client
            memory = own[i] if own.get(i) else method.enrol(shared["x"])
            message, kept[i] = method.local(shared, memory, cast(Client, self.client(visit, t)), i)
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


def observed(message: Message) -> Message:
    """The message with ||x - y_K||^2 beside it, which measures how far clients are apart at the end of a round."""
    if "delta" not in message:
        return message
    return {**message, SQUARE: torch.linalg.vector_norm(message["delta"], dim=-1, keepdim=True).square()}


def diverged(loss: float, first: float) -> bool:
    """Whether a run is lost: its loss is not finite, or has grown a million times (beyond a million, from 0)."""
    return not abs(loss) < float("inf") or loss > DIVERGED * (abs(first) if abs(first) > 1e-12 else 1.0)


def _update_norm(message: Mapping[str, Any]) -> Tensor:
    """||q_t||, the norm of the vector that moves the server."""
    named = [message[key] for key in ("q", "delta", "P") if key in message]
    norm: Tensor = torch.linalg.vector_norm(next(v for v in (*named, *message.values()) if torch.is_tensor(v)))
    return norm


def _consistency(answer: Answer, x: Tensor) -> dict[str, Tensor]:
    """sum_i w_i ||y_i - x+||^2 for clients that end at y_i = x - delta_i.

    With s = x - x+: ||s - delta_i||^2 summed up is mean ||delta_i||^2 - 2 <mean delta_i, s> + ||s||^2.
    """
    if SQUARE not in answer.message:
        return {}
    s = answer.shared["x"] - x
    return {
        "consistency": (answer.message[SQUARE] - 2 * (answer.message["delta"] * s).sum() + (s * s).sum()).clamp(min=0)
    }
