"""Federated training in torch: data, tasks, engines, runs. The methods are those of ``surrogate.methods``.

Everything public is loaded on first use: ``neural.run``, ``neural.tasks``, ``neural.engine``, ``neural.data``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from surrogate.kit.lazy import lazy

if TYPE_CHECKING:
    import neural.data as data
    import neural.engine as engine
    import neural.runs as runs
    import neural.tasks as tasks
    from neural.runs.run import run

__all__ = ["data", "engine", "run", "runs", "tasks"]

__getattr__ = lazy(__name__, {"runs.run": "run", "data": "", "engine": "", "runs": "", "tasks": ""})


def __dir__() -> list[str]:
    return sorted(__all__)
