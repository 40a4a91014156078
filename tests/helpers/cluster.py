"""A Ray cluster of two nodes on this machine, one of which is killed: what the tests marked ``ray`` run on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.helpers.tree import ROOT

BEGIN = """
import json, os, sys, threading, time
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
from pathlib import Path
from ray.cluster_utils import Cluster
from tests.helpers.cluster import left

given, out = json.loads(sys.argv[1]), Path(sys.argv[2])
small = {"num_cpus": 1, "num_gpus": 1, "object_store_memory": 80_000_000}
cluster = Cluster(initialize_head=True, head_node_args={**small, "include_dashboard": False})
second = cluster.add_node(**small)
cluster.wait_for_nodes()
killed = []

def kill(why=True):
    if not killed:
        killed.append(why)
        cluster.remove_node(second, allow_graceful=False)

def kill_when(condition):
    def wait():
        while not condition():
            time.sleep(0.01)
        kill()
    threading.Thread(target=wait, daemon=True).start()

try:
"""
END = """
    seen = left(str(out))
finally:
    cluster.shutdown()
print(json.dumps({"answer": answer, "killed": killed, "seen": seen}))
"""


def on_two_nodes(script: str, out: Path, given: Any = None) -> dict[str, Any]:
    """Run the script, which calls ``kill`` or ``kill_when`` and sets ``answer``; nothing of it may be left after.

    The answer, what ``kill`` was called with, and the processes that were ``seen`` at the end of the script.
    """
    code = BEGIN + "".join(f"    {line}\n" for line in script.strip().splitlines()) + END
    with tempfile.TemporaryDirectory(prefix="ray") as temporary:  # sockets there need a short path
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", code, json.dumps(given), str(out)],
            cwd=ROOT, capture_output=True, text=True, timeout=500, check=False,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
                 "RAY_TMPDIR": temporary, "RAY_worker_niceness": "0", "MARK": str(out)},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        until = time.monotonic() + 20  # a process that was asked to end needs a moment
        while left(str(out)) and time.monotonic() < until:
            time.sleep(0.1)
        assert left(str(out)) == []
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert result["killed"] and len(result["seen"]) > 2  # so that none left is news
    return result


def left(mark: str) -> list[str]:
    """The processes of a test: those whose environment names its folder."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            told = (folder / "environ").read_bytes()
        except OSError:
            continue
        if mark.encode() in told and int(folder.name) != os.getpid():
            found.append(folder.name)
    return found
