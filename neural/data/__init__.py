"""Data sets and how they are split over clients: ``data.load(name, split=..., clients=..., seed=..., limit=...)``."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from neural.data.catalogue import names
    from neural.data.federated import FederatedData
    from neural.data.fetching import fetch
    from neural.data.loading import load, options

__all__ = ["FederatedData", "fetch", "load", "names", "options"]

_HOMES = {
    "FederatedData": "federated",
    "fetch": "fetching",
    "load": "loading",
    "names": "catalogue",
    "options": "loading",
}


def __getattr__(name: str) -> Any:
    """Each public name from its module, when it is first used: `surrogate --help` imports no torch."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
