"""A grid of runs in one folder: skip what is done, work through the rest here or on a Ray cluster, and gather.

No master hands out work: whoever takes a run holds its lock, so that several sweeps may share one folder, and what a
killed one leaves is free at once. The grid: neural/runs/grid.py; a run's folder: neural/runs/storage.py.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from neural.runs import results
from neural.runs.grid import Trial, expand
from neural.runs.results import Line
from neural.runs.target import Target
from surrogate.kit.errors import ProblemError

__all__ = ["Crew", "sweep"]

POLL = 0.3  # seconds between two looks at the folder


class Crew(Protocol):
    """Who works through the runs."""

    def __enter__(self) -> Crew:
        """Start."""

    def __exit__(self, *error: Any) -> None:
        """Stop, and let runs that are under way save themselves."""

    def busy(self) -> bool:
        """Whether any work is left that may still come to an end."""


def sweep(
    given: Mapping[str, Any],
    out: Path,
    crew: Callable[[Sequence[Trial], Path], Crew] | None = None,
    show: Callable[[list[Line]], None] = lambda table: None,
    target: Target | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> list[Line]:
    """Run what is not done yet and return the table, which is also in OUT/results.csv and OUT/results.parquet.

    ``crew``: `neural.runs.local.Local` (default) or `neural.runs.ray_engine.Ray`, with their options bound by
    functools.partial. ``show`` hears the table whenever it has changed. ``target``: adds the rounds that each run took
    to it. ``say`` hears where the files of a finished sweep could not be written again.
    """
    if crew is None:
        from neural.runs.local import Local

        crew = Local
    trials = expand(given)
    for trial in trials:
        with contextlib.suppress(OSError):
            (out / trial.folder / "error.txt").unlink(missing_ok=True)
    before: list[Line] = []
    lines = results.progress(trials, out)
    open_ = [t for t, line in zip(trials, lines, strict=True) if not (_ended(line) and results.whole(t, out))]
    with crew(open_, out.resolve()) if open_ else contextlib.nullcontext() as working:
        while working and working.busy():
            now = results.progress(trials, out)
            if now != before:
                show(now)
            before = now
            time.sleep(POLL)
    table = results.gather(trials, out, target)
    show(table)
    try:
        results.write(table, out)
    except ProblemError as refused:
        if open_:
            raise
        say(f"the table could not be refreshed: {str(refused).splitlines()[0]}")
    return table


def _ended(line: Line) -> bool:
    return line["status"] in results.ENDED
