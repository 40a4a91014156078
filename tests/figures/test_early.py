"""Training begins while figures that need none are drawn, and fetches its own data."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from figures import early, runner, training
from figures.compute import Session
from figures.registry import Entry
from figures.training import NoData, Run
from tests.figures.conftest import Fakes
from tests.figures.test_ahead import until


def test_training_goes_on_while_a_quick_figure_is_drawn(
    write: Callable[..., Entry], fakes: Fakes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The quick figure's table waits here for the runs of the other, which nobody has asked for yet."""
    figure = write("figure_1", (0.1, 0.2))
    fakes.write("local_adaptivity/figure_1", id="T.exact")
    (quick,) = (entry for entry in fakes.entries() if not entry.trained)
    asked = [Run.of(keys, "smoke") for keys in figure.load().runs("smoke")]

    def waits(size: float) -> object:
        until(lambda: not training.missing(asked, tmp_path / "runs"))
        return np.arange(size)

    monkeypatch.setattr(sys.modules[quick.module], "np", SimpleNamespace(arange=waits))
    said: list[str] = []
    made = runner.make_all(fakes.entries(), "smoke", tmp_path, say=said.append)
    assert [outcome.state for outcome in made] == ["made", "made"]
    assert not any("to train" in line for line in said)


def test_where_all_stands_nothing_is_begun(
    write: Callable[..., Entry], fakes: Fakes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(), fakes.write("local_adaptivity/figure_1", id="T.exact")
    begun: list[list[str]] = []
    begin = Session.begin

    def noted(self: Session, entries: Sequence[Entry], *rest: object) -> None:
        begun.append([entry.id for entry in entries])
        begin(self, entries, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Session, "begin", noted)
    for budget in (0, None, None, 600):
        runner.make_all(fakes.entries(), "smoke", tmp_path, budget, say=lambda line: None)
    assert begun == [["T.figure_1"]], "not without time, and not again"


def test_data_come_in_the_order_of_figures_and_failures_are_left_to_them(
    write: Callable[..., Entry], fakes: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, lacks, other = write("figure_1"), write("figure_2", (0.2,)), write("figure_3", (0.3, 0.4), picks=True)
    fakes.change("common = {", "common = missing or {", "outsized/figure_1")
    broken = fakes.again(broken)
    fetched: list[list[float]] = []

    def fetch(asked: Sequence[Run], say: Callable[[str], None]) -> None:
        fetched.append([run.keys["gamma"] for run in asked])
        if fetched[-1] == [0.2]:
            raise NoData("not to be had")

    monkeypatch.setattr(training, "fetch", fetch)
    ready: list[int] = []
    early.bring([broken, lacks, other], "smoke", lambda line: None, lambda: ready.append(len(fetched))).join()
    assert fetched == [[0.2], [0.3, 0.4, 0.6, 0.8]] and ready == [2], "those of runs that a figure picks as well"


def test_two_threads_fetch_a_data_set_once(monkeypatch: pytest.MonkeyPatch) -> None:
    here: set[str] = set()
    calls: list[str] = []
    meet = threading.Barrier(2)

    def fetch(name: str, say: Callable[[str], None]) -> None:
        calls.append(name)
        here.add(name)

    monkeypatch.setattr(training, "absent", lambda name: name not in here)
    monkeypatch.setattr(training.fetching, "fetch", fetch)
    asked = [Run.of({"task": "mnist-logreg", "method": "fedavg", "gamma": 0.1, "steps": 1, "rounds": 1}, "laptop")]

    def both() -> None:
        meet.wait(60)
        training.fetch(asked, lambda line: None)

    threads = [threading.Thread(target=both) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert calls == ["mnist"]
