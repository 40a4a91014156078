"""LA's settings: those printed at paper scale, the change of scale of SO TP, rates chosen as A.2 says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from figures.local_adaptivity import printed, settings, tuning
from figures.local_adaptivity.settings import Variant
from figures.training import Run, Trained
from surrogate import methods

SIDES = [Variant("tags-logreg", server, "SGD") for server in printed.RATES["tags-logreg"]]
SIDES += [
    Variant("tags-logreg", server, "AdaGrad", correction)
    for server in printed.RATES["tags-logreg"]
    for correction in settings.CORRECTIONS
]


def published(variant: Variant) -> Any:
    """The one run at paper scale, validated."""
    (pair,) = settings.rates(variant, "paper")
    return Run.of(settings.run(variant, "paper", *pair), "paper").config


@pytest.mark.parametrize(
    ("task", "clients", "batch"), [("words-lstm", 50, None), ("shakespeare-lstm", 10, None), ("tags-logreg", 10, 100)]
)
def test_table_4(task: str, clients: int, batch: int | None) -> None:
    config = published(Variant(task, "AdaGrad", "AdaGrad"))
    assert (config.rounds, config.epochs) == (1500, 1)
    assert config.run["clients_per_round"] == clients
    assert config.run.get("batch") == batch  # 16 and 4 are the tasks' own
    assert config.options == {}


def test_a_cell_of_table_5() -> None:
    config = published(Variant("shakespeare-lstm", "AdaGrad", "AdaGrad", "joint"))
    assert config.settings["gamma"] == pytest.approx(10**-0.5, rel=1e-11)
    assert config.settings["eta"] == pytest.approx(10**-0.5, rel=1e-11)
    assert config.settings["server"] == {"name": "adagrad", "eps": 0.1, "initial": 0.0}
    assert config.settings["correction"] == "joint" and config.settings["as_printed"] is True


def built(variant: Variant) -> Any:
    """The method alone, three local steps."""
    (pair,) = settings.rates(variant, "paper")
    config = Run.of(settings.run(variant, "paper", *pair), "paper").config
    return methods.build(config.method, **{**config.settings, "steps": 3})


@pytest.mark.parametrize("variant", SIDES, ids=lambda variant: "-".join(map(str, variant[1:4])))
def test_means_of_losses_move_as_sums_do_at_the_printed_rates(
    variant: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    curvature = np.array([[1.0, 2.0], [3.0, 0.5]])
    ends = []
    for factor, summed in ((1e-4, settings.SUMMED), (1e-2, {})):  # our mean; a sum of 100 at the printed settings
        monkeypatch.setattr(settings, "SUMMED", summed)
        method = built(variant)
        clients = [lambda y, k, a=a, factor=factor: factor * a * (y - a) for a in curvature]
        state, own = method.start(np.zeros(2)), {}
        for _ in range(3):
            state, own = methods.play(method, state, own, clients, [0.5, 0.5])
        ends.append(state["x"])
    assert np.abs(ends[0]).min() > 0
    np.testing.assert_allclose(ends[0], ends[1], rtol=1e-9)


def trained(percents: list[float], status: str = "done") -> Trained:
    rows = [{"round": float(10 * k), "accuracy": value / 100} for k, value in enumerate(percents)]
    return Trained({"task": "words-lstm"}, rows, status, "made up")


def test_the_best_mean_over_the_last_rounds_is_chosen() -> None:
    variant = Variant("words-lstm", "Adam", "SGD")
    pairs = settings.rates(variant, "laptop")
    assert len(pairs) == 4
    results = [
        trained([9, 9, 9, 1, 1]),
        trained([0, 0, 2, 2, 2]),
        trained([0, 0, 3, 3, 3], "diverged"),
        trained([0] * 5),
    ]
    assert tuning.scored(results[1]) == pytest.approx(2.0)
    assert tuning.scored(results[2]) == -1
    assert tuning.chosen([variant], "laptop", results) == {variant: pairs[0]}  # 11/3 over rounds 20 to 40
    results[0] = trained([9, 9, 1, 1, 1])
    assert tuning.chosen([variant], "laptop", results) == {variant: pairs[1]}


def test_final_runs_have_all_seeds_at_the_rates_of_one_epoch() -> None:
    variant = Variant("words-lstm", "Adam", "SGD", epochs=5)
    results = [trained([0, 0, value, value]) for value in (1.0, 3.0, 2.0, 0.0)]
    found = tuning.finals([variant], "laptop", results)
    assert [keys["seed"] for keys in found] == [0, 1, 2]
    assert {keys["epochs"] for keys in found} == {5}
    wanted = [10**exponent for exponent in settings.rates(variant.tuned, "laptop")[1]]
    assert all([keys["gamma"], keys["eta"]] == pytest.approx(wanted) for keys in found)
    assert {keys["epochs"] for keys in tuning.grid([variant], "laptop")} == {1}


def test_the_table_pairs_runs_with_variants() -> None:
    variants = [Variant("words-lstm", "Adam", "SGD"), Variant("words-lstm", "Adam", "AdaGrad")]
    grid = [trained([0, 0, float(value), float(value)]) for value in range(8)]
    finals = [trained([0, 10.0 * k]) for k in range(6)]
    rows = tuning.table(variants, "laptop", [*grid, *finals])
    last = [(rows["client"][k], rows["seed"][k], rows["percent"][k]) for k in range(1, 12, 2)]
    wanted = [("SGD", 0, 0.0), ("SGD", 1, 10.0), ("SGD", 2, 20.0)]
    wanted += [("AdaGrad", 0, 30.0), ("AdaGrad", 1, 40.0), ("AdaGrad", 2, 50.0)]
    assert [(client, seed, pytest.approx(percent)) for client, seed, percent in wanted] == last
    assert (rows["gamma"][0], rows["eta"][0]) == settings.rates(variants[0], "laptop")[3]
