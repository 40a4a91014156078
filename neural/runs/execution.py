"""With what a run's rounds are computed: recorded when it begins, and the same when it is taken up again."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import torch

import neural
from neural import engine as engines
from neural.runs.config import Config
from neural.tasks.task import Task
from surrogate.kit.errors import problem
from surrogate.kit.executor import cores
from surrogate.kit.sources import meaning

__all__ = ["begun", "engine_sources", "resumed", "surroundings"]

_HOME = Path(neural.__file__).resolve().parent


def begun(config: Config, task: Task, device: torch.device, alone: bool) -> dict[str, Any]:
    """Engine, workers and threads of a new run, and what they run on.

    ``alone``: the machine is this run's; else "auto" takes no worker processes.
    """
    given = config.engine_settings() if alone else config.engine_settings(workers=1)
    chosen = config.engine if config.engine != "auto" else engines.choose(task, given, device)
    several = chosen == "workers"
    workers = (config.engine_settings().workers or cores()) if several else 1
    threads = given.threads or (max(1, cores() // workers) if several else torch.get_num_threads())
    return {"engine": chosen, "workers": workers, "threads": threads, **surroundings()}


def resumed(config: Config, old: dict[str, Any], name: str, over: bool) -> dict[str, Any]:
    """The recorded ones, for only these give the same bits; refused where the configuration or this machine differs.

    ``over``: nothing is left to train, so that torch and the engine's sources may have changed since.
    """
    given = config.engine_settings()
    asked = {"engine": config.engine, "threads": given.threads}
    if old["engine"] == "workers":  # others have none, whatever "auto" would take where it takes them
        asked["workers"] = given.workers
    for key, value in asked.items():
        if value not in (None, "auto", old[key]):
            raise problem(
                f"{key} of the run {name}", value, f"{old[key]}, with which it was begun",
                "a run resumed in another way, which would not end bit-equal",
                f"leave {key} out, or pass another --out to begin anew",
            )  # fmt: skip
    now = surroundings()
    for key, words, fix in (
        ("torch", "the version of torch", f"install torch {old.get('torch')}"),
        ("numba", "the version of numba", f"install numba {old.get('numba')}"),
        ("engine_sources", "the sources of neural/engine and neural/kernels", "go back to them"),
    ):
        if not over and old.get(key) != now[key]:
            raise problem(
                f"{words} under the run {name}", now[key], f"{old.get(key)}, with which it was begun",
                "an update since: rows of two of them in one run would not be those of either",
                f"{fix}, or pass another --out to begin anew",
            )  # fmt: skip
    return old


def engine_sources() -> str:
    """The hash of what neural/engine, neural/kernels and what they stand on say to Python."""
    paths = sorted([*(_HOME / "engine").rglob("*.py"), *(_HOME / "kernels").rglob("*.py"), *_HOME.glob("*.py")])
    told = {path.relative_to(_HOME).as_posix(): meaning(path) for path in paths}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]


@cache
def surroundings() -> dict[str, str]:
    """Once a process: what it has loaded stays, whatever becomes of the files."""
    return {"torch": str(torch.__version__), "numba": metadata.version("numba"), "engine_sources": engine_sources()}
