"""Where runs lie: by the data that they were trained on, also where these had to be fetched first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from figures import crew, training
from figures.compute import Session
from figures.training import Run
from tests.neural.data import files


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


def test_runs_on_data_that_had_to_be_fetched_are_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They lie where they lie once the data are there: else the next figure trains them once more."""

    def fetch(name: str, say: Any) -> None:
        (tmp_path / name).mkdir()
        files.mnist(tmp_path / name)

    places: list[str] = []
    monkeypatch.setenv("SURROGATE_CACHE", str(tmp_path / "empty"))
    monkeypatch.setenv("SURROGATE_DATA", str(tmp_path))
    monkeypatch.setattr(training.fetching, "fetch", fetch)
    monkeypatch.setattr(crew.Crew, "train", lambda self, runs, folder, say: places.extend(run.place for run in runs))
    monkeypatch.setattr(training, "read", lambda asked, runs: [run.place for run in asked])
    keys = {"task": "mnist-logreg", "method": "fedavg", "gamma": 0.1, "steps": 1}
    with Session(tmp_path / "out") as session:
        read = session._trained([keys], "laptop", lambda line: None)
    assert places == read == [Run.of(keys, "laptop").place]
    assert not places[0].startswith("absent/")
