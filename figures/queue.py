"""The runs of all figures as one queue: each distinct run is trained once, a figure is ready when its runs are there.

Runs begin in the order of their figures, as many as the executor works on at a time. A run needs its data set, which is
fetched for the first run that needs it; a figure that picks further runs (its ``then``) needs the first ones for that.
What has ended unlocks the rest. A run that another process trains is asked for again until it is there.
"""

from __future__ import annotations

import json
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from figures import keys, storage
from figures.figure import Figure, no_more
from figures.records import Table
from surrogate.kit.executor import Local, Stoppable, Stopped

if TYPE_CHECKING:  # it loads torch
    from figures.training import Run, Trained

__all__ = ["NotRun", "Plan", "Queue", "in_turns", "local"]

Say = Callable[[str], None]
Engine = Callable[..., Stoppable]
Costs = Mapping[str, Mapping[str, float]]  # of a figure's id: seconds by run
EVERY = 5.0  # seconds between two lines of progress
AHEAD = 4  # runs given to the executor for each that it works on, so that it has some while a figure is drawn


class NotRun(Exception):
    """A figure that cannot be made now: time is up, or its data cannot be had. The message says which."""


def local(**options: Any) -> Stoppable:
    """Processes on this machine, a GPU each where there are several."""
    from neural.runs.attempt import gpus

    return Local(devices=gpus(), **options)


@dataclass(eq=False)
class Plan:
    """A figure on its way: the runs that it has asked for, and the results of those that have ended.

    ``first``: how many runs it asks for at once. ``error``: why it cannot be made. ``kept``: its stored table.
    """

    entry: Figure
    scale: str
    runs: list[Run] = field(default_factory=list)
    first: int = 0
    results: list[Trained] = field(default_factory=list)
    picks: bool = False  # whether it still has to pick further runs
    error: Exception | None = None
    kept: Table | None = None

    @classmethod
    def of(cls, entry: Figure, scale: str) -> Plan:
        """The figure's runs as they are known before any has ended; an error in its file is kept."""
        plan = cls(entry, scale)
        try:
            entry.load()  # raises where its file cannot be imported
            if entry.trained:
                from figures.training import Run

                plan.runs = [Run.of(one, scale) for one in entry.runs(scale)]
                plan.first, plan.picks = len(plan.runs), entry.then is not no_more
        except Exception as error:
            plan.error = error
        return plan

    def key(self) -> str:
        """What its table depends on, the runs that it asks for at once included."""
        return keys.key(self.entry, self.scale, self.runs[: self.first])

    def ready(self, runs: Path) -> bool:
        """When its runs have ended: read them, and pick further ones. False where it has picked some."""
        from figures.training import Run, read

        self.results += read(self.runs[len(self.results) :], runs)
        if self.picks:
            self.picks = False
            self.runs += [Run.of(one, self.scale) for one in self.entry.then(self.scale, self.results)]
        return len(self.results) == len(self.runs)

    def table(self) -> Table:
        """Its rows, computed now, tagged with what they come from."""
        data = {run.keys["task"]: run.data for run in self.results}
        columns = self.entry.table(self.scale, *([self.results] if self.entry.trained else []))
        noted = json.dumps(data, sort_keys=True) if self.entry.trained else ""
        rows: Table = storage.tagged(columns, self.entry.id, self.key(), self.scale, noted)
        return rows


