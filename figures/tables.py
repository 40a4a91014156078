"""Tables of the papers: our numbers beside the printed ones, as Markdown, as LaTeX (booktabs) and as a picture.

A table's file defines ``sheet(rows) -> Sheet``; Markdown, LaTeX and the picture follow from it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from figures import style
from figures.records import Drawing, Table

if TYPE_CHECKING:
    from figures.figure import Figure

__all__ = ["Cell", "Sheet", "latex", "markdown", "picture", "write"]

NOTE = "In brackets: printed in the paper."
SMALLER = "Most networks are smaller, and clients and rounds fewer, than the paper's."
LINE, LETTER, GAP = 0.23, 0.073, 0.22  # inches: height of a row, width of a letter, space between columns


@dataclass(frozen=True)
class Cell:
    """Our value and the printed one, each a number, a text, or None where there is none; infinity: never reached."""

    ours: float | str | None
    printed: float | str | None = None


@dataclass(frozen=True)
class Sheet:
    """``head``: names of the columns; ``rows``: a label and the cells of each; ``form``: how numbers are written.

    ``best``: "max" or "min" marks the best of our numbers in each column; ``notes``: sentences below.
    """

    head: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Cell]]]
    form: str = ".1f"
    best: str | None = None
    notes: Sequence[str] = ()

    def text(self, value: float | str | None) -> str:
        """A value as it is shown; a dash where there is none."""
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return "–"
        if isinstance(value, str):
            return value
        return format(value, self.form) if math.isfinite(value) else "never"

    def winners(self) -> set[tuple[int, int]]:
        """(row, column) of the best numbers of ours; ties share."""
        if self.best is None:
            return set()
        places, sign = set(), 1 if self.best == "max" else -1
        for column in range(len(self.head) - 1):
            ours = [(sign * _number(cells[column]), row) for row, (_, cells) in enumerate(self.rows)]
            top = max((value for value, _ in ours if math.isfinite(value)), default=math.nan)
            places |= {(row, column) for value, row in ours if value == top}
        return places


def write(sheet: Sheet, entry: Figure, rows: Table, base: Path) -> None:
    """``base``.md and ``base``.tex."""
    from figures.storage import write_text

    about = _about(rows)
    write_text(markdown(sheet, entry.title, about), base.with_name(f"{base.name}.md"))
    write_text(latex(sheet, entry.title, about, entry.id), base.with_name(f"{base.name}.tex"))


def markdown(sheet: Sheet, title: str, about: str) -> str:
    """Our best in bold."""
    best = sheet.winners()
    lines = [f"**{title}**", "", _row(sheet.head), _row(["---"] + ["---:"] * (len(sheet.head) - 1))]
    for r, (label, cells) in enumerate(sheet.rows):
        texts = [_joined(sheet, cell, "**{}**" if (r, c) in best else "{}") for c, cell in enumerate(cells)]
        lines.append(_row([label, *texts]))
    return "\n".join([*lines, "", " ".join(_notes(sheet, about))]) + "\n"


def latex(sheet: Sheet, title: str, about: str, label: str) -> str:
    """A table environment for booktabs."""
    best = sheet.winners()
    body = []
    for r, (name, cells) in enumerate(sheet.rows):
        texts = [
            _joined(sheet, cell, r"\textbf{{{}}}" if (r, c) in best else "{}", _tex) for c, cell in enumerate(cells)
        ]
        body.append(" & ".join([_tex(name), *texts]) + r" \\")
    return "\n".join(
        [r"\begin{table}", r"\centering", rf"\caption{{{_tex(title)}}}", rf"\label{{tab:{label}}}",
         rf"\begin{{tabular}}{{l{'r' * (len(sheet.head) - 1)}}}", r"\toprule",
         " & ".join(map(_tex, sheet.head)) + r" \\", r"\midrule", *body, r"\bottomrule", r"\end{tabular}",
         *(_tex(note) for note in _notes(sheet, about)), r"\end{table}"]
    ) + "\n"  # fmt: skip


def picture(sheet: Sheet, entry: Figure, rows: Table) -> Drawing:
    """The table as a figure; printed numbers in grey."""
    from matplotlib import pyplot

    first, columns = _widths(sheet)
    width = max(first + sum(map(sum, columns)) + GAP * (len(columns) + 2), 4.0)
    notes = style.wrapped(" ".join(_notes(sheet, _about(rows))), width)
    height = LINE * (len(sheet.rows) + 2.4) + 0.13 * notes.count("\n") + 0.25
    figure = pyplot.figure(figsize=(width, height), layout="none")
    place = _Places(figure, width, height)
    for y, heavy in ((0.4, 1.0), (1.5, 0.6), (len(sheet.rows) + 1.7, 1.0)):
        place.rule(GAP / 2, width - GAP / 2, y * LINE, heavy)
    place.text(GAP, LINE, sheet.head[0])
    for r, (label, _) in enumerate(sheet.rows):
        place.text(GAP, (r + 2.1) * LINE, label)
    left = GAP + first + GAP
    for c, (ours, printed) in enumerate(columns):
        _column(sheet, c, place, left + ours, left + ours + printed)
        left += ours + printed + GAP
    style.footer(figure, notes)
    return figure


def _widths(sheet: Sheet) -> tuple[float, list[tuple[float, float]]]:
    """Inches: of the labels, and of each column's own and printed numbers."""
    columns = []
    for c, name in enumerate(sheet.head[1:]):
        ours = max((len(sheet.text(cells[c].ours)) for _, cells in sheet.rows), default=0)
        printed = max((len(_printed(sheet, cells[c])) for _, cells in sheet.rows), default=0)
        printed += printed > 0
        columns.append((max(ours, len(name) - printed) * LETTER, printed * LETTER))
    return max(map(len, [sheet.head[0], *(label for label, _ in sheet.rows)])) * LETTER, columns


