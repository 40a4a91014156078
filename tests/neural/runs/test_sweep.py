"""Sweeps that are killed, and two at once on one folder: no row is lost."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from neural.runs.config import Config, read_toml
from neural.runs.grid import expand
from neural.runs.results import gather, score
from neural.runs.run import run

KILLS = 20 if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else 1
TREE = Path(__file__).parents[3]
FILE = """
rounds = 150
checkpoint_every = 10
[task]
name = "quadratic"
[method]
steps = 3
eta = 1.0
[grid]
method = ["fedavg", "reptile"]
gamma = [0.1, 60.0]
seed = [0, 1]
"""


def started(folder: Path) -> subprocess.Popen[str]:
    (folder / "s.toml").write_text(FILE)
    command = [
        sys.executable,
        "-m",
        "surrogate",
        "sweep",
        str(folder / "s.toml"),
        "--out",
        str(folder / "out"),
        "--processes",
        "1",
    ]
    return subprocess.Popen(command, cwd=TREE, stdout=subprocess.PIPE, text=True, start_new_session=True)


def test_killed_and_shared_sweeps_lose_no_row(tmp_path: Path) -> None:
    chance = random.Random(3)
    for _ in range(KILLS):
        process = started(tmp_path)
        until = time.monotonic() + 60
        while process.poll() is None and not list(tmp_path.glob("out/*/checkpoint-*")) and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(chance.random() * 0.3)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    both = [started(tmp_path), started(tmp_path)]
    said = [process.communicate(timeout=120)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert all("best by mean loss" in text for text in said)
    trials = expand(read_toml(tmp_path / "s.toml"))
    table = gather(trials, tmp_path / "out")
    assert [line["status"] for line in table] == ["diverged" if line["gamma"] == 60 else "done" for line in table]
    for trial, line in zip(trials, table, strict=True):
        if line["status"] == "done":
            alone = run(Config.of({**trial.config.table(), "threads": 1}), tmp_path / "alone")
            assert line["rounds"] == 150 and line["score"] == score(alone.rows)
