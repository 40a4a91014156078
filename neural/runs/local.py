"""A sweep on this machine: processes that each take a run, train it on one thread, and take the next."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from neural.engine import spawned
from neural.engine.workers import cores
from neural.runs.attempt import attempt
from neural.runs.callbacks import Callback
from neural.runs.grid import Trial
from surrogate.kit.errors import problem

__all__ = ["Local", "device_for"]

GRACE = 30.0  # seconds for a round and a checkpoint, once told to stop
RETRIES = 3  # processes that died, by the kernel's hand say, are replaced so many times


def device_for(place: int, device: str, gpus: int) -> str:
    """The device of the process in that place: several GPUs are dealt out in turn, unless one is named.

    >>> [device_for(place, "auto", 2) for place in range(3)], device_for(1, "cuda:0", 2), device_for(1, "auto", 0)
    (['cuda:0', 'cuda:1', 'cuda:0'], 'cuda:0', 'auto')
    """
    return f"cuda:{place % gpus}" if gpus > 1 and device in ("auto", "cuda") else device


class Local:
    """``processes``: runs at a time; default: one a GPU where there are several, else one a core."""

    def __init__(self, trials: Sequence[Trial], out: Path, processes: int | None = None) -> None:
        import torch

        if processes is not None and processes < 1:
            raise problem("--processes", processes, "a whole number >= 1", "a slip", "pass --processes 2")
        self.trials, self.out, self.gpus = trials, out, torch.cuda.device_count()
        wanted = processes or (self.gpus if self.gpus > 1 else cores())
        self.context = multiprocessing.get_context("spawn")
        self.stop = self.context.Event()
        self.workers: list[Any] = [None] * min(wanted, len(trials))
        self.left = RETRIES

    def __enter__(self) -> Local:
        for place in range(len(self.workers)):
            self._start(place)
        return self

    def _start(self, place: int) -> None:
        arguments = (list(self.trials), self.out, place, self.gpus, os.getpid(), self.stop)
        self.workers[place] = self.context.Process(target=_work, args=arguments)
        spawned.start(self.workers[place])

    def busy(self) -> bool:
        """Whether a process works; those that died are replaced a few times."""
        for place, worker in enumerate(self.workers):
            if worker.exitcode not in (None, 0) and self.left:
                self.left -= 1
                self._start(place)
        return any(worker.is_alive() for worker in self.workers)

    def __exit__(self, *error: Any) -> None:
        self.stop.set()
        end = time.monotonic() + GRACE
        for worker in self.workers:
            if worker is not None:
                worker.join(timeout=max(0.0, end - time.monotonic()))
                if worker.is_alive():
                    worker.kill()
                    worker.join()


def _work(trials: list[Trial], out: Path, place: int, gpus: int, parent: int, stop: Any) -> None:
    """Go through the runs from ``place`` on until all have ended; those that another process holds are tried again."""
    import torch

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    torch.set_num_threads(1)
    leave = _Leave(parent, stop)
    open_ = [*trials[place:], *trials[:place]]
    try:
        while open_:
            for trial in list(open_):
                placed = replace(
                    trial, config=trial.config.replace(device=device_for(place, trial.config.device, gpus))
                )
                if attempt(placed, out, [leave]):
                    open_.remove(trial)
            time.sleep(0.1 if open_ else 0)
    except KeyboardInterrupt:
        return


class _Leave(Callback):
    """Ends a run when the sweep is told to stop, or was killed: what there is is kept."""

    def __init__(self, parent: int, stop: Any) -> None:
        self.parent, self.stop = parent, stop

    def row(self, run: Any, row: Mapping[str, Any]) -> None:
        """After each round."""
        if self.stop.is_set() or os.getppid() != self.parent:
            raise KeyboardInterrupt
