"""What the explorer shows is what the library says, by routes that the explorer does not take."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from figures.explorer import State, menu, motion, rates, scene
from surrogate import Quadratics, Surrogate, Theta, bounds, simulate, sweep
from surrogate.kit import errors
from tests.helpers.figures.explorer_states import PLANE, own_population, various

# Adaptive servers are not linear, and STEM counts its rounds: the dictionary's own tests play these.
OTHERS = ("adagrad", "adam", "amsgrad", "yogi", "amended", "stem")
LINEAR = [name for name in menu.choices() if not name.endswith(OTHERS)]


@pytest.mark.parametrize("name", LINEAR)
def test_the_run_ends_where_the_resting_point_is(name: str) -> None:
    """x_T - x~ = M^T (x_0 - x~): played by the method's own code, it shrinks like the radius that is shown."""
    s = State.of({"problem": {"preset": "plane"}, "method": name, "gamma": 0.2, "steps": 2})
    speed = motion.speed(s)
    assert 0 < speed.radius < 1
    patient = replace(s, rounds=min(1000, math.ceil(math.log(1e-9) / math.log(speed.radius))))
    found = scene(patient)
    assert found["notes"] == [note for note in found["notes"] if "diverges" not in note and "dear" not in note]
    gap = np.linalg.norm(np.subtract(found["run"]["points"][-1], found["rest"]))
    assert gap <= 1e-6 * np.linalg.norm(np.subtract(s.x0, found["rest"]))


