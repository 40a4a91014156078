"""Files that are whole or absent: written beside, then renamed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

__all__ = ["user_cache", "whole"]


@contextlib.contextmanager
def whole(path: Path, durable: bool = False) -> Iterator[Path]:
    """A name to write to; ``path`` takes its content at the end, and keeps the old one if anything goes wrong.

    ``durable``: also after a power cut. The folder must be there. A link stays one: the file it names is replaced.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with whole(Path(folder) / "a.txt") as partial:
    ...         _ = partial.write_text("all of it")
    ...     (Path(folder) / "a.txt").read_text()
    'all of it'
    """
    path = path.resolve() if path.is_symlink() else path
    beside = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        yield beside
        if durable:
            _flush(beside)
        os.replace(beside, path)
        if durable:
            _flush(path.parent)
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)


def user_cache(room: str) -> Path:
    """The user's cache for one ``room``: $XDG_CACHE_HOME or ~/.cache, in quadratic-surrogates; it need not be there."""
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "quadratic-surrogates" / room


def _flush(path: Path) -> None:
    """A file's content, or the renames in a folder, onto the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
