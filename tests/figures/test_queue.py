"""The queue of runs: their order, what they wait for, and what becomes of a figure that cannot have them."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from figures import costs, job, queue, runner, training
from figures.figure import Figure
from figures.queue import NotRun, Plan, Queue, in_turns
from figures.training import NoData, Run, TrainingFailed
from neural.runs import files
from neural.runs.config import Config
from surrogate.kit.executor import Local
from tests.figures.conftest import Fakes, Inline
from tests.figures.test_training import QUADRATIC, queued


def rates(runs: Sequence[Run]) -> list[float]:
    return [run.keys["gamma"] for run in runs]


def over(entries: Sequence[Figure], runs: Path, scale: str = "smoke", **options: Any) -> list[Plan]:
    """The figures in the order in which they are ready."""
    with Queue([Plan.of(entry, scale) for entry in entries], runs, **options) as one:
        return list(one.ready())


def test_runs_begin_in_the_order_of_their_figures_and_once(
    write: Callable[..., Figure], tmp_path: Path, trainings: list[Run]
) -> None:
    figures = [write("figure_2", (0.2, 0.3)), write("figure_1", (0.1, 0.2, 0.4))]
    over([write("figure_3", (0.4,))], tmp_path)
    plans = over(figures, tmp_path)
    assert rates(trainings) == [0.4, 0.2, 0.3, 0.1]
    assert [plan.entry for plan in plans] == figures
    assert [[one.keys["gamma"] for one in plan.results] for plan in plans] == [[0.2, 0.3], [0.1, 0.2, 0.4]]


def test_of_one_place_the_longest_run_is_trained(
    write: Callable[..., Figure], fakes: Fakes, tmp_path: Path, trainings: list[Run]
) -> None:
    write("figure_1", (0.1,)), write("figure_2", (0.1,))
    fakes.change('"rounds": 4', '"rounds": 6', "outsized/figure_2")
    short, long = over(fakes.entries(), tmp_path)
    assert [run.config.rounds for run in trainings] == [6]
    assert [len(plan.results[0].rows) for plan in (short, long)] == [5, 7]


def test_what_a_figure_picks_unlocks_its_table(
    write: Callable[..., Figure], fakes: Fakes, tmp_path: Path, trainings: list[Run]
) -> None:
    """Its first runs are those of another figure, too, which is ready before."""
    figure, other = write("figure_1", (0.1, 0.3), picks=True), write("figure_2", (0.3, 0.1))
    plans = over([figure, other], tmp_path)
    assert rates(trainings) == [0.1, 0.3, 0.2, 0.6]
    assert [plan.entry.name for plan in plans] == ["figure_2", "figure_1"]
    assert [one.keys["gamma"] for one in plans[1].results] == [0.1, 0.3, 0.2, 0.6] and plans[1].first == 2


def test_runs_are_listed_and_validated_once(
    write: Callable[..., Figure], tmp_path: Path, trainings: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = write("figure_1", (0.1, 0.2, 0.3))
    listed, validated, runs, of = list[str](), list[object](), entry.runs, Config.of

    def noted(keys: Any) -> Config:
        validated.append(keys)
        return of(keys)

    object.__setattr__(entry, "runs", lambda scale: listed.append(scale) or runs(scale))
    monkeypatch.setattr(training.Config, "of", noted)
    monkeypatch.setattr("tests.figures.conftest.Run", type("Nothing", (), {"of": staticmethod(lambda *_: None)}))
    monkeypatch.setattr("figures.job.Config", type("Apart", (), {"of": staticmethod(of)}))  # a worker process's own
    (outcome,) = runner.make_all([entry], "smoke", tmp_path, 600.0, say=lambda line: None)
    assert outcome.state == "made" and listed == ["smoke"] and len(validated) == 3


def test_training_goes_on_while_a_quick_figure_is_drawn(
    write: Callable[..., Figure], fakes: Fakes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The quick figure's table waits here for the runs of the other, in their own processes."""
    figure = write("figure_1", (0.1, 0.2))
    fakes.write("local_adaptivity/figure_1", id="T.exact")
    (quick,) = (entry for entry in fakes.entries() if not entry.trained)
    asked = [Run.of(keys, "smoke") for keys in figure.runs("smoke")]

    def waits(size: float) -> object:
        end = time.monotonic() + 60
        while training.missing(asked, tmp_path / "runs"):
            assert time.monotonic() < end
            time.sleep(0.05)
        return np.arange(size)

    monkeypatch.setattr(sys.modules[quick.module], "np", SimpleNamespace(arange=waits))
    made = runner.make_all(fakes.entries(), "smoke", tmp_path, say=lambda line: None)
    assert [outcome.state for outcome in made] == ["made", "made"]


