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
from neural.runs.attempt import attempt
from neural.runs.grid import expand
from neural.runs.local import Local, device_for
from neural.runs.sweep import sweep
from surrogate.kit.errors import ProblemError

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


def test_gpus_are_dealt_out_in_turn() -> None:
    assert [device_for(k, "cuda", 3) for k in range(4)] == ["cuda:0", "cuda:1", "cuda:2", "cuda:0"]
    assert [device_for(k, "auto", 2) for k in range(3)] == ["cuda:0", "cuda:1", "cuda:0"]
    assert [device_for(k, "auto", 1) for k in range(2)] == ["auto", "auto"]
    assert {device_for(3, named, 4) for named in ("cpu", "cuda:2")} == {"cpu", "cuda:2"}


def test_a_run_that_fails_ends_no_other(tmp_path: Path) -> None:
    given = file(tmp_path, grid={"explode": [True, False], "seed": [0, 1]})
    table = sweep(given, tmp_path / "out", partial(Local, processes=1))
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
    killed = []

    class Murder(Local):
        def busy(self) -> bool:
            if not killed and list(self.out.glob("*/checkpoint-*")):
                killed.append(self.workers[0].pid)
                os.kill(self.workers[0].pid, signal.SIGKILL)
                self.workers[0].join()
            return super().busy()

    (line,) = sweep(given, tmp_path / "out", partial(Murder, processes=1))
    assert killed and (line["status"], line["rounds"]) == ("done", 400)


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
        sweep(file(tmp_path, grid={"seed": [0]}), tmp_path, partial(Local, processes=0))
