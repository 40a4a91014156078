r"""A convex task that is no quadratic, for B2: logistic regression on clients whose data differ, and its optimum.

Client i's loss is the mean over its examples of log(1 + exp(-s a.x)) + mu |x|^2 / 2, label s = +-1 drawn with the
client's own slope. At the optimum x* of the average the clients' Hessians A_i and gradients g_i(x*) make quadratic
clients whose linear gradients A_i x - b_i agree with the true ones there to first order: b_i = A_i x* - g_i(x*).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from surrogate import Quadratics
from surrogate._types import Array

__all__ = ["DECAY", "examples", "gradient", "hessian", "model", "optimum", "trained"]

CLIENTS, SIZE, DIMENSION, DECAY, SEED = 5, 40, 4, 0.2, 3


@cache
def examples() -> tuple[Array, Array]:
    """Features (clients, examples, d) of scales 2, 1, 1, 1/2, unlike in the clients; labels +-1."""
    rng = np.random.default_rng(SEED)
    scales = np.array([2.0, 1.0, 1.0, 0.5]) * np.exp(0.5 * rng.standard_normal((CLIENTS, 1, DIMENSION)))
    a = scales * rng.standard_normal((CLIENTS, SIZE, DIMENSION))
    slopes = 1.0 + rng.standard_normal((CLIENTS, DIMENSION))
    odds = 1 / (1 + np.exp(-np.einsum("imj,ij->im", a, slopes)))
    return a, np.where(rng.random((CLIENTS, SIZE)) < odds, 1.0, -1.0)


def gradient(i: int, x: Array) -> Array:
    """grad f_i(x), (d,)."""
    a, s = (part[i] for part in examples())
    return np.asarray(-(s / (1 + np.exp(s * (a @ x)))) @ a / SIZE + DECAY * x)


def hessian(i: int, x: Array) -> Array:
    """The second derivative of f_i at x, (d, d)."""
    a = examples()[0][i]
    p = 1 / (1 + np.exp(-(a @ x)))
    return np.asarray((a * (p * (1 - p))[:, None]).T @ a / SIZE + DECAY * np.eye(DIMENSION))


@cache
def optimum() -> Array:
    """x*, by Newton's method."""
    x = np.zeros(DIMENSION)
    for _ in range(50):
        slope = np.mean([gradient(i, x) for i in range(CLIENTS)], axis=0)
        x = x - np.linalg.solve(np.mean([hessian(i, x) for i in range(CLIENTS)], axis=0), slope)
    return x


@cache
def model() -> Quadratics:
    """The clients' quadratic models at x*; the minimizer of their average is x*."""
    x = optimum()
    A = [hessian(i, x) for i in range(CLIENTS)]
    return Quadratics.from_linear(A, [A[i] @ x - gradient(i, x) for i in range(CLIENTS)])


def trained(method: str, most: int, still: float, **settings: Any) -> tuple[Array, float]:
    """Where the neural engine comes to rest (d,), begun at x*, and how far its last round moved.

    It stops after a round that moves less than ``still`` times the distance from x*, or after ``most`` rounds.
    """
    from neural.engine import Settings
    from neural.engine.loop import train
    from neural.engine.recipe import Recipe

    options = Settings(weight_decay=DECAY, eval_every=0)
    before = after = optimum()
    moved = 0.0
    for report in train(_task(), Recipe(method, settings), options, most, engine="batched", device="cpu"):
        before, after = after, report.position.state["x"].detach().numpy().copy()
        moved = float(np.linalg.norm(after - before))
        if report.position.rounds and moved <= still * np.linalg.norm(after - optimum()):
            break
    return after, moved


def _task() -> Any:
    """The same examples as a task of the neural engine: float64, full batches, a linear layer that begins at x*."""
    import torch

    from neural.data.federated import FederatedData
    from neural.tasks.task import Task

    a, s = (torch.tensor(part).flatten(0, 1) for part in examples())

    def linear() -> Any:
        layer = torch.nn.Linear(DIMENSION, 1, bias=False, dtype=torch.float64)
        with torch.no_grad():
            layer.weight.copy_(torch.tensor(optimum())[None])
        return layer

    def loss(outputs: Any, y: Any) -> Any:
        return torch.nn.functional.softplus(-y * outputs[:, 0])

    offsets = torch.arange(0, CLIENTS * SIZE + 1, SIZE)
    data = FederatedData("logistic", "generated", a, s, torch.arange(CLIENTS * SIZE), offsets, a[:0], s[:0])
    return Task("logistic", data, linear, loss, batch=0, dtype=torch.float64, by_hand=_by_hand)


def _by_hand(vectors: Any, x: Any, y: Any, share: Any) -> Any:
    """sum_b share_b grad log(1 + exp(-y_b x_b . v)) of each model: (M, d), (M, B, d), (M, B), (M, B) -> (M, d)."""
    import torch

    margins = torch.einsum("mbd,md->mb", x, vectors) * y
    return torch.einsum("mb,mbd->md", -share * y * torch.sigmoid(-margins), x)