class Queue:
    """``with Queue(plans, runs) as queue: for plan in queue.ready(): ...``. Runs are kept in the folder ``runs``.

    ``engine``: makes the executor, with the first run. ``end``: the time (of ``clock``) at which training stops; what
    runs then is kept, and a figure without all of its runs is not run.
    """

    def __init__(
        self,
        plans: Sequence[Plan],
        runs: Path,
        engine: Engine | None = None,
        end: float | None = None,
        say: Say = lambda line: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.open, self.engine, self.end, self.say, self.clock = [*plans], engine, end, say, clock
        self.runs = runs.absolute()  # a node of a cluster may start in another folder
        self._pool: Stoppable | None = None
        self._under_way: dict[Future[Any], Run | str] = {}  # runs that are trained, data sets that are fetched
        self._ended: set[str] = set()  # runs by identity
        self._failed: dict[str | None, Exception] = {}  # by place of a run, or by data set
        self._done, self._trained = 0, 0  # runs that have ended meanwhile; those that were trained here
        self._begun, self._said = 0.0, 0.0
        self._look([run for plan in plans for run in plan.runs])

    def __enter__(self) -> Queue:
        return self

    def __exit__(self, *reason: Any) -> None:
        if self._pool is not None:
            if any(not future.done() for future in self._under_way):
                self._pool.stop()  # runs of figures that cannot be made any more
            self._pool.__exit__(*reason)
            if self._trained:
                runs = "run" if self._trained == 1 else "runs"
                self.say(f"{self._trained} {runs} trained in {time.monotonic() - self._begun:.0f} s")

    def ready(self) -> Iterator[Plan]:
        """The plans, each as soon as all of its runs are there, or it is known that they will not be."""
        while self.open:
            self.step()
            plan = next((plan for plan in self.open if self._over(plan)), None)
            if plan is not None:
                self.open.remove(plan)
                yield plan
            else:
                left = EVERY if self.end is None or self._late() else min(EVERY, self.end - self.clock())
                wait(self._under_way, left, FIRST_COMPLETED)
                self._progress()

    def step(self) -> None:
        """Take up what has ended, and begin what can be begun."""
        for future in [future for future in self._under_way if future.done()]:
            self._landed(future, self._under_way.pop(future))
        if not self._late():
            self._begin()

    def _over(self, plan: Plan) -> bool:
        try:
            while plan.error is None and not self._missing(plan):
                if plan.kept is not None or plan.ready(self.runs):
                    return True
                self._look(plan.runs)
            plan.error = plan.error or self._lost(plan)
        except Exception as error:
            plan.error = error
        return plan.error is not None

    def _lost(self, plan: Plan) -> Exception | None:
        """Why not all of its runs will be there."""
        for name in (name for run in plan.runs for name in (run.place, run.data)):
            if name in self._failed:
                return self._failed[name]
        if not self._late() or {run.place for run in plan.runs} & self._places():
            return None
        self._look(plan.runs)  # another process may have trained them
        missing, asked = len(self._missing(plan)), len(plan.runs)
        words = f"the budget was used up: {asked - missing} of {asked} runs ended; what was trained is kept"
        return NotRun(words) if missing else None

    def _missing(self, plan: Plan) -> list[Run]:
        return [run for run in plan.runs if run.identity not in self._ended] if plan.kept is None else []

    def _look(self, runs: Sequence[Run]) -> None:
        """Which of them have ended, in this process or another."""
        from figures.training import ended

        self._ended |= {run.identity for run in runs if ended(self.runs / run.place, run.config.rounds)}

    def _late(self) -> bool:
        return self.end is not None and self.clock() >= self.end

    def _places(self) -> set[str]:
        return {run.place for run in self._under_way.values() if not isinstance(run, str)}

    def _waiting(self) -> list[Run]:
        """What is not trained yet, in the order of figures; each place once, with the most rounds that are asked."""
        found: dict[str, Run] = {}
        for run in (run for plan in self.open if plan.error is None for run in self._missing(plan)):
            if run.place not in found or found[run.place].config.rounds < run.config.rounds:
                found[run.place] = run
        busy = self._places() | self._failed.keys()
        return [run for place, run in found.items() if place not in busy]

    def _begin(self) -> None:
        """Fetch data, a set at a time; give runs to the executor, up to ``AHEAD`` for each that it works on."""
        from figures import job, training

        waiting = self._waiting()
        for run in waiting:
            if run.absent:
                if not any(isinstance(other, str) for other in self._under_way.values()):
                    self._under_way[_in_a_thread(partial(training.fetch, [run], self.say))] = str(run.data)
                continue
            if self._pool is None:
                there = len({run.place for plan in self.open for run in plan.runs}) - len(waiting)
                self.say(f"{len(waiting)} runs to train" + (f", {there} are there" if there else ""))
                self._pool, self._begun = (self.engine or local)(end=self.end), time.monotonic()
            if len(self._under_way) < AHEAD * self._pool.size:
                folder = (self.runs / run.place).parent
                self._under_way[self._pool.submit(job.train, dict(run.keys), folder)] = run

    def _landed(self, future: Future[Any], what: Run | str) -> None:
        """A run that has ended, or that another process trains (then it is asked for again); data that have come."""
        from figures import training

        try:
            ended = future.result()
        except Stopped:
            return
        except Exception as error:
            if isinstance(what, str):
                self._failed[what] = NotRun(str(error).partition("\n")[0])
            else:
                self._failed[what.place] = training.TrainingFailed.of(what, error)
            return
        if isinstance(what, str):
            for plan in self.open:  # only now it is known where these runs lie
                plan.runs = [replace(run) if run.data == what else run for run in plan.runs]
                self._look([run for run in plan.runs if run.data == what])
            if training.absent(what):
                self._failed[what] = NotRun(f"the data set {what} was fetched, and is not there")
        elif ended != "held":
            same = (run for plan in self.open for run in plan.runs if run.place == what.place)
            self._ended |= {run.identity for run in same if run.config.rounds <= what.config.rounds}
            self._done += 1
            self._trained += ended == "trained"

    def _progress(self) -> None:
        now, left = time.monotonic(), len(self._waiting()) + len(self._places())
        if self._done and left and now - max(self._begun, self._said) >= EVERY:
            seconds, self._said = (now - self._begun) / self._done * left, now
            self.say(f"{self._done} of {self._done + left} runs, about {seconds:.0f} s left")


def _in_a_thread(work: Callable[[], None]) -> Future[None]:
    """A future of it; the interpreter does not wait for it at its end."""
    future: Future[None] = Future()

    def run() -> None:
        try:
            work()
            future.set_result(None)
        except Exception as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future


def in_turns(entries: Sequence[Figure], costs: Costs | None = None) -> list[Figure]:
    """The order of figures, so that whenever time is up as much as can be stands there, of every paper.

    Those without training, as they are; then the flagship, then others. Where there is training, papers take turns:
    next is the paper that has used least, with the figure that adds least. A run counts once; without ``costs`` a
    figure counts 1.
    """
    order = [entry for entry in entries if not entry.trained]
    left = [entry for entry in entries if entry.trained]
    known: set[str] = set()
    used: dict[str, float] = defaultdict(float)

    def adds(entry: Figure) -> float:
        own = (costs or {entry.id: {entry.id: 1.0}}).get(entry.id, {})
        return sum(seconds for run, seconds in own.items() if run not in known)

    def place(entry: Figure) -> tuple[bool, bool, float, float]:
        return not entry.flagship, adds(entry) > 0, used[entry.paper], adds(entry)

    while left:
        entry = min(left, key=place)
        used[entry.paper] += adds(entry)
        known |= (costs or {}).get(entry.id, {}).keys()
        left.remove(entry)
        order.append(entry)
    return order
