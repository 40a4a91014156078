"""What a callback may hear of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from neural.runs.run import Session

__all__ = ["Callback", "Each"]


class Callback:
    """Four moments of a run; each does nothing unless overridden.

    ``run`` has ``config``, ``folder``, ``task``, ``rows`` (all so far), ``position`` (state after the last round, None
    before the first), ``status``, ``say(line)`` and ``stop(status)``, which ends the run after this row.
    """

    def begin(self, run: Session) -> None:
        """Before the first round of this process; ``run.resumed`` is the round after which it takes up, or None."""

    def row(self, run: Session, row: Mapping[str, Any]) -> None:
        """After each round, and for the start: its row."""

    def save(self, run: Session) -> None:
        """Write what a kill would lose: every ``checkpoint_every`` rounds, when interrupted, and last of all."""

    def end(self, run: Session) -> None:
        """When this process leaves the run, for whatever reason."""


class Each(Callback):
    """A function of each row."""

    def __init__(self, hear: Callable[[dict[str, Any]], None]) -> None:
        self.hear = hear

    def row(self, run: Session, row: Mapping[str, Any]) -> None:
        """Pass it on."""
        self.hear(dict(row))
