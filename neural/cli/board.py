"""The table of a sweep: redrawn on a terminal, a line for each change elsewhere."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping, Sequence
from typing import Any, TextIO

__all__ = ["Board", "page"]

Line = Mapping[str, Any]
_FIRST = ("failed", "running", "waiting", "done", "diverged")  # what is shown where not all lines fit


class Board:
    """Shows a table whenever it is called with one."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = sys.stdout if stream is None else stream
        self.height = 0
        self.told: dict[str, str] = {}

    def __call__(self, table: Sequence[Line]) -> None:
        """Draw it, or tell what is new."""
        if self.stream.isatty():
            self._draw(table)
        else:
            self._tell(table)
        self.stream.flush()

    def _draw(self, table: Sequence[Line]) -> None:
        size = shutil.get_terminal_size()
        room = max(1, size.lines - 4)
        shown = table
        if len(table) > room:
            urgent = sorted(range(len(table)), key=lambda k: _FIRST.index(_status(table[k])))[:room]
            shown = [table[k] for k in sorted(urgent)]
        lines = [
            _summary(table),
            *page([{k: v for k, v in line.items() if k != "folder"} for line in shown]).splitlines(),
        ]
        up = f"\x1b[{self.height}A" if self.height else ""
        self.stream.write(up + "".join(f"\x1b[2K{line[: size.columns - 1]}\n" for line in lines) + "\x1b[J")
        self.height = len(lines)

    def _tell(self, table: Sequence[Line]) -> None:
        """A line for each run that has taken another status; the first time only where something has begun."""
        changed = [line for line in table if self.told.get(line["folder"], "waiting") != line["status"]]
        self.told |= {line["folder"]: line["status"] for line in table}
        for line in changed:
            self.stream.write(f"{line['folder']}: {line['status']} at round {line['rounds']}\n")
        if changed:
            self.stream.write(_summary(table) + "\n")


def page(table: Sequence[Line]) -> str:
    """Columns as wide as they need to be."""
    names = list(dict.fromkeys(name for line in table for name in line))
    cells = [names, *([_cell(line.get(name)) for name in names] for line in table)]
    widths = [max(len(row[k]) for row in cells) for k in range(len(names))]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in cells)


def _summary(table: Sequence[Line]) -> str:
    """
    >>> _summary([{"status": "done", "rounds": 9}, {"status": "waiting", "rounds": 0}])
    '1 of 2 runs ended, 9 rounds'
    """
    failed = sum(line["status"] == "failed" for line in table)
    ended = sum(line["status"] in ("done", "diverged") for line in table)
    told = f"{ended} of {len(table)} runs ended, {sum(line['rounds'] for line in table)} rounds"
    return f"{told}, {failed} failed" if failed else told


def _status(line: Line) -> str:
    return str(line["status"]) if line["status"] in _FIRST else "running"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
