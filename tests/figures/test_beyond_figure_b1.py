"""B1 against rounds played by FedAvg's own code, and plain gradient descent; its checks can fail."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from figures.beyond import figure_b1
from surrogate import methods
from tests.helpers.figures.doctor import doctored, statuses
from tests.helpers.figures.exact import rows_of


@pytest.fixture(scope="module")
def rows() -> Any:
    return rows_of("B1")


def entry(rows: Any, **wanted: Any) -> dict[str, Any]:
    (found,) = [row for row in rows.to_pylist() if all(row[name] == value for name, value in wanted.items())]
    return dict(found)


def play(server: str, gamma: float, K: int, eta: float, rounds: int) -> np.ndarray:
    """x_T - x*, by the code of the methods."""
    clients = figure_b1.population()
    method = methods.build("fedavg", gamma=gamma, steps=K, sends="gradients", eta=eta)
    if server == "averages":
        method = methods.build("fedavg", gamma=gamma, steps=K)
    functions = methods.quadratic_clients(clients)
    state = method.start(clients.minimizer + figure_b1.DISTANCE / 2)  # the diagonal of R^4 has length 2
    for _ in range(rounds):
        state, _ = methods.play(method, state, {}, functions, clients.weights.tolist())
    return np.asarray(state["x"] - clients.minimizer)


@pytest.mark.parametrize("server", figure_b1.SERVERS)
@pytest.mark.parametrize(("gamma", "K", "T"), [(1.0, 1, 20), (0.25, 4, 10), (1.0, 16, 5)])
def test_the_error_is_that_of_rounds_played_out(rows: Any, server: str, gamma: float, K: int, T: int) -> None:
    row = entry(rows, server=server, gamma=gamma, steps=K, rounds=T)
    assert np.linalg.norm(play(server, gamma, K, row["eta"], T)) == pytest.approx(row["error"], rel=1e-10)


def test_the_bias_is_where_rounds_end(rows: Any) -> None:
    row = entry(rows, server="best rate", gamma=1.0, steps=128, rounds=1)
    end = play("best rate", 1.0, 128, row["eta"], 60)
    assert row["radius"] ** 60 < 1e-9
    assert np.linalg.norm(end) == pytest.approx(row["bias"], rel=1e-7)


def test_one_step_is_gradient_descent_with_its_best_rate(rows: Any) -> None:
    low, *_, high = np.linalg.eigvalsh(figure_b1.population().hessian)
    row = entry(rows, server="best rate", gamma=0.5, steps=1, rounds=1)
    assert row["bias"] < 1e-15
    assert row["eta"] == pytest.approx(2 / (low + high), rel=1e-12)
    assert row["radius"] == pytest.approx((high - low) / (high + low), rel=1e-12)


def test_what_was_expected_and_what_came_out(rows: Any) -> None:
    """One of five expectations holds: bias falls again at large rates, and the rate best in the end starts worse."""
    assert statuses(figure_b1, rows) == {
        "trade": "not reproduced",
        "few": "not reproduced",
        "many": "reproduced",
        "careful": "not reproduced",
        "server": "not reproduced",
    }


def tidy(row: dict[str, Any]) -> dict[str, Any]:
    """A table as we expected it: bias and pace grow with gamma K, and one step has no bias."""
    bias, pace = row["gamma"] * (row["steps"] - 1) / 200, row["gamma"] * row["steps"] / 10
    faster = 2.0 if row["server"] == "best rate" else 1.0
    left = max(10 * math.exp(-pace * faster * row["rounds"]), 1e-50)
    return {"bias": bias, "radius": math.exp(-pace), "error": bias + left}


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("trade", lambda row: {"bias": 9.0} if (row["steps"], row["gamma"]) == (4, 0.25) else {}),
        ("few", lambda row: {"error": 0.3} if row["steps"] == 1 and row["rounds"] == 1 else {}),
        ("many", lambda row: {"error": 1e-60} if row["steps"] == 2 and row["rounds"] == 5000 else {}),
        ("server", lambda row: {"error": 8.0} if row["server"] == "best rate" and row["rounds"] == 2 else {}),
    ],
)
def test_checks_notice_other_numbers(rows: Any, name: str, change: Any) -> None:
    good = doctored(rows, tidy)
    assert set(statuses(figure_b1, good).values()) == {"reproduced"}
    assert statuses(figure_b1, doctored(good, change))[name] == "not reproduced"


def test_a_bolder_choice_for_a_larger_budget_is_noticed(rows: Any) -> None:
    def bolder(row: dict[str, Any]) -> dict[str, Any]:
        """At T = 2000 the most biased choice is the best."""
        return {"error": 1e-9} if (row["steps"], row["gamma"], row["rounds"]) == (128, 1.0, 2000) else {}

    good = doctored(rows, tidy)
    assert statuses(figure_b1, doctored(good, lambda row: bolder(row) or {"error": row["error"] + 1e-6}))[
        "careful"
    ] == ("not reproduced")
