"""What a dry run says: operations as counted by hand, shared runs once, nothing trained."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from figures import costs, registry
from figures.training import Run
from surrogate.cli.main import main

LOGREG: dict[str, Any] = {"task": "mnist-logreg", "method": "fedavg", "gamma": 0.1, "steps": 7, "rounds": 5}


def test_operations_of_a_linear_model_by_hand() -> None:
    assert costs.forward_flops("mnist-logreg", "paper", "{}") == 2 * 784 * 10
    mlp = 2 * (784 * 200 + 200 * 10)
    assert costs.forward_flops("mnist-mlp", "paper", "{}") == mlp
    assert costs.forward_flops("mnist-mlp", "paper", '{"hidden": 50, "clients": 9}') == 2 * (784 * 50 + 50 * 10)


def test_operations_of_an_lstm_by_hand() -> None:
    per_token = 4 * 256 * (8 + 256) + 4 * 256 * (256 + 256) + 256 * 90
    assert costs.forward_flops("shakespeare-lstm", "paper", "{}") == 2 * 80 * per_token


def test_the_cost_of_a_run_by_hand() -> None:
    """60,000 examples on 100 clients, 10,000 to test: training, and looking at the start and each second round."""
    found = costs.cost(Run.of({**LOGREG, "clients_per_round": 10, "eval_every": 2, "run.batch": 20}, "paper"))
    trained = 3 * 5 * 10 * 7 * 20
    looked = 3 * 70_000
    assert found.steps == 5 * 10 * 7
    assert found.flops == (trained + looked) * 2 * 784 * 10
    speed, latency = costs.GPU
    assert found.seconds == pytest.approx(found.flops / speed + 350 * latency)


def test_below_paper_scale_the_speed_is_that_of_two_cores() -> None:
    keys = {**LOGREG, "task": "mnist-mlp", "clients_per_round": 2}
    once, twice = (costs.cost(Run.of({**keys, **other}, "smoke")) for other in ({}, {"steps": 14}))
    speed, latency = costs.CORES
    assert once.steps == 5 * 2 * 7 and twice.steps == 2 * once.steps
    assert once.seconds == pytest.approx(once.flops / speed + 70 * latency) and twice.seconds > once.seconds


@pytest.mark.parametrize(
    ("task", "options", "sizes"),
    [
        ("emnist-cnn", {"classes": 10, "clients": 20}, (20, 800, 200)),
        ("cifar100-resnet18", {"width": 8}, (100, 8000, 2000)),
        ("mnist-mlp", {"clients": 20, "limit": 4000}, (20, 4000, 4000)),
        ("words-lstm", {"limit": 5000}, (847, 5000, 5000)),
        ("tags-logreg", {"limit": 8000}, (1558, 8000, 5926)),
    ],
)
def test_data_that_are_not_here_count_as_what_they_are_known_to_hold(
    task: str, options: dict[str, Any], sizes: tuple[int, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """These are the sizes of the fetched data, but for the clients of tags, of whom a limit leaves some out."""
    monkeypatch.setenv("SURROGATE_CACHE", str(tmp_path / "empty"))
    monkeypatch.delenv("SURROGATE_DATA", raising=False)
    run = Run.of({**LOGREG, "task": task, **{f"task.{key}": value for key, value in options.items()}}, "laptop")
    assert costs._sizes(run) == sizes


def test_sizes_are_known_of_all_data_that_figures_train_on() -> None:
    trained = [entry for entry in registry.discover() if entry.trained]
    used = {Run.of(keys, "laptop").data for entry in trained for keys in entry.runs("laptop")}
    assert used - {None} <= set(costs.DEFAULT)


def test_epochs_take_as_many_steps_as_clients_have_batches() -> None:
    keys = {key: value for key, value in LOGREG.items() if key != "steps"}
    found = costs.cost(Run.of({**keys, "epochs": 2, "clients_per_round": 10, "run.batch": 100}, "paper"))
    assert found.steps == 5 * 10 * 2 * 6


def test_theta_says_how_many_steps() -> None:
    keys = {key: value for key, value in LOGREG.items() if key != "steps"} | {"method": "local-update", "eta": 1.0}
    assert costs.cost(Run.of({**keys, "theta": "sum(3)", "clients_per_round": 2}, "paper")).steps == 5 * 2 * 3


def test_a_dry_run_lists_every_run_and_trains_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert main(["figures", "OLR.F1", "OLR.F2", "--scale", "paper", "--dry-run", "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert said.count(" by local-update, ") == 21 and "11,227,812 parameters" in said
    assert "21 runs, 21 of them new" in said and "1 figures need no training" in said
    assert "all: 21 different runs" in said and "10 Tflop/s" in said
    assert not out.exists()


def test_many_runs_take_a_line_a_figure_unless_all_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "FEW", 5)
    asked = registry.find(["OLR.F2", "OLR.F3"])
    short, long = (costs.report(asked, "smoke", verbose).splitlines() for verbose in (False, True))
    assert [line.partition(":")[0] for line in short[:2]] == ["OLR.F3", "OLR.F2"] and " by local-update" not in short[0]
    assert short[-1] == "each run: --verbose" and short[-2] == long[-1]
    said = int(short[-2].split()[1])
    assert said > costs.FEW and said == sum(" parameters) by " in line and "shared" not in line for line in long)


def test_runs_that_are_picked_later_are_counted_whatever_is_picked() -> None:
    """LAMB's Figure 4 at laptop: a grid of 3 rates, 4 methods; then 2 panels and 3 seeds but for what the grid has."""
    said = costs.report(registry.find(["LAMB.F4"]), "laptop")
    assert "32 runs, 32 of them new" in said and said.count("picked when these have ended") == 1
    grid, _, picked = said.partition("picked when these have ended")
    assert (grid.count(" by "), picked.count(" by ")) == (12, 20)


def test_verbose_alone_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["figures", "OLR.F1", "--verbose"]) == 2
    assert "add --dry-run" in capsys.readouterr().err
