"""The cache outside the tree: fetched packages with their sha256, and the arrays made from them. Writes are atomic.

    CACHE/packages/FILE        an archive, complete or absent;  FILE.json: its receipt (sha256, title)
    CACHE/partial/NAME/        where a client works; kept when it is killed, so that the client may take up from there
    CACHE/stand-ins/NAME       which package may stand in for a data set that could not be fetched
    CACHE/processed/KEY.npz    arrays; a damaged one is detected by its checksums and made again

CACHE is SURROGATE_CACHE, else XDG_CACHE_HOME/quadratic-surrogates/data, else ~/.cache/quadratic-surrogates/data.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import sys
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neural.data.packages import Package
from surrogate.kit.errors import ProblemError, problem
from surrogate.kit.files import user_cache, whole

__all__ = [
    "Work",
    "allow_stand_in",
    "fetched",
    "folder",
    "keep",
    "load_arrays",
    "lock",
    "path",
    "published",
    "receipt",
    "save_arrays",
    "sha256",
    "stand_in_allowed",
    "writable",
]

Array = NDArray[Any]
_NAMES = "_names"  # the entry of an archive of arrays that lists the others


def folder() -> Path:
    """Where fetched data is kept."""
    if os.environ.get("SURROGATE_CACHE"):
        return Path(os.environ["SURROGATE_CACHE"]).expanduser()
    return user_cache("data")


def published() -> Path | None:
    """The folder of published files that the user has, given by SURROGATE_DATA."""
    given = os.environ.get("SURROGATE_DATA")
    if not given:
        return None
    if not Path(given).expanduser().is_dir():
        raise problem(
            "SURROGATE_DATA", repr(given), "a folder that exists", "a slip, or a disk that is not mounted",
            f"run `mkdir -p {given}`, or unset SURROGATE_DATA",
        )  # fmt: skip
    return Path(given).expanduser()


def sha256(file: Path) -> str:
    """The sha256 of a file, read in pieces."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def fetched(package: Package) -> bool:
    """Whether the package is in the cache (complete: writes are atomic; `path` checks its hash)."""
    return receipt(package) is not None and (folder() / "packages" / package.file).is_file()


def receipt(package: Package) -> dict[str, Any] | None:
    """What was written down when the package was fetched; None where it was not, or where the note is damaged."""
    try:
        found = json.loads((folder() / "packages" / f"{package.file}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and isinstance(found.get("sha256"), str) else None


def path(package: Package, fetch: str) -> Path:
    """The archive, its hash checked. ``fetch``: the name to fetch it by, for messages."""
    file = folder() / "packages" / package.file
    note = receipt(package)
    if note is None or not file.is_file():
        raise problem(
            package.title, "not in the cache", f"at {file}", "it was never fetched",
            f"run `surrogate data fetch {fetch}` ({package.megabytes:g} MB)",
        )  # fmt: skip
    found, expected = sha256(file), package.sha256 if package.pinned else note["sha256"]
    if found != expected:
        raise problem(
            f"the sha256 of {file}", found, expected, "a file that was damaged or edited after it was fetched",
            f"run `surrogate data fetch {fetch}`, which fetches a damaged file again",
        )  # fmt: skip
    return file


def keep(package: Package, arrived: Path) -> Path:
    """Check what a client brought and move it into the cache: the file first, then its receipt, each atomically."""
    with writable(folder()):
        return _keep(package, arrived)


def _keep(package: Package, arrived: Path) -> Path:
    found = sha256(arrived)
    if package.pinned and found != package.sha256:
        arrived.unlink()
        raise problem(
            f"the sha256 of {package.title} as fetched", found, package.sha256,
            "a download cut short, or a registry that serves other bytes under this version",
            "fetch once more; if it stays, do not use it and tell the maintainers",
        )  # fmt: skip
    home = folder() / "packages"
    home.mkdir(parents=True, exist_ok=True)
    with arrived.open("rb") as stream:
        os.fsync(stream.fileno())
    os.replace(arrived, home / package.file)
    note = {"sha256": found, "title": package.title, "archive": package.sha256}
    with whole(home / f"{package.file}.json", durable=True) as partial:
        partial.write_text(json.dumps(note, indent=1), encoding="utf-8")
    return home / package.file


@dataclass(frozen=True)
class Work:
    """A folder to work in, and the open file whose lock says that it is ours."""

    folder: Path
    held: int


@contextlib.contextmanager
def lock(name: str) -> Iterator[Work]:
    """A folder of one process at a time; others wait. It is left behind when the process is killed.

    A client that inherits ``held`` keeps the lock while it lives, also when we are killed and it goes on alone.
    """
    work = folder() / "partial" / name
    with writable(work):
        work.mkdir(parents=True, exist_ok=True)
        handle = (work.parent / f"{name}.lock").open("w")
    with handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"waiting for another process that fetches {name}", file=sys.stderr, flush=True)
            fcntl.flock(handle, fcntl.LOCK_EX)
        work.mkdir(parents=True, exist_ok=True)
        yield Work(work, handle.fileno())


def allow_stand_in(name: str, package: Package) -> None:
    """Write down that the data set called ``name`` may come from ``package``, since its own could not be fetched."""
    home = folder() / "stand-ins"
    with writable(home):
        home.mkdir(parents=True, exist_ok=True)
        with whole(home / name, durable=True) as partial:
            partial.write_text(package.title, encoding="utf-8")


def stand_in_allowed(name: str, package: Package) -> bool:
    """Whether `allow_stand_in` was called for these two."""
    try:
        return (folder() / "stand-ins" / name).read_text(encoding="utf-8") == package.title
    except OSError:
        return False


def save_arrays(key: str, arrays: Mapping[str, Array]) -> None:
    """Keep arrays under a key, and a list of their names: the zip's checksums tell whether each is whole, not all."""
    home = folder() / "processed"
    with writable(home):
        home.mkdir(parents=True, exist_ok=True)
        with whole(home / f"{key}.npz", durable=True) as partial, partial.open("wb") as stream:
            np.savez(stream, **arrays, **{_NAMES: np.array(sorted(arrays))})  # type: ignore[arg-type]


def load_arrays(key: str) -> dict[str, Array] | None:
    """The arrays kept under a key; None where there are none, or damaged ones (they can be made again)."""
    file = folder() / "processed" / f"{key}.npz"
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as found:
            arrays = {name: found[name] for name in found.files}
    except (OSError, ValueError, EOFError, KeyError, RuntimeError, zipfile.BadZipFile, zlib.error):
        return None  # RuntimeError: a bit that says that it is encrypted, or of a version to come
    names = arrays.pop(_NAMES, None)
    return arrays if names is not None and names.tolist() == sorted(arrays) else None


@contextlib.contextmanager
def writable(where: Path) -> Iterator[None]:
    """Turn a full disk or a folder that refuses writing into a readable line."""
    try:
        yield
    except ProblemError:
        raise
    except OSError as error:
        raise problem(
            f"the cache {where}", f"not writable ({error.strerror or error})",
            "a folder with room that may be written to", "a full disk, or a folder of another user",
            "make room, or set SURROGATE_CACHE to another folder",
        ) from error  # fmt: skip
