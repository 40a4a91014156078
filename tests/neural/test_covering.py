"""Every method on two tasks or more, every task under two methods or more: pairs that go once round both lists.

Two rounds on the smallest scale, where nothing is fetched: the loss stays finite and the model moves. CI plays every
fifth pair; ``make thorough`` plays all of them.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from functools import cache
from typing import Any

import pytest
import torch

from neural import tasks
from neural.engine import Settings
from neural.engine.loop import train
from neural.engine.recipe import Recipe
from neural.tasks.task import Task
from surrogate import Theta, methods

THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
SMALL = {"gamma": 0.01, "steps": 2, "eta": 0.01, "theta": Theta.sum(2), "mu": 0.1, "optimizer": "adam"}
OURS: dict[str, dict[str, Any]] = {  # beyond what a method requires
    "fedprox": {"gamma": 0.01, "steps": 2},
    "fedlada": {"initial": 0.01},
    "fed-ams": {"eps": 0.1},  # its root is 0 in the first round
    "mimelite": {"gamma": 0.001},
    "maml": {"report": True},
    "local-update-decay": {"window": 2, "patience": 1, "cooldown": 0},
}


def pairs() -> list[tuple[str, str]]:
    """(task, method): method j with tasks j and j + half of them, and what tasks still lack."""
    T, M = tasks.names(), methods.names()
    found = {(T[(j + shift) % len(T)], name) for j, name in enumerate(M) for shift in (0, len(T) // 2)}
    missing = Counter({task: 2 for task in T}) - Counter(task for task, _ in found)
    spare = iter(pair for task in missing for pair in ((task, name) for name in M) if pair not in found)
    found |= {next(spare) for _ in range(missing.total())}
    return sorted(found)


PAIRS = pairs()


def test_the_list_covers() -> None:
    by_task, by_method = (Counter(pair[k] for pair in PAIRS) for k in (0, 1))
    assert set(by_task) == set(tasks.names()) and min(by_task.values()) >= 2
    assert set(by_method) == set(methods.names()) and min(by_method.values()) >= 2


def diagonal(values: torch.Tensor) -> torch.Tensor:
    """A matrix (D, D) that stores its diagonal alone: a full one would not fit the memory."""
    places = torch.arange(len(values)).repeat(2, 1)
    return torch.sparse_coo_tensor(places, values, (len(values), len(values)), check_invariants=True)


@cache
def task_of(name: str) -> Task:
    """The task on the smallest scale."""
    return tasks.build(name, scale="smoke")


def settings_of(method: str, task: Task, start: torch.Tensor) -> dict[str, Any]:
    """What the method requires, small enough for any network."""
    asked = methods.describe(method).settings
    required = {key for key, default in asked.items() if isinstance(default, str) and default == "required"}
    given = SMALL | {"P": diagonal(torch.linspace(0.5, 1, len(start), dtype=task.dtype))}
    return {key: given[key] for key in required} | OURS.get(method, {})


@pytest.mark.parametrize(("name", "method"), PAIRS if THOROUGH else PAIRS[::5], ids=lambda value: value)
def test_it_trains(name: str, method: str) -> None:
    task = task_of(name)
    start = torch.nn.utils.parameters_to_vector(task.model().parameters())
    chosen = Settings(clients_per_round=min(3, task.data.n), eval_clients=3, batch=None if name == "quadratic" else 4)
    recipe = Recipe(method, settings_of(method, task, start))
    reports = list(train(task, recipe, chosen, 2, engine="sequential", device="cpu"))
    first, last = reports[0], reports[-1]
    assert not torch.equal(first.position.state["x"], last.position.state["x"])
    assert torch.isfinite(last.position.state["x"]).all()
    assert all(math.isfinite(value) for report in reports for value in report.read().values())
    assert ("loss_adapted" in last.read()) is (method == "maml")
