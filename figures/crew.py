"""Processes that train runs side by side, started when first needed and kept for the next figure."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from figures.training import Run

__all__ = ["Crew", "Stopped", "TrainingFailed", "cores"]

TREE = Path(__file__).resolve().parents[1]
MOST, EVERY = 8, 5.0  # processes; seconds between two lines about progress
Say = Callable[[str], None]


class Stopped(Exception):
    """Time was up before all runs had ended."""


class TrainingFailed(Exception):
    """A run that ended in an error, which is no result (one that diverges is)."""


def cores() -> int:
    """How many processes suit this machine."""
    found = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(found, MOST)


class Crew:
    """``with Crew() as crew: crew.train(runs, folder)``: one process a core, one thread each."""

    def __init__(self, processes: int | None = None, end: float | None = None) -> None:
        """``end``: the time (of time.monotonic) at which training stops."""
        self.size, self.end = processes or cores(), end
        self.workers: list[subprocess.Popen[str]] = []

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *reason: Any) -> None:
        for worker in self.workers:
            assert worker.stdin is not None and worker.stdout is not None
            worker.stdin.close()
            if reason[0] is not None:
                worker.terminate()
            worker.wait()
            worker.stdout.close()
        self.workers.clear()

    def train(self, runs: Sequence[Run], folder: Path, say: Say = lambda line: None) -> None:
        """Train these runs to their ends, wherever earlier processes left them.

        Raises `Stopped` when time is up, `TrainingFailed` with the first error.
        """
        waiting, progress = deque(runs), _Progress(len(runs), say)
        failed: list[str] = []
        self._start(len(runs))

        def work(worker: subprocess.Popen[str]) -> None:
            while waiting and not failed and self._left() != 0.0:
                try:
                    run = waiting.popleft()
                except IndexError:  # another thread was quicker
                    return
                answer = self._ask(worker, run, folder)
                if answer["status"] == "failed":
                    failed.append(f"{run.config.task} by {run.config.method}, {_told(run)}: {answer['error']}")
                elif answer["status"] == "ended":
                    progress.tick()

        with ThreadPoolExecutor(len(self.workers)) as threads:
            list(threads.map(work, self.workers))
        if failed:
            raise TrainingFailed(failed[0])
        if progress.done < len(runs):
            raise Stopped(f"{progress.done} of {len(runs)} runs ended before time was up")

    def _start(self, needed: int) -> None:
        path = os.pathsep.join(filter(None, [str(TREE), os.environ.get("PYTHONPATH", "")]))
        environment = {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"}
        for _ in range(len(self.workers), min(self.size, max(needed, 1))):
            command = [sys.executable, "-m", "figures.worker"]
            self.workers.append(
                subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, encoding="utf-8"
                )
            )

    def _left(self) -> float | None:
        return None if self.end is None else max(0.0, self.end - time.monotonic())

    def _ask(self, worker: subprocess.Popen[str], run: Run, folder: Path) -> dict[str, Any]:
        assert worker.stdin is not None and worker.stdout is not None
        asked = {"keys": dict(run.keys), "out": str((folder / run.place).parent), "seconds": self._left()}
        try:
            print(json.dumps(asked), file=worker.stdin, flush=True)
            answer = worker.stdout.readline()
        except BrokenPipeError:
            answer = ""
        return json.loads(answer) if answer else {"status": "failed", "error": "its process died"}


class _Progress:
    def __init__(self, total: int, say: Say) -> None:
        self.done, self.total, self.say = 0, total, say
        self.begin = self.said = time.monotonic()

    def tick(self) -> None:
        self.done += 1
        now = time.monotonic()
        if now - self.said >= EVERY and self.done < self.total:
            self.said, left = now, (now - self.begin) / self.done * (self.total - self.done)
            self.say(f"{self.done} of {self.total} runs, about {left:.0f} s left")


def _told(run: Run) -> str:
    return ", ".join(f"{key} {value}" for key, value in run.keys.items() if key not in ("task", "method", "scale"))
