"""The built wheel, installed outside the tree, is the whole program.

A new virtual environment gets the wheel; numpy and the rest come from the environment that runs the tests, through a
.pth line, so nothing is downloaded. The line adds a search path only: an editable install of this tree, which is itself
a .pth file over there, is not followed.
"""

from __future__ import annotations

import json
import shutil
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.helpers.tree import PACKAGES, ROOT, execute, files, project


class Installed(NamedTuple):
    """The wheel, the programs of the environment that has it, and a folder outside the tree to work in."""

    wheel: Path
    bin: Path
    folder: Path


def built(folder: Path) -> Path:
    """The wheel, built from a copy so that the tree stays clean."""
    source = folder / "source"
    for path in files():
        if path.parts[0] in (*PACKAGES, "pyproject.toml", "README.md", "LICENSE"):
            (source / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, source / path)
    quiet = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check", "--quiet"]
    done = execute(sys.executable, "-m", "pip", "wheel", *quiet, "-w", folder, source, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.glob("*.whl")
    shutil.rmtree(source)
    return wheel


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("outside")
    wheel = built(folder)
    home = folder / "env"
    venv.create(home, with_pip=False, symlinks=True)
    programs = home / "bin"
    options = ["--no-deps", "--no-index", "--disable-pip-version-check", "--quiet"]
    pip = [sys.executable, "-m", "pip", "--python", programs / "python", "install", *options]
    done = execute(*pip, wheel, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    site = next((home / "lib").glob("python*/site-packages"))
    (site / "lenders.pth").write_text(f"{sysconfig.get_path('purelib')}\n{sysconfig.get_path('platlib')}\n")
    return Installed(wheel, programs, folder)


def test_wheel_holds_every_source_file_and_nothing_else(installed: Installed) -> None:
    names = set(zipfile.ZipFile(installed.wheel).namelist())
    source = {str(path) for path in files() if path.parts[0] in PACKAGES}
    ours = {name for name in names if ".dist-info/" not in name}
    assert "surrogate/py.typed" in ours
    assert ours == source


def test_wheel_carries_the_licence_and_the_program(installed: Installed) -> None:
    with zipfile.ZipFile(installed.wheel) as wheel:
        inside = {name.partition(".dist-info/")[2]: name for name in wheel.namelist() if ".dist-info/" in name}
        assert wheel.read(inside["licenses/LICENSE"]) == (ROOT / "LICENSE").read_bytes()
        assert b"surrogate = surrogate.cli.main:main" in wheel.read(inside["entry_points.txt"])
        metadata = wheel.read(inside["METADATA"]).decode()
    assert "License-Expression: Apache-2.0" in metadata
    assert {f"Provides-Extra: {extra}" for extra in project()["optional-dependencies"]} <= set(metadata.splitlines())


def test_library_is_the_installed_one_and_works(installed: Installed) -> None:
    code = (
        "import surrogate; from surrogate import Quadratics; print(surrogate.__file__);"
        "print(Quadratics([[[2.0]], [[1.0]]], [[1.0], [4.0]]).minimizer)"
    )
    done = execute(installed.bin / "python", "-W", "error", "-c", code, cwd=installed.folder)
    assert done.returncode == 0, done.stderr
    where, value = done.stdout.splitlines()
    assert Path(where).is_relative_to(installed.folder)
    assert value == "[2.]"  # (2 * 1 + 1 * 4) / (2 + 1)


def test_help_and_version(installed: Installed) -> None:
    shown = execute(installed.bin / "surrogate", "--help", cwd=installed.folder)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert all(f"  {verb} " in shown.stdout for verb in project()["entry-points"]["surrogate.verbs"])
    assert "cannot be loaded" not in shown.stdout
    version = execute(installed.bin / "surrogate", "--version", cwd=installed.folder)
    assert version.stdout == f"surrogate {project()['version']}\n"


@pytest.mark.parametrize("program", [["surrogate"], ["python", "-m", "surrogate"]], ids=" ".join)
def test_toy_answers_as_in_the_tree(installed: Installed, program: list[str]) -> None:
    first, *rest = program
    toy = ["toy", "two-clients", "--gamma", "1/2", "--steps", "2", "--exact"]
    inside = execute(sys.executable, "-m", "surrogate", *toy, "--json", installed.folder / "tree.json", cwd=ROOT)
    outside = execute(
        installed.bin / first, *rest, *toy, "--json", installed.folder / "wheel.json", cwd=installed.folder
    )
    assert (outside.returncode, outside.stderr) == (0, "")
    assert outside.stdout.replace("wheel.json", "tree.json") == inside.stdout
    answers = [json.loads((installed.folder / name).read_text()) for name in ("tree.json", "wheel.json")]
    assert answers[0] == answers[1]
