"""The spine: every method, run by the neural engine on quadratic clients, passes the check that it declares.

``linear``: it lands where the surrogate dictionary says. ``realised``: the preconditioners that the run realised make
the field vanish where it rests. ``stepwise``: 20 rounds as an independent listing has them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from surrogate import Quadratics, dictionary, methods
from tests.helpers.neural.spine_tools import path, settle
from tests.helpers.surrogate.dictionary_cases import CASES, label
from tests.helpers.surrogate.dictionary_populations import fixed
from tests.helpers.surrogate.methods_cases import ALL, Case
from tests.helpers.surrogate.methods_problems import LINE_A, LINE_B, PLANE_A, PLANE_B, SOME, WEIGHTS, convert, rounds
from tests.surrogate.dictionary.test_realised import RUNS
from tests.surrogate.dictionary.test_round_maps import with_eta
from tests.surrogate.methods.test_listings import LISTINGS, spelled

CLIENTS = fixed().to_float()
ENGINES = ["sequential", "batched"]


def checks(name: str) -> set[str]:
    """The checks under which the registry has a method, as settings of the cases choose them."""
    found = {methods.build(case.name, **convert(case.settings, "float", 2)).check for case in ALL if case.name == name}
    return found | {methods.describe(name).check}


LINEAR = [(name, case) for name in dictionary.methods() for case in CASES.get(name, [])]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name, case", LINEAR, ids=label)
def test_linear(name: str, case: dict[str, Any], engine: str) -> None:
    """From a little way off, so that an adaptive server's steps stay tame."""
    rest = dictionary.resting_point(name, CLIENTS, **case)
    settings = given(name, dictionary.method(name, CLIENTS, **with_eta(name, case)).settings)
    found = settle(CLIENTS, name, settings, rest + np.array([0.05, -0.03]), engine).state["x"].numpy()
    assert np.abs(found - rest).max() < 1e-9


def given(name: str, settings: Any) -> dict[str, Any]:
    """Settings to build the method with once more."""
    return {key: value for key, value in settings.items() if value is not None}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name, case", RUNS, ids=label)
def test_realised(name: str, case: dict[str, Any], engine: str) -> None:
    end = settle(CLIENTS, name, {**case, "record": True}, np.zeros(2), engine)
    x = end.state["x"].numpy()
    realised = np.array([torch.stack(end.own[i]["realised"]).numpy() for i in range(CLIENTS.n)])
    D = dictionary.rest_weights(name, CLIENTS, **case, realised=realised)
    gradients = [CLIENTS.client_gradient(i, x) for i in range(CLIENTS.n)]
    assert np.abs(np.einsum("i,ijk,ik->j", CLIENTS.weights, D, gradients)).max() < 1e-9
    assert np.abs(x - CLIENTS.minimizer).max() > 1e-3, "at x* any preconditioners would do"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", ALL, ids=str)
def test_stepwise(case: Case, engine: str) -> None:
    """On one coordinate, some clients a round; all methods, not only those that have no other check."""
    settings = {name: spelled(value, False) for name, value in case.settings.items()}
    people = [(float(A[0][0]), float(b[0])) for A, b in zip(LINE_A, LINE_B, strict=True)]
    drawn = [SOME[t % len(SOME)] for t in range(20)]
    listed = LISTINGS[case.name](people, [float(w) for w in WEIGHTS], drawn, 2.0, **settings)
    clients = Quadratics.from_linear(*(np.array(part, dtype=float) for part in (LINE_A, LINE_B, WEIGHTS)))
    states = path(clients, case.name, convert(case.settings, "float", 1), 20, [2.0], engine, drawn)
    np.testing.assert_allclose([float(state["x"][0]) for state in states], listed, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", ALL, ids=str)
def test_the_engine_plays_the_rounds_of_surrogate(case: Case, engine: str) -> None:
    """Five rounds, all of the server's state, as methods.play has them in float64."""
    clients = Quadratics.from_linear(*(np.array(part, dtype=float) for part in (PLANE_A, PLANE_B, WEIGHTS)))
    played = rounds(case.name, case.settings, draws=SOME)
    states = path(clients, case.name, convert(case.settings, "float", 2), 5, [1.0, -2.0], engine, SOME)
    for one, other in zip(played, states, strict=True):
        assert one.keys() == other.keys()
        for key in one:
            np.testing.assert_allclose(np.asarray(other[key]), one[key], rtol=1e-11, atol=1e-13, err_msg=key)


def test_no_method_is_without_its_check() -> None:
    ran = {
        "linear": {name for name, _ in LINEAR},
        "realised": {name for name, _ in RUNS},
        "stepwise": {case.name for case in ALL},
    }
    for name in methods.names():
        for check in checks(name):
            assert name in ran[check], f"{name} declares the check {check}, which no case runs"
