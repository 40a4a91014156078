"""``make`` builds its environment on the first call and when a pin changed, and starts at once otherwise."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from surrogate.cli import verbs
from tests.helpers.tree import ROOT, execute

BUILDS = "-m venv --clear .venv"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy2(ROOT / name, tmp_path / name)
    return tmp_path


def plan(folder: Path, *arguments: str, **environment: str) -> str:
    """What make would do, without doing it."""
    done = execute("make", "--no-print-directory", "--dry-run", *arguments, cwd=folder, MAKEFLAGS="", **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def pretend_built(folder: Path, target: str = "install") -> None:
    """Leave the stamps that a finished build leaves; their names are the last words of the lines that mention them."""
    for stamp in (line.split()[-1] for line in plan(folder, target).splitlines() if line.startswith("touch ")):
        (folder / stamp).parent.mkdir(exist_ok=True)
        (folder / stamp).touch()


@pytest.mark.parametrize("target", ["figures", "test", "thorough", "bench", "lint"])
def test_first_call_builds_the_environment(copy: Path, target: str) -> None:
    first = plan(copy, target)
    assert BUILDS in first
    assert "--constraint constraints.txt" in first


@pytest.mark.parametrize(("target", "lines"), [("figures", 1), ("test", 1), ("thorough", 3), ("bench", 1)])
def test_second_call_starts_at_once(copy: Path, target: str, lines: int) -> None:
    pretend_built(copy, target)
    found = plan(copy, target).splitlines()
    assert len(found) == lines and not any("pip" in line or "venv " in line for line in found)


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_changed_requirements_build_it_anew(copy: Path, name: str) -> None:
    pretend_built(copy)
    with (copy / name).open("a") as file:
        file.write("# changed\n")
    assert BUILDS in plan(copy, "test")


def test_another_interpreter_builds_it_anew(copy: Path) -> None:
    pretend_built(copy)
    assert f"python3.13 {BUILDS}" in plan(copy, "test", "PYTHON=python3.13")


def test_settings_of_the_figures_pass_through(copy: Path) -> None:
    pretend_built(copy)
    assert plan(copy, "figures").split() == [".venv/bin/surrogate", "figures", "--scale", "laptop"]
    asked = plan(copy, "figures", "SCALE=smoke", "BUDGET=8h", "OUT=elsewhere").split()[2:]
    assert asked == ["--scale", "smoke", "--budget", "8h", "--out", "elsewhere"]


def test_thorough_sets_the_profile(copy: Path) -> None:
    pretend_built(copy, "thorough")
    assert plan(copy, "thorough").splitlines()[-1].startswith("HYPOTHESIS_PROFILE=thorough ")


def test_thorough_fetches_its_data_first_and_goes_on_without(copy: Path) -> None:
    """The fetch as `surrogate data` understands it; where it fails the tests run all the same, and the user is told."""
    pretend_built(copy, "thorough")
    for name, status in (("surrogate", 1), ("python", 0)):
        program = copy / ".venv" / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(f'#!/bin/sh\necho "{name} $*"\nexit {status}\n')
        program.chmod(0o755)
    done = execute("make", "--no-print-directory", "--silent", "thorough", cwd=copy, MAKEFLAGS="")
    said = done.stdout.splitlines()
    assert done.returncode == 0 and said[1] == "surrogate data fetch all" and "skipped" in said[2]
    assert said[3].startswith("python -m pytest ")
    arguments = verbs.parser("data", verbs.load("data")).parse_args(said[1].split()[2:])
    assert (arguments.action, arguments.names) == ("fetch", ["all"])


def test_old_python_is_refused_in_words(copy: Path) -> None:
    old = copy / "old-python"
    old.write_text("#!/bin/sh\nexec python3 -c \"import sys; sys.version_info = (3, 9); sys.version = '3.9.1'; $2\"\n")
    old.chmod(0o755)
    done = execute("make", "install", f"PYTHON={old}", cwd=copy, MAKEFLAGS="")
    assert done.returncode != 0
    assert "Python 3.11 or newer is needed" in done.stderr
    assert "is 3.9.1" in done.stderr
    assert not (copy / ".venv").exists()


def test_help_names_the_targets(copy: Path) -> None:
    shown = subprocess.run(["make"], cwd=copy, env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True).stdout
    assert "make test" in shown
    assert "make figures" in shown
