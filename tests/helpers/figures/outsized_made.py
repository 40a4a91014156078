"""Tables of OLR's figures from made-up training: as the paper tells it, and otherwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from figures.outsized import printed, settings
from figures.training import Trained

__all__ = ["Keys", "as_told", "rows", "scaled"]

Keys = Mapping[str, Any]
Loss = Callable[[Keys, float], float]
ROUNDS = range(0, 101, 5)

# Client rates: how fast, and how low at the end. gamma = 0 is slow, the largest are fast and end a little higher.
SPEED = {0.0: 2.0, 0.001: 2.1, 0.01: 3.0, 0.1: 4.0, 1.0: 4.0, 10.0: 2.0, 100.0: 1.0}
FLOOR = {0.0: 1.0, 0.001: 1.0, 0.01: 1.0, 0.1: 1.02, 1.0: 1.15, 10.0: 1.15, 100.0: 1.3}


def as_told(keys: Keys, t: float) -> float:
    """What the paper sees on most tasks, best at the printed server rates."""
    gamma, decays = keys["gamma"], keys["method"] == "local-update-decay"
    known = printed.ETAS[keys["task"]].get(gamma, -1.0)
    off = abs(np.log10(keys["eta"]) - (-1.0 if decays else known))
    floor, speed = (0.9, 5.0) if decays else (FLOOR[gamma], SPEED[gamma])
    behind = 0.1 if gamma == 0 and t < 80 else 0.0
    return float((floor + 0.2 * off + 0.005 * keys["seed"]) * (1 + behind + 3 * np.exp(-speed * t / 20)))


def rows(
    module: Any,
    loss: Loss = as_told,
    lost: Callable[[Keys], bool] = lambda keys: False,
    name: str = "",
) -> pa.Table:
    """The figure's table at laptop scale, its ``then`` included."""

    def one(keys: Keys) -> Trained:
        measure = name or settings.measure(keys["task"])
        path = [{"round": t, measure: loss(keys, t)} for t in ROUNDS]
        return Trained(keys, path, "diverged" if lost(keys) else "done", "made up")

    figure = getattr(module, "FIGURE", module)
    found = [one(keys) for keys in figure.runs("laptop")]
    found += [one(keys) for keys in figure.then("laptop", found)]
    return pa.table(figure.table("laptop", found)).replace_schema_metadata({"scale": "laptop", "data": "{}"})


def scaled(where: Callable[[Keys, float], bool], factor: float, loss: Loss = as_told) -> Loss:
    """The same losses, some of them multiplied."""
    return lambda keys, t: loss(keys, t) * (factor if where(keys, t) else 1.0)
