"""The first round, when second moments are 0: adaptive methods start with the settings that they have by default."""

from __future__ import annotations

import math

import pytest

from neural import tasks
from neural.engine import Settings
from neural.engine.loop import train
from neural.engine.scheduled_method import ScheduledMethod


def last(method: str, gamma: float, rounds: int = 10, **settings: float) -> dict[str, float]:
    """What is measured at the end, on a small network and images drawn from the seed."""
    task = tasks.build("mnist-mlp", "smoke", seed=1, batch=10, hidden=32, dropout=0)
    recipe = ScheduledMethod(method, {"gamma": gamma, "steps": 10, **settings})
    chosen = Settings(clients_per_round=5, eval_every=rounds)
    return list(train(task, recipe, chosen, rounds, engine="sequential", device="cpu"))[-1].read()


@pytest.mark.parametrize(("method", "gamma"), [("fed-ams", 0.001), ("fed-lamb", 0.03)])
def test_lambs_methods_learn_with_the_eps_that_they_have(method: str, gamma: float) -> None:
    assert last(method, gamma)["accuracy"] > 0.6


def test_a_tiny_eps_throws_fed_ams_away() -> None:
    """x = -gamma m / eps after a step from V = 0: with the usual 1e-8, a hundred million times the gradient."""
    measured = last("fed-ams", 0.001, rounds=1, eps=1e-8)
    assert (
        not math.isfinite(measured["loss"]) or measured["update_norm"] > 1e5 * last("fed-ams", 0.001, 1)["update_norm"]
    )
