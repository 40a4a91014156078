"""From a figure's file to its rows: computed at once, or from training runs, which are made as far as missing."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from figures import storage
from figures.keys import key
from figures.registry import Entry

if TYPE_CHECKING:
    from figures.ahead import Ahead
    from figures.crew import Crew
    from figures.training import Trained

__all__ = ["NotRun", "Session"]

Say = Callable[[str], None]


class NotRun(Exception):
    """A figure that cannot be made now: time is up, or its data cannot be had. The message says which."""


class Session:
    """``with Session(out) as session: session.rows(entry, scale)``. Runs are kept in ``out``/runs, for all figures.

    ``end``: the time (of time.monotonic) at which training stops. torch is loaded with the first figure that trains.
    """

    def __init__(self, out: Path, end: float | None = None) -> None:
        self.runs, self.end = out / "runs", end
        self.crew: Crew | None = None
        self.ahead: Ahead | None = None

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *reason: Any) -> None:
        if self.crew is not None:
            self.crew.__exit__(*reason)

    def expect(self, entries: Sequence[Entry], scale: str) -> None:
        """These figures come next, in this order: whoever has nothing to train begins with their runs."""
        from figures.ahead import Ahead

        self.ahead = Ahead(entries, scale, self.runs)
        if self.crew is not None:
            self.crew.expect(self.ahead)

    def begin(self, entries: Sequence[Entry], scale: str, say: Say) -> None:
        """Begin with the runs of these figures now, and bring their data, while others are made."""
        from figures.crew import Crew
        from figures.early import bring

        self.expect(entries, scale)
        self.crew = Crew(end=self.end, ahead=self.ahead)
        self.crew.begin(self.runs)
        bring(entries, scale, say, self.crew.look)

    def rows(self, entry: Entry, scale: str, say: Say = lambda line: None) -> Any:
        """The tagged table, computed now."""
        module, data = entry.load(), ""
        if entry.trained:
            found = self._results(module, scale, say)
            columns = module.table(scale, found)
            data = json.dumps({run.keys["task"]: run.data for run in found}, sort_keys=True)
        else:
            columns = module.table(scale)
        return storage.tagged(columns, entry.id, key(entry, scale), scale, data)

    def _results(self, module: Any, scale: str, say: Say) -> list[Trained]:
        """Of the figure's ``runs``, and of those that ``then`` picks when it has seen these."""
        found = self._trained(module.runs(scale), scale, say)
        if hasattr(module, "then"):
            found += self._trained(module.then(scale, found), scale, say)
        return found

    def _trained(self, keys: Sequence[Mapping[str, Any]], scale: str, say: Say) -> list[Trained]:
        from figures import training
        from figures.crew import Crew, Stopped

        asked = [training.Run.of(one, scale) for one in keys]
        if training.missing(asked, self.runs):
            if self.end is not None and time.monotonic() >= self.end:
                raise NotRun("the budget was used up")
            try:
                training.fetch(asked, say)
            except training.NoData as error:
                raise NotRun(str(error).partition("\n")[0]) from error
            asked = [replace(run) for run in asked]  # new ones, whose places are looked up as the data are that came
        waiting = training.missing(asked, self.runs)
        if waiting:
            self.crew = self.crew or Crew(end=self.end, ahead=self.ahead)
            ready, begin = len(asked) - len(waiting), time.monotonic()
            say(f"{len(waiting)} runs to train, {ready} are there" if ready else f"{len(waiting)} runs to train")
            try:
                self.crew.train(waiting, self.runs, say)
            except Stopped as stop:
                raise NotRun(f"the budget was used up: {stop}; what was trained is kept") from stop
            say(f"{len(waiting)} runs trained in {time.monotonic() - begin:.0f} s")
        return training.read(asked, self.runs)
