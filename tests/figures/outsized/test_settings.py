"""The published settings of OLR's sweeps."""

from __future__ import annotations

import math

from figures.outsized import figure_2, figure_4, figure_5, figure_6, figure_7, figure_8, figure_9, settings, table_2
from figures.training import Run

GAMMAS = {0, 1e-3, 1e-2, 1e-1, 1, 10, 100}
ETAS = {-3, -2.5, -2, -1.5, -1, -0.5, 0, 0.5, 1}  # (23), log10


def settings_of(keys: list[dict[str, object]]) -> list[Run]:
    return [Run.of(one, "paper") for one in keys]


def test_the_grids_are_those_of_section_8() -> None:
    for module, tasks in ((figure_5, settings.IMAGES_AND_PLAYS), (figure_7, settings.POSTS)):
        runs = settings_of(module.FIGURE.runs("paper"))
        assert len(runs) == 63 * len(tasks)
        assert {run.config.settings["gamma"] for run in runs} == GAMMAS
        assert {round(math.log10(run.config.settings["eta"]), 3) for run in runs} == ETAS
        assert {run.config.settings["theta"] for run in runs} == {"sum(10)"}


def test_yogi_has_the_printed_settings_and_50_clients() -> None:
    for run in settings_of(figure_6.FIGURE.runs("paper")):
        yogi = {"name": "yogi", "beta1": 0.9, "beta2": 0.99, "eps": 1e-5, "initial": 0}
        assert run.config.settings["server"] == yogi
        assert run.config.settings["eta"] == 0.01
        assert run.config.run["clients_per_round"] == 50
        assert run.config.run["loss_before"]


def test_decay_has_those_of_9_2() -> None:
    for module in (figure_8, figure_9):
        runs = [run for run in settings_of(module.FIGURE.runs("paper")) if run.config.method == "local-update-decay"]
        assert {run.config.settings["gamma"] for run in runs} == {100, 10, 1, 0.1, 0.01}
        for name in ("window", "patience", "cooldown"):
            assert {run.config.settings[name] for run in runs} == {100}
        assert not {"threshold", "client_factor", "server_factor"} & set(runs[0].config.settings)  # its defaults


def test_tied_rates_have_no_0() -> None:
    pairs = [(keys["gamma"], keys["eta"]) for keys in settings.tied(settings.CIFAR, "paper")]
    assert pairs == [(gamma, gamma) for gamma in sorted(GAMMAS - {0})]
    assert len(figure_4.FIGURE.runs("paper")) == 63 + 6 - len([1 for gamma in GAMMAS - {0} if 1e-3 <= gamma <= 10])


def test_a_figure_shares_its_runs() -> None:
    for scale in ("smoke", "laptop", "paper"):
        tuned = [str(keys) for keys in figure_8.FIGURE.runs(scale)]
        assert {str(keys) for keys in figure_5.FIGURE.runs(scale)} <= set(tuned)


def test_no_other_model_stands_in_for_the_papers() -> None:
    """A laptop narrows the model and leaves out classes; tasks, K, theta and B are the paper's at every scale."""
    for scale in ("smoke", "laptop", "paper"):
        runs = [
            Run.of(keys, scale)
            for keys in table_2.FIGURE.runs(scale) + figure_2.FIGURE.runs(scale) + figure_6.FIGURE.runs(scale)
        ]
        assert {run.config.task for run in runs} == set(settings.TITLES)
        assert {run.config.settings["theta"] for run in runs} == {"sum(10)"}
        assert not any("data" in run.config.options or "batch" in run.config.run for run in runs)
    narrowed = {"width", "classes", "clients", "units", "embedding", "limit", "shrink"}
    assert {name for run in runs_of("laptop") for name in run.config.options} == narrowed
    assert not {name for run in runs_of("paper") for name in run.config.options}


def runs_of(scale: str) -> list[Run]:
    return [Run.of(keys, scale) for keys in table_2.FIGURE.runs(scale)]
