"""Figures 3, 4 and 6: the norm of q_t, tied rates, Yogi with eta = 0.01."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from figures.outsized import figure_3, figure_4, figure_6, settings
from tests.helpers.figures.doctor import statuses
from tests.helpers.figures.outsized_made import Keys, as_told, rows, scaled


def norm(keys: Keys, t: float) -> float:
    """Smaller, and less noisy, for larger gamma."""
    return float((1 + 0.1 * (-1) ** (t / 5)) * (1 + 0.1 * keys["seed"]) / (1 + 10 * keys["gamma"]))


def swapped(keys: Keys, t: float) -> float:
    """As large for 0.001 as it was for 0.1, and the other way round."""
    return norm({**keys, "gamma": {0.001: 0.1, 0.1: 0.001}.get(keys["gamma"], keys["gamma"])}, t)


def still(keys: Keys, t: float) -> float:
    """The same means, no noise."""
    return norm({**keys, "seed": 0}, 0) / 1.1


@pytest.mark.parametrize(
    ("loss", "wanted"),
    [
        (norm, {"mean": "reproduced", "spread": "reproduced"}),
        (swapped, {"mean": "not reproduced", "spread": "not reproduced"}),
        (still, {"mean": "reproduced", "spread": "not reproduced"}),
        (
            lambda keys, t: (norm, swapped)[keys["seed"] % 2](keys, t),
            {"mean": "inconclusive", "spread": "inconclusive"},
        ),
    ],
)
def test_norms(loss: Any, wanted: dict[str, str]) -> None:
    assert statuses(figure_3, rows(figure_3, loss, name="update_norm")) == wanted


def test_windows_are_means_and_deviations_of_consecutive_rounds() -> None:
    table = rows(figure_3, norm, name="update_norm")
    rounds, means, spreads = figure_3.windows(table, 0.0)
    assert rounds.tolist() == [45, 95]  # ten measurements each; one is left over
    np.testing.assert_allclose(means, np.outer([1.0, 1.1, 1.2], [1, 1]))
    np.testing.assert_allclose(spreads, 0.1 * means)


def tied(keys: Keys, t: float) -> float:
    """gamma = eta = 1 rises, 0.1 leads 0.01; apart is better."""
    if keys["gamma"] != keys["eta"]:
        return as_told(keys, t)
    ends = {0.001: 4.0, 0.01: 2.0, 0.1: 1.5, 1.0: 6.0}
    return float(ends[keys["gamma"]] + (4 - ends[keys["gamma"]]) * np.exp(-t / 20))


def pair(gamma: float, eta: float) -> Any:
    return lambda keys, t: (keys["gamma"], keys["eta"]) == (gamma, eta)


@pytest.mark.parametrize(
    ("claim", "loss", "wanted"),
    [
        ("one", scaled(lambda keys, t: pair(1.0, 1.0)(keys, t) and t > 0, 0.1, tied), "not reproduced"),
        ("one", scaled(lambda k, t: pair(1.0, 1.0)(k, t) and t > 0 and k["seed"] == 1, 0.1, tied), "inconclusive"),
        ("most", scaled(pair(0.1, 0.1), 2.0, tied), "not reproduced"),
        ("most", scaled(lambda keys, t: pair(0.1, 0.1)(keys, t) and t > 40, 2.0, tied), "not reproduced"),
        ("most", scaled(lambda keys, t: pair(0.1, 0.1)(keys, t) and t > 60, 2.0, tied), "reproduced"),
        ("apart", scaled(pair(0.1, 0.1), 0.66, tied), "not reproduced"),
    ],
)
def test_tied_rates(claim: str, loss: Any, wanted: str) -> None:
    assert set(statuses(figure_4, rows(figure_4, tied)).values()) == {"reproduced"}
    assert statuses(figure_4, rows(figure_4, loss))[claim] == wanted


@pytest.mark.parametrize(("rate", "most"), [(0.1, "not reproduced"), (0.01, "reproduced")])
def test_what_diverges_loses(rate: float, most: str) -> None:
    found = statuses(figure_4, rows(figure_4, tied, lambda keys: keys["gamma"] == keys["eta"] == rate))
    assert found["most"] == most
    assert statuses(figure_4, rows(figure_4, tied, lambda keys: keys["gamma"] == 1.0))["one"] == "reproduced"


def yogi(keys: Keys, t: float) -> float:
    """All agree but the largest, which starts fastest."""
    largest = max(settings.gammas(keys["task"], "laptop"))
    return float((1.1 if keys["gamma"] == largest else 1.0) + 3 * np.exp(-t / (5 if keys["gamma"] == largest else 10)))


def in_task(task: str, gamma: float) -> Any:
    return lambda keys, t: (keys["task"], keys["gamma"]) == (task, gamma)


@pytest.mark.parametrize(
    ("claim", "loss"),
    [
        ("starts", scaled(in_task(settings.WORDS, 1.0), 3.0, yogi)),
        ("matched", scaled(in_task(settings.TAGS, 100.0), 0.8, yogi)),
        ("agree", scaled(in_task(settings.TAGS, 10.0), 1.1, yogi)),
    ],
)
def test_yogi_with_a_fixed_rate(claim: str, loss: Any) -> None:
    assert set(statuses(figure_6, rows(figure_6, yogi)).values()) == {"reproduced"}
    assert statuses(figure_6, rows(figure_6, loss))[claim] == "not reproduced"
    without = rows(figure_6, yogi, lambda keys: keys["task"] == settings.WORDS and keys["gamma"] == 1.0)
    assert statuses(figure_6, without)["starts"] == "not reproduced"  # 0.1 is the largest then, as fast as 0
