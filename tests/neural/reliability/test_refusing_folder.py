"""A folder that cannot be written to: a clear line, and what is in it stays as it was. Also for root."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator
from pathlib import Path

import pytest

import neural
from surrogate import ProblemError
from surrogate.cli.main import main
from tests.helpers.neural.reliability_tools import QUICK, same

VERSION, WAYS_ROUND = 0x20080522, 0b110  # capabilities, version 3; CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH


@contextlib.contextmanager
def bound_by_permissions() -> Iterator[None]:
    """This thread without root's right to write everywhere, which it keeps in reserve."""
    libc = ctypes.CDLL(None, use_errno=True)
    head, held = (ctypes.c_uint32 * 2)(VERSION, 0), (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; twice
    assert libc.capget(head, held) == 0
    less = (ctypes.c_uint32 * 6)(*held)
    less[0] &= ~WAYS_ROUND
    assert libc.capset(head, less) == 0
    try:
        yield
    finally:
        assert libc.capset(head, held) == 0


@contextlib.contextmanager
def read_only(top: Path, files: bool) -> Iterator[None]:
    """All below it, the files in the folders too or not."""
    found = [top, *top.rglob("*")]
    before = {path: path.stat().st_mode for path in found}
    for path in found:
        if files or path.is_dir():
            path.chmod(0o555)
    try:
        with bound_by_permissions():
            yield
    finally:
        for path, mode in before.items():
            path.chmod(mode)


def content(top: Path) -> dict[Path, bytes]:
    """Of all files but the lock, which says who came last."""
    return {path: path.read_bytes() for path in top.rglob("*") if path.is_file() and path.name != "lock"}


@pytest.mark.parametrize("files", [True, False])
def test_a_run_in_a_read_only_folder(tmp_path: Path, files: bool) -> None:
    out = tmp_path / "out"
    folder = neural.run(QUICK, out).folder
    for left in (".rows.parquet.7.partial", "error.txt"):
        (folder / left).write_text("what a killed process and a failed attempt left", encoding="utf-8")
    before = content(out)
    with read_only(out, files), pytest.raises(ProblemError, match=r"read-only folder.*\n.*--out") as refused:
        neural.run({**QUICK, "rounds": 8}, out)
    assert str(folder) in str(refused.value)
    assert content(out) == before
    neural.run({**QUICK, "rounds": 8}, out)
    same(folder, neural.run({**QUICK, "rounds": 8}, tmp_path / "whole").folder)


def test_the_command_says_so_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    out.mkdir()
    with read_only(out, True):
        assert main(["train", "--task", "quadratic", "--method", "fedavg", "--set", "gamma=0.1", "--set", "steps=2",
                     "--set", "rounds=3", "--out", str(out)]) == 2  # fmt: skip
    said = capsys.readouterr().err
    assert "Permission denied" in said and "read-only folder" in said and "Traceback" not in said
    assert not list(out.iterdir())


def test_a_finished_sweep_in_a_read_only_folder_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And that its files could not be written again is said."""
    file, out = tmp_path / "s.toml", tmp_path / "out"
    text = 'rounds = 3\ntask = "quadratic"\n[method]\nname = "fedavg"\nsteps = 2\n[grid]\ngamma = [0.1]\n'
    file.write_text(text, encoding="utf-8")
    command = ["sweep", str(file), "--out", str(out), "--processes", "1"]
    assert main(command) == 0
    before = content(out)
    capsys.readouterr()
    with read_only(out, True):
        assert main(command) == 0
    said = capsys.readouterr().out
    assert "1 of 1 runs ended" in said and "best by mean loss" in said and "gathered" not in said
    assert "the table could not be refreshed" in said and "results.csv is not written (Permission denied)" in said
    assert content(out) == before
