"""Jobs that the executor's tests send to worker processes."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from surrogate.kit.executor import device, stopping


def about() -> dict[str, object]:
    """What a worker process is like."""
    return {
        "process": os.getpid(),
        "threads": os.environ["OMP_NUM_THREADS"],
        "device": device(),
        "numpy": "numpy" in sys.modules,
    }


def meet(folder: Path, others: int) -> dict[str, object]:
    """The same, once so many jobs are under way at once."""
    (folder / str(os.getpid())).touch()
    while len(list(folder.iterdir())) < others:
        time.sleep(0.01)
    return about()


def fail(error: type[Exception], *words: object) -> None:
    raise error(*words)


class Awkward(Exception):
    """An exception that pickle cannot make again."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(f"{one} and {two}")


def lambdas() -> object:
    """A result that cannot be pickled."""
    return lambda: None


def die(folder: Path, times: int) -> str:
    """Kill the worker process the first so many times."""
    tries = len(list(folder.iterdir()))
    if tries < times:
        (folder / str(tries)).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "lived"


def train(path: Path) -> str:
    """Work that saves itself when it is to stop."""
    path.with_suffix(".pid").write_text(str(os.getpid()))
    for step in range(10**9):
        time.sleep(0.005)
        if stopping():
            path.write_text(str(step))
            raise KeyboardInterrupt
    return "done"


def sleep(path: Path) -> None:
    """Work that never asks whether it is to stop."""
    path.with_suffix(".pid").write_text(str(os.getpid()))
    time.sleep(600)
