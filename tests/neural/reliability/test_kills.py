"""kill -9 at random moments, while networks are trained by each engine and while sweeps run.

Further kills, of quadratic runs, are in tests/neural/runs.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import neural
from neural.runs.config import read_toml
from neural.runs.grid import expand
from tests.helpers.neural.reliability_tools import THOROUGH, processes, same, trained, until, whole

TREE = Path(__file__).parents[3]
NETWORK: dict[str, Any] = {  # what clients keep, dropout and a rate that changes: all that a resumed run could forget
    "task": "mnist-cnn", "scale": "smoke", "method": "local-adam", "gamma": 0.01, "steps": 2, "states": "keep",
    "rounds": 10, "clients_per_round": 3, "eval_clients": 3, "seed": 3, "checkpoint_every": 2, "threads": 1,
    "gamma_schedule": {"kind": "decay", "factor": 0.9},
}  # fmt: skip


def children(process: int) -> list[int]:
    """Of a process, and of theirs."""
    own: list[str] = []
    for thread in Path(f"/proc/{process}/task").glob("*/children"):  # each thread may start some
        with contextlib.suppress(OSError):
            own += thread.read_text().split()
    return [*map(int, own), *itertools.chain.from_iterable(children(int(child)) for child in own)]


def gone(process: int) -> bool:
    """Ended, or a zombie that its parent has not yet buried."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def saved(out: Path) -> set[Path]:
    return set(out.glob("*/checkpoint-*.pt"))


@pytest.mark.parametrize("engine", ["batched", "workers", *(["sequential"] if THOROUGH else [])])
def test_training_killed_at_random_moments_ends_bit_equal(tmp_path: Path, engine: str) -> None:
    config = {**NETWORK, "engine": engine, "workers": 2 if engine == "workers" else None}
    config = {key: value for key, value in config.items() if value is not None}
    chance, out, died = random.Random(engine), tmp_path / "killed", 0
    for _ in range(7 if THOROUGH else 1):
        before = saved(out)
        process = processes().Process(target=trained, args=(config, str(out)))
        process.start()
        until(lambda was=before, it=process: not it.is_alive() or saved(out) != was, "no checkpoint")
        time.sleep(chance.random() * 0.2)
        workers = children(process.pid)
        process.kill()
        process.join()
        assert process.exitcode in (0, -9)
        died += process.exitcode == -9
        until(lambda ended=workers: all(map(gone, ended)), "workers outlive the run")
        whole(out)
    assert died
    same(neural.run(config, out).folder, neural.run(config, tmp_path / "whole").folder)


SWEEP = """
rounds = ROUNDS
clients_per_round = 4
checkpoint_every = 10
[task]
name = "quadratic"
[method]
steps = 3
[grid]
method = ["scaffold", "fedcm"]
gamma = [0.1, 0.01, 0.001]
seed = [SEEDS]
"""


def swept(folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "surrogate", "sweep", str(folder / "s.toml"), "--out", str(folder / "out")]
    command += ["--processes", "2"]
    return subprocess.Popen(
        command, cwd=TREE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )


def struck(process: subprocess.Popen[str], victim: str) -> None:
    """Kill all its processes, the one that was started, or one that does the work; what has lost its parent ends."""
    below = children(process.pid)
    if victim == "all":
        os.killpg(process.pid, signal.SIGKILL)
    elif victim == "sweep":
        process.kill()
    else:
        os.kill(next(child for child in below if b"spawn_main" in command_of(child)), signal.SIGKILL)
        return
    process.communicate()
    until(lambda: all(map(gone, below)), "workers outlive the sweep")


def command_of(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def test_a_sweep_killed_at_random_moments_ends_bit_equal(tmp_path: Path) -> None:
    """Of 30 runs in ``make thorough``, of 6 in CI."""
    seeds, rounds = ", ".join(map(str, range(5 if THOROUGH else 1))), "200" if THOROUGH else "60"
    (tmp_path / "s.toml").write_text(SWEEP.replace("SEEDS", seeds).replace("ROUNDS", rounds), encoding="utf-8")
    chance, out = random.Random(8), tmp_path / "out"
    for victim in [*(["sweep", "all"] * 6 if THOROUGH else []), "worker"]:
        before, process = saved(out), swept(tmp_path)
        until(lambda was=before, it=process: it.poll() is not None or bool(saved(out) - was), "no checkpoint")
        time.sleep(chance.random() * 0.2)
        assert process.poll() is None, "ended before it could be killed"
        struck(process, victim)
        if victim != "worker":  # the others go on then, and remove what is old
            whole(out)
    said, _ = process.communicate(timeout=300)  # the other worker does what the killed one had begun
    assert process.returncode == 0 and "best by mean loss" in said, said
    for trial in expand(read_toml(tmp_path / "s.toml")):
        alone = neural.run(trial.config, tmp_path / "alone").folder
        same(out / alone.name, alone)
