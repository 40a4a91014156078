"""Rows as TensorBoard scalars, in the run's folder. Needs the extra ``tensorboard``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from neural.runs.callbacks.callback import Callback
from surrogate.kit.extras import extra

if TYPE_CHECKING:
    from neural.runs.run import Session

__all__ = ["TensorBoard"]


class TensorBoard(Callback):
    """Writes FOLDER/tensorboard; rounds that a killed process had logged beyond its checkpoint are taken back."""

    def __init__(self) -> None:
        extra("tensorboard", "the log tensorboard")
        self.writer: Any = None

    def begin(self, run: Session) -> None:
        """Open an event file."""
        from torch.utils.tensorboard import SummaryWriter

        again = None if run.resumed is None else run.resumed + 1
        self.writer = SummaryWriter(str(run.folder / "tensorboard"), purge_step=again)

    def row(self, run: Session, row: Mapping[str, Any]) -> None:
        """Each measure under its name."""
        for name, value in row.items():
            if name != "round":
                self.writer.add_scalar(name, value, row["round"])

    def save(self, run: Session) -> None:
        """Onto the disk."""
        if self.writer is not None:
            self.writer.flush()

    def end(self, run: Session) -> None:
        """Close it."""
        if self.writer is not None:
            self.writer.close()
            self.writer = None
