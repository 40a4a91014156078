"""Parts of pages that are written from the tree itself: ``<!-- generated: verdicts outsized -->`` on a line of its own.

The word names a function of `listings`, `questions`, `api`, `commands`, `configurations` or `gallery`, which returns
Markdown. The report of the verdicts is built beside the pages, in ``report/``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from sphinx.application import Sphinx

from . import api, commands, configurations, gallery, listings, questions

__all__ = ["setup"]

WRITERS: dict[str, Callable[..., str]] = {
    "api": api.module,
    "commands": commands.all_verbs,
    "configurations": configurations.tables,
    "figures": listings.figures,
    "gallery": gallery.scripts,
    "methods": listings.methods,
    "printed": configurations.printed,
    "questions": questions.table,
    "tasks": listings.tasks,
    "verdicts": listings.verdicts,
}
_MARK = re.compile(r"^<!-- generated: ([a-z]+)((?: [\w.]+)*) -->$", re.MULTILINE)


def _fill(app: Sphinx, docname: str, source: list[str]) -> None:
    """Put what the marks name in their place; links in it are relative to the page."""
    up = "../" * docname.count("/")
    if _MARK.search(source[0]):
        app.env.note_reread()  # the tree may have changed where Sphinx does not look
    source[0] = _MARK.sub(lambda mark: WRITERS[mark[1]](*mark[2].split(), up=up), source[0])


def _report(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        from theorems.report import build

        build(Path(app.outdir) / "report")


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("source-read", _fill)
    app.connect("build-finished", _report)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
