"""The explorer as a widget (anywidget): the page draws, Python computes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import traitlets

from figures.explorer import talk
from figures.explorer.state import State

__all__ = ["Explorer"]

_STATIC = Path(__file__).parent / "static"
_SCRIPTS = ("svg.js", "panels.js", "landscape.js", "clients.js", "controls.js", "main.js")


def _text(*names: str) -> str:
    return "\n".join((_STATIC / name).read_text(encoding="utf-8") for name in names)


class Explorer(anywidget.AnyWidget):
    """Shows a `State`, and lets its viewer change it; in a marimo app or a Jupyter notebook."""

    _esm = _text(*_SCRIPTS)
    _css = _text("explorer.css")
    opening = traitlets.Dict().tag(sync=True)

    def __init__(self, state: State | None = None, trouble: str = "") -> None:
        super().__init__(opening=talk.opening(state or State(), trouble))
        self.on_msg(self._hear)

    def _hear(self, widget: Any, message: dict[str, Any], buffers: list[bytes]) -> None:
        reply, sent = talk.answer(message, buffers or [])
        self.send(reply, buffers=sent)
