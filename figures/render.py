"""Rendering a matplotlib figure to PDF, SVG and PNG, byte-equal each time, without a display."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from figures import style
from figures.figure import Figure
from figures.records import Drawing, Table
from figures.storage import atomic

__all__ = ["FORMATS", "render"]

FORMATS = ("pdf", "svg", "png")
THUMB = 110  # dots an inch of the pictures inside the gallery


def render(entry: Figure, draw: Any, rows: Table, base: Path) -> list[Path]:
    """Draw once, write ``base``.pdf, .svg, .png, and .thumb.png for the gallery; returns the first three."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    settings: dict[Any, Any] = dict(matplotlib.rcParamsDefault) | style.rc() | {"backend": "Agg"}
    with matplotlib.rc_context(settings):  # a user's matplotlibrc is ignored
        figure = draw(rows)
        try:
            with _settled(figure):
                _save(figure, base.with_name(f"{base.name}.thumb.png"), "png", entry, THUMB)
                return [_save(figure, base.with_name(f"{base.name}.{kind}"), kind, entry) for kind in FORMATS]
        finally:
            pyplot.close(figure)


@contextmanager
def _settled(figure: Drawing) -> Iterator[None]:
    """Laid out once: with a layout engine each format would be laid out anew, and drawn twice."""
    import matplotlib

    figure.draw_without_rendering()
    with matplotlib.rc_context({"figure.constrained_layout.use": False}):  # savefig would bring it back
        figure.set_layout_engine(None)
        yield


def _save(figure: Drawing, path: Path, kind: str, entry: Figure, dpi: int | None = None) -> Path:
    import matplotlib

    title = f"{entry.id}: {entry.title}"
    notes = {
        "pdf": {"Title": title, "Subject": entry.alt, "CreationDate": None},
        "svg": {"Title": title, "Description": entry.alt, "Date": None},
        "png": {"Title": title, "Description": entry.alt},
    }
    with atomic(path) as partial:
        figure.savefig(partial, format=kind, metadata=notes[kind], dpi=dpi or matplotlib.rcParams["savefig.dpi"])
    return path
