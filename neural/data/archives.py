"""Read members of an archive into memory. Nothing is unpacked to disk, so no member can land outside a folder."""

from __future__ import annotations

import contextlib
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from surrogate.kit.errors import problem

__all__ = ["members", "pack"]

LARGEST = 1 << 30  # bytes of one member: more than any of ours, less than a bomb


def members(archive: Path, suffix: str) -> dict[str, bytes]:
    """The content of each regular file whose path ends in ``suffix``, by path, sorted. Tar (.tgz), zip (.whl), .deb."""
    with _readable(archive):
        if archive.suffix in (".whl", ".zip"):
            found = _zip(archive, suffix)
        elif archive.suffix == ".deb":
            found = _tar(io.BytesIO(_deb_data(archive)), suffix)
        else:
            with archive.open("rb") as stream:
                found = _tar(stream, suffix)
    if not found:
        raise problem(
            f"the members of {archive} that end in {suffix!r}", "none", "at least one",
            "an archive of another version or package", "fetch the pinned version again",
        )  # fmt: skip
    return dict(sorted(found.items()))


def pack(folder: Path, suffix: str, target: Path) -> None:
    """A tar of the regular files under ``folder`` that end in ``suffix``, the same bytes for the same content."""
    with tarfile.open(target, "w") as tar:
        for file in sorted(p for p in folder.rglob(f"*{suffix}") if p.is_file() and not p.is_symlink()):
            entry = tarfile.TarInfo(file.relative_to(folder).as_posix())
            entry.size = file.stat().st_size
            with file.open("rb") as stream:
                tar.addfile(entry, stream)


def _tar(stream: io.BufferedIOBase | io.BytesIO, suffix: str) -> dict[str, bytes]:
    found = {}
    with tarfile.open(fileobj=stream, mode="r:*") as tar:
        for entry in tar:
            if entry.isreg() and entry.name.endswith(suffix):
                _check_size(entry.name, entry.size)
                content = tar.extractfile(entry)
                found[entry.name] = content.read() if content else b""
    return found


def _zip(archive: Path, suffix: str) -> dict[str, bytes]:
    found = {}
    with zipfile.ZipFile(archive) as bundle:
        for entry in bundle.infolist():
            if not entry.is_dir() and entry.filename.endswith(suffix):
                _check_size(entry.filename, entry.file_size)
                found[entry.filename] = bundle.read(entry)
    return found


def _deb_data(archive: Path) -> bytes:
    """The data.tar of a .deb: an `ar` archive of members with 60-byte headers, each padded to an even length."""
    raw = archive.read_bytes()
    if raw[:8] != b"!<arch>\n":
        raise tarfile.ReadError("not a .deb: it does not begin with !<arch>")
    at = 8
    while at + 60 <= len(raw):
        name, size = raw[at : at + 16].split(b"/")[0].strip(), int(raw[at + 48 : at + 58])
        if name.startswith(b"data.tar"):
            if at + 60 + size > len(raw):
                raise EOFError(f"{name.decode()} ends after {len(raw) - at - 60} of {size} bytes")
            return raw[at + 60 : at + 60 + size]
        at += 60 + size + size % 2
    raise EOFError("no data.tar inside")


def _check_size(name: str, size: int) -> None:
    if size > LARGEST:
        raise problem(f"the size of {name}", size, f"at most {LARGEST} bytes", "a forged archive", "do not use it")


@contextlib.contextmanager
def _readable(archive: Path) -> Iterator[None]:
    try:
        yield
    except (tarfile.TarError, zipfile.BadZipFile, lzma.LZMAError, zlib.error, EOFError, OSError) as error:
        raise problem(
            str(archive), f"unreadable ({error})", "a whole tar, zip or deb archive", "a truncated or damaged file",
            "delete it and fetch it again",
        ) from error  # fmt: skip