def _column(sheet: Sheet, c: int, place: _Places, middle: float, right: float) -> None:
    """Our numbers end at ``middle``, the printed ones and the name at ``right``."""
    best = sheet.winners()
    place.text(right, LINE, sheet.head[c + 1], ha="right")
    for r, (_, cells) in enumerate(sheet.rows):
        look = {"weight": "bold"} if (r, c) in best else {}
        place.text(middle, (r + 2.1) * LINE, sheet.text(cells[c].ours), ha="right", **look)
        printed = _printed(sheet, cells[c])
        if printed:
            place.text(right, (r + 2.1) * LINE, printed, ha="right", color=style.COLOURS["grey"])


def _printed(sheet: Sheet, cell: Cell) -> str:
    return "" if cell.printed is None else f"({sheet.text(cell.printed)})"


class _Places:
    """Texts and rules of a figure at inches from its left and its top."""

    def __init__(self, figure: Drawing, width: float, height: float) -> None:
        self.figure, self.width, self.height = figure, width, height

    def text(self, x: float, y: float, text: str, **look: Any) -> None:
        self.figure.text(x / self.width, 1 - y / self.height, text, va="center", fontsize=8, **look)

    def rule(self, left: float, right: float, y: float, weight: float) -> None:
        from matplotlib.lines import Line2D

        xs, ys = [left / self.width, right / self.width], [1 - y / self.height] * 2
        self.figure.add_artist(Line2D(xs, ys, color="black", linewidth=weight, transform=self.figure.transFigure))


def _joined(sheet: Sheet, cell: Cell, form: str, escape: Any = str) -> str:
    text = form.format(escape(sheet.text(cell.ours)))
    return text if cell.printed is None else f"{text} ({escape(sheet.text(cell.printed))})"


def _about(rows: Table) -> str:
    """Scale and data; what was trained below paper scale stands beside printed numbers of larger networks."""
    notes = rows.schema.metadata or {}
    smaller = notes.get(b"data", b"{}") not in (b"", b"{}") and notes.get(b"scale") != b"paper"
    return f"{style.provenance(rows)} {SMALLER}" if smaller else style.provenance(rows)


def _notes(sheet: Sheet, about: str) -> list[str]:
    printed = any(cell.printed is not None for _, cells in sheet.rows for cell in cells)
    return [*([NOTE] if printed else []), *sheet.notes, about]


def _number(cell: Cell) -> float:
    return math.nan if cell.ours is None or isinstance(cell.ours, str) else float(cell.ours)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _tex(text: str) -> str:
    """Escaped for LaTeX; what stands between dollars is mathematics already."""
    if text.count("$") >= 2:
        return text
    plain = re.sub(r"([&%#_{}])", r"\\\1", text)
    return plain.replace("–", "--")
