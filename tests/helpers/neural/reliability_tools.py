"""Runs to be killed, starved and damaged; when their files are whole, and when two of them are the same."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

import neural
from neural.runs import storage

THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
CPU = torch.device("cpu")
QUICK: dict[str, Any] = {
    "task": "quadratic", "method": "scaffold", "gamma": 0.05, "steps": 3, "rounds": 6, "clients_per_round": 4,
    "seed": 2, "checkpoint_every": 2, "threads": 1,
}  # fmt: skip


def processes() -> Any:
    """A context whose processes start quickly, with no thread of ours in them."""
    made = multiprocessing.get_context("forkserver")
    made.set_forkserver_preload(["neural.runs.run"])
    return made


def trained(config: dict[str, Any], out: str) -> None:
    """What a process does that is killed."""
    torch.set_num_threads(1)
    neural.run(config, out)


def until(condition: Callable[[], bool], what: str) -> None:
    """Wait for it; a minute is for ever."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.002)


def whole(folder: Path) -> None:
    """Every file under its own name can be read; what a killed process was writing has another."""
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".parquet":
            storage.read_rows(path)
        elif path.name == "manifest.json":
            storage.read_manifest(path)
        elif path.suffix == ".pt":
            storage.read_checkpoint(path, CPU)
        elif path.is_file():
            assert path.name == "lock" or path.name.endswith(".partial"), path


def rows(folder: Path) -> list[dict[str, Any]]:
    """From the file, without what depends on the clock."""
    return [{k: v for k, v in row.items() if k != "seconds"} for row in storage.read_rows(folder / "rows.parquet")]


def kept(folder: Path) -> dict[str, Any]:
    """The newest checkpoint."""
    return storage.read_checkpoint(max(folder.glob("checkpoint-*.pt")), CPU)


def equal(a: Any, b: Any) -> bool:
    """Bit by bit."""
    if torch.is_tensor(a):
        return torch.is_tensor(b) and torch.equal(a, b)
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(equal, a, b))
    return bool(a == b)


def names(folder: Path) -> list[str]:
    """Of all files; the checkpoint before the last is of another round where an orphan saved what it had and left."""
    found = sorted(path.name for path in folder.iterdir())
    before = [name for name in found if name.startswith("checkpoint-")][:-1]
    return ["an older checkpoint" if name in before else name for name in found]


def same(folder: Path, other: Path) -> None:
    """Rows and status in the files, the server's state and what clients keep are equal, and nothing is left over."""
    assert rows(folder) == rows(other)
    one, two = kept(folder), kept(other)
    assert all(equal(one[name], two[name]) for name in ("rounds", "state", "own", "status"))
    assert names(folder) == names(other)
    noted, as_noted = (storage.read_manifest(place / "manifest.json") for place in (folder, other))
    assert all(noted[name] == as_noted[name] for name in ("status", "rounds", "key"))
