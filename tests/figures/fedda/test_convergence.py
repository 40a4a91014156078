"""DA Figures 1 to 4, 7 and 8 on curves made for the purpose."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from figures import keys, registry
from figures.fedda import settings
from tests.helpers.figures.doctor import statuses
from tests.helpers.figures.fedda_made_up import Path, ten

FIGURES = {1: settings.CIFAR, 2: settings.CIFAR, 3: settings.EMNIST, 4: settings.EMNIST, 7: settings.TAGS,
           8: settings.TAGS}  # fmt: skip


def module(number: int) -> Any:
    return registry.find([f"DA.F{number}"])[0]


def curves(fedda: float, others: float = 20.0, only: Any = settings.OPTIMIZERS, seeds: Any = (0, 1, 2)) -> Path:
    """Learning with a time constant: FedDA's own with some optimizers and seeds."""

    def path(method: str, optimizer: str, seed: int, t: int) -> tuple[float, float]:
        mine = method == "fedda" and optimizer in only and seed in seeds
        left = math.exp(-t / (fedda if mine else others))
        return 1 + 3 * left, 0.5 * (1 - left)

    return path


@pytest.mark.parametrize("number", FIGURES)
def test_a_fast_fedda_reproduces_everything(number: int) -> None:
    table = ten(FIGURES[number], curves(5.0))
    assert set(statuses(module(number), table).values()) == {"reproduced"}


@pytest.mark.parametrize("number", FIGURES)
def test_a_slow_one_does_not(number: int) -> None:
    found = statuses(module(number), ten(FIGURES[number], curves(40.0)))
    assert {found.pop("flattens", "reproduced")} == {"reproduced"}
    assert set(found.values()) == {"not reproduced"}


@pytest.mark.parametrize("number", [1, 2])
def test_most_experiments_are_two_optimizers_of_three(number: int) -> None:
    one, two = (ten(settings.CIFAR, curves(5.0, only=names)) for names in (("adam",), ("adam", "sgdm")))
    assert statuses(module(number), one)["fastest"] == "not reproduced"
    assert statuses(module(number), two)["fastest"] == "reproduced"
    some = ten(settings.CIFAR, curves(5.0, seeds=(1,)))
    assert statuses(module(number), some)["fastest"] == "inconclusive"


@pytest.mark.parametrize("number", FIGURES)
@pytest.mark.parametrize("behind", [0.0, 0.02])
def test_a_tie_between_measurements_is_no_win(number: int, behind: float) -> None:
    """All methods alike, FedDA a little behind: measured every 5 rounds, they reach the target in the same one."""
    alike = curves(20.0)

    def path(method: str, optimizer: str, seed: int, t: int) -> tuple[float, float]:
        loss, value = alike(method, optimizer, seed, t)
        late = behind * (method == "fedda" and t > 0)
        return loss + late, value - late

    assert statuses(module(number), ten(FIGURES[number], path))["fastest"] == "not reproduced"


def test_what_is_there_from_the_start_saves_nothing() -> None:
    table = ten(settings.CIFAR, lambda method, optimizer, seed, t: (1.0, 0.5))
    assert statuses(module(1), table)["saves"] == "inconclusive"


def reached(constant: float) -> float:
    """When 1 - e^(-t / constant) is 0.9 (1 - e^-5), by straight lines between measurements."""
    rounds = np.arange(0, 101, 5)
    return float(np.interp(0.9 * (1 - math.exp(-5)), 1 - np.exp(-rounds / constant), rounds))


def test_the_saving_is_that_of_the_rounds_to_the_target() -> None:
    """At t = 2.244 c, 11.2 and 38.1 for c = 5, 17, but for the chords of the curve, which lie below it."""
    for constant, at, status in ((5.0, 11.2, "reproduced"), (17.0, 38.1, "not reproduced")):
        found = module(1).findings(ten(settings.CIFAR, curves(constant)))[1]
        assert at <= reached(constant) < at + 0.6
        assert found.numbers["saved"] == pytest.approx(1 - reached(constant) / reached(20.0))
        assert found.status == status


def test_a_curve_that_never_gets_there_counts_as_if_at_the_end() -> None:
    table = ten(settings.CIFAR, curves(5.0), lost=[("fedda", "sgdm"), ("climb", "any")])
    fastest, saves, _ = module(1).findings(table)
    assert fastest.numbers["SGDM, FedDA"] == math.inf and fastest.status == "reproduced"
    assert saves.numbers["SGDM"] == pytest.approx(1 - 100 / ((8 * reached(20.0) + 100) / 9))


def test_how_it_is_drawn_and_judged_leaves_the_table() -> None:
    found = keys.dependencies(registry.find(["DA.F1"])[0])
    assert "figures/fedda/tuning.py" in found and "figures/fedda/convergence.py" not in found


def test_curves_that_rise_late_do_not_flatten() -> None:
    table = ten(settings.CIFAR, lambda method, optimizer, seed, t: (1.0, (t / 100) ** 2))
    assert statuses(module(1), table)["flattens"] == "not reproduced"


def test_a_loss_that_settles_late_is_not_early() -> None:
    assert statuses(module(4), ten(settings.EMNIST, curves(8.0)))["early"] == "not reproduced"


@pytest.mark.parametrize(("number", "measure"), [(3, "value"), (4, "loss")])
def test_lines_are_the_means_and_what_diverged_is_named(number: int, measure: str) -> None:
    import matplotlib
    from matplotlib import pyplot

    table = ten(settings.EMNIST, curves(5.0), lost=[("mfl", "adam"), ("stem", "any")])
    with matplotlib.rc_context({"backend": "Agg", "figure.constrained_layout.use": True}):
        figure = module(number).draw(table)
        pyplot.close(figure)
    counts = {ax.get_title(): len(ax.get_lines()) for ax in figure.axes}
    assert counts == {"SGDM": 9, "Adam": 8, "AdaGrad": 9}
    lost = [ax.get_xlabel().partition("\n")[2] for ax in figure.axes]
    assert lost == ["diverged: STEM", "diverged: MFL, STEM", "diverged: STEM"]
    thick = [line for line in figure.axes[0].get_lines() if line.get_linewidth() > 2]
    assert [line.get_label() for line in thick] == ["FedDA"]
    left = [math.exp(-t / 5) for t in range(0, 101, 5)]
    wanted = [1 + 3 * part for part in left] if measure == "loss" else [0.5 * (1 - part) for part in left]
    assert thick[0].get_ydata() == pytest.approx(wanted)
