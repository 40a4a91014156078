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
from neural.runs.ranking import best, checked, means
from neural.runs.results import gather, mixed, progress, score, write
from neural.runs.run import run
from neural.runs.sweep import sweep
from neural.runs.target import Target, rounds_to
from surrogate.kit.errors import ProblemError

FILE: dict[str, Any] = {
    "task": {"name": "quadratic", "n": 3}, "method": {"steps": 2}, "rounds": 130,
    "grid": {"method": [{"name": "fedavg", "gamma": [0.02, 60.0]}, {"name": "reptile", "gamma": 0.1, "eta": [0.5]}]},
}  # fmt: skip


def test_the_score_is_the_mean_of_the_measured_losses_of_the_last_100_rounds() -> None:
    rows = [{"round": t, "loss": float(t * t)} for t in range(0, 251, 2)] + [{"round": 251}]
    assert score(rows) == sum(t * t for t in range(152, 251, 2)) / 50
    assert score([{"round": 0, "loss": 3.0}, {"round": 1, "loss": 5.0}]) == 5, "the start is no result"
    assert score([{"round": 0, "loss": 3.0}]) == 3
    assert math.isnan(score([])) and math.isnan(score([{"round": 3}]))


def test_an_extended_run_scores_like_one_that_was_not(tmp_path: Path) -> None:
    keys = {"task": "quadratic", "method": "fedavg", "gamma": 0.1, "steps": 2, "eval_every": 3, "rounds": 20}
    extended = [run({**keys, "rounds": rounds}, tmp_path / "a") for rounds in (10, 20)][-1]
    fresh = run(keys, tmp_path / "b")
    assert sum("loss" in row for row in extended.rows) == sum("loss" in row for row in fresh.rows) + 1
    assert score(extended.rows, 3) == score(fresh.rows, 3)
    file = {"task": "quadratic", "method": "fedavg", "steps": 2, "eval_every": 3, "rounds": 20}
    trials = expand({**file, "grid": {"gamma": [0.1]}})
    assert [gather(trials, tmp_path / part)[0]["score"] for part in "ab"] == [score(fresh.rows, 3)] * 2


def test_rows_that_cannot_be_read_are_made_again_by_the_next_sweep(tmp_path: Path) -> None:
    """And until then the other runs have their scores."""
    given = {"task": "quadratic", "method": "fedavg", "steps": 2, "rounds": 3, "grid": {"gamma": [0.1, 0.2]}}
    first = sweep(given, tmp_path)
    rows = tmp_path / first[0]["folder"] / "rows.parquet"
    rows.write_bytes(rows.read_bytes()[:300])
    table = gather(expand(given), tmp_path)
    assert [line["status"] for line in table] == ["failed", "done"] and "score" not in table[0]
    assert sweep(given, tmp_path) == first


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
    assert [line["folders"] for line in best(LINES)] == [["a2"]]
    assert [line["folders"] for line in best(LINES, ["method"])] == [["a2"], ["d1"]]
    assert [line["folders"] for line in best(LINES, ["method", "eta"])] == [["a1"], ["a2"], ["d1"]]
    assert best(LINES[2:5]) == []
    checked(["method", "eta"], expand(FILE))
    with pytest.raises(ProblemError, match="one of method, gamma, eta"):
        checked(["metod"], expand(FILE))


def seeded(gamma: float, *scores: float | None) -> list[dict[str, Any]]:
    """Runs of one setting, a seed each; None: one without a score."""
    runs = [{"gamma": gamma, "seed": k, "folder": f"{gamma}-{k}"} for k in range(len(scores))]
    return [{**run, "score": s} if s is not None else run for run, s in zip(runs, scores, strict=True)]


def test_seeds_are_ranked_by_their_mean() -> None:
    """The luckiest single run, 0.5, and a setting whose other seed diverged, lose to the lower mean."""
    table = seeded(0.1, 0.5, 9.5) + seeded(0.2, 2.0, 4.0) + seeded(0.3, 0.1, math.inf) + seeded(0.4, 7.0, None)
    (found,) = best(table)
    assert found == {
        "gamma": 0.2, "score": 3.0, "spread": math.sqrt(2), "seeds": 2, "runs": 2, "folders": ["0.2-0", "0.2-1"],
    }  # fmt: skip
    of_all = means(table)
    assert [line["score"] for line in of_all] == [5.0, 3.0, math.inf, 7.0]
    assert [(line["seeds"], line["runs"], line["spread"]) for line in of_all[2:]] == [(2, 2, None), (1, 2, None)]
    mixed_up = [table[k] for k in (3, 0, 6, 5, 2, 1, 7, 4)]
    assert sorted(best(mixed_up)[0]["folders"]) == found["folders"]
    assert [line["folders"] for line in best(table, ["seed"])] == [["0.3-0"], ["0.2-1"]]  # asked to tell them apart
    reached = [{**line, "rounds_to": 10.0 * k} for k, line in enumerate(seeded(0.1, 1.0, 2.0, 3.0))]
    assert means([*reached[:2], {**reached[2], "rounds_to": math.nan}])[0]["rounds_to"] == 5.0


def test_rounds_to_a_target(tmp_path: Path) -> None:
    up = [{"round": t, "accuracy": a} for t, a in ((0, 0.1), (5, 0.7), (9, 0.6), (12, 0.8))]
    assert [rounds_to(up, a, "accuracy", "max") for a in (0.05, 0.65, 0.75, 0.9)] == [0, 5, 12, math.inf]
    assert math.isnan(rounds_to(up, 0.5))
    rows = [{"round": t, "loss": 1 / (t + 1)} for t in range(4)]
    assert Target(0.3).rounds(rows, {"status": "done"}) == 3
    assert Target(0.3).rounds(rows, {"status": "diverged"}) == math.inf
    for text in ("low", "accuracy=", "nan", ""):
        with pytest.raises(ProblemError, match="MEASURE=NUMBER"):
            Target.of(text)
    result = run({"task": "quadratic", "method": "fedavg", "gamma": 0.1, "steps": 2, "rounds": 9}, tmp_path)
    losses = [row["loss"] for row in result.rows]
    assert losses == sorted(losses, reverse=True)
    assert result.rounds_to(losses[4]) == 4 and result.rounds_to(losses[-1] / 2) == math.inf
    with pytest.raises(ProblemError, match="one of loss, update_norm"):
        result.rounds_to(0.5, "acuracy")


def test_more_is_better_where_the_task_says_so(tmp_path: Path) -> None:
    keys = {"task": "mnist-logreg", "method": "fedavg", "scale": "smoke", "gamma": 0.1, "steps": 5, "rounds": 4}
    result = run({**keys, "engine": "batched", "threads": 1}, tmp_path)
    path = [row["accuracy"] for row in result.rows]
    target = (path[0] + max(path)) / 2
    assert result.rounds_to(target, "accuracy") == next(t for t, value in enumerate(path) if value >= target) > 0


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
