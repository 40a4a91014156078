"""Both halves of LA Figure 1 against rounds written out by hand, resting points, and each other; checks can fail."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import figures
from figures.local_adaptivity import figure_1a, figure_1b, plane
from surrogate import Surrogate, Theta
from tests.helpers.figures.doctor import doctored, statuses

METHODS = pytest.mark.parametrize("method", plane.LABELS)


@pytest.fixture(scope="module")
def landscapes() -> Any:
    return figures.table("LA.F1a")


@pytest.fixture(scope="module")
def curves() -> Any:
    return figures.table("LA.F1b")


def by_hand(method: str, x: np.ndarray, rate: float) -> np.ndarray:
    """One round from x (2,), as LA prints it: (3), Algorithm 1 with N_i of (11)."""
    population = plane.clients()
    updates, scales = [], []
    for A, b in zip(population.A, population.b, strict=True):
        y, total, N = x, np.full(2, plane.ACCUMULATOR), np.zeros(2)
        for _ in range(plane.STEPS):
            g = A @ y - b
            total = total + g**2
            P = np.ones(2) if method == "fedavg" else total**-0.5
            y, N = y - rate * P * g, N + rate * P
        updates.append(x - y)
        scales.append(N)
    if method in ("local", "joint"):
        updates = [update / N for update, N in zip(updates, scales, strict=True)]
    mean = sum(updates) / 3
    return np.asarray(x - (mean / (sum(1 / N for N in scales) / 3) if method == "joint" else mean))


@METHODS
@pytest.mark.parametrize("rate", [1 / 20, 1 / 2000])
def test_a_round_is_the_round_that_the_paper_prints(method: str, rate: float) -> None:
    points = np.random.default_rng(0).uniform(-3, 3, (2, 6))
    moved = plane.advance(method, points, rate)
    for k in range(points.shape[1]):
        np.testing.assert_allclose(moved[:, k], by_hand(method, points[:, k], rate), rtol=1e-12)


def test_sgd_clients_rest_where_the_surrogate_does(landscapes: Any) -> None:
    exact = Surrogate(plane.clients(), plane.RATE, Theta.sum(plane.STEPS)).resting_point
    np.testing.assert_allclose(figure_1a.fixed_point("fedavg")[:, 0], exact, rtol=1e-9)


def test_the_problem_is_what_it_says() -> None:
    clients = plane.clients()
    np.testing.assert_allclose(clients.spectra, [[1 / 100, 1], [1 / 50, 1 / 2], [1 / 25, 1 / 2]], rtol=1e-13)
    spread = np.linalg.eigvalsh(clients.hessian)
    assert spread[1] / spread[0] > 20  # badly conditioned
    middle = np.median(clients.c, axis=0)
    for one, other in ((clients.minimizer, clients.mean_minimizer), (clients.minimizer, middle)):
        assert np.linalg.norm(one - other) > 0.3


@METHODS
def test_fixed_points_are_fixed_and_the_map_sees_them(landscapes: Any, method: str) -> None:
    own = [row for row in landscapes.to_pylist() if row["method"] == method]
    (rest,) = [row for row in own if row["kind"] == "fixed"]
    assert rest["residual"] < 1e-9
    darkest = min((row for row in own if row["kind"] == "map"), key=lambda row: row["residual"])
    pixel = 2 * figure_1a.HALF_WIDTH / (figure_1a.PIXELS - 1)
    assert abs(darkest["x"] - rest["x"]) < 2 * pixel
    assert abs(darkest["y"] - rest["y"]) < 12 * pixel  # the valley is flat along y
    circle = [row for row in own if row["kind"] == "circle"]
    radii = [np.hypot(row["x"] - rest["x"], row["y"] - rest["y"]) for row in circle]
    np.testing.assert_allclose(radii, figure_1a.RADIUS, rtol=1e-12)


def test_the_ratio_of_a_linear_method_is_a_condition_number(landscapes: Any) -> None:
    """On a circle, the largest over the smallest norm of a linear map is the ratio of its singular values."""
    own = [row for row in landscapes.to_pylist() if row["method"] == "fedavg"]
    circle = [row["residual"] for row in own if row["kind"] == "circle"]
    jacobian = Surrogate(plane.clients(), plane.RATE, Theta.sum(plane.STEPS)).jacobian
    assert max(circle) / min(circle) == pytest.approx(np.linalg.cond(jacobian), rel=0.01)


def test_local_and_joint_correction_rest_at_the_same_point() -> None:
    """N_s does not depend on the client, so it moves no fixed point (LA section 5)."""
    np.testing.assert_allclose(figure_1a.fixed_point("local"), figure_1a.fixed_point("joint"), atol=1e-9)


@METHODS
def test_curves_settle_at_the_fixed_points_of_the_landscapes(curves: Any, landscapes: Any, method: str) -> None:
    at = {row["round"]: row for row in curves.to_pylist() if row["method"] == method}
    (rest,) = [row for row in landscapes.to_pylist() if row["method"] == method and row["kind"] == "fixed"]
    assert np.hypot(at[200]["x"] - rest["x"], at[200]["y"] - rest["y"]) < 0.02 * at[0]["distance"]


def test_the_client_rate_decays_when_the_paper_says(curves: Any) -> None:
    rates = {row["round"]: row["rate"] for row in curves.to_pylist()}
    found = [round(rates[t] / plane.RATE, 12) for t in (1, 200, 201, 400, 401, 600)]
    assert found == [1, 1, 0.1, 0.1, 0.01, 0.01]


def test_they_reproduce_what_the_paper_concludes(landscapes: Any, curves: Any) -> None:
    for module, rows in ((figure_1a, landscapes), (figure_1b, curves)):
        assert set(statuses(module, rows).values()) == {"reproduced"}


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("conditioned", lambda row: {"residual": 1e3} if _at(row, "adagrad", "circle") and row["y"] > 1 else {}),
        ("displaced", lambda row: {"x": row["x"] + 1} if _at(row, "fedavg", "fixed") else {}),
        ("corrected", lambda row: {"x": row["x"] + 1} if _at(row, "local", "fixed") else {}),
        ("retained", lambda row: {"residual": 1e3} if _at(row, "joint", "circle") and row["y"] > 0 else {}),
    ],
)
def test_checks_on_landscapes_notice_other_numbers(landscapes: Any, name: str, change: Any) -> None:
    found = statuses(figure_1a, doctored(landscapes, change))
    assert {key for key, status in found.items() if status == "not reproduced"} == {name}


def _at(row: dict[str, Any], method: str, kind: str) -> bool:
    return bool(row["method"] == method and row["kind"] == kind)


def _later(method: str, delay: int, row: dict[str, Any]) -> dict[str, Any]:
    return {"distance": 6.0} if row["method"] == method and 0 < row["round"] < delay else {}


@pytest.mark.parametrize(
    ("names", "change"),
    [
        ({"faster"}, lambda row: _later("adagrad", 40, row)),
        ({"retained"}, lambda row: _later("joint", 40, row)),
        ({"biased", "decay", "corrected"}, lambda row: {"distance": 1e-3} if _end(row, "adagrad") else {}),
        ({"decay"}, lambda row: {"distance": 0.4} if _end(row, "adagrad") else {}),
        ({"corrected"}, lambda row: {"distance": 0.5} if _end(row, "local") else {}),
        ({"corrected"}, lambda row: {"distance": 0.5} if _end(row, "joint") else {}),
    ],
)
def test_checks_on_curves_notice_other_numbers(curves: Any, names: set[str], change: Any) -> None:
    found = statuses(figure_1b, doctored(curves, change))
    assert {key for key, status in found.items() if status == "not reproduced"} == names


def _end(row: dict[str, Any], method: str) -> bool:
    return bool(row["method"] == method and row["round"] == figure_1b.ROUNDS)


def test_a_method_that_never_gets_there_is_not_faster(curves: Any) -> None:
    slow = doctored(curves, lambda row: {"distance": 6.0} if row["method"] in ("adagrad", "fedavg") else {})
    assert statuses(figure_1b, slow)["faster"] == "not reproduced"
