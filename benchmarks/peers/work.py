"""The common work, and a plain loop that takes turns with a package. Needs torch and numpy alone."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from benchmarks import neural_reference as reference

__all__ = ["BATCH", "CLIENTS", "RATE", "STEPS", "chosen", "clients", "module", "race"]

CLIENTS, STEPS, BATCH, RATE = 10, 10, 20, 0.05
THREADS = int(os.environ.get("OMP_NUM_THREADS", 2))


class Logistic(nn.Module):
    """Softmax regression on 28 x 28 pixels."""

    def __init__(self) -> None:
        super().__init__()
        self.out = nn.Linear(784, 62)

    def forward(self, x: Tensor) -> Tensor:
        return self.out(x.flatten(1))


class CNN(nn.Module):
    """McMahan et al. 2017, in the order in which they write it: convolution, ReLU, pooling."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(1, 32, 5, padding=2)
        self.second = nn.Conv2d(32, 64, 5, padding=2)
        self.dense = nn.Linear(64 * 7 * 7, 512)
        self.out = nn.Linear(512, 62)

    def forward(self, x: Tensor) -> Tensor:
        x = F.max_pool2d(F.relu(self.first(x)), 2)
        x = F.max_pool2d(F.relu(self.second(x)), 2)
        return self.out(F.relu(self.dense(x.flatten(1))))


MODELS: dict[str, Callable[[], nn.Module]] = {"logistic": Logistic, "cnn": CNN}


def chosen() -> str:
    """The model named on the command line."""
    name = sys.argv[1] if len(sys.argv) > 1 else "logistic"
    if name not in MODELS:
        sys.exit(f"{name}: no model of this comparison; take one of {', '.join(MODELS)}")
    return name


def module(name: str) -> nn.Module:
    """The plain loop's module, the same numbers each time."""
    torch.manual_seed(0)
    return MODELS[name]()


def clients() -> list[tuple[Any, Any]]:
    """Images (200, 1, 28, 28) in float32 and labels (200,) of each client, numpy."""
    rng = np.random.default_rng(0)
    count = STEPS * BATCH
    return [(rng.random((count, 1, 28, 28), dtype=np.float32), rng.integers(62, size=count)) for _ in range(CLIENTS)]


def _plain(name: str) -> Callable[[], object]:
    parts = clients()
    x, y = (torch.from_numpy(np.concatenate(part)) for part in zip(*parts, strict=True))
    count = STEPS * BATCH
    orders = [torch.randperm(count) + i * count for i in range(CLIENTS)]
    batches = [[(index, index) for index in order.split(BATCH)] for order in orders]  # no keys: nothing draws from them
    model = module(name)
    start = [p.detach().clone() for p in model.parameters()]

    def loss(index: Tensor, keys: Tensor) -> Tensor:
        return F.cross_entropy(model(x[index]), y[index])

    return lambda: reference.fedavg(model, start, loss, batches, RATE)


def race(peer: str, name: str, round_: Callable[[], object]) -> None:
    """Print the ratio of the plain loop's time to the package's, the two in turns."""
    torch.set_num_threads(THREADS)
    plain = _plain(name)
    both = {"plain": plain, peer: round_}
    for work in both.values():
        work()
    turns = []
    for _ in range(12 if name == "logistic" else 5):
        turn = {}
        for who, work in both.items():
            began = time.perf_counter()
            work()
            turn[who] = time.perf_counter() - began
        turns.append(turn)
    best = {who: min(turn[who] for turn in turns) for who in both}
    median = statistics.median(turn["plain"] / turn[peer] for turn in turns)
    shown = ", ".join(f"{who} {1e3 * spent:.1f} ms" for who, spent in best.items())
    print(f"{name}: plain / {peer} = {best['plain'] / best[peer]:.2f} (median of the turns {median:.2f}; best {shown})")
