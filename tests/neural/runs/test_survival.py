"""Runs that are killed, damaged, starved of disk or diverging: resumed bit-equal, named, or ended cleanly."""

from __future__ import annotations

import multiprocessing
import os
import random
import resource
import time
from pathlib import Path
from typing import Any

import pytest
import torch

from neural.runs.config import Config
from neural.runs.run import run
from surrogate.kit.errors import ProblemError

KILLS = 20 if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else 3
BASE: dict[str, Any] = {
    "task": "quadratic", "method": "scaffold", "gamma": 0.05, "eta": 1.0, "steps": 3, "rounds": 300,
    "clients_per_round": 4, "seed": 2, "checkpoint_every": 7, "threads": 1,
}  # fmt: skip


def plain(result: Any) -> list[dict[str, Any]]:
    return [{k: v for k, v in row.items() if k != "seconds"} for row in result.rows]


def same(a: Any, b: Any) -> None:
    assert plain(a) == plain(b)
    assert a.state.keys() == b.state.keys()
    assert all(torch.equal(a.state[k], b.state[k]) for k in a.state if torch.is_tensor(a.state[k]))


def trained(config: dict[str, Any], out: str) -> None:
    torch.set_num_threads(1)
    run(config, out)


def starved(config: dict[str, Any], out: str, limit: int, answer: Any) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    try:
        run(config, out)
        answer.put("no error")
    except ProblemError as error:
        answer.put(str(error))


def context() -> Any:
    made = multiprocessing.get_context("forkserver")
    made.set_forkserver_preload(["neural.runs.run"])
    return made


def test_a_run_killed_at_random_moments_ends_bit_equal(tmp_path: Path) -> None:
    whole = run(BASE, tmp_path / "whole")
    chance, resumed = random.Random(7), 0
    for _ in range(KILLS):
        process = context().Process(target=trained, args=(BASE, str(tmp_path / "killed")))
        process.start()
        until = time.monotonic() + 60
        before = set((tmp_path / "killed").glob("*/checkpoint-*"))
        while process.is_alive() and set((tmp_path / "killed").glob("*/checkpoint-*")) == before:
            assert time.monotonic() < until
            time.sleep(0.002)
        time.sleep(chance.random() * 0.1)
        process.kill()
        process.join()
        resumed += process.exitcode == -9
    assert resumed
    same(run(BASE, tmp_path / "killed"), whole)
    assert not list((tmp_path / "killed").rglob("*.partial"))


def test_more_rounds_extend_a_run(tmp_path: Path) -> None:
    run({**BASE, "rounds": 20}, tmp_path / "a")
    heard: list[str] = []
    same(run({**BASE, "rounds": 50}, tmp_path / "a", heard.append), run({**BASE, "rounds": 50}, tmp_path / "b"))
    assert heard == ["resumed after round 20"]
    assert len(list((tmp_path / "a").iterdir())) == 1


def test_another_engine_or_threads_are_refused(tmp_path: Path) -> None:
    run({**BASE, "rounds": 5, "engine": "sequential"}, tmp_path)
    for change in ({"engine": "batched"}, {"threads": 2}):
        with pytest.raises(ProblemError, match="with which it was begun"):
            run({**BASE, "rounds": 9, **change}, tmp_path)


def test_a_diverging_run_ends_cleanly_and_stays_so(tmp_path: Path) -> None:
    config = {**BASE, "method": "fedavg", "gamma": 50.0}
    config.pop("eta")
    first = run(config, tmp_path)
    assert first.manifest["status"] == "diverged" and first.manifest["rounds"] < 300
    assert plain(run({**config, "rounds": 400}, tmp_path))[:-1] == plain(first)[:-1]


def test_a_full_disk_is_named_and_leaves_what_was_written(tmp_path: Path) -> None:
    answer = context().Queue()
    process = context().Process(target=starved, args=(BASE, str(tmp_path), 12_000, answer))
    process.start()
    message = answer.get(timeout=60)
    process.join()
    assert "not written" in message and "limit on the size of files" in message
    same(run(BASE, tmp_path), run(BASE, tmp_path / "whole"))


@pytest.mark.parametrize(
    "change, named",
    [({"gama": 1}, "gamma"), ({"mu": 1.0, "method": "fedprox"}, "ambiguous"), ({"rounds": -1}, "rounds")],
)
def test_keys_that_are_unknown_ambiguous_or_wrong_are_refused(change: dict[str, Any], named: str) -> None:
    with pytest.raises(ProblemError, match=named):
        Config.of({**BASE, **change})
