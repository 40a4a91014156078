"""Processes that train runs side by side, started when first needed and kept for the next figure."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from figures.ahead import Ahead
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


@dataclass
class _Job:
    """A run on its way. ``status``: waiting, busy, and then what the process answered: ended, stopped or failed."""

    run: Run
    folder: Path
    status: str = "waiting"
    error: str = ""

    @property
    def over(self) -> bool:
        """Whether nobody works on it any more, or will."""
        return self.status not in ("waiting", "busy")


class Crew:
    """``with Crew() as crew: crew.train(runs, folder)``: one process a core, one thread each.

    A process that finds nothing to do trains what ``ahead`` gives it (`figures.ahead.Ahead`), into the same folder.
    """

    def __init__(self, processes: int | None = None, end: float | None = None, ahead: Ahead | None = None) -> None:
        """``end``: the time (of time.monotonic) at which training stops."""
        self.size, self.end, self.ahead = processes or cores(), end, ahead
        self.workers: list[subprocess.Popen[str]] = []
        self._threads: list[threading.Thread] = []
        self._change = threading.Condition()  # whoever reads or writes the following holds it
        self._waiting: deque[_Job] = deque()
        self._jobs: dict[str, _Job] = {}  # by place, until they are over
        self._folder: Path | None = None
        self._closed = False

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *reason: Any) -> None:
        with self._change:
            self._closed = True
            # At the end of time a process keeps its run as it is, and leaves; one that trains ahead before is ended.
            busy = self._left() != 0.0 and any(job.status == "busy" for job in self._jobs.values())
            self._change.notify_all()
        for worker in self.workers:
            assert worker.stdin is not None
            with contextlib.suppress(BrokenPipeError):
                worker.stdin.close()
            if busy or reason[0] is not None:
                worker.terminate()
        for thread in self._threads:
            thread.join()
        for worker in self.workers:
            _closed(worker)
        self.workers.clear()
        self._threads.clear()

    def begin(self, folder: Path) -> None:
        """Train what comes next, into ``folder``, before anybody asks for it."""
        with self._change:
            self._folder = folder
            self._start(self.size)

    def expect(self, ahead: Ahead) -> None:
        """From now on this is what comes next."""
        with self._change:
            self.ahead = ahead
            self._change.notify_all()

    def look(self) -> None:
        """Something that was not there before may be there now: a data set, say."""
        with self._change:
            self._change.notify_all()

    def train(self, runs: Sequence[Run], folder: Path, say: Say = lambda line: None) -> None:
        """Train these runs to their ends, wherever earlier processes left them.

        Raises `Stopped` when time is up, `TrainingFailed` with the first error.
        """
        progress, left, mine = _Progress(len(runs), say), list(runs), list[_Job]()
        with self._change:
            self._folder = folder
            self._start(len(runs))
            while left or not all(job.over for job in mine):
                left = [run for run in left if not self._taken(run, folder, mine)]
                failed = [job for job in mine if job.status == "failed"]
                if failed:
                    self._forget(mine)
                if failed and not any(job.status == "busy" for job in mine):
                    break
                progress.at(sum(job.status == "ended" for job in mine))
                if left or not all(job.over for job in mine):
                    self._change.wait()
        for job in mine:
            if job.status == "failed":
                told = f"{job.run.config.task} by {job.run.config.method}, {_told(job.run)}"
                raise TrainingFailed(f"{told}: {job.error}")
        done = sum(job.status == "ended" for job in mine)
        if done < len(runs):
            raise Stopped(f"{done} of {len(runs)} runs ended before time was up")

    def _taken(self, run: Run, folder: Path, mine: list[_Job]) -> bool:
        """Whether it is on its way now; not while a shorter one of the same place is trained."""
        job = self._jobs.get(run.place)
        if job is None:
            job = self._jobs[run.place] = _Job(run, folder)
            self._waiting.append(job)
            self._change.notify_all()
        elif job.run.config.rounds < run.config.rounds:
            return False
        mine.append(job)
        return True

    def _forget(self, mine: list[_Job]) -> None:
        """Those that nobody has begun."""
        for job in mine:
            if job.status == "waiting":
                self._waiting.remove(job)
                self._over(job, {"status": "stopped"})

    def _over(self, job: _Job, answer: dict[str, Any]) -> None:
        job.status, job.error = answer["status"], answer.get("error", "")
        self._jobs.pop(job.run.place)
        self._change.notify_all()

    def _next(self) -> _Job | None:
        """What to do; None at the end."""
        with self._change:
            while not self._closed:
                if self._left() == 0.0:
                    for job in [*self._waiting]:
                        self._over(job, {"status": "stopped"})
                    self._waiting.clear()
                elif self._waiting:
                    job = self._waiting.popleft()
                    job.status = "busy"
                    return job
                elif (run := self._meanwhile()) is not None:
                    assert self._folder is not None
                    job = self._jobs[run.place] = _Job(run, self._folder, "busy")
                    return job
                self._change.wait()
        return None

    def _meanwhile(self) -> Run | None:
        """The next run that a figure to come will ask for."""
        try:
            return None if self.ahead is None else self.ahead.take(self._jobs.__contains__)
        except Exception:  # whoever makes that figure says what is wrong
            self.ahead = None
            return None

    def _work(self, worker: subprocess.Popen[str]) -> None:
        """A thread's life: ask the process for one run after the other."""
        while (job := self._next()) is not None:
            answer = self._ask(worker, job.run, job.folder)
            with self._change:
                self._over(job, answer)
                if worker.poll() is not None and not self._closed:  # it died: another one takes its place
                    self.workers.remove(worker)
                    _closed(worker)
                    worker = self._process()

    def _start(self, needed: int) -> None:
        wanted = self.size if self.ahead is not None else min(self.size, max(needed, 1))
        for _ in range(len(self.workers), wanted):
            self._threads.append(threading.Thread(target=self._work, args=(self._process(),), daemon=True))
            self._threads[-1].start()

    def _process(self) -> subprocess.Popen[str]:
        path = os.pathsep.join(filter(None, [str(TREE), os.environ.get("PYTHONPATH", "")]))
        environment = {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"}
        command = [sys.executable, "-m", "figures.worker"]
        worker = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, encoding="utf-8"
        )
        self.workers.append(worker)
        return worker

    def _left(self) -> float | None:
        return None if self.end is None else max(0.0, self.end - time.monotonic())

    def _ask(self, worker: subprocess.Popen[str], run: Run, folder: Path) -> dict[str, Any]:
        assert worker.stdin is not None and worker.stdout is not None
        asked = {"keys": dict(run.keys), "out": str((folder / run.place).parent), "seconds": self._left()}
        try:
            print(json.dumps(asked), file=worker.stdin, flush=True)
            answer = worker.stdout.readline()
        except (BrokenPipeError, ValueError):  # ValueError: closed, by who leaves
            answer = ""
        try:
            return json.loads(answer)  # type: ignore[no-any-return]
        except ValueError:  # nothing, or half of an answer
            worker.kill()
            worker.wait()
            return {"status": "failed", "error": "its process died"}


def _closed(worker: subprocess.Popen[str]) -> None:
    """Wait for its end, and let its pipes go."""
    worker.wait()
    for pipe in (worker.stdin, worker.stdout):
        assert pipe is not None
        with contextlib.suppress(BrokenPipeError):  # of what it did not read
            pipe.close()


class _Progress:
    def __init__(self, total: int, say: Say) -> None:
        self.done, self.total, self.say = 0, total, say
        self.begin = self.said = time.monotonic()

    def at(self, done: int) -> None:
        """So many runs have ended."""
        now, more, self.done = time.monotonic(), done > self.done, done
        if more and now - self.said >= EVERY and self.done < self.total:
            self.said, left = now, (now - self.begin) / self.done * (self.total - self.done)
            self.say(f"{self.done} of {self.total} runs, about {left:.0f} s left")


def _told(run: Run) -> str:
    return ", ".join(f"{key} {value}" for key, value in run.keys.items() if key not in ("task", "method", "scale"))
