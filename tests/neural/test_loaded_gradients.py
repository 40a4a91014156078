"""Gradients and losses by an engine's fast copy of the module are those of the plain route."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from neural.engine import Settings, build
from neural.tasks.models.bags import BagLogistic
from neural.tasks.task import Task
from tests.helpers.neural import small
from tests.neural.tasks import test_bags


def task_of(name: str) -> Task:
    return test_bags.task(BagLogistic) if name == "bags" else small.task(name)


@pytest.mark.parametrize("name", [*small.MODELS, "bags"])
def test_they_are_those_of_the_plain_route(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a minibatch (dropout and augmentation included) and of all data, weight decay included; bags in factors."""
    plain, fast = (
        build(engine, task_of(name), Settings(weight_decay=0.1), "cpu") for engine in ("sequential", "inplace")
    )
    random = torch.Generator().manual_seed(1)
    start = plain.objective.start()
    at = start + torch.randn(start.shape, generator=random, dtype=start.dtype)
    visit = plain.draws.visits(0)[1]
    one, other = plain.client(visit, 0), fast.client(visit, 0)
    expected = [one(at, 0), one(at, 2), one.full(at), one.loss(at), one.batch_loss(at, 0), one.batch_loss(at, 2)]

    def refused(*asked: Any) -> Any:
        raise AssertionError("the plain route was taken")

    monkeypatch.setattr(fast.objective, "_gradient", refused)
    monkeypatch.setattr(fast.objective, "losses", refused)
    kept = at.clone()
    found = [other(at, 0), other(at, 2), other.full(at), other.loss(at), other.batch_loss(at, 0)]
    for value, wanted in zip([*found, other.batch_loss(at, 2)], expected, strict=True):
        torch.testing.assert_close(value, wanted, rtol=1e-11, atol=1e-13)
    assert torch.equal(at, kept)


def test_what_is_left_out_of_the_loss_gets_zeros() -> None:
    """A parameter that the model does not use."""

    class Idle(BagLogistic):
        def __init__(self, words: int, classes: int) -> None:
            super().__init__(words, classes)
            self.idle = torch.nn.Parameter(torch.ones(3))

    made = build("inplace", test_bags.task(Idle), Settings(), "cpu")
    x = made.objective.start() + 0.1
    found = made.client(made.draws.visits(0)[0], 0)(x, 0)
    assert found.shape == x.shape and torch.equal(found[-3:], torch.zeros(3, dtype=x.dtype)) and found[:-3].any()
