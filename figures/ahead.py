"""What idle processes train meanwhile: the runs of figures that come next."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from figures.registry import Entry
from figures.training import Run, absent, missing, read

__all__ = ["Ahead"]


@dataclass
class _Coming:
    """A figure whose runs are known: its first ones, those that wait, and whether all of them have been asked for.

    ``lacks``: the data of those that it has picked which are not here yet.
    """

    entry: Entry
    first: list[Run]
    waiting: deque[Run]
    whole: bool = False
    lacks: frozenset[str] = frozenset()


class Ahead:
    """``take(busy)``: the next run that a figure to come asks for and nobody trains, in the order of ``entries``.

    A figure that is broken, or whose data are not here yet, is left to whoever makes it.
    """

    def __init__(self, entries: Sequence[Entry], scale: str, runs: Path) -> None:
        self.scale, self.runs = scale, runs
        self._unseen: list[Entry] = list(entries)
        self._known: list[_Coming] = []
        self._data: dict[str, set[str]] = {}

    def take(self, busy: Callable[[str], bool] = lambda place: False) -> Run | None:
        """``busy``: whether the run of this place is on its way. None: there is nothing to do now."""
        for coming in self._figures():
            if (run := self._of(coming, busy)) is not None:
                return run
        return None

    def _figures(self) -> Iterator[_Coming]:
        """Those that may have something to train; each is looked at when those before it have nothing."""
        self._known = [coming for coming in self._known if not coming.whole or coming.waiting]
        yield from [*self._known]
        for entry in [*self._unseen]:
            try:
                coming = self._looked_at(entry)
            except Exception:  # whoever makes it says what is wrong
                self._unseen.remove(entry)
                continue
            if coming is not None:
                self._unseen.remove(entry)
                self._known.append(coming)
                yield coming

    def _looked_at(self, entry: Entry) -> _Coming | None:
        """None: its data are not here."""
        if any(absent(name) for name in self._data.get(entry.id, ())):
            return None
        module = entry.load()
        first = [Run.of(one, self.scale) for one in module.runs(self.scale)]
        self._data[entry.id] = {run.data for run in first if run.data is not None}
        if any(absent(name) for name in self._data[entry.id]):
            return None
        return _Coming(entry, first, deque(missing(first, self.runs)), not hasattr(module, "then"))

    def _of(self, coming: _Coming, busy: Callable[[str], bool]) -> Run | None:
        """Its next run; when its first ones have ended, those that ``then`` picks."""
        while True:
            while coming.waiting:
                run = coming.waiting.popleft()
                if not busy(run.place) and missing([run], self.runs):
                    return run
            if coming.whole or any(busy(run.place) for run in coming.first) or missing(coming.first, self.runs):
                return None
            if any(absent(name) for name in coming.lacks):
                return None
            try:
                keys = coming.entry.load().then(self.scale, read(coming.first, self.runs))
                picked = [Run.of(one, self.scale) for one in keys]
                coming.lacks = frozenset(run.data for run in picked if run.data is not None and absent(run.data))
                if coming.lacks:
                    return None
                coming.whole = True
                coming.waiting.extend(missing(picked, self.runs))
            except Exception:  # as above
                coming.whole = True
                return None
