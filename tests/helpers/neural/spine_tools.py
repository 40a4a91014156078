"""Quadratic clients through the neural engine: who is drawn is given, and rounds are played until nothing moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from neural.engine import Settings, build
from neural.engine.draws import Draws, Visit, counted
from neural.engine.loop import Position, train
from neural.engine.scheduled_method import ScheduledMethod
from neural.tasks.quadratic import from_clients
from surrogate import Quadratics

CPU = torch.device("cpu")


class Given(Draws):
    """Round t hears ``rounds[t]``, again and again from the start."""

    def __init__(self, task: Any, rounds: Sequence[Sequence[int]]) -> None:
        super().__init__(task, Settings())
        self.rounds = rounds

    def visits(self, t: int) -> tuple[Visit, ...]:
        drawn = list(self.rounds[t % len(self.rounds)])
        return counted(drawn, self.weights[drawn].tolist())


def path(
    clients: Quadratics, name: str, settings: Any, rounds: int, x0: Any, engine: str, drawn: Sequence[Sequence[int]]
) -> list[dict[str, Any]]:
    """The server's states after 0, 1, ..., ``rounds`` rounds."""
    task = from_clients(clients, x0)
    reports = train(
        task,
        ScheduledMethod(name, settings),
        Settings(eval_every=0),
        rounds,
        engine=engine,
        device=CPU,
        draws=Given(task, drawn),
    )
    return [report.position.state for report in reports]


def settle(
    clients: Quadratics, name: str, settings: Any, x0: Any, engine: str, rounds: int = 8000, still: float = 1e-15
) -> Position:
    """Where the method comes to rest: x has moved by less than ``still`` of its size for twenty rounds."""
    task = from_clients(clients, x0)
    draws = Given(task, [range(clients.n)])
    made = build(engine, task, Settings(eval_every=0), CPU, draws)
    quiet, before = 0, None
    for report in train(
        task, ScheduledMethod(name, settings), Settings(eval_every=0), rounds, engine=made, draws=draws
    ):
        x = report.position.state["x"].numpy()
        if before is not None:
            moved = np.abs(x - before).max()
            quiet = quiet + 1 if moved <= still * max(1.0, np.abs(x).max()) else 0
        if quiet == 20:
            return report.position
        before = x
    raise AssertionError(f"still moving by {moved:.3g} after {rounds} rounds")
