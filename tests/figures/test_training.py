"""Figures that train: runs are shared and kept, training stops when time is up, and nothing is lost."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from figures import api, cli, job, keys, registry, runner, training
from figures.figure import Figure
from figures.queue import NotRun, Plan, Queue
from figures.training import Run
from neural.runs import files, storage
from surrogate.cli.main import main
from surrogate.kit.errors import ProblemError
from surrogate.kit.executor import Local
from tests.figures.conftest import Fakes

QUADRATIC: dict[str, Any] = {"task": "quadratic", "n": 3, "d": 2, "method": "fedavg", "gamma": 0.1, "steps": 2}


def made(entry: Figure, out: Path) -> tuple[runner.Outcome, list[str]]:
    said: list[str] = []
    return runner.make(entry, "smoke", out, said.append), said


def test_processes_train_and_the_figure_says_from_what(write: Callable[..., Figure], tmp_path: Path) -> None:
    outcome, said = made(write(), tmp_path)
    assert [finding.status for finding in outcome.findings] == ["reproduced"]
    assert "2 runs to train" in said
    assert json.loads(outcome.data) == {"quadratic": "quadratics of surrogate, no data"}
    svg = (tmp_path / "outsized" / "figure_1.svg").read_text()
    assert "Two falling lines." in svg
    again, said = made(write(), tmp_path)
    assert again.note == "table kept, drawings kept" and again.findings == outcome.findings and len(said) == 1


def test_two_figures_share_their_runs(write: Callable[..., Figure], tmp_path: Path, trainings: list[Run]) -> None:
    first, second = write("figure_1", (0.1, 0.2)), write("figure_2", (0.2, 0.3))
    made(first, tmp_path)
    _, said = made(second, tmp_path)
    assert [run.keys["gamma"] for run in trainings] == [0.1, 0.2, 0.3]
    assert "1 runs to train, 1 are there" in said


def test_a_changed_setting_trains_what_it_touches(
    write: Callable[..., Figure], fakes: Fakes, tmp_path: Path, trainings: list[Run]
) -> None:
    before = keys.key(write(), "smoke")
    made(fakes.entry(), tmp_path)
    fakes.change("RATES = (0.1, 0.2)", "RATES = (0.1, 0.4)")
    assert keys.key(fakes.entry(), "smoke") != before
    made(fakes.entry(), tmp_path)
    assert [run.keys["gamma"] for run in trainings] == [0.1, 0.2, 0.4]
    fakes.change('"rounds": 4', '"rounds": 6')
    made(fakes.entry(), tmp_path)
    assert [run.config.rounds for run in trainings[3:]] == [6, 6]


def test_an_edited_drawing_is_drawn_again_from_the_kept_table(
    write: Callable[..., Figure], fakes: Fakes, tmp_path: Path, trainings: list[Run]
) -> None:
    write()
    made(fakes.entry(), tmp_path)
    fakes.change("figsize=(3, 2)", "figsize=(4, 2)")
    outcome, _ = made(fakes.entry(), tmp_path)
    assert outcome.note.startswith("table kept, drawn in") and len(trainings) == 2


def test_more_runs_are_picked_when_the_first_have_ended(
    write: Callable[..., Figure], fakes: Fakes, tmp_path: Path, trainings: list[Run]
) -> None:
    write()
    fakes.change(
        "def table(",
        "def then(scale, results):\n"
        '    best = min(results, key=lambda run: run.rows[-1]["loss"])\n'
        '    return [{**best.keys, "seed": 1}]\n\n\ndef table(',
    )
    fakes.change("then=no_more", "then=then")
    outcome, _ = made(fakes.entry(), tmp_path)
    assert [(run.keys["gamma"], run.keys.get("seed", 0)) for run in trainings] == [(0.1, 0), (0.2, 0), (0.2, 1)]
    assert outcome.state == "made"


def test_the_gallery_is_shown_when_quick_figures_stand_and_when_something_new_does(
    write: Callable[..., Figure], fakes: Fakes, tmp_path: Path, trainings: list[Run]
) -> None:
    for name, rate in (("figure_2", 0.1), ("figure_3", 0.3)):
        write(name, (rate, 2 * rate))
    for name in ("figure_4", "figure_5"):
        fakes.write(f"outsized/{name}", id=f"T.{name}")
    shown: list[list[str]] = []

    def made_anew() -> list[list[str]]:
        shown.clear()
        runner.make_all(
            fakes.entries(), "smoke", tmp_path, say=lambda line: None,
            show=lambda made: shown.append([outcome.entry.id for outcome in made]),
        )  # fmt: skip
        return shown

    quick, first, second = ["T.figure_4", "T.figure_5"], "T.figure_2", "T.figure_3"
    assert made_anew() == [quick, [*quick, first], [*quick, first, second]]
    assert made_anew() == [quick], "all was kept as it was"
    fakes.change('"Ours."', '"Our own."', "outsized/figure_3")
    assert made_anew() == [quick, [*quick, first, second]]


def test_rows_end_at_the_round_that_was_asked_for(tmp_path: Path) -> None:
    short, long = (Run.of({**QUADRATIC, "rounds": rounds}, "smoke") for rounds in (3, 7))
    assert training.missing([short, long, short], tmp_path) == [long]
    assert job.train(long.keys, (tmp_path / long.place).parent) == "trained"
    assert training.missing([short, long], tmp_path) == []
    assert [found.rows[-1]["round"] for found in training.read([short, long], tmp_path)] == [3, 7]


@pytest.mark.parametrize(("scale", "left"), [("smoke", 0), ("laptop", 0), ("paper", 2)])
def test_checkpoints_stay_at_paper_scale_alone(tmp_path: Path, scale: str, left: int) -> None:
    """Either way a longer run has the rows of one that was never interrupted."""
    short, long = ({**QUADRATIC, "rounds": rounds, "scale": scale} for rounds in (3, 7))
    assert job.train(short, tmp_path / "a") == "trained"
    assert len(list(tmp_path.rglob("checkpoint-*.pt"))) == left
    assert [job.train(long, tmp_path / one) for one in "ab"] == ["trained"] * 2
    told = [storage.read_rows(next((tmp_path / one).rglob("rows.parquet"))) for one in "ab"]
    first, second = ([{**row, "seconds": 0} for row in rows] for rows in told)
    assert first == second and len(first) == 8


def test_a_run_that_another_process_has_ended_is_not_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = {**QUADRATIC, "rounds": 3, "scale": "smoke"}
    assert job.train(keys, tmp_path) == "trained"
    monkeypatch.setattr("neural.runs.run.run_held", None)
    assert job.train(keys, tmp_path) == "there"


def test_nor_is_one_that_ends_just_before_this_process_has_its_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys, taken, left = {**QUADRATIC, "rounds": 3, "scale": "smoke"}, files.lock, list[int]()

    def written() -> int:
        return next(tmp_path.rglob("rows.parquet")).stat().st_mtime_ns

    def late(path: Path, what: str) -> Any:
        if not left:
            monkeypatch.setattr(files, "lock", taken)
            assert job.train(keys, tmp_path) == "trained"
            left.append(written())
        return taken(path, what)

    monkeypatch.setattr(files, "lock", late)
    assert job.train(keys, tmp_path) == "there"
    assert left == [written()], "its rows are the other's"


def test_the_task_that_was_built_last_is_kept() -> None:
    one, again, other = (job._task("quadratic", "smoke", seed, {"n": 3, "d": 2}) for seed in (0, 0, 1))
    assert one is again and other is not one
    assert job._task("quadratic", "smoke", 1, {"d": 2, "n": 3}) is other
    assert job._task("quadratic", "smoke", 1, {"d": 2, "n": 4}).data.n == 4
    assert job._task("cifar10-lenet", "smoke", 0, {"filters": [4, 6]}).options["filters"] == [4, 6]


@pytest.mark.parametrize("task", ["cifar100-resnet18", "mnist-cnn", "words-lstm", "tags-logreg"])
def test_a_task_that_was_trained_on_is_as_it_was(task: str, tmp_path: Path) -> None:
    asked = {"task": task, "method": "scaffold", "gamma": 0.1, "steps": 2, "rounds": 2, "scale": "smoke"}
    told = []
    for folder in (tmp_path / "a", tmp_path / "b"):  # the second one on the first one's task
        assert job.train(asked, folder) == "trained"
        rows = storage.read_rows(next(folder.rglob("rows.parquet")))
        told.append([{**row, "seconds": 0} for row in rows])
    assert told[0] == told[1] and len(told[0]) == 3


def test_a_run_that_diverges_is_a_result(tmp_path: Path) -> None:
    lost = Run.of({**QUADRATIC, "gamma": 1e4, "rounds": 30}, "smoke")
    assert job.train(lost.keys, (tmp_path / lost.place).parent)
    (found,) = training.read([lost], tmp_path)
    assert found.status == "diverged"
    assert training.missing([lost], tmp_path) == []
    first = Run.of({**QUADRATIC, "gamma": 1e4, "rounds": 0}, "smoke")
    assert training.read([first], tmp_path)[0].status == "done"  # it was lost later


def test_code_that_was_edited_while_it_trained_is_named(tmp_path: Path, trainings: list[Run]) -> None:
    run = Run.of({**QUADRATIC, "rounds": 1}, "smoke")
    with pytest.raises(ProblemError, match="edited while runs were trained"):
        training.read([run], tmp_path)


def queued(runs: list[Run], folder: Path, **options: Any) -> Plan:
    """What becomes of a figure that asks for these runs."""
    with Queue([Plan(None, "smoke", runs)], folder, **options) as one:  # type: ignore[arg-type]
        (plan,) = one.ready()
    return plan


def test_time_is_up_between_runs_and_within(tmp_path: Path) -> None:
    """What was trained is kept, and the next call goes on from there."""
    runs = [Run.of({**QUADRATIC, "rounds": 200_000, "checkpoint_every": 10_000, "eval_every": 0}, "smoke")]
    with Local(1) as pool:
        pool.submit(job.train, {**QUADRATIC, "rounds": 1, "scale": "smoke"}, tmp_path / "other").result()
        pool.end = time.time() + 3
        plan = queued(runs, tmp_path, engine=lambda end: pool, end=pool.end)
    assert isinstance(plan.error, NotRun) and "0 of 1 runs ended" in str(plan.error)
    note = json.loads((tmp_path / runs[0].place / "manifest.json").read_text())
    assert note["status"] == "running" and 0 < note["rounds"] < 200_000
    plan = queued(runs, tmp_path, engine=lambda end: pytest.fail("a process was started"), end=time.time())
    assert isinstance(plan.error, NotRun)


def test_a_run_that_was_stopped_goes_on_to_the_same_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, rounds = Run.of({**QUADRATIC, "rounds": 20, "method": "scaffold"}, "smoke"), iter(range(100))
    with monkeypatch.context() as patch:
        patch.setattr("surrogate.kit.executor.stopping", lambda: next(rounds) > 9)
        with pytest.raises(KeyboardInterrupt):
            job.train(run.keys, tmp_path / "a")
    (note,) = (json.loads(path.read_text()) for path in tmp_path.rglob("manifest.json"))
    assert note["status"] == "running" and 0 < note["rounds"] < 20
    assert job.train(run.keys, tmp_path / "a") and job.train(run.keys, tmp_path / "b")
    told = [storage.read_rows(next((tmp_path / one).rglob("rows.parquet"))) for one in "ab"]
    first, second = ([{**row, "seconds": 0} for row in rows] for rows in told)
    assert first == second and len(first) == 21


def test_what_another_engine_left_unfinished_is_begun_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from neural.runs import execution

    short, long = ({**QUADRATIC, "rounds": rounds, "scale": "smoke"} for rounds in (2, 5))
    with monkeypatch.context() as patch:
        patch.setattr(execution, "surroundings", lambda: {"torch": "2.6", "engine_sources": "an older one"})
        assert job.train(short, tmp_path)
    assert job.train(short, tmp_path)  # it has ended: it stays
    (note,) = (json.loads(path.read_text()) for path in tmp_path.rglob("manifest.json"))
    assert note["engine_sources"] == "an older one"
    assert job.train(long, tmp_path)
    (note,) = (json.loads(path.read_text()) for path in tmp_path.rglob("manifest.json"))
    assert (note["rounds"], note["engine_sources"]) == (5, execution.surroundings()["engine_sources"])


def test_an_error_in_a_run_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker's own traceback comes with it."""
    run = Run.of({**QUADRATIC, "rounds": 1}, "smoke")
    (tmp_path / run.place).parent.mkdir()
    (tmp_path / run.place).write_text("a file where its folder would be")
    error = queued([run], tmp_path, engine=partial(Local, 1)).error
    assert isinstance(error, training.TrainingFailed)
    assert str(error).startswith("quadratic by fedavg, n 3, d 2, gamma 0.1, steps 2, rounds 1: ProblemError: ")
    assert "job.py" in error.__cause__.__notes__[0]


