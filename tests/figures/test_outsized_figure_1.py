"""OLR Figure 1 against the plain recursions, the continuum of clients, and closed forms; its checks can fail."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import figures
from figures import style
from figures.outsized import figure_1
from surrogate import Quadratics, Theta, moments, simulate, toys
from tests.helpers.figures.doctor import doctored, statuses


@pytest.fixture(scope="module")
def rows() -> Any:
    return figures.table("OLR.F1")


def test_it_reproduces_what_the_paper_concludes(rows: Any) -> None:
    assert set(statuses(figure_1, rows).values()) == {"reproduced"}


@pytest.mark.parametrize(("gamma", "K"), [(0.5, 1), (0.5, 5), (0.0, 20), (1.0, 20)])
def test_jumping_equals_walking(gamma: float, K: int) -> None:
    """The law after blocks of 200 rounds is that of `moments.trajectory`, round by round."""
    clients, theta, blocks = toys.density_problem(), Theta.sum(K), 5
    mean, deviation = figure_1.law(clients, gamma, theta, blocks)
    rounds = blocks * figure_1.EVERY
    m = moments.trajectory(
        clients, [figure_1.START], rounds, gamma, figure_1.ETA, theta, clients_per_round=1, sampling="iid"
    )
    np.testing.assert_allclose(mean, m.mean[:: figure_1.EVERY, 0], rtol=1e-13)
    np.testing.assert_allclose(deviation**2, m.covariance[:: figure_1.EVERY, 0, 0], rtol=1e-9, atol=1e-22)


@pytest.mark.parametrize(("gamma", "K"), [(0.5, 3), (0.0, 20), (1.0, 20)])
def test_the_mean_is_the_closed_form_of_the_continuum(rows: Any, gamma: float, K: int) -> None:
    """E x_t - rest = (1 - eta a)^t (x_0 - rest), with a = E[Q A] and rest = E[Q] / a integrated against 8z/15."""
    z, w = np.polynomial.legendre.leggauss(200)
    z, w = (5 + 3 * z) / 4, w * 3 / 4
    Q = sum((1 - gamma * z) ** k for k in range(K))
    a, pull = w @ (8 * z / 15 * Q * z), w @ (8 * z / 15 * Q)
    own = [row for row in rows.to_pylist() if (row["gamma"], row["steps"]) == (gamma, K)]
    t = np.array([row["round"] for row in own])
    expected = pull / a + (1 - figure_1.ETA * a) ** t * (figure_1.START - pull / a)
    np.testing.assert_allclose([row["mean"] for row in own], expected, rtol=1e-12)
    assert own[0]["resting_point"] == pytest.approx(pull / a, rel=1e-13)


def test_the_path_takes_the_local_steps_it_claims(monkeypatch: pytest.MonkeyPatch) -> None:
    """Round by round, K local steps of `simulate.inner_loop` on the client that was heard."""
    monkeypatch.setattr(figure_1, "ETA", 0.01)
    path = figure_1.path(0.5, Theta.sum(7), 30)
    heard = np.sqrt(0.25 + 3.75 * np.random.default_rng(figure_1.SEED).random(30))
    assert ((heard >= 0.5) & (heard <= 2)).all()
    for t, z in enumerate(heard):
        client = Quadratics([[[z]]], [[1 / z]])
        q = simulate.inner_loop(client, 0, path[t : t + 1], 0.5, Theta.sum(7))
        assert path[t + 1] == pytest.approx(path[t] - 0.01 * q[0], rel=1e-13)


def test_the_path_stays_within_its_law(rows: Any) -> None:
    """401 dependent draws a setting: none further than 5 standard deviations from the mean."""
    away = [abs(row["path"] - row["mean"]) / row["deviation"] for row in rows.to_pylist() if row["round"] > 0]
    assert max(away) < 5
    assert 0.3 < np.mean(away) < 1.5  # nor glued to it: E|Z| = 0.8 for a normal Z


def test_the_lines_are_five_sevenths_and_four_fifths(rows: Any) -> None:
    assert rows["minimizer"][0].as_py() == pytest.approx(5 / 7, rel=1e-14)
    assert rows["mean_minimizer"][0].as_py() == pytest.approx(4 / 5, rel=1e-14)


def test_curves_are_labelled_where_they_end(rows: Any) -> None:
    from matplotlib import pyplot, rc_context

    with rc_context(style.rc() | {"backend": "Agg"}):
        figure = figure_1.draw(rows)
        figure.draw_without_rendering()
        to_data = figure.axes[0].transData.inverted()  # both panels share the vertical axis
        boxes = {
            text.get_text(): to_data.transform(text.get_window_extent()) for ax in figure.axes for text in ax.texts
        }
        pyplot.close(figure)
    ends = {}
    for row in rows.to_pylist():
        ends[f"$K={row['steps']}$" if row["panel"] == "K varies" else rf"$\gamma={row['gamma']:g}$"] = row["mean"]
    assert set(ends) == set(boxes)
    for name, box in boxes.items():
        assert abs(box[:, 1].mean() - ends[name]) < np.ptp(box[:, 1]), name


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("one_step", lambda row: {"mean": row["mean"] + 2e-4 * (row["steps"] == 1)}),
        ("no_rate", lambda row: {"mean": row["mean"] + 2e-4 * (row["gamma"] == 0)}),
        ("steps", lambda row: {"mean": 0.9 if row["steps"] == 5 else row["mean"]}),
        ("rate", lambda row: {"mean": 0.9 if row["gamma"] == 0.1 else row["mean"]}),
        ("many_steps", lambda row: {"mean": row["mean"] + 2e-3 * (row["steps"] == 50)}),
        ("noise", lambda row: {"deviation": 0.1 if row["gamma"] == 1 else row["deviation"]}),
    ],
)
def test_checks_notice_other_numbers(rows: Any, name: str, change: Any) -> None:
    found = statuses(figure_1, doctored(rows, change))
    assert {key for key, status in found.items() if status != "reproduced"} == {name}
    assert found[name] == "not reproduced"
