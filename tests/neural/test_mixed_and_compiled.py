"""Mixed precision and torch.compile, which are refused on a CPU because they are slower there, and work there all the
same: as near as a machine without a GPU comes to them. torch.compile stops before it generates code.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
import torch

from neural import tasks
from neural.engine import Settings, objective, together
from neural.engine.loop import train
from neural.engine.recipe import Recipe
from neural.tasks.models import CNN
from neural.tasks.task import Task
from tests.neural import small

ENGINES = ["sequential", "inplace", "batched"]
BF16 = 0.1  # of a move; its numbers have 8 binary digits


@pytest.fixture(autouse=True)
def as_on_a_gpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Not refused, and without what batched models take on a CPU alone."""
    monkeypatch.setattr(objective, "_check", lambda *_: None)
    monkeypatch.setattr(together, "with_patches", lambda module: module)
    monkeypatch.setattr(torch, "compile", partial(torch.compile, backend="aot_eager"))
    torch.compiler.reset()
    yield
    torch.compiler.reset()


def moves(task: Task, method: str, engine: str, **option: Any) -> list[torch.Tensor]:
    """How far the parameters went in three rounds without and with the option."""
    found = []
    for more in ({}, option):
        settings = Settings(seed=5, clients_per_round=3, **more)
        recipe = Recipe(method, {"gamma": 0.05, "steps": 2})
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


@pytest.mark.parametrize("engine", ENGINES)
def test_mixed_precision_of_wide_pooled_convolutions(engine: str) -> None:
    task = small.task("cnn", torch.float32, model=partial(CNN, 6, small.CLASSES, filters=(16, 32), dense=8))
    exact, mixed = moves(task, "fedavg", engine, amp=True)
    assert 0 < float((mixed - exact).norm() / exact.norm()) < BF16


@pytest.mark.filterwarnings("default")  # torch's own, about itself
@pytest.mark.parametrize("method", ["fedavg", "scaffold"])
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", small.MODELS)
def test_compiled(name: str, engine: str, method: str) -> None:
    plain, compiled = moves(small.task(name, torch.float32), method, engine, compile=True)
    torch.testing.assert_close(compiled, plain, rtol=1e-4, atol=1e-5)
