"""Engines: how the local work of the drawn clients is done. `build` makes one, `choose` says which one suits.

>>> from neural import tasks
>>> from neural.engine import Settings
>>> from neural.engine.loop import train
>>> from neural.engine.recipe import Recipe
>>> task = tasks.build("quadratic", n=4, d=2)
>>> reports = list(train(task, Recipe("fedavg", {"gamma": 0.5, "steps": 3}), Settings(), rounds=2, engine="sequential"))
>>> reports[2].read()["loss"] < reports[0].read()["loss"]
True
"""

from __future__ import annotations

import torch

from neural.engine.batched import Batched
from neural.engine.draws import Draws
from neural.engine.sequential import Sequential
from neural.engine.settings import Settings
from neural.tasks.task import Task
from surrogate.errors import problem

__all__ = ["NAMES", "Draws", "Sequential", "Settings", "build", "device_of"]

NAMES = ("auto", "sequential", "batched", "workers")


def device_of(name: str | torch.device) -> torch.device:
    """ "auto": CUDA where there is one, else the CPU."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.device(name)


def build(
    name: str, task: Task, settings: Settings, device: str | torch.device = "auto", draws: Draws | None = None
) -> Sequential:
    """The engine called ``name`` for this task and device."""
    if name not in NAMES:
        raise problem("engine", repr(name), f"one of {', '.join(NAMES)}", "a slip", 'pass engine="auto"')
    name = "sequential" if name == "auto" else name
    made = {"sequential": Sequential, "batched": Batched}[name]
    return made(task, settings, device_of(device), Draws(task, settings) if draws is None else draws)
