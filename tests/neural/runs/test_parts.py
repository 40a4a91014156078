"""Rows in parts: a long run writes each row once, damage is named, and what no file holds is refused."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import torch

from neural.runs import execution, storage
from neural.runs.callbacks import Callback
from neural.runs.config import Config
from neural.runs.files import Damaged, lock
from neural.runs.run import RunResult, Session, run
from surrogate.kit.errors import ProblemError
from tests.helpers.neural import small

BASE: dict[str, Any] = {
    "task": "quadratic", "method": "fedavg", "gamma": 0.05, "steps": 2, "n": 3, "rounds": 30, "checkpoint_every": 5,
}  # fmt: skip


class Crash(Callback):
    """As a kill in the middle of a round: nothing is saved."""

    def __init__(self, after: int) -> None:
        self.after = after

    def row(self, run: Session, row: Mapping[str, Any]) -> None:
        if row["round"] == self.after:
            raise RuntimeError("crash")


def crashed(out: Path, after: int = 23, **changed: Any) -> Path:
    with pytest.raises(RuntimeError, match="crash"):
        run({**BASE, **changed}, out, callbacks=[Crash(after)])
    (folder,) = out.iterdir()
    return folder


def plain(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{k: v for k, v in row.items() if k != "seconds"} for row in rows]


def resumed(out: Path, said: list[str] | None = None, **changed: Any) -> RunResult:
    """The run taken up again: its rows are those of one that was never stopped, in memory and on disk."""
    result = run({**BASE, **changed}, out, (said if said is not None else []).append)
    whole = run({**BASE, **changed}, out / "whole")
    assert plain(result.rows) == plain(whole.rows) and len(result.rows) == result.manifest["rounds"] + 1
    assert plain(storage.read_rows(result.folder / "rows.parquet")) == plain(whole.rows)
    assert not storage.parts(result.folder)
    return result


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def names(folder: Path) -> list[str]:
    return [path.name for path in storage.parts(folder)]


def test_parts_are_appended_and_merged_at_the_end(tmp_path: Path) -> None:
    folder = crashed(tmp_path)
    assert names(folder) == [
        "rows-00000000-00000000.parquet", "rows-00000001-00000005.parquet", "rows-00000006-00000010.parquet",
        "rows-00000011-00000015.parquet", "rows-00000016-00000020.parquet",
    ]  # fmt: skip
    assert not (folder / "rows.parquet").exists()
    first = storage.parts(folder)[0].stat()
    assert crashed(tmp_path, 27) == folder  # resumes after round 20, and stops again
    again = storage.parts(folder)[0].stat()
    assert (first.st_ino, first.st_mtime_ns) == (again.st_ino, again.st_mtime_ns)  # never rewritten
    assert len(names(folder)) == 6
    resumed(tmp_path)


def test_a_checkpoint_holds_few_rows_until_the_end(tmp_path: Path) -> None:
    folder = crashed(tmp_path)
    held = [len(storage.read_checkpoint(path, "cpu")["rows"]) for path in storage.checkpoints(folder)]
    assert held == [5, 5]
    resumed(tmp_path)
    assert len(storage.read_checkpoint(storage.checkpoints(folder)[0], "cpu")["rows"]) == 31


@pytest.mark.parametrize("which", [-1, -2])
def test_a_damaged_part_that_a_checkpoint_has_is_made_again(tmp_path: Path, which: int) -> None:
    folder = crashed(tmp_path)
    part = storage.parts(folder)[which]
    cut(part)
    said: list[str] = []
    resumed(tmp_path, said)
    assert said[0].startswith("damaged: ") and part.name in said[0]
    assert (folder / f"{part.name}.damaged").exists()


@pytest.mark.parametrize("removed", [False, True])
def test_rows_that_no_file_holds_are_named_and_refused(tmp_path: Path, removed: bool) -> None:
    folder = crashed(tmp_path)
    part = storage.parts(folder)[1]
    if removed:
        part.unlink()
    else:
        cut(part)
    with pytest.raises(ProblemError, match="rounds 1 to 5 in no file that is whole"):
        run(BASE, tmp_path)
    with pytest.raises(ProblemError, match="rounds 1 to 5 in no file that is whole"):
        run(BASE, tmp_path)  # and not forgotten the second time


def test_parts_beyond_the_checkpoint_are_done_again(tmp_path: Path) -> None:
    folder = crashed(tmp_path)
    cut(storage.checkpoints(folder)[0])
    said: list[str] = []
    resumed(tmp_path, said)
    assert said[-1] == "resumed after round 15"


@pytest.mark.parametrize("extended", [False, True])
def test_rows_of_an_ended_run_beyond_the_checkpoint_that_is_left(tmp_path: Path, extended: bool) -> None:
    folder = run(BASE, tmp_path).folder
    cut(storage.checkpoints(folder)[0])
    resumed(tmp_path, rounds=40 if extended else 30)


def test_rows_in_a_part_of_another_name_are_damage(tmp_path: Path) -> None:
    storage.write_part(tmp_path, [{"round": 4, "loss": 1.0}, {"round": 5, "loss": float("nan")}])
    (part,) = storage.parts(tmp_path)
    moved = part.rename(tmp_path / "rows-00000003-00000004.parquet")
    with pytest.raises(Damaged, match="rounds are not 3 to 4"):
        storage.read_part(moved)


def test_an_extended_run_keeps_its_rows_and_adds_parts(tmp_path: Path) -> None:
    folder = run(BASE, tmp_path).folder
    before = (folder / "rows.parquet").stat().st_mtime_ns
    crashed(tmp_path, 43, rounds=50)
    assert names(folder) == ["rows-00000031-00000035.parquet", "rows-00000036-00000040.parquet"]
    assert (folder / "rows.parquet").stat().st_mtime_ns == before
    resumed(tmp_path, rounds=50)


def test_a_run_that_is_done_is_not_written_again(tmp_path: Path) -> None:
    folder = run(BASE, tmp_path).folder
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir() if path.name != "lock"}
    again = run(BASE, tmp_path)
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir() if path.name != "lock"} == before
    assert again.manifest["status"] == "done" and len(again.rows) == 31


def test_another_torch_or_engine_is_refused_unless_the_run_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crashed(tmp_path)
    now = execution.surroundings()
    named = {"torch": "version of torch", "numba": "version of numba", "engine_sources": "sources of neural/engine"}
    assert named.keys() == now.keys()
    for key, words in named.items():
        with monkeypatch.context() as patched:
            patched.setattr(execution, "surroundings", {**now, key: "x"}.copy)
            with pytest.raises(ProblemError, match=words):
                run(BASE, tmp_path)
    done = resumed(tmp_path)
    monkeypatch.setattr(execution, "surroundings", lambda: {"torch": "9", "engine_sources": "y"})
    assert run(BASE, tmp_path).manifest == done.manifest


def test_workers_that_were_asked_for_and_not_taken_do_not_stop_a_run(tmp_path: Path) -> None:
    keys = {"task": "quadratic", "method": "fedavg", "gamma": 0.1, "steps": 2, "workers": 2}
    rounds = [run({**keys, "rounds": rounds}, tmp_path).manifest["rounds"] for rounds in (3, 3, 5)]
    assert rounds == [3, 3, 5]
    with pytest.raises(ProblemError, match="would be ignored"):
        run({**keys, "rounds": 3, "engine": "sequential"}, tmp_path)


@pytest.mark.parametrize("folder", ["engine", "kernels"])
def test_the_engine_sources_follow_code_not_comments(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / folder).mkdir()
    file = tmp_path / folder / "one.py"
    monkeypatch.setattr(execution, "_HOME", tmp_path)
    told = []
    for text in ("x = 1\n", '"""Words."""\nx = 1  # one\n', "x = 2\n"):
        file.write_text(text)
        told.append(execution.engine_sources())
    assert told[0] == told[1] != told[2]


@pytest.mark.parametrize("alone", [True, False])
def test_only_a_run_that_is_alone_takes_worker_processes(alone: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("neural.engine.cores", lambda: 4)
    monkeypatch.setattr("neural.runs.execution.cores", lambda: 4)
    task, config = small.task("cnn"), Config.of(BASE)
    found = execution.begun(config, task, torch.device("cpu"), alone)
    assert (found["engine"] == "workers") == alone and found["workers"] == (4 if alone else 1)
    assert execution.begun(config.replace(engine="workers"), task, torch.device("cpu"), alone)["engine"] == "workers"


def test_a_lock_that_is_a_link_is_refused_and_its_target_is_left_as_it_was(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("all of it")
    (tmp_path / "lock").symlink_to(precious)
    with pytest.raises(ProblemError, match="a link where a file of ours should be"), lock(tmp_path / "lock", "the run"):
        pass
    assert precious.read_text() == "all of it"
