"""What was run, with what, and how far it has come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neural.runs import storage
from neural.runs.callbacks.callback import Callback

if TYPE_CHECKING:
    from neural.runs.run import Session

__all__ = ["Manifest"]


class Manifest(Callback):
    """Written last: when it says that a run is done, the rows are there."""

    def save(self, run: Session) -> None:
        """The manifest as it now is."""
        storage.write_manifest(run.folder / storage.MANIFEST, run.manifest())
