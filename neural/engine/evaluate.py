"""Losses over clients and metrics over test examples, in pieces that fit the memory; nothing is read back here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from neural.engine.objective import Objective

__all__ = ["metrics", "training_loss"]

Outputs = Callable[[Tensor], Tensor]  # of the model that is looked at

# Outputs that a CPU looks at in one piece: 4 MB, beyond which every pass over them waits for the memory.
CACHED = 1 << 20


def training_loss(objective: Objective, outputs: Outputs, clients: Sequence[int], weights: Any) -> Tensor:
    """sum_i w_i f_i / sum_i w_i over ``clients``, a number; f_i: client i's mean loss over its examples."""
    task, data = objective.task, objective.data
    owned = [objective.indices(i) for i in clients]
    shares = np.asarray(weights) / np.asarray(weights).sum()
    examples = objective.placed(np.concatenate(owned))
    parts = [np.full(len(own), share / len(own)) for own, share in zip(owned, shares, strict=True)]
    each = objective.placed(np.concatenate(parts)).to(task.dtype)
    total = torch.zeros((), dtype=task.dtype, device=objective.device)
    with torch.no_grad():
        chunk = _chunk(objective, outputs, data.x)
        for index, share in zip(examples.split(chunk), each.split(chunk), strict=True):
            x, y = data.at(index)
            total = total + (share * objective.losses_of(lambda x, keys: outputs(x), x, y)).sum()
    return total


def metrics(objective: Objective, outputs: Outputs, tests: tuple[Tensor, Tensor]) -> dict[str, Tensor]:
    """The task's metrics over these test examples, x and y, and their mean loss; nothing where there are none."""
    task, (test_x, test_y) = objective.task, tests
    if len(test_x) == 0:
        return {}
    found: dict[str, Any] = {}
    with torch.no_grad():
        chunk = _chunk(objective, outputs, test_x)
        for x, y in zip(test_x.split(chunk), test_y.split(chunk), strict=True):
            seen = outputs(x)
            losses = task.loss(seen, y)
            parts = {"test_loss": (losses.sum(), torch.tensor(len(losses), device=losses.device))}
            parts |= {name: metric(seen, y) for name, metric in task.metrics.items()}
            for name, (value, count) in parts.items():
                old = found.get(name, (0, 0))
                found[name] = (old[0] + value, old[1] + count)
    return {name: value / count for name, (value, count) in found.items()}


def _chunk(objective: Objective, outputs: Outputs, x: Tensor) -> int:
    """Examples at once: as many as the settings allow and the cache holds."""
    most = objective.settings.chunk
    if objective.device.type != "cpu":
        return most
    return max(1, min(most, CACHED // outputs(x[:1]).numel()))