def test_data_that_cannot_be_had_is_not_run(
    write: Callable[..., Figure], fakes: Fakes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(name: str, say: Any) -> None:
        raise ProblemError(f"the data set {name} is not to be had")

    monkeypatch.setenv("SURROGATE_CACHE", str(tmp_path / "empty"))
    monkeypatch.delenv("SURROGATE_DATA", raising=False)
    monkeypatch.setattr(training.fetching, "fetch", refuse)
    write()
    fakes.change('"task": "quadratic", "n": 3, "d": 2', '"task": "mnist-logreg"')
    said: list[str] = []
    (outcome,) = runner.make_all(fakes.entries(), "laptop", tmp_path, say=said.append)
    assert (outcome.state, outcome.note) == ("not run", "the data set mnist is not to be had")
    monkeypatch.setattr(registry, "find", lambda ids: [fakes.entry()])
    with pytest.raises(NotRun, match="mnist is not to be had"):
        api.table("T.figure_1", "laptop", tmp_path)


def test_exact_figures_come_first_then_the_flagship_and_the_page_follows(
    write: Callable[..., Figure], fakes: Fakes, tmp_path: Path, trainings: list[Run]
) -> None:
    write("figure_1", flagship=False), write("figure_2", flagship=True)
    fakes.write("local_adaptivity/figure_1", id="T.exact")
    shown: list[list[str]] = []
    runner.make_all(
        fakes.entries(), "smoke", tmp_path, say=lambda line: None,
        show=lambda outcomes: shown.append([outcome.entry.id for outcome in outcomes]),
    )  # fmt: skip
    order = ["T.exact", "T.figure_2", "T.figure_1"]
    assert shown == [order[:1], order[:2], order]


@pytest.mark.parametrize(
    ("arguments", "trained"),
    [
        (["--scale", "paper"], ["figure_2"]),
        (["--scale", "paper", "--budget", "1h"], ["figure_2", "figure_1"]),
        (["--scale", "laptop"], ["figure_2", "figure_1"]),
        (["--scale", "smoke"], ["figure_2", "figure_1"]),
        (["--scale", "laptop", "--budget", "1h"], ["figure_2", "figure_1"]),
        (["T.figure_1", "--scale", "laptop"], ["figure_1"]),
    ],
)
def test_what_is_trained_without_being_named(
    write: Callable[..., Figure], fakes: Fakes, tmp_path: Path, trainings: list[Run], monkeypatch: pytest.MonkeyPatch,
    arguments: list[str], trained: list[str],
) -> None:  # fmt: skip
    write("figure_1", (0.1,), flagship=False), write("figure_2", (0.2,), flagship=True)
    found = fakes.entries()
    monkeypatch.setattr(registry, "cards", lambda: found)
    assert main(["figures", *arguments, "--out", str(tmp_path)]) == 0
    assert [{0.1: "figure_1", 0.2: "figure_2"}[run.keys["gamma"]] for run in trainings] == trained
    page = (tmp_path / "index.html").read_text()
    assert page.count("Not run: ") == 2 - len(trained)


def test_past_the_budget_what_needs_no_more_training_is_made(
    write: Callable[..., Figure], fakes: Fakes, tmp_path: Path, trainings: list[Run]
) -> None:
    write("figure_1"), write("figure_2"), write("figure_3", (0.3, 0.4, 0.5))
    spent, said = 3600.0, list[str]()

    def clock() -> float:
        return 3601.0 if any("T.figure_1: table" in line for line in said) else 0.0

    made = runner.make_all(fakes.entries(), "smoke", tmp_path, spent, said.append, clock)
    assert [outcome.state for outcome in made] == ["made", "made", "not run"]
    assert sum(line.startswith("[2/3]") for line in said) > sum(line.startswith("[3/3]") for line in said) == 1
    assert len(trainings) < 5 and runner.waiting(made) == made[2:]


@pytest.mark.parametrize(
    ("arguments", "seconds"),
    [
        ([], cli.SITTING),
        (["--budget", "8h"], 8 * 3600),
        (["T.figure_1"], None),
        (["--scale", "smoke"], None),
        (["--scale", "paper"], None),
    ],
)
def test_all_at_laptop_scale_stops_within_a_sitting(
    write: Callable[..., Figure], fakes: Fakes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    arguments: list[str], seconds: float | None,
) -> None:  # fmt: skip
    write()
    found, given = fakes.entries(), []
    monkeypatch.setattr(registry, "cards", lambda: found)
    monkeypatch.setattr(runner, "make_all", lambda entries, scale, out, budget, *_, **more: given.append(budget) or [])
    assert main(["figures", *arguments, "--out", str(tmp_path)]) == 0
    assert given == [seconds]


def test_when_time_is_up_the_rest_waits(
    write: Callable[..., Figure], fakes: Fakes, tmp_path: Path, trainings: list[Run], monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    write("figure_1"), write("figure_2", (0.3,))
    found = fakes.entries()
    monkeypatch.setattr(registry, "cards", lambda: found)
    monkeypatch.setattr(cli, "SITTING", 0.0)
    assert main(["figures", "--out", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "time is up: 2 of 2 wait, and the same command goes on (--budget 8h: to the end)" in said and not trainings
    monkeypatch.setattr(cli, "SITTING", 600.0)
    assert main(["figures", "--out", str(tmp_path)]) == 0
    assert len(trainings) == 3 and "time is up" not in capsys.readouterr().out


def test_past_the_budget_what_was_made_before_is_shown(
    write: Callable[..., Figure], tmp_path: Path, trainings: list[Run]
) -> None:
    entry = write()
    made(entry, tmp_path)
    (outcome,) = runner.make_all([entry], "smoke", tmp_path, budget=0.0, say=lambda line: None)
    assert outcome.state == "made" and outcome.kept
    (other,) = runner.make_all([entry], "laptop", tmp_path, budget=0.0, say=lambda line: None)
    assert other.state == "not run"


def test_a_broken_figure_does_not_keep_the_gallery_from_being_written(
    write: Callable[..., Figure], fakes: Fakes, tmp_path: Path, trainings: list[Run]
) -> None:
    made(write(), tmp_path)
    fakes.change("    common = ", "    common = 1 / 0 or ")
    assert runner.recorded(fakes.entry(), tmp_path).state == "not run"


def test_importing_the_parts_of_figures_loads_no_torch() -> None:
    from tests.helpers.tree import fresh

    code = (
        "import sys\nfrom figures import queue, runner, gallery, registry, tables, curves, series\n"
        "registry.discover()\nassert not {'torch', 'matplotlib'} & set(sys.modules)"
    )
    done = fresh("-c", code)
    assert done.returncode == 0, done.stderr
