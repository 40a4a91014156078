"""B2's losses against finite differences, its prediction where it must be exact, its training against plain steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from figures.beyond import figure_b2, logistic
from surrogate import Theta
from tests.figures.doctor import doctored, statuses
from tests.figures.exact import rows_of


@pytest.fixture(scope="module")
def rows() -> Any:
    return rows_of("B2")


def loss(i: int, x: np.ndarray) -> float:
    a, s = (part[i] for part in logistic.examples())
    return float(np.mean(np.log1p(np.exp(-s * (a @ x)))) + logistic.DECAY / 2 * (x @ x))


@pytest.mark.parametrize("i", [0, 3])
def test_gradients_and_hessians_are_those_of_the_loss(i: int) -> None:
    x, h, eye = np.array([0.3, -0.2, 0.5, 1.0]), 1e-5, np.eye(4)
    slope = [(loss(i, x + h * e) - loss(i, x - h * e)) / (2 * h) for e in eye]
    curve = [(logistic.gradient(i, x + h * e) - logistic.gradient(i, x - h * e)) / (2 * h) for e in eye]
    np.testing.assert_allclose(logistic.gradient(i, x), slope, atol=1e-9)
    np.testing.assert_allclose(logistic.hessian(i, x), curve, atol=1e-9)


def test_the_quadratic_models_touch_the_losses_at_the_optimum() -> None:
    x, clients = logistic.optimum(), logistic.model()
    np.testing.assert_allclose(clients.minimizer, x, atol=1e-14)
    for i in range(clients.n):
        np.testing.assert_allclose(clients.client_gradient(i, x), logistic.gradient(i, x), atol=1e-14)
        assert np.linalg.norm(logistic.gradient(i, x)) > 0.05  # clients disagree


def test_the_engine_trains_the_losses_that_are_written_down() -> None:
    """Two rounds of LocalUpdate, K = 3, by hand."""
    gamma, eta = 0.1, 0.3
    x = logistic.optimum()
    for _ in range(2):
        answers = []
        for i in range(logistic.CLIENTS):
            y, total = x, 0.0
            for _ in range(3):
                g = logistic.gradient(i, y)
                y, total = y - gamma * g, total + g
            answers.append(total)
        x = x - eta * np.mean(answers, axis=0)
    found, moved = logistic.trained("local-update", 2, 0.0, gamma=gamma, theta=Theta.sum(3), eta=eta)
    np.testing.assert_allclose(found, x, rtol=1e-12)
    assert moved > 0


def test_one_local_step_rests_at_the_optimum() -> None:
    foreseen, eta = figure_b2.predicted("local-update", 0.1, 1)
    assert np.abs(foreseen).max() < 1e-14
    found, _ = logistic.trained("local-update", 5, 0.0, gamma=0.1, theta=Theta.sum(1), eta=eta)
    np.testing.assert_allclose(found, logistic.optimum(), atol=1e-14)


def test_the_prediction_is_right_to_first_order_in_the_rate(rows: Any) -> None:
    """Its relative error is halved with the rate, K = 2."""
    own = {r["gamma"]: r["error"] for r in rows.to_pylist() if (r["method"], r["steps"]) == ("local-update", 2)}
    for gamma in (0.08, 0.04, 0.02):
        assert own[gamma] / own[2 * gamma] == pytest.approx(0.5, abs=0.03)


def test_everything_came_to_rest(rows: Any) -> None:
    for row in rows.to_pylist():
        assert row["last_move"] <= figure_b2.STILL * row["measured"] * (1 + 1e-9)


def test_what_was_expected_and_what_came_out(rows: Any) -> None:
    """The rates are too large for a prediction to 5 %, and AdaGrad's displacement for one to a third."""
    assert statuses(figure_b2, rows) == {
        "local": "not reproduced",
        "order": "reproduced",
        "adagrad": "not reproduced",
        "direction": "not reproduced",
        "further": "reproduced",
    }


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
    found = statuses(
        figure_b2, doctored(good, lambda row: values if (row["method"], row["gamma"]) == (method, gamma) else {})
    )
    assert {key for key, status in found.items() if status == "not reproduced"} == names
