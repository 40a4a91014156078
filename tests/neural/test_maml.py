"""Second-order MAML on a network against autograd through all local steps."""

from __future__ import annotations

import pytest
import torch

from neural.engine import Settings, build
from neural.engine.client import TorchClient
from neural.engine.draws import Draws
from neural.ops import TORCH
from surrogate import methods
from tests.helpers.neural import small

RATE, STEPS = 0.3, 3


def unrolled(client: TorchClient, x: torch.Tensor) -> torch.Tensor:
    """d/dx of minibatch K's loss at y_K, the steps kept in one graph."""
    at = x.clone().requires_grad_()
    y = at
    for k in range(STEPS):
        (g,) = torch.autograd.grad(client.objective.losses(y, *client._minibatch(k)).mean(), y, create_graph=True)
        y = y - RATE * g
    (found,) = torch.autograd.grad(client.objective.losses(y, *client._minibatch(STEPS)).mean(), at)
    return found


@pytest.mark.parametrize("name", small.MODELS)
def test_the_message_is_the_derivative_through_the_steps(name: str) -> None:
    task, settings = small.task(name), Settings(seed=5)
    engine = build("sequential", task, settings, "cpu", Draws(task, settings))
    client = engine.client(engine.draws.visits(0)[0], 0)
    method = methods.build("maml", ops=TORCH, gamma=RATE, steps=STEPS, eta=1.0, report=True)
    start = method.start(engine.objective.start())
    message, _ = method.local(start, {}, client, 0)
    torch.testing.assert_close(message["q"], unrolled(client, start["x"]), rtol=1e-10, atol=1e-12)
    independent = methods.build("maml", ops=TORCH, gamma=RATE, steps=STEPS, eta=1.0, minibatches="independent")
    first_order = methods.build("maml", ops=TORCH, gamma=RATE, steps=STEPS, eta=1.0, order="gradients")
    for other in (independent, first_order):
        assert not torch.allclose(other.local(start, {}, client, 0)[0]["q"], message["q"], rtol=1e-3)
    y = start["x"]
    for k in range(STEPS):
        y = y - RATE * client(y, k)
    torch.testing.assert_close(message["adapted"], client.loss(y))
