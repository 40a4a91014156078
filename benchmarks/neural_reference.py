"""The plain route that the neural engines are measured against: FedAvg as one writes it in torch, client by client."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

__all__ = ["CNN", "MLP", "Logistic", "fedavg"]


class Logistic(nn.Module):
    """Softmax regression on 28 x 28 pixels."""

    def __init__(self, classes: int = 62) -> None:
        super().__init__()
        self.out = nn.Linear(784, classes)

    def forward(self, x: Tensor) -> Tensor:
        return self.out(x.flatten(1))


class MLP(nn.Module):
    """One hidden layer with ReLU."""

    def __init__(self, hidden: int, classes: int = 62) -> None:
        super().__init__()
        self.hidden = nn.Linear(784, hidden)
        self.out = nn.Linear(hidden, classes)

    def forward(self, x: Tensor) -> Tensor:
        return self.out(F.relu(self.hidden(x.flatten(1))))


class CNN(nn.Module):
    """McMahan et al. 2017, in the order in which they write it: convolution, ReLU, pooling."""

    def __init__(self, classes: int = 62) -> None:
        super().__init__()
        self.first = nn.Conv2d(1, 32, 5, padding=2)
        self.second = nn.Conv2d(32, 64, 5, padding=2)
        self.dense = nn.Linear(64 * 7 * 7, 512)
        self.out = nn.Linear(512, classes)

    def forward(self, x: Tensor) -> Tensor:
        x = F.max_pool2d(F.relu(self.first(x)), 2)
        x = F.max_pool2d(F.relu(self.second(x)), 2)
        return self.out(F.relu(self.dense(x.flatten(1))))


def fedavg(
    model: nn.Module,
    start: Sequence[Tensor],
    loss: Callable[[Any, Tensor], Tensor],
    data: tuple[Tensor, Tensor],
    batches: Sequence[Sequence[Tensor]],
    rate: float,
) -> list[Tensor]:
    """The mean of the clients' models after a round: ``batches[i][k]`` are the examples of client i's k-th step."""
    x, y = data
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    mean = [torch.zeros_like(part) for part in start]
    for own in batches:
        with torch.no_grad():
            for parameter, value in zip(model.parameters(), start, strict=True):
                parameter.copy_(value)
        for index in own:
            optimizer.zero_grad()
            loss(model(x[index]), y[index]).backward()
            optimizer.step()
        with torch.no_grad():
            for total, parameter in zip(mean, model.parameters(), strict=True):
                total += parameter / len(batches)
    return mean
