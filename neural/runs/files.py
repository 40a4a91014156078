"""A run's files, whole or absent, and locks that vanish with the process; what a disk refuses, in words."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path

from surrogate.kit.errors import ProblemError, problem
from surrogate.kit.files import whole

__all__ = ["Damaged", "Held", "aside", "holder", "lock", "remove", "replace", "tidy", "writable"]

_CAUSES = {
    errno.ENOSPC: ("a full disk", "make room, then start the same command again: it takes up where it stopped"),
    errno.EDQUOT: ("a full quota", "make room, then start the same command again: it takes up where it stopped"),
    errno.ELOOP: ("a link where a file of ours should be", "remove the link, then start the same command again"),
    errno.EFBIG: ("a limit on the size of files", "raise it (ulimit -f), then start the same command again"),
}
_REFUSED = ("a read-only folder, or one of another user", "pass --out with a folder that you may write to")


class Damaged(Exception):
    """A file whose content is not what was written; the message names it and says what is wrong."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.path, self.why = path, why


@contextlib.contextmanager
def writable(path: Path) -> Iterator[None]:
    """Turn a full disk or a folder that refuses writing into a readable line."""
    try:
        yield
    except OSError as error:
        cause, fix = _CAUSES.get(error.errno or 0, _REFUSED)
        reason = error.strerror or str(error)
        raise problem(f"the file {path}", f"not written ({reason})", "room to write it", cause, fix) from error


def replace(path: Path, content: bytes) -> None:
    """Write ``path`` whole: whoever reads it sees the old content or the new one, even after a power cut."""
    with writable(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole(path, durable=True) as partial:
            partial.write_bytes(content)


def tidy(folder: Path) -> None:
    """Remove what killed processes left half-written. Only for whoever holds the folder's lock."""
    for left in folder.rglob(".*.partial"):
        remove(left)


def remove(path: Path) -> None:
    """Remove the file, if there is one."""
    with writable(path):
        path.unlink(missing_ok=True)


def aside(path: Path) -> Path:
    """Move a damaged file out of the way, and keep it."""
    number = sum(1 for _ in path.parent.glob(f"{path.name}.damaged*"))
    kept = path.with_name(f"{path.name}.damaged{number or ''}")
    with writable(kept):
        os.replace(path, kept)
    return kept


@contextlib.contextmanager
def lock(path: Path, what: str) -> Iterator[None]:
    """Hold ``path``, or refuse when another process does. The kernel frees it when the process ends."""
    with writable(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)  # a link's target is not ours
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Held(what, holder(path)) from None
        with writable(path):
            os.ftruncate(handle, 0)
            os.pwrite(handle, json.dumps({"process": os.getpid(), "machine": socket.gethostname()}).encode(), 0)
        yield
    finally:
        os.close(handle)


class Held(ProblemError):
    """Another process works on it."""

    def __init__(self, what: str, by: dict[str, object]) -> None:
        who = f"process {by.get('process', '?')} on {by.get('machine', '?')}"
        made = problem(
            what, f"held by {who}", "free", "the same run, or a sweep that has it, is under way",
            "wait for it, or end that process",
        )  # fmt: skip
        super().__init__(str(made))


def holder(path: Path) -> dict[str, object]:
    """Who took the lock last."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
