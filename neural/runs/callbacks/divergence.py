"""End a run that is lost, as a result and not as a crash."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from neural.engine.loop import diverged
from neural.runs.callbacks.callback import Callback

if TYPE_CHECKING:
    from neural.runs.run import Session

__all__ = ["Divergence"]

_LOSSES = ("loss", "loss_before")


class Divergence(Callback):
    """Stops a run as "diverged": an update or a loss that is not finite, or a loss a million times the first."""

    def __init__(self) -> None:
        self.first: dict[str, float] = {}

    def begin(self, run: Session) -> None:
        """The first losses, from the rows of an earlier process where there are any."""
        self.first = {}
        for row in run.rows:
            self._note(row)

    def row(self, run: Session, row: Mapping[str, Any]) -> None:
        """Stop, where this row shows it."""
        self._note(row)
        lost = any(name in row and diverged(row[name], self.first[name]) for name in _LOSSES)
        if lost or not abs(row.get("update_norm", 0.0)) < float("inf"):
            run.stop("diverged")

    def _note(self, row: Mapping[str, Any]) -> None:
        for name in _LOSSES:
            if name in row:
                self.first.setdefault(name, row[name])
