"""A sweep on a real Ray cluster of two nodes on this machine, one of which is killed: as `make thorough` runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from neural.runs import storage
from neural.runs.sweep import sweep
from surrogate.kit.executor import Local

TREE = Path(__file__).parents[3]
FILE: dict[str, Any] = {
    "task": {"name": "quadratic", "n": 5}, "method": {"name": "scaffold", "gamma": 0.05, "eta": 1.0, "steps": 3},
    "rounds": 2000, "checkpoint_every": 50, "clients_per_round": 3, "grid": {"seed": [0, 1, 2, 3]},
}  # fmt: skip
SCRIPT = """
import json, os, sys
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
from functools import partial
from pathlib import Path
from ray.cluster_utils import Cluster
from neural.runs.sweep import sweep
from surrogate.kit.ray_executor import Ray
from tests.neural.runs.test_ray import left

given, out = json.loads(sys.argv[1]), Path(sys.argv[2])
small = {"num_cpus": 1, "num_gpus": 1, "object_store_memory": 80_000_000}
cluster = Cluster(initialize_head=True, head_node_args={**small, "include_dashboard": False})
second = cluster.add_node(**small)
cluster.wait_for_nodes()

killed = []

def watch(table):
    under_way = [line["folder"] for line in table if line["status"] == "running" and line["rounds"]]
    if not killed and len(under_way) == 2:  # one on each node, both past a checkpoint
        killed.extend(under_way)
        cluster.remove_node(second, allow_graceful=False)

try:
    table = sweep(given, out, partial(Ray, cluster.address, 0.5, retries=3), watch)
    seen = left(str(out))
finally:
    cluster.shutdown()
print(json.dumps({"table": table, "killed": killed, "seen": seen}))
"""


@pytest.mark.ray
def test_a_lost_node_loses_no_row(tmp_path: Path) -> None:
    out = tmp_path / "ray"
    with tempfile.TemporaryDirectory(prefix="ray") as temporary:  # sockets there need a short path
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", SCRIPT, json.dumps(FILE), str(out)],
            cwd=TREE, capture_output=True, text=True, timeout=300, check=False,
            env={**os.environ, "PYTHONPATH": str(TREE), "RAY_TMPDIR": temporary, "MARK": str(out)},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        until = time.monotonic() + 20  # a process that was told to end needs a moment
        while left(str(out)) and time.monotonic() < until:
            time.sleep(0.1)
        assert left(str(out)) == []
    answer = json.loads(done.stdout.splitlines()[-1])
    assert len(answer["killed"]) == 2 and len(answer["seen"]) > 2  # so that none left is news
    here = sweep(FILE, tmp_path / "here", partial(Local, 2))
    assert answer["table"] == here and [line["status"] for line in here] == ["done"] * 4
    for line in here:
        ours, theirs = (storage.read_rows(tmp_path / of / line["folder"] / "rows.parquet") for of in ("here", "ray"))
        assert len(ours) == 2001
        assert [{**row, "seconds": 0} for row in ours] == [{**row, "seconds": 0} for row in theirs]


def left(mark: str) -> list[str]:
    """The processes of this test: those whose environment names its folder."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            told = (folder / "environ").read_bytes()
        except OSError:
            continue
        if mark.encode() in told and int(folder.name) != os.getpid():
            found.append(folder.name)
    return found
