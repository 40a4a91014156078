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
from torch import Tensor, nn

from benchmarks import neural_reference as reference

__all__ = ["BATCH", "CLIENTS", "RATE", "STEPS", "chosen", "clients", "module", "race"]

CLIENTS, STEPS, BATCH, RATE = 10, 10, 20, 0.05
THREADS = int(os.environ.get("OMP_NUM_THREADS", 2))
MODELS: dict[str, Callable[[], nn.Module]] = {"logistic": reference.Logistic, "cnn": reference.CNN}


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
    batches: list[list[Tensor]] = [list((torch.randperm(count) + i * count).split(BATCH)) for i in range(CLIENTS)]
    made = module(name)
    start = [p.detach().clone() for p in made.parameters()]
    return lambda: reference.fedavg(made, start, nn.functional.cross_entropy, (x, y), batches, RATE)


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
