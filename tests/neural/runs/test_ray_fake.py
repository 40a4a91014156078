"""What the engine ray asks of Ray, with a stand-in for it. tests/neural/runs/test_ray.py starts a real cluster."""

from __future__ import annotations

import pickle
import sys
import threading
import time
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from neural.runs import storage
from neural.runs.sweep import sweep
from surrogate.cli.main import main
from surrogate.kit.errors import ProblemError
from surrogate.kit.executor import Local, Stopped, WorkerDied
from surrogate.kit.ray_executor import Ray
from tests.helpers.surrogate import kit_jobs as jobs

FILE: dict[str, Any] = {
    "task": {"name": "quadratic", "n": 2}, "method": {"name": "fedavg", "gamma": 0.1, "steps": 2}, "rounds": 6,
    "grid": {"seed": [0, 1]},
}  # fmt: skip


class Lost(Exception):
    """As Ray's exceptions of a node that is lost."""


class FakeRay(ModuleType):
    """Runs tasks at once, in this process; ``lose`` loses the node of the first for good, ``hang`` ends none.

    ``deaf``: tasks that are cancelled do not end either.
    """

    def __init__(self, gpus: float = 0.0, lose: bool = False, hang: bool = False, deaf: bool = False) -> None:
        super().__init__("ray")
        self.gpus, self.lose, self.hang, self.deaf = gpus, lose, hang, deaf
        self.given: dict[str, Any] = {}
        self.options: dict[str, Any] = {}
        self.cancelled: list[Any] = []
        self.devices: list[str] = []
        self.up = False

    def init(self, **given: Any) -> None:
        self.given, self.up = given, True

    def shutdown(self) -> None:
        self.up = False

    def nodes(self) -> list[dict[str, Any]]:
        here = {"CPU": 2.0, "GPU": self.gpus} if self.gpus else {"CPU": 2.0}
        return [
            {"Alive": True, "Resources": {"CPU": 1.0}},
            {"Alive": True, "Resources": here},
            {"Alive": False, "Resources": {"GPU": 8.0}},
        ]

    def remote(self, **options: Any) -> Any:
        self.options = options

        def decorate(function: Any) -> Any:
            def submit(work: bytes) -> Any:
                self.devices.append(pickle.loads(work)[4])
                answer: Future[bytes] = Future()
                if self.lose and len(self.devices) == 1:
                    answer.set_exception(Lost("the node died"))
                elif not self.hang:
                    answer.set_result(function(work))
                return SimpleNamespace(future=lambda: answer)

            return SimpleNamespace(remote=submit)

        return decorate

    def cancel(self, task: Any, force: bool) -> None:
        assert not force, "it could not save itself"
        self.cancelled.append(task)
        if self.deaf:
            return
        task.future().set_exception(Lost("cancelled"))


def fake(monkeypatch: pytest.MonkeyPatch, **what: Any) -> FakeRay:
    ray = FakeRay(**what)
    monkeypatch.setitem(sys.modules, "ray", ray)
    return ray


def test_the_same_runs_in_the_same_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = fake(monkeypatch)
    table = sweep(FILE, tmp_path / "ray", partial(Ray, retries=7))
    here = sweep(FILE, tmp_path / "here", partial(Local, 1))
    assert table == here and [line["status"] for line in table] == ["done", "done"]
    for line in table:
        ours, theirs = (storage.read_rows(tmp_path / of / line["folder"] / "rows.parquet") for of in ("here", "ray"))
        assert [{**row, "seconds": 0} for row in ours] == [{**row, "seconds": 0} for row in theirs]
    assert ray.options == {"num_cpus": 1, "num_gpus": 0.0, "max_retries": 7} and not ray.up
    assert ray.devices == ["cpu", "cpu"] and ray.given["address"] == "local"
    before = len(ray.devices)
    assert sweep(FILE, tmp_path / "ray", Ray) == table
    assert len(ray.devices) == before  # what is done is not sent


def test_fractions_of_gpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = fake(monkeypatch, gpus=1.0)
    sweep(FILE, tmp_path, partial(Ray, address="auto", gpus=0.25))
    assert ray.options["num_gpus"] == 0.25 and ray.devices == [None, None]
    assert ray.given["address"] == "auto" and "include_dashboard" not in ray.given


@pytest.mark.parametrize("given", [{"gpus": 2.0}, {"gpus": 1.5}, {"gpus": -1.0}, {"retries": -1}])
def test_what_a_cluster_cannot_give_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: dict[str, Any]
) -> None:
    ray = fake(monkeypatch, gpus=1.0)
    with pytest.raises(ProblemError, match=f"--{next(iter(given))}"):
        sweep(FILE, tmp_path, partial(Ray, **given))
    assert not ray.up and not ray.devices


def test_a_run_lost_too_often_is_failed_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(monkeypatch, lose=True)
    table = sweep(FILE, tmp_path, Ray)
    assert [line["status"] for line in table] == ["failed", "done"]
    assert (tmp_path / table[0]["folder"] / "error.txt").read_text() == "Lost: the node died\n"


def test_an_interrupted_sweep_takes_its_tasks_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = fake(monkeypatch, hang=True)

    def interrupt(table: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweep(FILE, tmp_path, Ray, interrupt)
    assert len(ray.cancelled) == 2 and not ray.up


def test_a_task_that_ignores_being_cancelled_is_given_up_after_the_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = fake(monkeypatch, hang=True, deaf=True)
    pool = Ray(grace=0.1)
    job = pool.submit(abs, -1)

    def interrupted() -> None:
        with pytest.raises(ValueError, match="enough"), pool:
            raise ValueError("enough")

    leaving = threading.Thread(target=interrupted, daemon=True)
    leaving.start()
    leaving.join(20)
    assert not leaving.is_alive() and not ray.up, "the block ends"
    assert isinstance(job.exception(0), Stopped)
    ray.cancelled[0].future().set_result(b"too late")


def test_answers_exceptions_and_the_deadline_are_those_of_local_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    fake(monkeypatch)
    with Ray() as pool:
        assert pool.size == 3 and pool.submit(pow, 2, exp=5).result() == 32
        with pytest.raises(ZeroDivisionError, match="boom"):
            pool.submit(jobs.fail, ZeroDivisionError, "boom").result()
    with Ray(end=time.time() - 1) as pool, pytest.raises(Stopped, match="time was up"):
        pool.submit(abs, -1).result()
    fake(monkeypatch, gpus=2.0, lose=True)
    with Ray(gpus=0.5) as pool, pytest.raises(WorkerDied, match="the node died"):
        pool.submit(abs, -1).result()
    assert pool.size == 2, "of the node with two processors and two GPUs"


def test_without_ray_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    (tmp_path / "s.toml").write_text('task = "quadratic"\nmethod = "minibatch-sgd"\n[grid]\neta = [0.1]\n')
    assert main(["sweep", str(tmp_path / "s.toml"), "--engine", "ray", "--out", str(tmp_path / "out")]) == 2
    assert "pip install 'quadratic-surrogates[ray]'" in capsys.readouterr().err