def test_where_all_stands_nothing_is_begun(
    write: Callable[..., Figure], fakes: Fakes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trainings: list[Run]
) -> None:
    write(), fakes.write("local_adaptivity/figure_1", id="T.exact")
    begun: list[object] = []
    inline = queue.local
    monkeypatch.setattr(queue, "local", lambda **options: begun.append(options) or inline(**options))
    for budget in (0, None, None, 600):
        runner.make_all(fakes.entries(), "smoke", tmp_path, budget, say=lambda line: None)
    assert len(begun) == 1 and len(trainings) == 2, "not without time, and not again"


def test_a_run_that_another_process_trains_is_waited_for(
    write: Callable[..., Figure], tmp_path: Path, trainings: list[Run]
) -> None:
    """Others are trained meanwhile, and it is trained here once the other process has left it."""
    mine, other = write("figure_1", (0.1,)), write("figure_2", (0.2, 0.3))
    run = Run.of(mine.runs("smoke")[0], "smoke")
    release, held = threading.Event(), threading.Event()

    def hold() -> None:
        with files.lock(tmp_path / run.place / "lock", "the run"):
            held.set()
            release.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(60)
    with Queue([Plan.of(entry, "smoke") for entry in (mine, other)], tmp_path) as one:
        ready = one.ready()
        assert next(ready).entry is other
        release.set()
        thread.join()
        assert next(ready).entry is mine


def test_runs_that_another_process_trained_are_not_counted_as_trained_here(
    write: Callable[..., Figure], tmp_path: Path, trainings: list[Run]
) -> None:
    """It trains the second run after this process has looked, before this one begins it."""
    plan, said = Plan.of(write("figure_1", (0.1, 0.2)), "smoke"), list[str]()
    with Queue([plan], tmp_path, say=said.append) as one:
        other = plan.runs[1]
        assert job.train(dict(other.keys), (tmp_path / other.place).parent) == "trained"
        assert [ready.error for ready in one.ready()] == [None]
    assert said[-1].startswith("1 run trained in ") and len(trainings) == 2


def test_a_broken_figure_and_a_run_that_fails_stop_no_other(
    write: Callable[..., Figure], fakes: Fakes, tmp_path: Path, trainings: list[Run], capsys: pytest.CaptureFixture[str]
) -> None:
    broken, lost, also, fine = (
        write(f"figure_{n}", r) for n, r in ((1, (0.1,)), (2, (0.2,)), (3, (0.2, 0.3)), (4, (0.4,)))
    )
    fakes.change("common = {", "common = missing or {", "outsized/figure_1")
    run = Run.of(lost.runs("smoke")[0], "smoke")
    (tmp_path / "runs" / run.place).parent.mkdir(parents=True)
    (tmp_path / "runs" / run.place).write_text("a file where its folder would be")
    made = {one.entry.name: one for one in runner.make_all(fakes.entries(), "smoke", tmp_path, say=lambda line: None)}
    assert [made[entry.name].state for entry in (broken, lost, also, fine)] == ["failed"] * 3 + ["made"]
    assert made["figure_1"].note.startswith("NameError")
    assert all("quadratic by fedavg" in made[name].note for name in ("figure_2", "figure_3"))
    assert "NameError" in capsys.readouterr().err


