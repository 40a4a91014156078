"""Kernels are compiled once for all processes; where nothing can be kept, once a process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba import config

from neural.kernels import compiled as module

CALL = """
import numpy as np
from neural.kernels import softmax
print(softmax._sum(np.zeros(3)), sum(softmax._sum.stats.cache_hits.values()), numba.config.CACHE_DIR)
"""


def called(**changed: str) -> list[str]:
    """In a process of its own: the answer, how many compiled kernels it read, and numba's own setting afterwards."""
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"} | changed
    tree = Path(__file__).resolve().parents[3]
    done = subprocess.run(
        [sys.executable, "-c", f"import numba{CALL}"], env=environment, cwd=tree, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_the_next_process_reads_them(tmp_path: Path) -> None:
    first, second = (called(XDG_CACHE_HOME=str(tmp_path)) for _ in range(2))
    assert first[0] == second[0] and (first[1], second[1]) == ("0", "1")
    assert first[2:] == second[2:] == []  # numba's setting is the user's
    (state,) = (tmp_path / "quadratic-surrogates" / "kernels").iterdir()
    assert module.folder() is not None and state.name == module.folder().name and any(state.rglob("*.nbc"))


def test_a_folder_that_the_user_named_is_taken(tmp_path: Path) -> None:
    found = called(NUMBA_CACHE_DIR=str(tmp_path / "mine"), XDG_CACHE_HOME=str(tmp_path / "other"))
    assert found[2] == str(tmp_path / "mine")
    assert any((tmp_path / "mine").rglob("*.nbc")) and not any((tmp_path / "other").rglob("*.nbc"))


def test_where_nothing_can_be_kept_they_work() -> None:
    assert called(XDG_CACHE_HOME=os.devnull)[1] == "0"
    assert not list(Path(module.__file__).parent.rglob("*.nbi"))


@pytest.mark.parametrize("error", [OSError, RuntimeError])
def test_a_folder_that_cannot_be_written_is_none(error: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be there and be read alone, or nobody may have a home."""

    def refuse(*_: object, **__: object) -> None:
        raise error("no")

    module.folder.cache_clear()
    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    assert module.folder() is None
    module.folder.cache_clear()


def test_two_processes_compile_for_different_numbers(tmp_path: Path) -> None:
    """At once, in an empty folder; what they leave serves both kinds."""
    kinds = ["float32", "float64", "int16", "uint8"]
    codes = [CALL.replace("np.zeros(3)", f"np.zeros(3, np.{kind})") for kind in kinds]
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    tree = Path(__file__).resolve().parents[3]
    for hits in ("0", "1"):
        running = [
            subprocess.Popen([sys.executable, "-c", f"import numba{code}"], env=environment, cwd=tree, stdout=-1)
            for code in codes
        ]
        lines = [process.communicate()[0].split() for process in running]
        assert [line[1].decode() for line in lines] == [hits] * len(kinds)
        assert {float(line[0]) for line in lines} == {0}


def test_a_function_that_no_file_holds_works() -> None:
    """numba refuses to keep it."""
    space: dict[str, object] = {}
    exec("def twice(x):\n    return 2 * x", space)
    before = config.CACHE_DIR
    assert module.compiled(space["twice"])(21) == 42
    assert config.CACHE_DIR == before


def test_each_state_of_the_sources_has_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "compiled.py").write_text("x = 1\n")
    monkeypatch.setattr(module, "__file__", str(tmp_path / "compiled.py"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = set()
    for text in ("y = 1\n", "y = 2\n"):
        (tmp_path / "other.py").write_text(text)
        module.folder.cache_clear()
        found.add(module.folder())
    module.folder.cache_clear()
    assert len(found) == 2 and None not in found
