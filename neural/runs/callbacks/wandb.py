"""Rows for Weights & Biases, offline: files in the run's folder, which ``wandb sync`` uploads when asked to.

Needs the extra ``wandb``. Nothing is sent: runs need no network and no account.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from neural.runs.callbacks.callback import Callback
from surrogate.kit.extras import extra

if TYPE_CHECKING:
    from neural.runs.run import Session

__all__ = ["Wandb"]


class Wandb(Callback):
    """Writes FOLDER/wandb/offline-run-*; a resumed run is another part under the same id."""

    def __init__(self, project: str = "quadratic-surrogates") -> None:
        self.wandb = extra("wandb", "the log wandb")
        self.project = project
        self.log: Any = None

    def begin(self, run: Session) -> None:
        """Open it under the run's own name and key."""
        manifest = run.manifest()
        self.log = self.wandb.init(
            mode="offline", dir=str(run.folder), project=self.project, name=run.folder.name,
            id=manifest["key"][:16], config=manifest["config"],
        )  # fmt: skip

    def row(self, run: Session, row: Mapping[str, Any]) -> None:
        """One step a round."""
        self.log.log({name: value for name, value in row.items() if name != "round"}, step=row["round"])

    def end(self, run: Session) -> None:
        """Close it; the exit code tells a run that failed from one that ended."""
        if self.log is not None:
            self.log.finish(exit_code=1 if run.status == "running" else 0)
            self.log = None
