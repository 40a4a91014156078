"""Sweeps on this machine: failures that end nothing else, processes that die, Ctrl-C, and devices."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from neural.runs import storage
from neural.runs import sweep as sweeps
from neural.runs.attempt import attempt, gpus, placed
from neural.runs.grid import expand
from neural.runs.sweep import sweep
from surrogate.kit.errors import ProblemError
from surrogate.kit.executor import Local

TREE = Path(__file__).parents[3]
USERS = """
def task(scale, seed, *, explode=False):
    if explode:
        raise ZeroDivisionError("boom")
    from neural import tasks
    return tasks.build("quadratic", n=2, d=2)
"""


def file(tmp_path: Path, **more: Any) -> dict[str, Any]:
    (tmp_path / "mine.py").write_text(USERS.replace("def task", "def fragile"))
    return {
        "task": {"name": f"{tmp_path}/mine.py:fragile"}, "method": {"name": "fedavg", "gamma": 0.1, "steps": 2},
        "rounds": 5, **more,
    }  # fmt: skip


def test_gpus_are_dealt_out_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    for count, found in ((0, []), (1, []), (3, ["cuda:0", "cuda:1", "cuda:2"])):
        monkeypatch.setattr("torch.cuda.device_count", lambda count=count: count)
        assert gpus() == found
    assert [placed(asked, "cuda:1") for asked in ("auto", "cuda", "cpu", "cuda:0")] == ["cuda:1"] * 2 + [
        "cpu",
        "cuda:0",
    ]
    assert [placed(asked, None) for asked in ("auto", "cuda:0")] == ["auto", "cuda:0"]
    assert [placed(asked, "cpu") for asked in ("auto", "cuda")] == ["cpu", "cuda"], "on a cluster without GPUs"


def test_a_sweep_deals_them_out_where_no_engine_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []

    def engine(**options: Any) -> Local:
        given.append(options)
        return Local(1)

    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    monkeypatch.setattr(sweeps, "Local", engine)
    sweep(file(tmp_path, grid={"seed": [0]}), tmp_path / "out")
    assert given == [{"devices": ["cuda:0", "cuda:1"]}]


def test_a_run_that_fails_ends_no_other(tmp_path: Path) -> None:
    given = file(tmp_path, grid={"explode": [True, False], "seed": [0, 1]})
    table = sweep(given, tmp_path / "out", partial(Local, 1))
    assert [line["status"] for line in table] == ["failed", "failed", "done", "done"]
    told = (tmp_path / "out" / table[0]["folder"] / "error.txt").read_text()
    assert told.startswith("Traceback") and "ZeroDivisionError: boom" in told
    assert (tmp_path / "out" / "results.csv").exists()


def test_a_run_that_failed_is_tried_again_by_the_next_sweep_only(tmp_path: Path) -> None:
    (trial,) = expand(file(tmp_path, grid={"explode": [False]}))
    folder = tmp_path / trial.folder
    folder.mkdir()
    (folder / "error.txt").write_text("for now\n")
    assert attempt(trial, tmp_path) and not (folder / "manifest.json").exists()
    (folder / "error.txt").unlink()
    assert attempt(trial, tmp_path) and (folder / "manifest.json").exists()


def test_a_dead_process_is_replaced(tmp_path: Path) -> None:
    given = file(tmp_path, rounds=400, checkpoint_every=20, grid={"seed": [0]})
    pools, killed = [], []

    def pool() -> Local:
        pools.append(Local(1))
        return pools[0]

    def murder(table: Any) -> None:
        if not killed and list(tmp_path.glob("out/*/checkpoint-*")):
            killed.append(pools[0]._workers[0].process.pid)
            os.kill(killed[0], signal.SIGKILL)

    (line,) = sweep(given, tmp_path / "out", pool, murder)
    assert killed and (line["status"], line["rounds"]) == ("done", 400)


def test_a_run_that_kills_every_process_is_failed_and_says_so(tmp_path: Path) -> None:
    given = file(tmp_path, grid={"explode": [True, False]})
    mine = tmp_path / "mine.py"
    mine.write_text(mine.read_text().replace('raise ZeroDivisionError("boom")', "__import__('os')._exit(7)"))
    table = sweep(given, tmp_path / "out", partial(Local, 1, retries=1))
    assert [line["status"] for line in table] == ["failed", "done"]
    told = (tmp_path / "out" / table[0]["folder"] / "error.txt").read_text()
    assert told == "its process died (exit code 7)\n"


def test_ctrl_c_saves_the_run_under_way(tmp_path: Path) -> None:
    text = f"""
    rounds = 1000000
    checkpoint_every = 20
    task = "{file(tmp_path)["task"]["name"]}"
    method = {{name = "fedavg", gamma = 0.1, steps = 2}}
    [grid]
    seed = [0]
    """
    (tmp_path / "s.toml").write_text(text)
    command = [sys.executable, "-m", "surrogate", "sweep", str(tmp_path / "s.toml"), "--out", str(tmp_path / "out")]
    process = subprocess.Popen(
        command, cwd=TREE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    until = time.monotonic() + 60
    while not list(tmp_path.glob("out/*/checkpoint-*20.pt")) and time.monotonic() < until:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130 and said == "surrogate: interrupted\n"
    (folder,) = (path for path in (tmp_path / "out").iterdir() if path.is_dir())
    note = storage.read_manifest(folder / "manifest.json")
    assert note["status"] == "running" and storage.parts(folder)[-1].name.endswith(f"-{note['rounds']:08d}.parquet")


def test_sweeps_have_some_process(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="--processes"):
        sweep(file(tmp_path, grid={"seed": [0]}), tmp_path, partial(Local, 0))
