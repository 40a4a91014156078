r"""Convex tasks that are no quadratics, for B2: logistic regression on clients whose data differ, and its optimum.

Client i's loss is the mean over its examples of log(1 + exp(-s a.x)) + mu |x|^2 / 2 with labels s = +-1. At the optimum
x* of the average the clients' Hessians A_i and gradients g_i(x*) make quadratic clients whose linear gradients
A_i x - b_i agree with the true ones there to first order: b_i = A_i x* - g_i(x*). Examples are generated, s drawn with
the client's own slope; or real: each of five clients has two digits, k and k + 5, and one line is to part all pairs.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from surrogate import Quadratics
from surrogate._types import Array

__all__ = ["DECAY", "Clients", "digits", "generated"]

CLIENTS, SIZE, DIMENSION, DECAY, SEED = 5, 40, 4, 0.2, 3


@dataclass(frozen=True, eq=False)
class Clients:
    """Features ``a`` (clients, examples, d) and labels ``s`` (clients, examples) of +-1."""

    a: Array
    s: Array

    def gradient(self, i: int, x: Array) -> Array:
        """grad f_i(x), (d,)."""
        a, s = self.a[i], self.s[i]
        return np.asarray(-(s / (1 + np.exp(s * (a @ x)))) @ a / len(s) + DECAY * x)

    def hessian(self, i: int, x: Array) -> Array:
        """The second derivative of f_i at x, (d, d)."""
        a = self.a[i]
        p = 1 / (1 + np.exp(-(a @ x)))
        return np.asarray((a * (p * (1 - p))[:, None]).T @ a / len(a) + DECAY * np.eye(a.shape[1]))

    @cached_property
    def optimum(self) -> Array:
        """x*, by Newton's method."""
        x, every = np.zeros(self.a.shape[2]), range(len(self.a))
        for _ in range(50):
            slope = np.mean([self.gradient(i, x) for i in every], axis=0)
            x = x - np.linalg.solve(np.mean([self.hessian(i, x) for i in every], axis=0), slope)
        return x

    @cached_property
    def model(self) -> Quadratics:
        """The clients' quadratic models at x*; the minimizer of their average is x*."""
        x = self.optimum
        A = [self.hessian(i, x) for i in range(len(self.a))]
        return Quadratics.from_linear(A, [A_i @ x - self.gradient(i, x) for i, A_i in enumerate(A)])

    def trained(self, method: str, most: int, still: float, **settings: Any) -> tuple[Array, float]:
        """Where the neural engine comes to rest (d,), begun at x*, and how far its last round moved.

        It stops after a round that moves less than ``still`` times the distance from x*, or after ``most`` rounds.
        """
        from neural.engine import Settings
        from neural.engine.loop import train
        from neural.engine.scheduled_method import ScheduledMethod

        options = Settings(weight_decay=DECAY, eval_every=0)
        before = after = self.optimum
        moved = 0.0
        scheduled = ScheduledMethod(method, settings)
        for report in train(self._task(), scheduled, options, most, engine="batched", device="cpu"):
            before, after = after, report.position.state["x"].detach().numpy().copy()
            moved = float(np.linalg.norm(after - before))
            if report.position.rounds and moved <= still * np.linalg.norm(after - self.optimum):
                break
        return after, moved

    def _task(self) -> Any:
        """The same examples as a task of the neural engine: float64, full batches, a linear layer that begins at x*."""
        import torch

        from neural.data.federated import FederatedData
        from neural.tasks.task import Task

        a, s = (torch.tensor(part).flatten(0, 1) for part in (self.a, self.s))

        def linear() -> Any:
            layer = torch.nn.Linear(a.shape[1], 1, bias=False, dtype=torch.float64)
            with torch.no_grad():
                layer.weight.copy_(torch.tensor(self.optimum)[None])
            return layer

        def loss(outputs: Any, y: Any) -> Any:
            return torch.nn.functional.softplus(-y * outputs[:, 0])

        offsets = torch.arange(0, len(s) + 1, self.s.shape[1])
        data = FederatedData("logistic", "B2's", a, s, torch.arange(len(s)), offsets, a[:0], s[:0])
        return Task("logistic", data, linear, loss, batch=0, dtype=torch.float64, by_hand=_by_hand)


def _by_hand(vectors: Any, x: Any, y: Any, share: Any) -> Any:
    """sum_b share_b grad log(1 + exp(-y_b x_b . v)) of each model: (M, d), (M, B, d), (M, B), (M, B) -> (M, d)."""
    import torch

    margins = torch.einsum("mbd,md->mb", x, vectors) * y
    return torch.einsum("mb,mbd->md", -share * y * torch.sigmoid(-margins), x)


@cache
def generated() -> Clients:
    """Features of scales 2, 1, 1, 1/2, unlike in the clients; labels with the client's own slope."""
    rng = np.random.default_rng(SEED)
    scales = np.array([2.0, 1.0, 1.0, 0.5]) * np.exp(0.5 * rng.standard_normal((CLIENTS, 1, DIMENSION)))
    a = scales * rng.standard_normal((CLIENTS, SIZE, DIMENSION))
    coefficients = 1.0 + rng.standard_normal((CLIENTS, DIMENSION))
    odds = 1 / (1 + np.exp(-np.einsum("imj,ij->im", a, coefficients)))
    return Clients(a, np.where(rng.random((CLIENTS, SIZE)) < odds, 1.0, -1.0))


@cache
def digits() -> Clients:
    """20 of each digit in 16 grey blocks, minus the mean image, over the deviation of all entries; s = 1 from 5 on."""
    images = json.loads((Path(__file__).parent / "digits.json").read_text(encoding="utf-8"))["digits"]
    x = np.array(images, dtype=np.float64)  # (10, 20, 16)
    x -= x.mean(axis=(0, 1))
    x /= x.std()
    return Clients(np.concatenate([x[:5], x[5:]], axis=1), np.repeat([[-1.0, 1.0]], 20, axis=1).repeat(5, axis=0))
