"""The explorer of toy problems: ``surrogate explore``, and the same from Python.

A `State` says what is looked at: clients, a method and its settings, how it is run. `scene` turns it into plain numbers
with the functions of ``surrogate``; the browser draws these, and `draw` does with matplotlib.

>>> from figures.explorer import State
>>> State.of({"problem": {"preset": "two-clients"}, "gamma": 0.5, "steps": 2}).resting_point.round(6).tolist()
[0.714286]
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from figures.explorer.picture import draw
    from figures.explorer.state import State
    from figures.explorer.view import scene

_HOMES = {"State": "state", "draw": "picture", "scene": "view"}

__all__ = ["State", "draw", "scene"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"figures.explorer.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'figures.explorer' has no attribute {name!r}")