def test_past_the_deadline_a_run_that_ends_late_is_waited_for_without_asking_all_the_time(
    write: Callable[..., Figure], tmp_path: Path, trainings: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A round takes what it takes, and its run counts where it was the last."""
    plan, steps, late = Plan.of(write("figure_1", (0.1,)), "smoke"), list[int](), threading.Event()
    inline = queue.local().submit

    class Slow(Inline):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            late.set()
            threading.Timer(0.5, lambda: future.set_result(inline(fn, *args, **kwargs).result())).start()
            return future

    step = Queue.step
    monkeypatch.setattr(Queue, "step", lambda self: steps.append(1) or step(self))
    clock = lambda: 2.0 if late.is_set() else 0.0  # noqa: E731
    with Queue([plan], tmp_path, lambda end: Slow([]), 1.0, clock=clock) as one:
        assert [ready.error for ready in one.ready()] == [None] and len(steps) < 10


def test_runs_of_a_figure_that_has_failed_are_not_waited_for(tmp_path: Path) -> None:
    """They save themselves, and the next call goes on from there."""
    long = {**QUADRATIC, "rounds": 10**6, "checkpoint_every": 10**6, "eval_every": 0}
    lost, left = Run.of({**QUADRATIC, "rounds": 1}, "smoke"), Run.of({**long, "gamma": 0.2}, "smoke")
    (tmp_path / lost.place).parent.mkdir()
    (tmp_path / lost.place).write_text("a file where its folder would be")
    plan = queued([left, lost], tmp_path, engine=partial(Local, 2))
    assert isinstance(plan.error, TrainingFailed)
    assert not training.ended(tmp_path / left.place, 10**6)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The data sets that are here; a run with an even rate needs mnist, one of 0.3 cifar10."""
    found: list[str] = []
    monkeypatch.setattr(
        Run, "data", property(lambda run: {0.2: "mnist", 0.4: "mnist", 0.3: "cifar10"}.get(run.keys["gamma"]))
    )
    monkeypatch.setattr(training, "_source", lambda name: "absent" if name and name not in found else name or "drawn")
    return found


def test_each_data_set_is_fetched_once_for_the_first_run_that_needs_it(
    write: Callable[..., Figure], fakes: Fakes, tmp_path: Path, trainings: list[Run], here: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """What a figure picks waits for its data, too: else it would lie in the folder of data that are not here."""
    fetched: list[str] = []

    def fetch(name: str, say: Callable[[str], None]) -> None:
        assert name not in fetched
        fetched.append(name)
        here.append(name)

    monkeypatch.setattr(training.fetching, "fetch", fetch)
    figures = [write("figure_1", (0.1,), picks=True), write("figure_2", (0.3,)), write("figure_3", (0.2, 0.4))]
    plans = over(figures, tmp_path)
    assert sorted(fetched) == ["cifar10", "mnist"] and all(plan.error is None for plan in plans)
    assert sorted(rates(trainings)) == [0.1, 0.2, 0.3, 0.4]
    assert {path.parent.parent.name for path in tmp_path.rglob("rows.parquet")} == {"drawn", "mnist", "cifar10"}


def test_data_that_cannot_be_had_leave_their_figures_not_run(
    write: Callable[..., Figure], tmp_path: Path, trainings: list[Run], here: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(name: str, say: Callable[[str], None]) -> None:
        raise NoData(f"{name} is not to be had\n  for whatever reason")

    monkeypatch.setattr(training.fetching, "fetch", refuse)
    plans = over([write("figure_1", (0.1, 0.2)), write("figure_2", (0.5,))], tmp_path)
    errors = {plan.entry.name: plan.error for plan in plans}
    assert errors["figure_2"] is None and rates(trainings) == [0.1, 0.5]
    assert isinstance(errors["figure_1"], NotRun) and str(errors["figure_1"]) == "mnist is not to be had"


def test_data_that_are_not_there_once_fetched_are_not_fetched_for_ever(
    write: Callable[..., Figure], tmp_path: Path, trainings: list[Run], here: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cache that is emptied meanwhile, say."""
    fetched: list[str] = []

    def fetch(name: str, say: Callable[[str], None]) -> None:
        assert not fetched, "again"
        fetched.append(name)

    monkeypatch.setattr(training.fetching, "fetch", fetch)
    (plan,) = over([write("figure_1", (0.2,))], tmp_path)
    assert isinstance(plan.error, NotRun) and str(plan.error) == "the data set mnist was fetched, and is not there"


@pytest.fixture
def two_papers(write: Callable[..., Figure], fakes: Fakes) -> list[Figure]:
    """Of each paper two of the flagship, one other and a table without training."""
    for paper in ("fedda", "outsized"):
        for number, flagship in ((1, False), (2, True), (10, True)):
            write(f"figure_{number}", (0.1,), flagship, paper)
        fakes.write(f"{paper}/table_1", id="T.exact")
    return [replace(entry, id=entry.alias) for entry in fakes.entries()]


def test_papers_take_turns_where_there_is_training(two_papers: list[Figure]) -> None:
    """Each paper's flagship, by their numbers, then others; figures without training stay as they are."""
    assert [entry.id for entry in in_turns(two_papers)] == [
        "outsized/table_1", "fedda/table_1",
        "outsized/figure_2", "fedda/figure_2", "outsized/figure_10", "fedda/figure_10",
        "outsized/figure_1", "fedda/figure_1",
    ]  # fmt: skip


def test_what_costs_least_comes_first_and_papers_share_the_time(two_papers: list[Figure]) -> None:
    """FedDA's two take 9 s of their own and 1 s together, the other paper's 20 and 5; a shared run is paid once."""
    costs = {
        "fedda/figure_2": {"a": 9.0, "shared": 1.0}, "fedda/figure_10": {"shared": 1.0},
        "outsized/figure_2": {"b": 20.0}, "outsized/figure_10": {"c": 5.0},
        "outsized/figure_1": {}, "fedda/figure_1": {"a": 9.0},
    }  # fmt: skip
    assert [entry.id for entry in in_turns(two_papers, costs) if entry.trained] == [
        "fedda/figure_10", "outsized/figure_10", "fedda/figure_2", "outsized/figure_2",
        "fedda/figure_1", "outsized/figure_1",
    ]  # fmt: skip


def test_what_only_shares_runs_is_made_at_once(two_papers: list[Figure]) -> None:
    costs = {entry.id: {entry.id: 3.0} for entry in two_papers if entry.trained}
    costs["fedda/figure_10"] = {"outsized/figure_2": 3.0}
    assert [entry.id for entry in in_turns(two_papers, costs) if entry.trained and entry.flagship] == [
        "outsized/figure_2", "fedda/figure_10", "fedda/figure_2", "outsized/figure_10",
    ]  # fmt: skip


def test_within_a_budget_what_costs_least_comes_first(
    write: Callable[..., Figure], fakes: Fakes, tmp_path: Path, trainings: list[Run]
) -> None:
    """And what stands, or has its runs, costs nothing; without a budget the order is that of the numbers."""
    write("figure_1", (0.1, 0.2, 0.3)), write("figure_2", (0.4,)), write("figure_3", (0.5, 0.6))

    def order(out: str, budget: float | None) -> list[str]:
        made = runner.make_all(fakes.entries(), "smoke", tmp_path / out, budget, say=lambda line: None)
        assert all(outcome.state == "made" for outcome in made)
        return [outcome.entry.name for outcome in made]

    assert order("a", 600.0) == ["figure_2", "figure_3", "figure_1"]
    assert order("b", None) == ["figure_1", "figure_2", "figure_3"]
    for name in ("figure_1", "figure_3"):
        (tmp_path / "a" / "outsized" / f"{name}.findings.json").unlink()
    (tmp_path / "a" / "outsized" / "figure_1.parquet").unlink()
    assert order("a", 600.0) == ["figure_1", "figure_2", "figure_3"] and len(trainings) == 12


def test_a_broken_figure_costs_nothing(write: Callable[..., Figure], fakes: Fakes, tmp_path: Path) -> None:
    write("figure_1"), write("figure_2")
    fakes.change("    common = ", "    raise RuntimeError('what is wrong')\n    common = ")
    broken, fine = (costs.seconds_left(Plan.of(entry, "smoke"), tmp_path) for entry in fakes.entries())
    assert broken == {} and len(fine) == 2


def test_a_worker_may_start_in_another_folder(
    write: Callable[..., Figure], tmp_path: Path, trainings: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node of a cluster does; ``--out`` is relative unless it is given otherwise."""
    folders: list[Path] = []
    inline = queue.local().submit

    class Elsewhere(Inline):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            folders.append(args[1])
            return inline(fn, *args, **kwargs)

    monkeypatch.chdir(tmp_path)
    (plan,) = over([write("figure_1", (0.1,))], Path("out/runs"), engine=lambda end: Elsewhere([]))
    assert plan.error is None and folders == [tmp_path / "out" / "runs" / "drawn"]
