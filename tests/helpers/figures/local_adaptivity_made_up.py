"""Tables of final runs with any percents, as `figures.local_adaptivity.tuning.table` has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from figures.local_adaptivity.settings import Variant

__all__ = ["Change", "drawn", "table"]

Change = Callable[[Variant, int], float]  # what is added to the percents of a variant and a seed


def table(
    ends: Mapping[Variant, float], speeds: Mapping[Variant, float] | None = None, change: Change = lambda v, seed: 0.0
) -> pa.Table:
    """Curves that rise exponentially to ``ends`` within 100 rounds, for three seeds, a little different each."""
    rows: list[dict[str, Any]] = []
    for variant, end in ends.items():
        for seed in (0, 1, 2):
            for t in range(0, 101, 10):
                height = end + 0.01 * seed + change(variant, seed)
                percent = height * float(1 - np.exp(-(speeds or {}).get(variant, 10.0) * t / 100))
                rates = {"gamma": -1.0, "eta": 0.0, "seed": seed, "status": "done"}
                rows.append({**variant._asdict(), **rates, "round": t, "percent": percent})
    return pa.Table.from_pylist(rows)


def drawn(rows: pa.Table) -> pa.Table:
    """The same with the notes that a drawing shows."""
    return rows.replace_schema_metadata({"scale": "laptop", "data": "{}"})
