"""B2's losses against finite differences, its prediction where it must be exact, its training against plain steps."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from figures.beyond import figure_b2, logistic
from surrogate import Theta
from tests.helpers.figures.doctor import doctored, statuses
from tests.helpers.figures.exact import rows_of


@pytest.fixture(scope="module")
def rows() -> Any:
    return rows_of("B2")


def loss(clients: logistic.Clients, i: int, x: np.ndarray) -> float:
    a, s = clients.a[i], clients.s[i]
    return float(np.mean(np.log1p(np.exp(-s * (a @ x)))) + logistic.DECAY / 2 * (x @ x))


@pytest.mark.parametrize("data", figure_b2.DATA)
@pytest.mark.parametrize("i", [0, 3])
def test_gradients_and_hessians_are_those_of_the_loss(data: str, i: int) -> None:
    clients = figure_b2.DATA[data]()
    d, h = clients.a.shape[2], 1e-5
    x, eye = np.random.default_rng(1).normal(size=d), np.eye(d)
    slope = [(loss(clients, i, x + h * e) - loss(clients, i, x - h * e)) / (2 * h) for e in eye]
    curve = [(clients.gradient(i, x + h * e) - clients.gradient(i, x - h * e)) / (2 * h) for e in eye]
    np.testing.assert_allclose(clients.gradient(i, x), slope, atol=1e-9)
    np.testing.assert_allclose(clients.hessian(i, x), curve, atol=1e-9)


@pytest.mark.parametrize("data", figure_b2.DATA)
def test_the_quadratic_models_touch_the_losses_at_the_optimum(data: str) -> None:
    clients = figure_b2.DATA[data]()
    x, model = clients.optimum, clients.model
    np.testing.assert_allclose(model.minimizer, x, atol=1e-13)
    for i in range(model.n):
        np.testing.assert_allclose(model.client_gradient(i, x), clients.gradient(i, x), atol=1e-13)
        assert np.linalg.norm(clients.gradient(i, x)) > 0.05  # clients disagree


def test_digits_are_centred_and_the_right_ones_are_together() -> None:
    """Client i has 20 images of i, labelled -1, then 20 of i + 5, labelled 1; the mean image of all is 0."""
    kept = json.loads(Path(logistic.__file__).with_name("digits.json").read_text())["digits"]
    clients, every = logistic.digits(), np.array(kept, dtype=float)
    assert every.shape == (10, 20, 16) and 0 <= every.min() and every.max() <= 64
    assert (clients.s[:, :20] == -1).all() and (clients.s[:, 20:] == 1).all()
    scale = (every - every.mean(axis=(0, 1))).std()
    for i in range(5):
        for half, digit in enumerate((i, i + 5)):
            images = clients.a[i, 20 * half : 20 * half + 20] * scale + every.mean(axis=(0, 1))
            np.testing.assert_allclose(images, every[digit], atol=1e-10)


@pytest.mark.parametrize("data", figure_b2.DATA)
def test_the_engine_trains_the_losses_that_are_written_down(data: str) -> None:
    """Two rounds of LocalUpdate, K = 3, by hand."""
    clients, gamma, eta = figure_b2.DATA[data](), 0.1, 0.3
    x = clients.optimum
    for _ in range(2):
        answers = []
        for i in range(len(clients.a)):
            y, total = x, 0.0
            for _ in range(3):
                g = clients.gradient(i, y)
                y, total = y - gamma * g, total + g
            answers.append(total)
        x = x - eta * np.mean(answers, axis=0)
    found, moved = clients.trained("local-update", 2, 0.0, gamma=gamma, theta=Theta.sum(3), eta=eta)
    np.testing.assert_allclose(found, x, rtol=1e-12)
    assert moved > 0


@pytest.mark.parametrize("data", figure_b2.DATA)
def test_one_local_step_rests_at_the_optimum(data: str) -> None:
    clients = figure_b2.DATA[data]()
    foreseen, eta = figure_b2.predicted(clients.model, "local-update", 0.1, 1)
    assert np.abs(foreseen).max() < 1e-13
    found, _ = clients.trained("local-update", 5, 0.0, gamma=0.1, theta=Theta.sum(1), eta=eta)
    np.testing.assert_allclose(found, clients.optimum, atol=1e-13)


def test_the_prediction_is_right_to_first_order_in_the_rate(rows: Any) -> None:
    """Its relative error is halved with the rate, K = 2."""
    wanted = ("generated", "local-update", 2)
    own = {r["gamma"]: r["error"] for r in rows.to_pylist() if (r["data"], r["method"], r["steps"]) == wanted}
    for gamma in (0.08, 0.04, 0.02):
        assert own[gamma] / own[2 * gamma] == pytest.approx(0.5, abs=0.03)


def test_everything_came_to_rest(rows: Any) -> None:
    for row in rows.to_pylist():
        assert row["last_move"] <= figure_b2.STILL * row["measured"] * (1 + 1e-9)


def test_what_was_expected_and_what_came_out(rows: Any) -> None:
    """Generated: the rates are too large for a prediction to 5 %, and AdaGrad's displacement for one to a third. On
    digits 5 % are missed by a hair: 5.15 % with eight steps."""
    assert statuses(figure_b2, rows) == {
        "local": "not reproduced",
        "order": "reproduced",
        "adagrad": "not reproduced",
        "direction": "not reproduced",
        "further": "reproduced",
        "digits local": "not reproduced",
        "digits order": "reproduced",
        "digits adagrad": "reproduced",
        "digits direction": "reproduced",
        "digits further": "reproduced",
    }
    assert max(r["error"] for r in rows.to_pylist() if _least(r)) == pytest.approx(0.0515, abs=1e-4)


def _least(row: dict[str, Any]) -> bool:
    return (row["data"], row["method"], row["gamma"]) == ("digits", "local-update", 0.02)


def as_expected(row: dict[str, Any]) -> dict[str, Any]:
    far = row["method"] == "local-adagrad"
    return {"error": 0.2 if far else row["gamma"], "cosine": 0.99, "measured": 0.3 if far else row["gamma"]}


@pytest.mark.parametrize(
    ("names", "method", "gamma", "values"),
    [
        ({"local", "order"}, "local-update", 0.02, {"error": 0.09}),
        ({"order"}, "local-update", 0.16, {"error": 0.03}),
        ({"adagrad"}, "local-adagrad", 0.08, {"error": 0.4}),
        ({"direction"}, "local-update", 0.08, {"cosine": 0.9}),
        ({"further"}, "local-adagrad", 0.08, {"measured": 0.07}),
    ],
)
def test_checks_notice_other_numbers(
    rows: Any, names: set[str], method: str, gamma: float, values: dict[str, float]
) -> None:
    good = doctored(rows, as_expected)
    assert set(statuses(figure_b2, good).values()) == {"reproduced"}
    for data, about in (("generated", ""), ("digits", "digits ")):
        found = statuses(figure_b2, doctored(good, _at((data, method, gamma), values)))
        assert {key for key, status in found.items() if status == "not reproduced"} == {about + name for name in names}


def _at(which: tuple[str, str, float], values: dict[str, float]) -> Callable[[dict[str, Any]], dict[str, float]]:
    return lambda row: values if (row["data"], row["method"], row["gamma"]) == which else {}
