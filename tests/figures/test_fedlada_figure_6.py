"""LADA Figure 6 against the round of FedCM's and the amended FedAdam's own code; its checks can fail."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from figures.fedlada import figure_6
from surrogate import Quadratics, Surrogate, Theta, methods
from tests.helpers.figures.doctor import doctored, statuses
from tests.helpers.figures.exact import rows_of


@pytest.fixture(scope="module")
def rows() -> Any:
    return rows_of("LADA.F6")


@pytest.fixture(scope="module")
def clients() -> Quadratics:
    return Quadratics(np.array(figure_6.A), np.array(figure_6.C))


def entry(rows: Any, kind: str, name: str, step: int = 0) -> dict[str, Any]:
    (found,) = [row for row in rows.to_pylist() if (row["kind"], row["name"], row["step"]) == (kind, name, step)]
    return dict(found)


def test_clients_walk_as_fedcm_does(rows: Any, clients: Quadratics) -> None:
    """With the pseudo gradient as g_a, FedCM's clients send x minus the end of their drawn path."""
    method = methods.build("fedcm", gamma=figure_6.RATE, steps=figure_6.STEPS, alpha=figure_6.ALPHA)
    start = np.array(figure_6.START)
    shared = method.start(start) | {"g_a": figure_6.pseudo_gradient(start)}
    for i, client in enumerate(methods.quadratic_clients(clients)):
        message, _ = method.local(shared, {}, client, i)
        end = entry(rows, "path", f"client {i + 1}", figure_6.STEPS)
        np.testing.assert_allclose(start - message["delta"], [end["x"], end["y"]], rtol=1e-12)


def test_the_pseudo_gradient_is_the_surrogates(clients: Quadratics) -> None:
    field = Surrogate(clients, figure_6.RATE, Theta.sum(figure_6.STEPS))
    for x in (np.array(figure_6.START), np.array([0.3, -0.7])):
        np.testing.assert_allclose(figure_6.pseudo_gradient(x), field.gradient(x) / figure_6.STEPS, rtol=1e-12)


def test_the_servers_step_as_their_optimizers_do(rows: Any) -> None:
    """Adam without momentum, from second moments of 0.01."""
    from surrogate.methods import optimizers

    p = figure_6.pseudo_gradient(np.array(figure_6.START))
    adam = optimizers.adam(beta1=0, beta2=0.99, eps=0, initial=0.01)
    P, m, _ = adam.step(adam.start(p), p, methods.FLOATS)
    row = entry(rows, "server", "adaptive", 1)
    np.testing.assert_allclose(
        np.array(figure_6.START) - figure_6.SERVER_RATE * P * m, [row["x"], row["y"]], rtol=1e-12
    )


def test_the_minimizers_are_the_problems(rows: Any, clients: Quadratics) -> None:
    row = entry(rows, "minimizer", "global")
    np.testing.assert_allclose([row["x"], row["y"]], clients.minimizer, rtol=1e-12)
    assert clients.mu > 0


def test_the_gap_is_what_a_server_step_moves_the_pseudo_gradient(rows: Any, clients: Quadratics) -> None:
    J = Surrogate(clients, figure_6.RATE, Theta.sum(figure_6.STEPS)).jacobian / figure_6.STEPS
    for name in figure_6.SERVERS:
        row = entry(rows, "server", name, 1)
        step = np.array([row["x"], row["y"]]) - figure_6.START
        assert row["gap"] == pytest.approx(np.linalg.norm(J @ step), rel=1e-12)


def test_what_the_paper_says_and_what_came_out(rows: Any) -> None:
    """The first adaptive step is far longer, but hardly turned: the initial second moment outweighs the gradient's."""
    found = statuses(figure_6, rows)
    assert {name for name, status in found.items() if status != "reproduced"} == {"direction"}
    assert found["direction"] == "not reproduced"


def _turned(row: dict[str, Any]) -> dict[str, Any]:
    return {"y": 2.0} if (row["kind"], row["name"]) == ("server", "adaptive") else {}


def _set(kind: str, name: str, **values: float) -> Any:
    return lambda row: values if (row["kind"], row["name"]) == (kind, name) else {}


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("far", _set("server", "adaptive", moved=0.4)),
        ("direction", _set("server", "adaptive", y=0.5)),
        ("gap", _set("server", "sgd", gap=0.4)),
        ("decay", _set("slow", "adaptive", gap=0.3)),
    ],
)
def test_checks_notice_other_numbers(rows: Any, name: str, change: Any) -> None:
    good = doctored(rows, lambda row: _turned(row) | ({"gap": 0.05} if row["kind"] == "slow" else {}))
    good = doctored(good, lambda row: {"gap": 0.01} if (row["kind"], row["name"]) == ("slow", "sgd") else {})
    assert set(statuses(figure_6, good).values()) == {"reproduced"}
    found = statuses(figure_6, doctored(good, change))
    assert name in {key for key, status in found.items() if status == "not reproduced"}


def test_a_gap_as_large_as_the_gradient_is_noticed(rows: Any) -> None:
    found = statuses(figure_6, doctored(rows, _set("server", "sgd", gap=0.3)))
    assert found["sgd"] == "not reproduced"
