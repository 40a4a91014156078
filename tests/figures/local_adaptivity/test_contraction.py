"""h of Assumption 1: the gradient against autograd, the walk against SGD written out, Figure 4's findings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import torch

from figures.local_adaptivity import contraction, figure_4, printed
from figures.training import Run
from tests.helpers.figures.doctor import doctored, statuses

RNG = np.random.default_rng(5)
DATA = contraction.Data(RNG.random((12, 4)), RNG.integers(0, 3, 12), 3)
BATCH = np.array([3, 0, 3, 7])


def test_the_gradient_is_autograds() -> None:
    points = RNG.standard_normal((2, 15))
    found = contraction.gradient(DATA, BATCH, points)
    for point, slope in zip(points, found, strict=True):
        v = torch.tensor(point, requires_grad=True)
        scores = torch.tensor(DATA.x[BATCH]) @ v[:12].reshape(3, 4).T + v[12:]
        torch.nn.functional.cross_entropy(scores, torch.tensor(DATA.y[BATCH])).backward()
        assert v.grad is not None
        np.testing.assert_allclose(slope, v.grad.numpy(), atol=1e-14)


def test_h_of_sgd_is_that_of_steps_written_out() -> None:
    found = contraction.walked(DATA, "fedavg", {"gamma": 0.3}, (1, 4), repeats=3, batch=2, seed=9)
    means = {k: np.zeros((2, 15)) for k in (1, 4)}
    start = contraction.starts(DATA, 9)
    for r in range(3):
        batches = np.random.default_rng([9, r]).integers(0, 12, (4, 2))
        points = start
        for k, batch in enumerate(batches, 1):
            points = points - 0.3 * contraction.gradient(DATA, batch, points)
            if k in means:
                means[k] = means[k] + points / 3
    wanted = [np.sum((means[k][0] - means[k][1]) ** 2) / np.sum((start[0] - start[1]) ** 2) for k in (1, 4)]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_two_starts_that_agree_in_all_scores_but_a_constant_never_meet_under_sgd() -> None:
    points = np.stack([np.zeros(15), np.concatenate([np.tile([1.0, -2.0, 0.5, 3.0], 3), np.full(3, 0.7)])])
    slopes = contraction.gradient(DATA, BATCH, points)
    np.testing.assert_allclose(slopes[0], slopes[1], atol=1e-14)


def rows(change: Any = lambda row: {}) -> pa.Table:
    """SGD falls, Adam falls faster."""
    found = [
        {"optimizer": name, "rate": rate, "k": k, "h": 0.9 / (1 + speed * k), "loss": 1.0, "best": rate == 0.2}
        for name, speed in (("SGD", 0.1), ("Adam", 0.5))
        for rate in printed.H_RATES
        for k in (1, 5, 20)
    ]
    return doctored(pa.Table.from_pylist(found), change)


def test_the_papers_lines_reproduce_both() -> None:
    assert set(statuses(figure_4, rows()).values()) == {"reproduced"}


@pytest.mark.parametrize(
    ("claim", "change"),
    [
        ("contracts", lambda row: {"h": 1.0} if row["k"] == 1 and row["optimizer"] == "SGD" else {}),
        ("contracts", lambda row: {"h": 0.5} if row["optimizer"] == "Adam" else {}),
        ("adam", lambda row: {"h": 1.5 * row["h"]} if row["optimizer"] == "Adam" and row["k"] < 20 else {}),
        ("adam", lambda row: {"h": 9.0} if row["optimizer"] == "Adam" else {}),
    ],
)
def test_other_lines_do_not(claim: str, change: Any) -> None:
    found = statuses(figure_4, rows(change))[claim]
    lost = claim == "contracts" or change({"optimizer": "Adam", "k": 1, "h": 1.0})["h"] == 9.0
    assert found == ("not reproduced" if lost else "reproduced")  # 1.5 times as large is still below SGD's


def test_the_other_rates_do_not_count() -> None:
    spoiled = rows(lambda row: {} if row["best"] else {"h": 7.0})
    assert set(statuses(figure_4, spoiled).values()) == {"reproduced"}


def test_the_published_rates_on_mnist() -> None:
    configs = [Run.of(keys, "paper").config for keys in figure_4.FIGURE.runs("paper")]
    assert {config.task for config in configs} == {"mnist-logreg"}
    for method in ("fedavg", "local-adam"):
        assert {c.settings["gamma"] for c in configs if c.method == method} == {0.5, 0.2, 0.02, 0.002}
