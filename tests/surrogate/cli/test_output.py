"""--json FILE: refused in time, whole, and into a pipe as it comes."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from surrogate import ProblemError
from surrogate.cli import output
from surrogate.cli.main import main


def test_a_place_that_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match=f"mkdir -p {tmp_path / 'a'}"):
        output.checked(tmp_path / "a" / "x.json")
    with pytest.raises(ProblemError, match="the name of the file left out"):
        output.checked(tmp_path)
    assert output.checked(tmp_path / "x.json") == tmp_path / "x.json"


def test_a_folder_that_takes_no_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """os.access stands in for a user who may not write there: root may everywhere. Streams need no new file."""
    monkeypatch.setattr(os, "access", lambda folder, mode: folder != tmp_path.resolve())
    for _ in ("new", "to be replaced"):
        with pytest.raises(ProblemError, match="a folder that you may only read"):
            output.checked(tmp_path / "x.json")
        (tmp_path / "x.json").touch()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere" / "x.json")
    os.mkfifo(tmp_path / "pipe")
    for name in ("elsewhere/x.json", "link", "pipe"):
        assert output.checked(tmp_path / name) == tmp_path / name


def test_a_file_is_whole_and_a_pipe_stays_one(tmp_path: Path) -> None:
    output.write(tmp_path / "x.json", "{}")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("x.json", "{}\n")]
    read, write = os.pipe()
    output.write(Path(f"/dev/fd/{write}"), "[1]")
    os.close(write)
    with os.fdopen(read) as stream:
        assert stream.read() == "[1]\n"


@pytest.mark.parametrize("verb", ["toy two-clients", "methods", "tasks", "check OLR.L1", "refute OLR.C22", "bench"])
def test_every_verb_refuses_before_it_begins(verb: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main([*verb.split(), "--json", str(tmp_path / "nowhere" / "x.json")]) == 2
    said = capsys.readouterr()
    assert "mkdir -p" in said.err and not said.out and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words",
    [
        "toy two-clients --gamma 1/2 --steps 2",
        "methods",
        "tasks",
        "check OLR.L5 --examples 50",
        "refute OLR.C22 --examples 200",
    ],
)
def test_a_minus_is_standard_output_and_nothing_else_is_on_it(words, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    main([*words.split(), "--json", "-"])
    out = capsys.readouterr().out
    assert json.loads(out)
    assert list(tmp_path.iterdir()) == []
