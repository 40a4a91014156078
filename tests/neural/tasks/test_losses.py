"""Slopes of losses that are written down, against those that autograd finds."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn

from neural.engine import Settings, build
from neural.engine.inplace import InPlace, Loaded
from neural.engine.loop import Report, train
from neural.engine.recipe import Recipe
from neural.tasks.losses import SLOPES, cross_entropy, token_cross_entropy
from neural.tasks.task import Task
from tests.neural import small
from tests.neural.test_engines_agree import compare


@given(B=st.integers(1, 5), T=st.integers(1, 4), C=st.integers(1, 7), seed=st.integers(0, 99))
def test_of_the_mean_in_the_outputs(B: int, T: int, C: int, seed: int) -> None:
    """Large scores and texts of padding alone among them; the outputs stay as they are."""
    random = torch.Generator().manual_seed(seed)
    for loss, shape in ((cross_entropy, (B,)), (token_cross_entropy, (B, T))):
        z = 9 * torch.randn(*shape, C, dtype=torch.float64, generator=random)
        y = torch.randint(C, shape, generator=random)
        at = z.clone().requires_grad_()
        (expected,) = torch.autograd.grad(loss(at, y).mean(), at)
        before = z.clone()
        torch.testing.assert_close(SLOPES[loss](z, y), expected, rtol=1e-12, atol=1e-14)
        assert torch.equal(z, before)


def trained(task: Task, engine: str) -> list[Report]:
    recipe = Recipe("fedavg", {"gamma": 0.1, "steps": 3})
    return list(train(task, recipe, Settings(eval_every=2), 2, engine=engine, device="cpu"))


class Twice(nn.Module):
    """Two answers an example, scores in the middle: (B, classes, 2)."""

    def __init__(self) -> None:
        super().__init__()
        self.out = nn.Linear(36, 2 * small.CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        return self.out(x.flatten(1).to(self.out.weight.dtype)).unflatten(1, (small.CLASSES, 2))


def test_outputs_of_other_shapes_are_left_to_autograd() -> None:
    task = small.task("cnn", model=Twice)
    made = build("inplace", task, Settings(), "cpu")
    assert isinstance(made, InPlace) and isinstance(made.loaded, Loaded)
    start, x, y = made.objective.start(), task.data.x[:3], task.data.y[:3, None].repeat(1, 2)
    assert SLOPES[cross_entropy](torch.zeros(3, small.CLASSES, 2), y) is None
    made.loaded.load(start)
    found = torch.cat([part.reshape(-1) for part in made.loaded.gradient(x, y, None)])
    torch.testing.assert_close(found, made.objective.gradient(start, x, y), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", small.MODELS)
def test_of_losses_that_nobody_knows_autograd_finds_them(name: str) -> None:
    """Known ones are what the other tests of engines train with."""
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
