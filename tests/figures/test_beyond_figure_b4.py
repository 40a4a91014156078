"""B4 against rounds played from elsewhere, and labels that cover nothing; its checks can fail."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from figures.beyond import figure_b4, labels
from surrogate import dictionary, methods, toys
from tests.helpers.figures.doctor import doctored, statuses
from tests.helpers.figures.exact import rows_of
from tests.helpers.figures.texts import collisions, written


@pytest.fixture(scope="module")
def rows() -> Any:
    return rows_of("B4")


def at(rows: Any, name: str) -> np.ndarray:
    (row,) = [row for row in rows.to_pylist() if row["method"] == name]
    return np.array([row["x"], row["y"]])


def test_every_method_of_the_dictionary_is_there(rows: Any) -> None:
    assert set(rows["method"].to_pylist()) == {*dictionary.methods(), *figure_b4.CORRECTED}


def left_after_a_round(name: str, x: np.ndarray, **settings: Any) -> float:
    """How far one round of the method's own code moves x."""
    clients = toys.plane()
    method = methods.build(name, **settings)
    state, _ = methods.play(method, method.start(x), {}, methods.quadratic_clients(clients), clients.weights.tolist())
    return float(np.abs(state["x"] - x).max())


@pytest.mark.parametrize("name", ["fedavg", "fednova", "fedcm", "fedlin", "fedopt-sgdm", "local-sgdm"])
def test_a_linear_method_stays_where_the_formula_says(rows: Any, name: str) -> None:
    more = {"eta": 1} if name == "fedopt-sgdm" else {}
    assert left_after_a_round(name, at(rows, name), gamma=1 / 4, steps=10, **more) < 1e-14
    assert left_after_a_round(name, at(rows, name) + 0.1, gamma=1 / 4, steps=10, **more) > 1e-3


@pytest.mark.parametrize("name", ["local-adagrad", "local-adam", "local-yogi"])
@pytest.mark.parametrize("correction", ["none", "local"])
def test_an_adaptive_client_stays_where_it_came_to_rest(rows: Any, name: str, correction: str) -> None:
    full = f"{name} + local correction" if correction == "local" else name
    if full in rows["method"].to_pylist():
        assert left_after_a_round(name, at(rows, full), gamma=1 / 20, steps=10, correction=correction) < 1e-9
    else:
        assert name == "local-yogi" and correction == "local"


def test_the_start_does_not_matter_to_local_adagrad(rows: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figure_b4, "START", (-1.0, 2.0))
    point, realised = figure_b4.played("local-adagrad", {"gamma": 1 / 20, "steps": 10})
    np.testing.assert_allclose(point, at(rows, "local-adagrad"), atol=1e-9)
    assert realised.shape == (3, 10, 2)


def test_a_run_that_does_not_settle_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figure_b4, "MOST_ROUNDS", 3)
    with pytest.raises(ArithmeticError, match="does not come to rest in 3 rounds"):
        figure_b4.played("local-adam", {"gamma": 1 / 20, "steps": 10})


def test_a_run_that_flew_away_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fed-AMS at its own eps is thrown 1e56 away and stands still there: its preconditioners say another point."""
    monkeypatch.setitem(figure_b4.MORE, "fed-ams", {"eps": 1e-8})
    with pytest.raises(ArithmeticError, match="fed-ams stopped at"):
        figure_b4._rest("fed-ams")


def test_dots_are_shared_by_methods_that_coincide_and_no_others(rows: Any) -> None:
    for one, other in combinations(rows.to_pylist(), 2):
        apart = np.hypot(one["x"] - other["x"], one["y"] - other["y"])
        assert (one["dot"] == other["dot"]) == (apart <= 1e-9)


def test_what_was_expected_and_what_came_out(rows: Any) -> None:
    found = statuses(figure_b4, rows)
    assert {name for name, status in found.items() if status != "reproduced"} == {"corrected"}
    assert found["corrected"] == "not reproduced"


def _moved(*names: str, **to: float) -> Any:
    return lambda row: to if row["method"] in names else {}


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("unbiased", _moved("scaffold", distance=1e-6)),
        ("servers", _moved("fedopt-yogi", from_fedavg=1e-6)),
        ("fedda", _moved("fedda-adam", from_fedavg=1e-6)),
        ("amended", _moved("fedcm", distance=0.2)),
        ("adaptive", _moved("local-yogi", distance=0.2)),
        ("corrected", _moved("local-adagrad + local correction", distance=0.3)),
    ],
)
def test_checks_notice_other_numbers(rows: Any, name: str, change: Any) -> None:
    good = doctored(rows, _moved(*figure_b4.CORRECTED, distance=0.01))
    assert set(statuses(figure_b4, good).values()) == {"reproduced"}
    found = statuses(figure_b4, doctored(good, change))
    assert {key for key, status in found.items() if status == "not reproduced"} == {name}


def test_numbers_on_crowded_dots_do_not_touch() -> None:
    from matplotlib import pyplot, rc_context

    from figures import style

    with rc_context(style.rc() | {"backend": "Agg"}):
        figure, ax = pyplot.subplots(figsize=(4, 4))
        ax.set(xlim=(0, 1), ylim=(0, 1))
        points = [(0.5 + 0.01 * k, 0.5, str(10 + k)) for k in range(8)]
        labels.write(ax, points)
        boxes = [(text, box) for text, box in written(figure) if text in {name for _, _, name in points}]
        assert len(boxes) == 8
        assert collisions(boxes) == []
        pyplot.close(figure)
