"""Where runs lie: by the data that they were trained on, also where these had to be fetched first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from figures import training
from figures.queue import Plan, Queue
from figures.training import Run
from tests.helpers.neural import data_files as files


def test_other_data_are_other_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run on a stand-in does not answer for one on published files."""
    monkeypatch.setenv("SURROGATE_CACHE", str(tmp_path / "empty"))
    monkeypatch.delenv("SURROGATE_DATA", raising=False)
    keys = {"task": "mnist-logreg", "method": "fedavg", "gamma": 0.1, "steps": 1}
    absent = Run.of(keys, "laptop").place
    (tmp_path / "mnist").mkdir()
    files.mnist(tmp_path / "mnist")
    monkeypatch.setenv("SURROGATE_DATA", str(tmp_path))
    published = Run.of(keys, "laptop").place
    assert absent.startswith("absent/") and absent.partition("/")[2] == published.partition("/")[2]
    assert published.partition("/")[0] not in ("absent", "drawn")


def test_runs_on_data_that_had_to_be_fetched_are_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trainings: list[Run]
) -> None:
    """They lie where they lie once the data are there: else the next figure trains them once more."""

    def fetch(name: str, say: Any) -> None:
        (tmp_path / name).mkdir()
        files.mnist(tmp_path / name)

    monkeypatch.setenv("SURROGATE_CACHE", str(tmp_path / "empty"))
    monkeypatch.setenv("SURROGATE_DATA", str(tmp_path))
    monkeypatch.setattr(training.fetching, "fetch", fetch)
    keys = {"task": "mnist-logreg", "method": "fedavg", "gamma": 0.1, "steps": 1, "rounds": 1}
    with Queue([Plan(None, "laptop", [Run.of(keys, "laptop")])], tmp_path / "out") as queue:  # type: ignore[arg-type]
        (plan,) = queue.ready()
    (trained,) = trainings
    assert plan.error is None and trained.place == Run.of(keys, "laptop").place == plan.runs[0].place
    assert not trained.place.startswith("absent/") and (tmp_path / "out" / trained.place / "rows.parquet").exists()
