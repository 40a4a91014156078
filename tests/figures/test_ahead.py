"""Idle processes train what comes next: the right runs in the right order, and nothing waits for them for ever."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from figures import ahead, crew, training, worker
from figures.ahead import Ahead
from figures.compute import Session
from figures.registry import Entry
from figures.training import Run
from tests.figures.conftest import Fakes
from tests.figures.test_training import QUADRATIC

LONG = {**QUADRATIC, "rounds": 10**6, "eval_every": 0}


class Given:
    """An `Ahead` that gives these runs."""

    def __init__(self, *runs: Run) -> None:
        self.runs = list(runs)

    def take(self, busy: Any) -> Run | None:
        return self.runs.pop(0) if self.runs else None


def run(**changed: Any) -> Run:
    return Run.of({**QUADRATIC, "rounds": 3, **changed}, "smoke")


def rates(given: Ahead, busy: set[str]) -> list[float]:
    """Of all that is there to do, each being trained from then on."""
    found = []
    while (one := given.take(busy.__contains__)) is not None:
        busy.add(one.place)
        found.append(one.keys["gamma"])
    return found


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_runs_come_in_the_order_of_their_figures_and_once(write: Callable[..., Entry], tmp_path: Path) -> None:
    figures = [write("figure_2", (0.2, 0.3)), write("figure_1", (0.1, 0.2, 0.4))]
    (ended,) = (one for one in figures[1].load().runs("smoke") if one["gamma"] == 0.4)
    place = Run.of(ended, "smoke").place
    assert worker._train({"scale": "smoke", **ended}, str((tmp_path / place).parent), None)
    assert rates(Ahead(figures, "smoke", tmp_path), set()) == [0.2, 0.3, 0.1]


def test_what_a_figure_picks_comes_when_its_first_runs_have_ended(
    write: Callable[..., Entry], fakes: Fakes, tmp_path: Path
) -> None:
    figure, other = write("figure_1", (0.1,), picks=True), write("figure_2", (0.3,))
    given, busy = Ahead([figure, other], "smoke", tmp_path), set[str]()
    assert rates(given, busy) == [0.1, 0.3]
    with Session(tmp_path / "out") as session:
        session.runs = tmp_path
        session._trained(figure.load().runs("smoke"), "smoke", lambda line: None)
    assert rates(given, busy) == [], "as long as somebody trains it"
    busy.clear()
    assert rates(given, busy) == [0.2], "each is given once"


def test_a_broken_figure_and_one_without_its_data_are_left_alone(
    write: Callable[..., Entry], fakes: Fakes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, waits, other = write("figure_1"), write("figure_2", (0.2,)), write("figure_3", (0.3,))
    fakes.change("common = {", "common = missing or {", "outsized/figure_1")
    fakes.change('"task": "quadratic", "n": 3, "d": 2', '"task": "mnist-logreg"', "outsized/figure_2")
    broken, waits, here = fakes.again(broken), fakes.again(waits), list[str]()
    monkeypatch.setattr(ahead, "absent", lambda name: name not in here)
    given, busy = Ahead([broken, waits, other], "smoke", tmp_path), set[str]()
    monkeypatch.setattr(Run, "data", property(lambda self: "mnist" if "logreg" in self.keys["task"] else None))
    assert rates(given, busy) == [0.3]
    here.append("mnist")
    assert rates(given, busy) == [0.2]


def test_what_a_figure_picks_waits_for_its_data(
    write: Callable[..., Entry], fakes: Fakes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would be trained into the folder of data that are not here, and once more for the figure."""
    figure, here = write("figure_1", (0.1,), picks=True), list[str]()
    for run in figure.load().runs("smoke"):
        assert worker._train({"scale": "smoke", **run}, str(tmp_path / "drawn"), None)
    monkeypatch.setattr(ahead, "absent", lambda name: name not in here)
    monkeypatch.setattr(Run, "data", property(lambda self: "mnist" if self.keys["gamma"] == 0.2 else None))
    given, busy = Ahead([figure], "smoke", tmp_path), set[str]()
    assert rates(given, busy) == [] == rates(given, busy)
    here.append("mnist")
    assert rates(given, busy) == [0.2]


def test_an_idle_process_trains_what_comes_next(write: Callable[..., Entry], tmp_path: Path) -> None:
    """And says nothing of it: who asks for these runs afterwards finds them."""
    figures = [write("figure_1", (0.1,)), write("figure_2", (0.2, 0.3))]
    said: list[str] = []
    with Session(tmp_path) as session:
        session.expect(figures, "smoke")
        session.rows(figures[0], "smoke", said.append)
        next_ones = [Run.of(keys, "smoke") for keys in figures[1].load().runs("smoke")]
        until(lambda: not training.missing(next_ones, session.runs))
        session.rows(figures[1], "smoke", said.append)
    assert said == ["1 runs to train", said[1]] and said[1].startswith("1 runs trained in")


def test_a_longer_run_waits_for_the_shorter_one_in_its_place(tmp_path: Path) -> None:
    short, long = run(rounds=1500, eval_every=0), run(rounds=1501, eval_every=0)
    assert short.place == long.place
    with crew.Crew(1, ahead=Given(short)) as one:  # type: ignore[arg-type]
        one.train([run(gamma=0.3)], tmp_path)
        until(lambda: short.place in one._jobs)
        one.train([long], tmp_path)
    assert training.ended(tmp_path / long.place, 1501)


def test_one_that_fails_is_tried_again_by_who_asks_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SURROGATE_CACHE", str(tmp_path / "empty"))
    monkeypatch.delenv("SURROGATE_DATA", raising=False)
    lost = Run.of({"task": "mnist-logreg", "method": "fedavg", "gamma": 0.1, "steps": 1, "rounds": 1}, "laptop")
    given = Given(lost)
    with crew.Crew(1, ahead=given) as one:  # type: ignore[arg-type]
        one.train([run()], tmp_path)
        until(lambda: not given.runs and not one._jobs)
        with pytest.raises(crew.TrainingFailed, match="mnist-logreg"):
            one.train([lost], tmp_path)


def test_a_process_that_dies_ahead_is_replaced(tmp_path: Path) -> None:
    """Nobody asked for its run, so nobody hears of it; what is asked for next is trained."""
    with crew.Crew(1, ahead=Given(Run.of(LONG, "smoke"))) as one:  # type: ignore[arg-type]
        one.train([run()], tmp_path)
        until(lambda: len(one._jobs) == 1)
        (dead,) = one.workers
        os.kill(dead.pid, signal.SIGKILL)
        one.train([run(gamma=0.3)], tmp_path)
        assert dead not in one.workers and len(one.workers) == 1
    assert training.ended(tmp_path / run(gamma=0.3).place, 3)


def test_who_leaves_does_not_wait_for_what_comes_next(tmp_path: Path) -> None:
    begin = time.monotonic()
    with crew.Crew(1, ahead=Given(Run.of(LONG, "smoke"))) as one:  # type: ignore[arg-type]
        one.train([run()], tmp_path)
        until(lambda: len(one._jobs) == 1)
        (left,) = one.workers
    assert left.poll() is not None and one.workers == []
    assert time.monotonic() - begin < 60


def test_an_error_in_what_comes_next_is_nobodys(tmp_path: Path) -> None:
    class Broken:
        def take(self, busy: Any) -> Run | None:
            raise ValueError

    with crew.Crew(1, ahead=Broken()) as one:  # type: ignore[arg-type]
        one.train([run()], tmp_path)
        until(lambda: one.ahead is None)
