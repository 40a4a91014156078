"""Slopes of losses that are written down, against those that autograd finds."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
import torch
from torch import Tensor, nn

from neural.engine import Settings
from neural.engine.loop import Report, train
from neural.engine.scheduled_method import ScheduledMethod
from neural.tasks.losses import cross_entropy
from neural.tasks.task import Task
from tests.helpers.neural import small
from tests.neural.test_engines_agree import compare


def trained(task: Task, engine: str) -> list[Report]:
    recipe = ScheduledMethod("fedavg", {"gamma": 0.1, "steps": 3})
    return list(train(task, recipe, Settings(eval_every=2), 2, engine=engine, device="cpu"))


@pytest.mark.parametrize("name", small.MODELS)
def test_losses_of_users(name: str) -> None:
    task = small.task(name, loss=small.cross_entropy)
    compare(*(trained(task, engine) for engine in ("sequential", "inplace")), 1e-10)


@dataclass  # and so without a hash
class Weighted:
    """A loss with a setting of its own."""

    factor: float

    def __call__(self, outputs: Tensor, y: Tensor) -> Tensor:
        return self.factor * cross_entropy(outputs, y)


def test_losses_that_are_objects() -> None:
    task = small.task("cnn", loss=Weighted(0.5))
    compare(*(trained(task, engine) for engine in ("sequential", "inplace")), 1e-10)


def test_torchs_mark_for_no_label() -> None:
    task = small.task("cnn")
    y = task.data.y.clone()
    y[::3] = -100
    task = replace(task, data=replace(task.data, y=y))
    compare(*(trained(task, engine) for engine in ("sequential", "inplace")), 1e-10)


class Doubled(nn.Module):
    """Twice as many rows as there are labels."""

    def __init__(self) -> None:
        super().__init__()
        self.out = nn.Linear(18, small.CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        return self.out(x.reshape(-1, 18).to(self.out.weight.dtype))


@pytest.mark.parametrize("engine", ["sequential", "inplace"])
@pytest.mark.parametrize(
    "changed, says", [({"y": small.CLASSES}, "out of bounds"), ({"y": -2}, "out of bounds"), ({}, "batch_size")]
)
def test_labels_that_do_not_fit_are_refused(changed: dict[str, int], says: str, engine: str) -> None:
    """Beyond the outputs, before the first, and fewer than rows of outputs."""
    task = small.task("cnn")
    if changed:
        task = replace(task, data=replace(task.data, y=torch.full_like(task.data.y, changed["y"])))
    else:
        task = replace(task, model=Doubled)
    with pytest.raises((IndexError, RuntimeError, ValueError), match=says):
        trained(task, engine)
