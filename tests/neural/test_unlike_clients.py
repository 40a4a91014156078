"""Clients that differ in their preconditioners, or hold more data than fits at once: all engines agree on them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from neural import tasks
from neural.engine import Settings, build
from neural.engine.draws import Draws
from neural.engine.loop import train
from neural.engine.scheduled_method import ScheduledMethod
from neural.engine.steps import in_place
from tests.helpers.neural import small
from tests.neural.test_engines_agree import compare

OWN = np.array([[[1.0, 2.0]] * 2, [[0.5, 1.0], [2.0, 0.25]], [[3.0, 0.5]] * 2])  # client, step, coordinate


@pytest.mark.parametrize("frozen", [OWN, list(OWN), OWN[1]], ids=["array", "list of arrays", "one for all"])
def test_frozen_preconditioners(frozen: Any) -> None:
    task = tasks.build("quadratic", n=3, d=2)
    recipe = ScheduledMethod("local-adagrad", {"gamma": 0.1, "steps": 2, "frozen": frozen})
    one, other = (list(train(task, recipe, Settings(), 4, engine=name)) for name in ("sequential", "batched"))
    compare(one, other, 1e-12)


@pytest.mark.parametrize("engine", ["sequential", "inplace", "batched"])
def test_full_gradients_and_losses_in_pieces(engine: str) -> None:
    """Pieces of 3 examples or all at once."""
    task = small.task("cnn" if engine != "batched" else next(iter(small.MODELS)), torch.float64)
    found = []
    for chunk in (3, 10_000):
        settings = Settings(chunk=chunk)
        draws = Draws(task, settings)
        made = build(engine, task, settings, "cpu", draws)
        drawn = draws.visits(0)[:2]
        clients = [made.together(drawn, 0)] if engine == "batched" else [made.client(v, 0) for v in drawn]
        x = made.objective.start()
        found.append([(client.full(x), client.loss(x)) for client in clients])
    for (gradient, loss), (whole, total) in zip(*found, strict=True):
        torch.testing.assert_close(gradient, whole, rtol=1e-10, atol=1e-12)
        torch.testing.assert_close(loss, total, rtol=1e-10, atol=1e-12)


def test_steps_with_weights_a_correction_and_decay() -> None:
    """In place, and as they are written."""
    made = torch.Generator().manual_seed(0)
    y0, c, *gradients = (torch.randn(5, generator=made, dtype=torch.float64) for _ in range(5))
    rates, weights, decay = [0.1, 0.2, 0.3], [1.0, 0.0, -2.0], 0.05
    y, wanted = y0.clone(), torch.zeros_like(y0)
    for g, rate, weight in zip(gradients, rates, weights, strict=True):
        wanted += weight * (g + decay * y + c)
        y = y - rate * (g + decay * y + c)
    at = [y0.clone()]
    total = in_place(at, lambda k: [gradients[k]], rates, decay, [c], weights)
    assert total is not None
    torch.testing.assert_close(at[0], y, rtol=1e-14, atol=1e-14)
    torch.testing.assert_close(total[0], wanted, rtol=1e-14, atol=1e-14)
