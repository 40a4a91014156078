"""Federated training: one loop over rounds, readable from top to bottom."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from neural.engine import build, evaluate
from neural.engine.draws import Draws
from neural.engine.recipe import Recipe
from neural.engine.sequential import SQUARE, Answer
from neural.engine.settings import Settings
from neural.engine.subnormal import flushed
from neural.tasks.task import Task
from surrogate.methods import State

__all__ = ["Position", "Report", "diverged", "train"]

DIVERGED = 1e6  # a loss so many times the first one is the end of a run


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


def train(
    task: Task,
    recipe: Recipe,
    settings: Settings,
    rounds: int,
    *,
    engine: Any = "auto",
    device: str | torch.device = "auto",
    start: Position | None = None,
    draws: Draws | None = None,
) -> Iterator[Report]:
    """Train until ``rounds`` rounds are done, from ``start`` (or from the beginning, which is reported first).

    ``engine``: "auto", "sequential", "inplace", "batched", "workers", or an engine. Each report has ``update_norm`` (of
    what the server hears), ``loss_before`` where asked for, ``consistency`` where clients send x - y_K,
    ``loss_adapted`` (after local steps) where they send that, and, as often as the settings say, ``loss`` over training
    clients and the task's metrics.
    """
    draws = Draws(task, settings, recipe.full_batch_from) if draws is None else draws
    made = build(engine, task, settings, device, draws, recipe.maker) if isinstance(engine, str) else engine
    recipe = recipe.on(task.dtype, made.objective.device, made.objective.flat.layers)
    clients = draws.sample(settings.eval_clients)
    weights = draws.weights[clients]
    tests = made.objective.tests(draws.tests(settings.eval_tests, len(task.data.test_x)))

    def measured(x: Tensor, t: int) -> dict[str, Tensor]:
        """Loss and metrics at x, after t rounds."""
        if not settings.eval_every or (t % settings.eval_every and t != rounds):
            return {}
        objective, outputs = made.objective, made.outputs(x)
        loss = evaluate.training_loss(objective, outputs, clients, weights)
        return {"loss": loss, **evaluate.metrics(objective, outputs, tests)}

    try:
        began = time.perf_counter()
        if start is None:
            state, own = recipe.at(0).start(made.objective.start()), {}
            with flushed():
                measures = measured(state["x"], 0)
            yield Report(Position(0, state), measures, time.perf_counter() - began)
        else:
            state, own = start.state, dict(start.own)
        for t in range(start.rounds if start else 0, rounds):
            began = time.perf_counter()
            with flushed():
                method, drawn = recipe.at(t), draws.heard(t)
                before = {"loss_before": made.loss(state["x"], drawn, t)} if settings.loss_before else {}
                answer = made.round(method, state, own, drawn, t)
                message = {key: value for key, value in answer.message.items() if key != SQUARE}
                fresh = method.update(answer.shared, message, len(drawn), len(draws.present))
                measures = {"update_norm": _heard(message), **before, **_consistency(answer, fresh["x"])}
                measures |= {"loss_adapted": message["adapted"]} if "adapted" in message else {}
                state, own = fresh, {**own, **{i: kept for i, kept in answer.own.items() if kept}}
                measures |= measured(state["x"], t + 1)
            yield Report(Position(t + 1, state, own), measures, time.perf_counter() - began)
    finally:
        if isinstance(engine, str):
            made.close()


def diverged(loss: float, first: float) -> bool:
    """Whether a run is lost: its loss is not finite, or has grown a million times (beyond a million, from 0)."""
    return not abs(loss) < float("inf") or loss > DIVERGED * (abs(first) if abs(first) > 1e-12 else 1.0)


def _heard(message: Mapping[str, Any]) -> Tensor:
    """||q_t||, the norm of the vector that moves the server."""
    for key in ("q", "delta", "P"):
        if key in message:
            return torch.linalg.vector_norm(message[key])
    return torch.linalg.vector_norm(next(value for value in message.values() if torch.is_tensor(value)))


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
