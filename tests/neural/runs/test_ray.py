"""A sweep on a real Ray cluster of two nodes on this machine, one of which is killed: as `make thorough` runs it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from neural.runs import storage
from neural.runs.sweep import sweep
from surrogate.kit.executor import Local
from tests.helpers.cluster import on_two_nodes

FILE: dict[str, Any] = {
    "task": {"name": "quadratic", "n": 5}, "method": {"name": "scaffold", "gamma": 0.05, "eta": 1.0, "steps": 3},
    "rounds": 2000, "checkpoint_every": 50, "clients_per_round": 3, "grid": {"seed": [0, 1, 2, 3]},
}  # fmt: skip
SCRIPT = """
from functools import partial
from neural.runs.sweep import sweep
from surrogate.kit.ray_executor import Ray

def watch(table):
    under_way = [line["folder"] for line in table if line["status"] == "running" and line["rounds"]]
    if len(under_way) == 2:  # one on each node, both past a checkpoint
        kill(under_way)

answer = sweep(given, out, partial(Ray, cluster.address, 0.5, retries=3), watch)
"""


@pytest.mark.ray
def test_a_lost_node_loses_no_row(tmp_path: Path) -> None:
    told = on_two_nodes(SCRIPT, tmp_path / "ray", FILE)
    here = sweep(FILE, tmp_path / "here", partial(Local, 2))
    assert told["answer"] == here and [line["status"] for line in here] == ["done"] * 4
    for line in here:
        ours, theirs = (storage.read_rows(tmp_path / of / line["folder"] / "rows.parquet") for of in ("here", "ray"))
        assert len(ours) == 2001
        assert [{**row, "seconds": 0} for row in ours] == [{**row, "seconds": 0} for row in theirs]
