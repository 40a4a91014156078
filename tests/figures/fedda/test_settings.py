"""DA's settings: Table 12 at the paper's scale, equal grids on a laptop, and the choice among them."""

from __future__ import annotations

from typing import Any

import pytest

from figures.fedda import figure_5, settings, tuning
from figures.training import Run, Trained

ALL = (*settings.TASKS, settings.AUTOENCODER)


@pytest.mark.parametrize("task", ALL)
def test_ten_methods_are_twenty_settings_with_three_or_five_tries_each(task: str) -> None:
    count = 16 if task == settings.AUTOENCODER else 20
    assert len(settings.variants(task)) == count
    keys = tuning.runs(task, "laptop")
    labels = [settings.label(one) for one in keys]
    assert labels == [variant for variant in settings.variants(task) for _ in range(tries(variant[0]))]
    assert len({Run.of(one, "laptop").place for one in keys}) == 3 * count + 2 * 6


def tries(method: str) -> int:
    return 5 if method in ("fedopt", "fedda") else 3


@pytest.mark.parametrize("optimizer", settings.OPTIMIZERS)
@pytest.mark.parametrize("method", ["fedopt", "fedda"])
@pytest.mark.parametrize("task", ALL)
def test_two_rates_make_a_cross_around_the_middle_that_smoke_runs(task: str, method: str, optimizer: str) -> None:
    pairs = [tuple(rates.values()) for rates in settings.grid(task, "laptop", method, optimizer)]
    low, middle, high = settings.GAMMAS[task]
    assert [gamma for gamma, _ in pairs] == [middle, middle, middle, low, high]
    alphas = [eta / gamma if method == "fedda" else eta for gamma, eta in pairs]
    assert alphas[0] < alphas[1] < alphas[2] and alphas[3:] == pytest.approx([alphas[1]] * 2, rel=1e-5)
    assert [tuple(rates.values()) for rates in settings.grid(task, "smoke", method, optimizer)] == [pairs[1]]


def test_the_cross_of_fedda_with_sgdm_on_emnist() -> None:
    pairs = [tuple(rates.values()) for rates in settings.grid(settings.EMNIST, "laptop", "fedda", "sgdm")]
    assert pairs == [(0.3, 0.09), (0.3, 0.3), (0.3, 0.99), (0.1, 0.1), (1.0, 1.0)]


def test_the_published_settings_of_emnist_are_table_12() -> None:
    runs = {settings.label(one): Run.of(one, "paper").config for one in tuning.runs(settings.EMNIST, "paper")}
    adagrad = runs["fedda", "adagrad"]
    assert (adagrad.rounds, adagrad.full_batch_from) == (1500, 1350)
    assert adagrad.settings == {"gamma": 0.1, "eta": 0.01, "eps": 0.1, "steps": 5}
    assert adagrad.options == {"model": "fedda"}
    assert runs["fedda", "sgdm"].settings == {"gamma": 0.1, "eta": 0.1, "steps": 10}
    assert runs["fedavg", "any"].settings == {"gamma": 0.1, "steps": 10}
    assert runs["fedlocal", "adam"].settings["optimizer"] == {"name": "adam", "eps": 0.1}
    assert {run.full_batch_from for label, run in runs.items() if label[0] != "fedda"} == {None}
    assert all(run.run["weights"] == "examples" for run in runs.values())


def test_the_published_settings_of_the_others() -> None:
    cifar = {settings.label(one): one for one in tuning.runs(settings.CIFAR, "paper")}
    assert cifar["fedda", "sgdm"]["rounds"] == 4000
    assert cifar["fedda", "sgdm"]["eta"] == pytest.approx(3.3 * 0.03)
    tags = {settings.label(one): one for one in tuning.runs(settings.TAGS, "paper")}
    assert [tags["fedda", name]["steps"] for name in settings.OPTIMIZERS] == [5, 1, 5]
    assert tags["fedopt", "adam"]["eps"] == 1e-5


def trained(keys: dict[str, Any], loss: float, status: str = "done") -> Trained:
    path = [{"round": t, "loss": 9.0 if t < 50 else loss, "accuracy": 0.3} for t in range(0, 101, 10)]
    return Trained(keys, path, status, "made up")


def test_the_rate_with_the_least_final_loss_is_shown_with_all_seeds() -> None:
    grid = tuning.runs(settings.EMNIST, "laptop")
    places = [k for method, _ in settings.variants(settings.EMNIST) for k in range(tries(method))]
    results = [trained(keys, (3.0, 1.0, 2.0, 4.0, 5.0)[k]) for k, keys in zip(places, grid, strict=True)]
    middle, last = ([keys for k, keys in zip(places, grid, strict=True) if k == which] for which in (1, 2))
    then = tuning.then("laptop", results)
    assert then == [{**keys, "seed": seed} for keys in middle for seed in (0, 1, 2)]
    lost = [
        trained(run.keys, run.rows[-1]["loss"], "diverged" if k == 1 else "done")
        for k, run in zip(places, results, strict=True)
    ]
    assert tuning.then("laptop", lost)[::3] == last
    rows = tuning.table("laptop", [*results, *(trained(keys, 1.0) for keys in then)])
    assert len(rows["loss"]) == 20 * 3 * 11 and set(rows["seed"]) == {0, 1, 2}
    assert set(rows["method"]) == set(settings.METHODS) and set(rows["value"]) == {0.3}


def test_local_iterations_are_swept_at_the_best_rates() -> None:
    grid = figure_5.runs("laptop")
    results = [trained(keys, float(k % 5)) for k, keys in enumerate(grid)]
    then = figure_5.then("laptop", results)
    emnist = [keys for keys in then if keys["task"] == settings.EMNIST and keys["method"] == "fedda-adam"]
    assert [keys["steps"] for keys in emnist[:4]] == [1, 5, 10, 20]
    assert {(keys["gamma"], keys["eta"]) for keys in emnist} == {(0.3, 0.1)}
    assert len(then) == 3 * 3 * (3 + 4 + 3)


def test_the_sweep_of_local_iterations_at_paper_scale_is_a5s() -> None:
    runs = figure_5.runs("paper")
    assert sorted({keys["steps"] for keys in runs}) == [1, 2, 5, 10, 20]
    assert len(runs) == 3 * 3 * 5 and figure_5.then("paper", []) == []
