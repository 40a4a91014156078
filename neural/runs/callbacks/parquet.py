"""The rows on disk: a part at each save, one file at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neural.runs import files, storage
from neural.runs.callbacks.callback import Callback

if TYPE_CHECKING:
    from neural.runs.run import Session

__all__ = ["Parquet"]


class Parquet(Callback):
    """Appends a part with the rows since the last save, so that a long run never writes a row twice but at its end."""

    def save(self, run: Session) -> None:
        """A part, or all rows in one file and the parts removed."""
        if run.status == "running":
            storage.write_part(run.folder, run.rows[run.saved + 1 :])
            return
        storage.write_rows(run.folder / storage.ROWS, run.rows)
        for part in storage.parts(run.folder):
            files.remove(part)
