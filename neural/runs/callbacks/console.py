"""Progress of a run: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TextIO

from neural.runs.callbacks.callback import Callback

if TYPE_CHECKING:
    from neural.runs.run import Session

__all__ = ["Console", "bar"]

_LINES = 20  # so many lines a run, where there is no terminal


def bar(done: int, total: int, width: int = 24) -> str:
    """
    >>> bar(3, 4, width=8)
    '[######  ] 3/4'
    """
    filled = width * done // max(1, total)
    return f"[{'#' * filled}{' ' * (width - filled)}] {done}/{total}"


class Console(Callback):
    """Shows the measures of the rounds on ``stream`` (default: standard output)."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream
        self.shown = 0

    def row(self, run: Session, row: Mapping[str, Any]) -> None:
        """One row."""
        stream = self.stream or sys.stdout
        total = run.config.rounds
        measures = "  ".join(f"{k} {v:.6g}" for k, v in row.items() if k not in ("round", "seconds"))
        if stream.isatty():
            line = f"{bar(row['round'], total)}  {measures}"[: shutil.get_terminal_size().columns - 1]
            print(f"\r{line.ljust(self.shown)}", end="", file=stream, flush=True)
            self.shown = len(line)
        elif row["round"] % max(1, total // _LINES) == 0 or row["round"] == total or run.status != "running":
            print(f"round {row['round']}  {measures}".rstrip(), file=stream, flush=True)

    def end(self, run: Session) -> None:
        """Leave the bar as it is, and go on below."""
        if self.shown:
            print(file=self.stream or sys.stdout, flush=True)
            self.shown = 0
