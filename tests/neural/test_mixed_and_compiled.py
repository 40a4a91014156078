"""Mixed precision and torch.compile, which are refused on a CPU because they are slower there, and work there all the
same: as near as a machine without a GPU comes to them. torch.compile stops before it generates code, except where the
names say Inductor, which compiles C++.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
import torch

from neural import tasks
from neural.engine import Settings, objective, stacked_clients
from neural.engine.loop import train
from neural.engine.scheduled_method import ScheduledMethod
from neural.noise import uniform
from neural.tasks.augment import CROP
from neural.tasks.models.inputs import dropout
from neural.tasks.task import Task
from tests.helpers.needs import lacking
from tests.helpers.neural import small

ENGINES = ["sequential", "inplace", "batched"]
BF16 = 0.1  # of a move; its numbers have 8 binary digits


INDUCTOR = torch.compile


@pytest.fixture(autouse=True)
def as_on_a_gpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Not refused, and without what batched models take on a CPU alone."""
    monkeypatch.setattr(objective, "_check", lambda *_: None)
    monkeypatch.setattr(stacked_clients, "with_patches", lambda module: module)
    monkeypatch.setattr(torch, "compile", partial(INDUCTOR, backend="aot_eager"))
    torch.compiler.reset()
    yield
    torch.compiler.reset()


def moves(task: Task, method: str, engine: str, **option: Any) -> list[torch.Tensor]:
    """How far the parameters went in three rounds without and with the option."""
    found = []
    for more in ({}, option):
        settings = Settings(seed=5, clients_per_round=3, **more)
        recipe = ScheduledMethod(method, {"gamma": 0.05, "steps": 2})
        first, *_, last = train(task, recipe, settings, 3, engine=engine, device="cpu")
        found.append(last.position.state["x"] - first.position.state["x"])
    return found


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "name", ["emnist-cnn", "mnist-logreg", "mnist-mlp", "cifar10-lenet", "words-lstm", "tags-logreg"]
)
def test_mixed_precision(name: str, engine: str) -> None:
    """The same path but for rounding, which shows that it was there."""
    exact, mixed = moves(tasks.build(name, "smoke"), "fedavg", engine, amp=True)
    assert mixed.dtype == torch.float32
    assert 0 < float((mixed - exact).norm() / exact.norm()) < BF16


@pytest.mark.filterwarnings("default")  # torch's own, about itself
@pytest.mark.parametrize("method", ["fedavg", "scaffold"])
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", small.MODELS)
def test_compiled(name: str, engine: str, method: str) -> None:
    plain, compiled = moves(small.task(name, torch.float32), method, engine, compile=True)
    torch.testing.assert_close(compiled, plain, rtol=1e-4, atol=1e-5)


@pytest.fixture
def inductor(monkeypatch: pytest.MonkeyPatch) -> None:
    """torch.compile with its default backend."""
    if not any(shutil.which(name) for name in (os.environ.get("CXX", "g++"), "g++", "clang++")):
        lacking("Inductor compiles C++, and this machine has no compiler")
    monkeypatch.setattr(torch, "compile", INDUCTOR)


def masked(x: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
    return dropout(x, keys, 0.5, 1) + uniform(keys, tuple(x.shape[1:]), CROP)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("shape", [(5, 7), (1, 1), (3, 4, 20)])
def test_inductor_draws_the_same_numbers(shape: tuple[int, ...], inductor: None) -> None:
    """Bit for bit, from keys of any size."""
    keys = torch.tensor([1, -(2**62), 2**63 - 1, 5, 0])[: shape[0]]
    x = torch.ones(shape)
    assert torch.equal(torch.compile(masked)(x, keys), masked(x, keys))


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("engine", ["sequential", "batched"])
def test_inductor_trains_models_with_dropout(engine: str, inductor: None) -> None:
    plain, compiled = moves(small.task("mlp", torch.float32), "fedavg", engine, compile=True)
    torch.testing.assert_close(compiled, plain, rtol=1e-4, atol=1e-5)
