"""Small networks on small made-up data, ragged: a client without examples, one with a single one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from neural.data.federated import FederatedData
from neural.noise import uniform
from neural.tasks import by_hand, losses
from neural.tasks.task import Task

SIZES = (13, 0, 1, 20, 7, 16, 5)
CLASSES = 4


class Perceptron(nn.Module):
    """Two layers, with dropout drawn from keys."""

    def __init__(self) -> None:
        super().__init__()
        self.hidden, self.out = nn.Linear(36, 12), nn.Linear(12, CLASSES)

    def forward(self, x: Tensor, keys: Tensor | None = None) -> Tensor:
        z = torch.tanh(self.hidden(x.flatten(start_dim=1)))
        if keys is not None:
            z = z * (uniform(keys, (12,)) < 0.5) * 2
        return self.out(z)


class Convolutions(nn.Module):
    """Two convolutions, group norm, pooling."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.norm = nn.Conv2d(1, 4, 3, padding=1), nn.GroupNorm(2, 4)
        self.second, self.out = nn.Conv2d(4, 6, 3), nn.Linear(24, CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        z = nn.functional.gelu(self.norm(self.first(x)))
        return self.out(nn.functional.max_pool2d(self.second(z), 2).flatten(start_dim=1))


class Regression(nn.Module):
    """Scores that are linear in the inputs."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(nn.Linear(CLASSES, 36).weight.detach() / 2)
        self.bias = nn.Parameter(torch.zeros(CLASSES))

    def forward(self, x: Tensor) -> Tensor:
        return torch.addmm(self.bias, x.flatten(start_dim=1), self.weight)


def cross_entropy(outputs: Tensor, y: Tensor) -> Tensor:
    """A user's own, whose slopes nobody knows."""
    return nn.functional.cross_entropy(outputs, y, reduction="none")


def hits(outputs: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    return (outputs.argmax(dim=-1) == y).sum(), torch.tensor(len(y), device=y.device)


def shifted(x: Tensor, keys: Tensor) -> Tensor:
    """Augmentation: every image a little brighter or darker."""
    return x + 0.1 * uniform(keys, (1, 1, 1), stream=9)


MODELS: dict[str, tuple[Any, dict[str, Any]]] = {
    "mlp": (Perceptron, {"random": True, "augment": shifted}),
    "cnn": (Convolutions, {}),
    "logistic": (Regression, {"by_hand": by_hand.Linear(CLASSES, by_hand.softmax)}),
}


def data(dtype: torch.dtype, sizes: tuple[int, ...] = SIZES) -> FederatedData:
    """Images whose quarter tells the class, in an order that jumps."""
    random = torch.Generator().manual_seed(3)
    total = sum(sizes)
    y = torch.randint(CLASSES, (total + 40,), generator=random)
    x = 0.5 * torch.randn(total + 40, 1, 6, 6, generator=random)
    for z, label in enumerate(y.tolist()):
        x[z, 0, 3 * (label // 2) : 3 * (label // 2) + 3, 3 * (label % 2) : 3 * (label % 2) + 3] += 1
    offsets = torch.tensor([0, *sizes]).cumsum(dim=0)
    order = torch.randperm(total, generator=random)
    x = x.to(dtype)
    return FederatedData("quarters", "made up", x[:total], y[:total], order, offsets, x[total:], y[total:], CLASSES)


def task(name: str, dtype: torch.dtype = torch.float64, **changed: Any) -> Task:
    """One of MODELS."""
    model, more = MODELS[name]
    made = Task(
        name=name,
        data=data(dtype),
        model=model,
        loss=losses.cross_entropy,
        metrics={"accuracy": hits},
        batch=6,
        dtype=dtype,
        better={"accuracy": "max"},
        scale="smoke",
        **more,
    )
    return replace(made, **changed)
