"""A figure's training run, as a job for worker processes (`surrogate.kit.executor`).

Below paper scale, where a run takes seconds, it keeps no checkpoints on its way, which would take up to a tenth of
them, and one that has ended leaves its rows and its manifest alone: checkpoints of the laptop's flagship would take
9 GB, 630 MB each where a hundred clients keep a model.
"""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from figures.training import ended
from neural.runs import callbacks, files, plugins, storage
from neural.runs.attempt import leave, placed
from neural.runs.config import Config
from neural.runs.execution import surroundings
from neural.runs.key import folder_name
from neural.runs.run import run_held
from neural.tasks.task import Task
from surrogate.kit.executor import device

__all__ = ["train"]

WAIT = 0.1  # seconds


def train(keys: Mapping[str, Any], out: Path) -> Literal["trained", "there", "held"]:
    """Train the run of these flat keys to its end, in its folder in ``out``.

    ``there``: another process has trained it since it was asked for. ``held``: another process trains it now.
    """
    config = Config.of(keys)
    config = replace(config, device=placed(config.device, device()))
    if config.scale != "paper":
        config = replace(config, checkpoint_every=max(config.rounds, 1))
    folder = out / folder_name(config)
    try:
        with files.lock(folder / "lock", f"the run {folder.name}"):
            if ended(folder, config.rounds):
                return "there"
            _begin_anew(folder, config.rounds)
            run_held(config, folder, [callbacks.Each(leave)], alone=False, build=_task)
            if config.scale != "paper":
                _thin(folder)
    except files.Held:
        time.sleep(WAIT)  # the same run may be asked for again at once
        return "held"
    return "trained"


def _task(name: str, scale: str, seed: int, options: Mapping[str, Any]) -> Task:
    """The task; the last one is kept, since loading its data takes up to a second."""
    return _built(name, scale, seed, json.dumps(dict(options), sort_keys=True))


@functools.lru_cache(maxsize=1)
def _built(name: str, scale: str, seed: int, options: str) -> Task:
    return plugins.task(name, scale, seed, json.loads(options))


def _thin(folder: Path) -> None:
    """Keep what figures read."""
    for checkpoint in storage.checkpoints(folder):
        files.remove(checkpoint)


def _begin_anew(folder: Path, rounds: int) -> None:
    """Drop what another version of torch or of the engine left unfinished: it cannot go on bit-equal."""
    try:
        note = storage.read_manifest(folder / "manifest.json")
    except files.Damaged:
        return  # the run itself sees to that
    over = note["status"] == "diverged" or note["rounds"] >= rounds
    if not over and any(note.get(name) != now for name, now in surroundings().items()):
        for path in folder.iterdir():
            if path.is_file() and path.name != "lock":
                path.unlink()