def test_the_path_is_that_of_sweep() -> None:
    """sweep.minimizers solves all rates together by another route; near 0 the path begins at x*."""
    s = State.of(PLANE | {"steps": 7})
    path = scene(s)["path"]
    known = sweep.minimizers(s.clients, path["gammas"], [7])[:, 0]
    np.testing.assert_allclose(path["points"], known, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(path["distance"], np.linalg.norm(known - s.clients.minimizer, axis=1), rtol=1e-8)
    assert path["distance"][0] < 0.01 * max(path["distance"])


def test_the_path_leads_towards_the_mean_of_the_client_minimizers() -> None:
    """OLR Lemma 15: K -> infinity at gamma < 1/L."""
    s = State.of(PLANE | {"steps": 100_000, "gamma": 0.9})
    shown = scene(s)
    np.testing.assert_allclose(shown["rest"], shown["mean"], atol=1e-12)


def test_the_run_without_noise_is_algorithm_1() -> None:
    s = State.of(PLANE | {"gamma": 0.3, "steps": 4, "eta": 0.25, "rounds": 9, "start": [2, -1]})
    shown = scene(s)["run"]
    played = simulate.outer_loop(s.clients, [2, -1], 9, 0.3, 0.25, Theta.sum(4))
    np.testing.assert_allclose(shown["points"], played, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(shown["distance2"], ((played - s.clients.minimizer) ** 2).sum(axis=1), rtol=1e-12)
    assert shown["covariance"] is None


def test_noise_is_the_average_over_all_that_can_be_drawn() -> None:
    """Two clients, one drawn a round, three rounds: the mean over the eight equally likely runs."""
    s = State.of({"per_round": 1, "rounds": 3, "gamma": 0.25, "steps": 2, "start": [0]})
    runs = []
    for drawn in np.ndindex(2, 2, 2):
        x = 0.0
        for i in drawn:
            A, c = s.clients.A[i, 0, 0], s.clients.c[i, 0]
            x -= 0.25 * (1 + (1 - 0.25 * A)) * A * (x - c)  # plain averaging: eta = gamma
        runs.append(x)
    shown = scene(s)["run"]
    star = s.clients.minimizer[0]
    assert math.isclose(shown["distance2"][-1], np.mean((np.array(runs) - star) ** 2), rel_tol=1e-12)
    assert math.isclose(shown["bias2"][-1], (np.mean(runs) - star) ** 2, rel_tol=1e-12)
    assert math.isclose(shown["covariance"][0][0], np.var(runs), rel_tol=1e-12)


@pytest.mark.parametrize(
    ("theta", "steps", "turns"), [("sum", 4, 2.0), ("last", 2, 1.0), ("last", 6, 1.0), ("sum", 5, None)]
)
def test_a_client_turns_indefinite_where_its_filter_changes_sign(theta: str, steps: int, turns: float | None) -> None:
    """z = gamma L: (1 - (1 - z)^K) changes sign at 2 for even K and never for odd; (1 - z)^(K - 1), K even, at 1."""
    clients = {"kind": "c", "A": [[[1]], [[5]]], "v": [[0], [1]]}
    s = State.of({"problem": clients, "theta": theta, "steps": steps})
    found = scene(s)["marks"]
    assert found["L"] == 0.2
    if turns is None:
        assert found["indefinite"] is None
        return
    assert found["indefinite"]["i"] == 1
    assert found["indefinite"]["gamma"] == pytest.approx(turns / 5, rel=1e-3)
    assert Surrogate(s.clients, found["indefinite"]["gamma"], s.weights).ill_behaved == (1,)


def test_bounds_are_the_theorems_and_end_at_one_over_L() -> None:
    s = State.of(PLANE | {"gamma": 0.3, "steps": 6})
    shown, c = scene(s), s.clients
    rows = {row["id"]: row for row in shown["bounds"]}
    assert rows["OLR.T17"]["bound"] == bounds.theorem_17(c.mu, c.L, c.sigma_A, c.sigma_c, 0.3, 6)
    assert rows["OLR.T17"]["truth_over_bound"] == pytest.approx(shown["distance"] / rows["OLR.T17"]["bound"])
    assert rows["OLR.T17b"]["bound"] == bounds.theorem_17b(c.mu, c.L, c.sigma_c, 0.3, 6)
    assert all(rows[key]["verdict"].startswith("holds") for key in ("OLR.T16", "OLR.T17", "OLR.T17b"))
    for row in rows.values():
        for gamma, bound, truth in zip(shown["path"]["gammas"], row["curve"], shown["path"]["distance"], strict=True):
            assert (bound is None) == (gamma * c.L >= 1)
            assert bound is None or truth <= bound


def test_a_theorem_that_says_nothing_says_why() -> None:
    rows = scene(State.of(PLANE | {"gamma": 1.5}))["bounds"]
    assert {row["says_nothing_because"] for row in rows} == {"gamma L = 1.5, not below 1"}
    assert all(row["bound"] is None and row["curve"] is not None for row in rows)
    assert scene(State.of(PLANE | {"method": "scaffold"}))["bounds"] == []


def test_where_there_is_no_loss_the_field_is_shown() -> None:
    """Preconditioners that do not commute with the Hessians: J is not symmetric, F(x) = J (x - x~)."""
    s = various()["preconditioned"]
    shown = scene(s)
    assert shown["surrogate"] is None
    J, x = np.array(shown["residual"]["jacobian"]), np.array([0.3, -2.0])
    F = s.field.gradient(x)
    assert np.abs(J - J.T).max() > 1e-3
    np.testing.assert_allclose(J @ (x - shown["rest"]) / np.linalg.norm(J), F / np.linalg.norm(s.field.jacobian))
    np.testing.assert_allclose(shown["residual"]["square"], J.T @ J)


def test_a_saddle_is_not_drawn_as_ellipses() -> None:
    """Two clients of opposite weight in a direction: at gamma l > 2 and even K the average bends down."""
    clients = {"kind": "c", "A": [[[1, 0], [0, 10]], [[1, 0], [0, 10]]], "v": [[0, 0], [1, 1]]}
    shown = scene(State.of({"problem": clients, "gamma": 0.25, "steps": 2}))
    assert shown["surrogate"] is None
    assert any("not bounded below" in note for note in shown["notes"])


@pytest.mark.parametrize("state", various().values(), ids=various().keys())
def test_every_state_is_plain_finite_json(state: State) -> None:
    text = json.dumps(scene(state), allow_nan=False)
    assert len(text) < 150_000
    assert json.loads(text)["loss"]["center"] == pytest.approx(state.clients.minimizer)


@pytest.mark.parametrize("name", ["local-update", "preconditioned"])
def test_a_view_costs_few_solves(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten clients in the plane: no more resting points than the curves have rates, whatever the slider shows."""
    from surrogate.fields import Field

    s = State.of({"problem": own_population(), "method": name, "gamma": 0.05})
    solved: list[Any] = []
    plain = Field.displacement.func  # type: ignore[attr-defined]
    counted = Field.displacement.__class__(lambda self: solved.append(self) or plain(self))
    counted.__set_name__(Field, "displacement")
    monkeypatch.setattr(Field, "displacement", counted)
    text = json.dumps(scene(s))
    assert 0 < len(solved) <= rates.NODES + rates.BISECTIONS + 2
    assert len(text) < 30_000


def test_a_diverging_run_is_cut_and_said_so() -> None:
    shown = scene(State.of(PLANE | {"eta": 1e6, "rounds": 200}))
    assert len(shown["run"]["points"]) < 200
    assert any("diverges" in note for note in shown["notes"])


def test_where_local_steps_overflow_the_page_still_has_its_numbers() -> None:
    shown = scene(State.of(PLANE | {"gamma": 4.0, "steps": 5000}))
    assert shown["rest"] is None
    assert shown["path"]["points"][-1] is None
    assert any("infinite" in note for note in shown["notes"])


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"gamma": 0}, "gamma is 0"),
    ({"gamma": float("nan")}, "gamma is nan"),
    ({"eta": -1}, "eta is -1"),
    ({"steps": 2.5}, "steps is 2.5"),
    ({"steps": True}, "steps is True"),
    ({"rounds": 100_000}, "rounds is 100000"),
    ({"theta": "most"}, "theta is 'most'"),
    ({"theta": [0, 0]}, "theta is"),
    ({"method": "fedprx"}, "a slip for fedprox"),
    ({"method": "local-adam"}, "method is 'local-adam'"),
    ({"method": "fedprox", "settings": {"nu": 1}}, "the setting 'nu' of fedprox"),
    ({"method": "fedprox", "theta": "last"}, "theta is given for fedprox"),
    ({"method": "scaffold", "per_round": 1}, "per_round is 1 for scaffold"),
    ({"correction": "local"}, "correction is given for local-update"),
    ({"method": "preconditioned", "P": [[1, -1]]}, "expected 2 rows of 1 positive numbers"),
    ({"batch": 1}, "batch is 1, expected none for clients without examples"),
    ({"per_round": 3, "sampling": "uniform"}, "per_round is 3"),
    ({"start": [1, 2]}, "start is (1, 2), expected 1 numbers"),
    ({"gama": 1}, "a slip for gamma"),
    ({"problem": {"preset": "plan"}}, "problem.preset is 'plan'"),
    ({"problem": {"kind": "c", "A": [[["x"]]], "v": [[0]]}}, "a number of the clients is 'x'"),
    ({"problem": {"kind": "c", "A": [[[-1]]], "v": [[0]]}}, "indefinite"),
    ({"problem": {"kind": "b", "A": [[[1]]], "v": [[0]], "spread": 1}}, "spread is 1.0"),
]


@pytest.mark.parametrize(("given", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_what_makes_no_state_is_refused_in_words(given: dict[str, Any], said: str) -> None:
    with pytest.raises(errors.ProblemError) as caught:
        State.of(given)
    assert said in str(caught.value)
    assert "What to do:" in str(caught.value)


def test_examples_about_a_minimizer_change_no_loss() -> None:
    """1/2d sum_j over c ± s e_j of 1/2 (x - c_z)^T A (x - c_z) = 1/2 (x - c)^T A (x - c) + a constant."""
    plain, spread = State.of(PLANE), State.of({"problem": {"preset": "plane", "spread": 0.7}})
    assert isinstance(spread.clients, Quadratics)
    assert spread.clients.examples is not None
    np.testing.assert_allclose(spread.clients.A, plain.clients.A, rtol=1e-14)
    np.testing.assert_allclose(spread.clients.c, plain.clients.c, atol=1e-14)
