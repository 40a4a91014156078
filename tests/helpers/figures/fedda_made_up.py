"""Tables as the figures of DA have them, from a function of setting and round, or from the printed numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pyarrow as pa

from figures.fedda import printed, settings

__all__ = ["NOTES", "Path", "printed_table", "swept", "ten"]

NOTES = {"scale": "laptop", "data": "{}"}
ROUNDS = range(0, 101, 5)
Path = Callable[[str, str, int, int], tuple[float, float]]  # method, optimizer, seed, round: loss and value


def ten(task: str, path: Path, lost: Any = ()) -> pa.Table:
    """Curves of every method of a task; ``lost``: the (method, optimizer) that diverged."""
    rows = []
    for method, optimizer in settings.variants(task):
        for seed in (0, 1, 2):
            for t in ROUNDS:
                loss, value = path(method, optimizer, seed, t)
                known = {"method": method, "optimizer": optimizer, "gamma": 0.1, "eta": 0.0, "seed": seed}
                status = "diverged" if (method, optimizer) in lost else "done"
                rows.append({**known, "status": status, "round": t, "loss": loss, "value": value})
    return pa.Table.from_pylist(rows).replace_schema_metadata(NOTES)


def printed_table(task: str) -> pa.Table:
    """Every method ends where the paper prints."""

    def path(method: str, optimizer: str, seed: int, t: int) -> tuple[float, float]:
        column = 0 if optimizer == settings.ANY_OPTIMIZER else settings.OPTIMIZERS.index(optimizer)
        return 1.0, printed.FINAL[task][settings.METHODS[method]][column] * (t > 0)

    return ten(task, path)


def swept(axis: str, points: Mapping[str, Any], value: Callable[[str, str, float], float]) -> pa.Table:
    """FedDA's final accuracies along an axis, ``points`` of each task; three seeds."""
    rows = []
    for task in settings.TASKS:
        for optimizer in settings.OPTIMIZERS:
            for point in points[task]:
                for seed in (0, 1, 2):
                    known = {"task": task, "optimizer": optimizer, axis: point, "seed": seed, "status": "done"}
                    rows.append({**known, "round": 10, "loss": 1.0, "value": value(task, optimizer, point)})
    return pa.Table.from_pylist(rows).replace_schema_metadata(NOTES)
