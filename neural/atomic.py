"""Files that are whole or absent: written beside, flushed, renamed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

__all__ = ["whole"]


@contextlib.contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """Where to write what ``path`` shall hold: who reads it sees the old content or the new, even after a power cut."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with beside.open("wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(beside, path)
        _flushed(path.parent)
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)


def _flushed(folder: Path) -> None:
    """Renames in it, onto the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
