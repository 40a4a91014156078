"""Federated training in torch: data, tasks, engines, runs. The methods are those of ``surrogate.methods``.

Everything public is loaded on first use: ``neural.run``, ``neural.tasks``, ``neural.engine``, ``neural.data``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import neural.data as data
    import neural.engine as engine
    import neural.runs as runs
    import neural.tasks as tasks
    from neural.runs.run import run

_HOMES = {"run": "neural.runs.run"}
_MODULES = ("data", "engine", "runs", "tasks")

__all__ = ["data", "engine", "run", "runs", "tasks"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    if name in _MODULES:
        return importlib.import_module(f"neural.{name}")
    raise AttributeError(f"module 'neural' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
