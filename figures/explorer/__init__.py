"""The explorer of toy problems: ``surrogate explore``, and the same from Python.

A `State` says what is looked at: clients, a method and its settings, how it is run. `scene` turns it into plain numbers
with the functions of ``surrogate``; the browser draws these, and `draw` does with matplotlib.

>>> from figures.explorer import State
>>> State.of({"problem": {"preset": "two-clients"}, "gamma": 0.5, "steps": 2}).resting_point.round(6).tolist()
[0.714286]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from surrogate.kit.lazy import lazy

if TYPE_CHECKING:
    from figures.explorer.picture import draw
    from figures.explorer.state import State
    from figures.explorer.view import scene

__all__ = ["State", "draw", "scene"]

__getattr__ = lazy(__name__, {"picture": "draw", "state": "State", "view": "scene"})
