"""What the engine ray asks of Ray, with a stand-in for it. tests/neural/runs/test_ray.py starts a real cluster."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from neural.runs import storage
from neural.runs.local import Local
from neural.runs.ray_engine import Ray
from neural.runs.sweep import sweep
from surrogate.cli.main import main
from surrogate.kit.errors import ProblemError

FILE: dict[str, Any] = {
    "task": {"name": "quadratic", "n": 2}, "method": {"name": "fedavg", "gamma": 0.1, "steps": 2}, "rounds": 6,
    "grid": {"seed": [0, 1]},
}  # fmt: skip


class Lost(Exception):
    """As ray.exceptions.RayError."""


class FakeRay(ModuleType):
    """Runs tasks at once, in this process; ``lose`` loses the node of the first for good."""

    def __init__(self, gpus: float = 0.0, lose: bool = False) -> None:
        super().__init__("ray")
        self.gpus, self.lose = gpus, lose
        self.given: dict[str, Any] = {}
        self.options: dict[str, Any] = {}
        self.cancelled: list[Any] = []
        self.devices: list[str] = []
        self.up = False
        self.exceptions = SimpleNamespace(RayError=Lost)

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
            def submit(trial: Any, out: str) -> str:
                self.devices.append(trial.config.device)
                if self.lose and len(self.devices) == 1:
                    return "lost"
                function(trial, out)
                return trial.folder

            return SimpleNamespace(remote=submit)

        return decorate

    def wait(self, refs: list[Any], num_returns: int, timeout: float) -> tuple[list[Any], list[Any]]:
        return refs, []

    def get(self, ref: Any) -> None:
        if ref == "lost":
            raise Lost("the node died")

    def cancel(self, ref: Any, force: bool) -> None:
        self.cancelled.append(ref)


def fake(monkeypatch: pytest.MonkeyPatch, **what: Any) -> FakeRay:
    ray = FakeRay(**what)
    monkeypatch.setitem(sys.modules, "ray", ray)
    return ray


def test_the_same_runs_in_the_same_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = fake(monkeypatch)
    table = sweep(FILE, tmp_path / "ray", partial(Ray, retries=7))
    here = sweep(FILE, tmp_path / "here", partial(Local, processes=1))
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
    assert ray.options["num_gpus"] == 0.25 and ray.devices == ["auto", "auto"]
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
    ray = fake(monkeypatch)

    def interrupt(table: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ray, "wait", lambda refs, num_returns, timeout: ([], refs))
    with pytest.raises(KeyboardInterrupt):
        sweep(FILE, tmp_path, Ray, interrupt)
    assert len(ray.cancelled) == 2 and not ray.up


def test_without_ray_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    (tmp_path / "s.toml").write_text('task = "quadratic"\nmethod = "minibatch-sgd"\n[grid]\neta = [0.1]\n')
    assert main(["sweep", str(tmp_path / "s.toml"), "--engine", "ray", "--out", str(tmp_path / "out")]) == 2
    assert "pip install 'quadratic-surrogates[ray]'" in capsys.readouterr().err
