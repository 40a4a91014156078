"""Messages between the page and Python: a state is answered by a scene, an uploaded file by its state."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from figures.explorer import files, link, menu
from figures.explorer.snippet import snippet
from figures.explorer.state import MOST_ROUNDS, MOST_STEPS, State
from figures.explorer.view import scene
from surrogate import problems
from surrogate.kit.errors import ProblemError

__all__ = ["Reply", "answer", "opening"]

Reply = tuple[dict[str, Any], list[bytes]]


def opening(s: State, trouble: str = "") -> dict[str, Any]:
    """What the page is built from: the menu of methods, the presets, and the first scene."""
    return {
        "methods": [choice.plain() for choice in menu.choices().values()],
        "corrections": list(menu.CORRECTIONS),
        "presets": problems.PRESETS,
        "most": {"steps": MOST_STEPS, "rounds": MOST_ROUNDS},
        "shown": _shown(s) | {"seq": 0},
        "trouble": trouble,
    }


def answer(message: dict[str, Any], buffers: Sequence[bytes]) -> Reply:
    """The reply to ``message``: kind scene, file, or problem (what was wrong, in words); ``seq`` is handed back."""
    try:
        reply, sent = _ANSWERS[message["kind"]](message, buffers)
    except ProblemError as error:
        reply, sent = {"kind": "problem", "text": str(error)}, []
    except Exception as error:  # without a reply the page would wait for ever; the traceback goes to the terminal
        traceback.print_exc()
        reply, sent = {"kind": "problem", "text": f"The explorer itself failed ({type(error).__name__}: {error})."}, []
    return reply | {"seq": message.get("seq", 0)}, sent


def _show(message: dict[str, Any], buffers: Sequence[bytes]) -> Reply:
    return _shown(State.of(message["state"])), []


def _open(message: dict[str, Any], buffers: Sequence[bytes]) -> Reply:
    return _shown(files.from_bytes(message["name"], bytes(buffers[0]))), []


def _export(message: dict[str, Any], buffers: Sequence[bytes]) -> Reply:
    what = message["what"]
    name, mime, make = _EXPORTS[what]
    content = make(State.of(message["state"]))
    return {"kind": "file", "what": what, "name": name, "mime": mime}, [content]


def _picture(kind: str) -> Callable[[State], bytes]:
    def make(s: State) -> bytes:
        from figures.explorer.picture import rendered

        return rendered(s, kind)

    return make


_ANSWERS: dict[str, Callable[[dict[str, Any], Sequence[bytes]], Reply]] = {
    "show": _show,
    "open": _open,
    "export": _export,
}
_EXPORTS: dict[str, tuple[str, str, Callable[[State], bytes]]] = {
    "toml": ("problem.toml", "text/plain", lambda s: files.as_toml(s).encode()),
    "python": ("problem.py", "text/plain", lambda s: snippet(s).encode()),
    "png": ("explorer.png", "image/png", _picture("png")),
    "pdf": ("explorer.pdf", "application/pdf", _picture("pdf")),
}


def _shown(s: State) -> dict[str, Any]:
    return {"kind": "scene", "form": _form(s), "scene": scene(s), "query": link.query(s)}


def _form(s: State) -> dict[str, Any]:
    """All values of the controls, the clients number by number."""
    p = s.problem
    clients = {"kind": p.kind, "A": p.A, "v": p.v, "weights": p.weights, "owner": p.owner}
    return {
        "problem": clients | {"preset": p.preset, "spread": p.spread},
        "method": s.method,
        "gamma": s.gamma,
        "steps": s.steps,
        "theta": s.theta,
        "eta": s.eta,
        "settings": dict(s.choice.scalars) | dict(s.settings),
        "P": s.P or np.ones((s.clients.n, s.clients.d)).tolist(),
        "correction": s.correction,
        "per_round": s.per_round,
        "sampling": s.sampling,
        "batch": s.batch,
        "start": s.x0.tolist(),
        "startGiven": s.start is not None,
        "rounds": s.rounds,
    }
