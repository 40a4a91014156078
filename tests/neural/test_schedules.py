"""Rates over rounds, and FedDA's tail of full-batch rounds."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch

from neural.engine import Settings, build
from neural.engine.draws import Draws
from neural.engine.loop import train
from neural.engine.scheduled_method import ScheduledMethod
from neural.engine.schedules import schedule
from surrogate.kit.errors import ProblemError
from tests.helpers.neural import small


def test_rates_over_rounds() -> None:
    steps = schedule({"kind": "steps", "at": [2, 4], "factor": 0.5})
    assert [steps.gamma(8.0, t) for t in range(6)] == [8, 8, 4, 4, 2, 2]
    decay = schedule({"kind": "decay", "factor": 0.5})
    assert [decay.eta([8.0, 4.0], t) for t in range(3)] == [[8, 4], [4, 2], [2, 1]]


@pytest.mark.parametrize("t", [0, 7, 5000])
def test_the_rates_of_theorem_29(t: int) -> None:
    mu, L, K = 0.5, 1.0, 10
    found = schedule({"kind": "t29", "mu": mu, "L": L, "steps": K})
    b = 3 * (L / mu) ** 2
    gamma = min(1 / (L * (b + t + 1)), math.log(2) / (K * mu))
    mu_t = sum((1 - gamma * mu) ** k * mu for k in range(K))
    assert found.gamma(None, t) == pytest.approx(gamma, rel=1e-14)
    assert found.eta(None, t) == pytest.approx(3 / mu_t / (b + t + 1), rel=1e-12)


@pytest.mark.parametrize("engine", ["sequential", "batched"])
def test_a_tail_of_full_batch_rounds(engine: str) -> None:
    """From round 2 on FedDA takes one step on all data: P = m = beta m + (1 - beta) grad f(x), over those drawn."""
    task, settings = small.task("logistic"), Settings(seed=1, clients_per_round=4)
    recipe = ScheduledMethod("fedda-sgdm", {"gamma": 0.1, "steps": 3, "eta": 0.5, "beta": 0.5}, full_batch_from=2)
    reports = list(train(task, recipe, settings, 4, engine=engine, device="cpu"))
    draws = Draws(task, settings, 2)
    made = build("sequential", task, settings, "cpu", draws)
    for t in (2, 3):
        before, after = reports[t].position.state, reports[t + 1].position.state
        full = sum(v.share * made.client(v, t).full(before["x"]) for v in draws.visits(t))
        m = 0.5 * before["m"] + 0.5 * full
        torch.testing.assert_close(after["m"], m, rtol=1e-10, atol=1e-12)
        torch.testing.assert_close(after["x"], before["x"] - 0.5 * m, rtol=1e-10, atol=1e-12)


def test_factors_inside_a_round_are_for_the_rounds_before_the_tail() -> None:
    task = small.task("logistic")
    ends = []
    for more in ({"inner_rates": [1.0, 1.0, 1.0]}, {}):
        recipe = ScheduledMethod("fedda-sgdm", {"gamma": 0.1, "steps": 3, "eta": 0.5, **more}, full_batch_from=1)
        ends.append(list(train(task, recipe, Settings(), 3, engine="sequential", device="cpu"))[-1].position.state["x"])
    torch.testing.assert_close(*ends, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize(
    "given, named",
    [
        ("decay", "a table"),
        ({"kind": "decay", "factor": "x"}, "factor"),
        ({"kind": "steps", "at": 3, "factor": 0.1}, "list of rounds"),
        ({"kind": "t29", "mu": 0, "L": 1, "steps": 2}, "mu"),
        ({"kind": "t29", "mu": 0.1, "L": 1, "steps": 0.5}, "steps"),
    ],
)
def test_what_is_no_schedule_is_refused(given: Any, named: str) -> None:
    with pytest.raises(ProblemError, match=named):
        schedule(given)


def test_what_a_schedule_cannot_change_is_refused() -> None:
    with pytest.raises(ProblemError, match="without gamma"):
        ScheduledMethod("minibatch-sgd", {"eta": 1.0}, gamma_schedule=schedule({"kind": "decay", "factor": 0.9}))
    with pytest.raises(ProblemError, match="full_batch_from"):
        ScheduledMethod("minibatch-sgd", {"eta": 1.0}, full_batch_from=3)
