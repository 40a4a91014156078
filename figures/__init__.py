"""One file a figure or table of the papers, one folder a paper: the table first, the drawing second, findings last.

A file ``figures/<paper>/figure_1.py`` holds ``ID``, ``TITLE``, ``ALT`` (the picture in words), ``CLAIMS`` (what the
paper concludes, by short name), ``EXACT`` (True: the same table at every scale), and the functions ``table(scale)``
(columns), ``draw(rows)`` (a matplotlib figure) and ``findings(rows)`` (one `Finding` a claim). ``surrogate figures``
finds it by itself.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from figures.findings import Finding
    from figures.public import names, table

_HOMES = {"Finding": "findings", "names": "public", "table": "public"}

__all__ = ["Finding", "names", "table"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"figures.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'figures' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
