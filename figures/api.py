"""The public functions of `figures`: names of all figures, and the table behind one of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from figures import registry
from figures.queue import Plan, Queue

if TYPE_CHECKING:
    import pyarrow

__all__ = ["names", "table"]


def names() -> list[str]:
    """The ids of all figures and tables, papers in order.

    >>> names()[0]
    'OLR.F1'
    """
    return [entry.id for entry in registry.cards()]


def table(id: str, scale: str = registry.DEFAULT_SCALE, out: str | Path = "out/figures") -> pyarrow.Table:
    """The rows behind a figure, computed now; ``scale`` is smoke, laptop or paper (toy figures: the same at each).

    ``id`` as in ``surrogate figures --list``: ``"LA.F1b"``, or ``"local_adaptivity/figure_1b"``. Training runs that it
    needs are taken from ``out``/runs, and kept there.
    """
    entry = registry.find([id])[0]
    with Queue([Plan.of(entry, registry.known_scale(scale))], Path(out) / "runs") as queue:
        (plan,) = queue.ready()
    if plan.error is not None:
        raise plan.error
    return plan.table()
