"""What a sweep gathers: statuses, scores, the best of each group, files; and how it is shown."""

from __future__ import annotations

import csv
import io
import math
import os
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from neural.cli.board import Board, page
from neural.runs import execution
from neural.runs.grid import expand
from neural.runs.results import best, checked, gather, mixed, progress, score, write
from neural.runs.run import run
from surrogate.errors import ProblemError

FILE: dict[str, Any] = {
    "task": {"name": "quadratic", "n": 3}, "method": {"steps": 2}, "rounds": 130,
    "grid": {"method": [{"name": "fedavg", "gamma": [0.02, 60.0]}, {"name": "reptile", "gamma": 0.1, "eta": [0.5]}]},
}  # fmt: skip


def test_the_score_is_the_mean_of_the_measured_losses_of_the_last_100_rounds() -> None:
    rows = [{"round": t, "loss": float(t * t)} for t in range(0, 251, 2)] + [{"round": 251}]
    assert score(rows) == sum(t * t for t in range(152, 251, 2)) / 50
    assert score([{"round": 0, "loss": 3.0}, {"round": 1, "loss": 5.0}]) == 4
    assert math.isnan(score([])) and math.isnan(score([{"round": 3}]))


def test_lines_follow_the_runs(tmp_path: Path) -> None:
    trials = expand(FILE)
    assert [line["status"] for line in progress(trials, tmp_path)] == ["waiting"] * 3
    results = [run(trial.config, tmp_path) for trial in trials[:2]]
    run(trials[2].config.replace(rounds=60), tmp_path)
    table = gather(trials, tmp_path)
    assert [(line["status"], line["rounds"]) for line in table] == [
        ("done", 130), ("diverged", results[1].manifest["rounds"]), ("running", 60),
    ]  # fmt: skip
    assert [line.get("score") for line in table] == [score(results[0].rows), float("inf"), None]
    assert [line["eta"] for line in table] == [None, None, 0.5]
    assert list(table[0])[:3] == ["method", "gamma", "eta"]
    (tmp_path / trials[2].folder / "error.txt").write_text("no\n")
    assert progress(trials, tmp_path)[2]["status"] == "failed"


def test_runs_under_another_engine_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trials = expand({**FILE, "rounds": 2})
    run(trials[0].config, tmp_path)
    assert mixed(trials, tmp_path) == []
    monkeypatch.setattr(execution, "surroundings", lambda: {"torch": "9", "engine_sources": "x"})
    run(trials[1].config, tmp_path), run(trials[2].config, tmp_path)
    assert mixed(trials, tmp_path)[1:] == ["2 runs: torch 9, engine sources x"]


def test_a_longer_run_counts_as_far_as_was_asked(tmp_path: Path) -> None:
    long, short = expand(FILE), expand({**FILE, "rounds": 50})
    rows = run(long[0].config, tmp_path).rows
    first = gather(short, tmp_path)[0]
    assert (first["status"], first["rounds"], first["score"]) == ("done", 50, score(rows[:51]))


LINES = [
    {"method": "a", "eta": 1.0, "status": "done", "rounds": 9, "score": 3.0, "folder": "a1"},
    {"method": "a", "eta": 2.0, "status": "done", "rounds": 9, "score": 2.0, "folder": "a2"},
    {"method": "b", "eta": 1.0, "status": "diverged", "rounds": 1, "score": math.inf, "folder": "b1"},
    {"method": "b", "eta": 2.0, "status": "done", "rounds": 9, "score": math.nan, "folder": "b2"},
    {"method": "c", "eta": [1, 2], "status": "failed", "rounds": 0, "folder": "c1"},
    {"method": "d", "eta": None, "status": "done", "rounds": 9, "score": 5.0, "folder": "d1"},
]


def test_the_best_of_each_group_leaves_out_what_has_no_score() -> None:
    assert [line["folder"] for line in best(LINES)] == ["a2"]
    assert [line["folder"] for line in best(LINES, ["method"])] == ["a2", "d1"]
    assert [line["folder"] for line in best(LINES, ["method", "eta"])] == ["a1", "a2", "d1"]
    assert best(LINES[2:5]) == []
    checked(["method", "eta"], expand(FILE))
    with pytest.raises(ProblemError, match="one of method, gamma, eta"):
        checked(["metod"], expand(FILE))


def test_results_are_files_that_others_read(tmp_path: Path) -> None:
    write(LINES, tmp_path)
    table = pq.read_table(tmp_path / "results.parquet").to_pylist()
    assert [row["folder"] for row in table] == [line["folder"] for line in LINES]
    assert [row["rounds"] for row in table] == [9, 9, 1, 9, 0, 9]
    assert [row["eta"] for row in table] == ["1.0", "2.0", "1.0", "2.0", "[1, 2]", None]
    with (tmp_path / "results.csv").open(newline="") as stream:
        read = list(csv.DictReader(stream))
    assert [row["score"] for row in read] == ["3.0", "2.0", "inf", "nan", "", "5.0"]
    assert read[4]["eta"] == "[1, 2]"


class Terminal(io.StringIO):
    """Says that it is one."""

    def isatty(self) -> bool:
        return True


def line(name: str, status: str, rounds: int) -> dict[str, Any]:
    return {"seed": 1, "status": status, "rounds": rounds, "folder": name}


def test_lines_without_a_terminal_tell_only_what_changes() -> None:
    stream = io.StringIO()
    board = Board(stream)
    board([line("a", "waiting", 0), line("b", "waiting", 0)])
    board([line("a", "running", 5), line("b", "waiting", 0)])
    board([line("a", "running", 9), line("b", "waiting", 0)])
    board([line("a", "done", 9), line("b", "failed", 0)])
    assert stream.getvalue().splitlines() == [
        "a: running at round 5", "0 of 2 runs ended, 5 rounds", "a: done at round 9", "b: failed at round 0",
        "1 of 2 runs ended, 9 rounds, 1 failed",
    ]  # fmt: skip


def test_a_terminal_shows_one_table_in_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((60, 7)))
    stream = Terminal()
    board = Board(stream)
    table = [line(f"run {k}", "done" if k < 4 else "waiting", k) for k in range(6)]
    board(table)
    first = stream.getvalue()
    assert first.count("\n") == 5 and "run 0" not in first  # a summary, a head, three lines of six; no folders
    assert first.count("waiting") == 2 and first.count("done") == 1  # what is open first
    board(table)
    assert stream.getvalue()[len(first) :] == "\x1b[5A" + first


def test_a_page_has_aligned_columns() -> None:
    assert page([{"a": 0.5, "bb": None}, {"a": 100, "c": "x"}]).splitlines() == ["a    bb  c", "0.5", "100      x"]
