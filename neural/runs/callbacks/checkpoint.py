"""All state, so that a run that is killed goes on from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neural.runs import files, storage
from neural.runs.callbacks.callback import Callback

if TYPE_CHECKING:
    from neural.runs.run import Session

__all__ = ["Checkpoint"]

_KEPT = 2


class Checkpoint(Callback):
    """Writes the state and the rows that no file holds yet, all of them at the end. The last two are kept."""

    def save(self, run: Session) -> None:
        """Before rows and manifest, which can be made again from this."""
        assert run.position is not None
        first = run.saved + 1 if run.status == "running" else 0
        storage.write_checkpoint(
            run.folder / storage.checkpoint_name(run.position.rounds),
            {"rounds": run.position.rounds, "state": run.position.state, "own": run.position.own,
             "rows": run.rows[first:], "status": run.status, "execution": run.execution},
        )  # fmt: skip
        for old in storage.checkpoints(run.folder)[_KEPT:]:
            files.remove(old)
