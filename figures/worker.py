"""A process that trains runs: a line of JSON in, one out. ``python -m figures.worker`` is started by `figures.crew`.

It ends when its input does. Past the time given with a run, or when whoever started it is gone, the run is kept as it
is, to be resumed. Below paper scale, where a run takes seconds, it keeps no checkpoints on its way, which would take up
to a tenth of them, and one that has ended leaves its rows and its manifest alone: checkpoints of the laptop's flagship
would take 9 GB, 630 MB each where a hundred clients keep a model.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

__all__ = ["main"]

WAIT = 0.1  # seconds between two looks at a run that another process holds
NICE = 5  # whoever draws figures goes first


def main(lines: TextIO, answers: TextIO) -> None:
    """Train what the lines ask for."""
    import torch

    torch.set_num_threads(1)
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICE)
    for line in lines:
        print(json.dumps(_answer(json.loads(line))), file=answers, flush=True)


def _answer(asked: Mapping[str, Any]) -> dict[str, Any]:
    """``status``: ended, stopped (time is up) or failed, with the error."""
    try:
        return {"status": "ended" if _train(asked["keys"], asked["out"], asked["seconds"]) else "stopped"}
    except Exception as error:
        return {"status": "failed", "error": f"{type(error).__name__}: {error}"}


def _train(keys: Mapping[str, Any], out: str, seconds: float | None) -> bool:
    """False when time was up, or the parent gone, before the run ended."""
    from figures.training import ended
    from neural.runs import callbacks, files
    from neural.runs.config import Config
    from neural.runs.key import folder_name
    from neural.runs.run import run_held

    config = Config.of(keys)
    if config.scale != "paper":
        config = replace(config, checkpoint_every=max(config.rounds, 1))
    folder = Path(out) / folder_name(config)
    parent, end = os.getppid(), None if seconds is None else time.monotonic() + seconds

    def stop() -> bool:
        return os.getppid() != parent or (end is not None and time.monotonic() >= end)

    def each(row: Any) -> None:
        if stop():
            raise KeyboardInterrupt  # the run saves itself

    while not stop():
        try:
            with files.lock(folder / "lock", f"the run {folder.name}"):
                if not ended(folder, config.rounds):  # by another process, while this one waited
                    _begin_anew(folder, config.rounds)
                    run_held(config, folder, [callbacks.Each(each)], alone=False, build=_task)
                    if config.scale != "paper":
                        _thin(folder)
            return True
        except files.Held:
            time.sleep(WAIT)
        except KeyboardInterrupt:
            if stop():
                return False
            raise
    return False


def _task(name: str, scale: str, seed: int, options: Mapping[str, Any]) -> Any:
    """The task; the last one is kept, since loading its data takes up to a second."""
    return _built(name, scale, seed, json.dumps(dict(options), sort_keys=True))


@functools.lru_cache(maxsize=1)
def _built(name: str, scale: str, seed: int, options: str) -> Any:
    from neural.runs import plugins

    return plugins.task(name, scale, seed, json.loads(options))


def _thin(folder: Path) -> None:
    """Keep what figures read."""
    from neural.runs import files, storage

    for checkpoint in storage.checkpoints(folder):
        files.remove(checkpoint)


def _begin_anew(folder: Path, rounds: int) -> None:
    """Drop what another version of torch or of the engine left unfinished: it cannot go on bit-equal."""
    from neural.runs import files, storage
    from neural.runs.execution import surroundings

    try:
        note = storage.read_manifest(folder / "manifest.json")
    except files.Damaged:
        return  # the run itself sees to that
    ended = note["status"] == "diverged" or note["rounds"] >= rounds
    if not ended and any(note.get(name) != now for name, now in surroundings().items()):
        for path in folder.iterdir():
            if path.is_file() and path.name != "lock":
                path.unlink()


if __name__ == "__main__":
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever prints does not disturb the answers
    try:
        main(sys.stdin, channel)
    except KeyboardInterrupt:
        sys.exit(130)
