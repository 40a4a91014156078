"""Gradients and losses by an engine's fast copy of the module are those of the plain route."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from neural.engine import Settings, build, client
from neural.tasks.models.bags import BagLogistic
from neural.tasks.task import Task
from tests.neural import small
from tests.neural.tasks import test_bags


def task_of(name: str) -> Task:
    return test_bags.task(BagLogistic) if name == "bags" else small.task(name)


@pytest.mark.parametrize("large", [1, client.LARGE], ids=["all shown", "all copied"])
@pytest.mark.parametrize("name", [*small.MODELS, "bags"])
def test_they_are_those_of_the_plain_route(name: str, large: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a minibatch (dropout and augmentation included) and of all data, weight decay included; bags in factors."""
    plain, fast = (
        build(engine, task_of(name), Settings(weight_decay=0.1), "cpu") for engine in ("sequential", "inplace")
    )
    random = torch.Generator().manual_seed(1)
    start = plain.objective.start()
    at = start + torch.randn(start.shape, generator=random, dtype=start.dtype)
    visit = plain.draws.heard(0)[1]
    one, other = plain.client(visit, 0), fast.client(visit, 0)
    expected = [one(at, 0), one(at, 2), one.full(at), one.loss(at), one.batch_loss(at, 0), one.batch_loss(at, 2)]

    def refused(*asked: Any) -> Any:
        raise AssertionError("the plain route was taken")

    monkeypatch.setattr(fast.objective, "_gradient", refused)
    monkeypatch.setattr(fast.objective, "losses", refused)
    monkeypatch.setattr(client, "LARGE", large)
    kept = at.clone()
    found = [other(at, 0), other(at, 2), other.full(at), other.loss(at), other.batch_loss(at, 0)]
    for value, wanted in zip([*found, other.batch_loss(at, 2)], expected, strict=True):
        torch.testing.assert_close(value, wanted, rtol=1e-11, atol=1e-13)
    assert torch.equal(at, kept)


@pytest.mark.parametrize("name", [*small.MODELS, "bags"])
def test_who_steps_in_place_afterwards_moves_no_vector(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parameters that showed a vector, in a gradient that ended and in one that failed, have their own memory again."""
    monkeypatch.setattr(client, "LARGE", 1)
    made = build("inplace", task_of(name), Settings(), "cpu")
    x = made.objective.start() + 0.1
    one, kept = made.client(made.draws.heard(0)[1], 0), x.clone()
    parameters = one.loaded.parameters
    memory = [parameter.data_ptr() for parameter in parameters]
    seen: list[int] = []

    def failed(*asked: Any) -> Any:
        seen.extend(parameter.data_ptr() for parameter in parameters)
        raise RuntimeError("no memory left")

    found = one(x, 0)
    with monkeypatch.context() as patch, pytest.raises(RuntimeError, match="no memory left"):
        patch.setattr(one.loaded, "gradient", failed)
        one(x, 0)
    ends = range(x.data_ptr(), x.data_ptr() + x.numel() * x.element_size())
    assert any(place in ends for place in seen)  # else this would show nothing
    assert [parameter.data_ptr() for parameter in parameters] == memory
    with torch.no_grad():
        torch._foreach_add_(parameters, 1)
    assert torch.equal(x, kept) and torch.equal(one(x, 0), found)


def test_what_is_left_out_of_the_loss_gets_zeros() -> None:
    """A parameter that the model does not use."""

    class Idle(BagLogistic):
        def __init__(self, words: int, classes: int) -> None:
            super().__init__(words, classes)
            self.idle = torch.nn.Parameter(torch.ones(3))

    made = build("inplace", test_bags.task(Idle), Settings(), "cpu")
    x = made.objective.start() + 0.1
    found = made.client(made.draws.heard(0)[0], 0)(x, 0)
    assert found.shape == x.shape and torch.equal(found[-3:], torch.zeros(3, dtype=x.dtype)) and found[:-3].any()
