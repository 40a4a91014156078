"""The plain route that the neural engines are measured against: FedAvg as one writes it in torch, client by client."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

__all__ = ["Batch", "fedavg"]

Batch = tuple[Tensor, Tensor]  # positions of a minibatch's examples, and the keys that dropout is drawn from


def fedavg(
    model: nn.Module,
    start: Sequence[Tensor],
    loss: Callable[[Tensor, Tensor], Tensor],
    batches: Sequence[Sequence[Batch]],
    rate: float,
) -> list[Tensor]:
    """The mean of the clients' models after a round.

    ``loss``: of ``model`` on a minibatch; ``batches[i][k]`` is that of client i's k-th step.
    """
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    mean = [torch.zeros_like(part) for part in start]
    for minibatches in batches:
        with torch.no_grad():
            for parameter, value in zip(model.parameters(), start, strict=True):
                parameter.copy_(value)
        for minibatch in minibatches:
            optimizer.zero_grad()
            loss(*minibatch).backward()
            optimizer.step()
        with torch.no_grad():
            for total, parameter in zip(mean, model.parameters(), strict=True):
                total += parameter / len(batches)
    return mean
