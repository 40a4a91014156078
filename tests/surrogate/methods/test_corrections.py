"""LA's corrections: what N_i must be, and what the printed N_i is instead."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest

from surrogate import ProblemError, methods
from tests.helpers.surrogate.methods_cases import ADAM, BETA, EPS, frozen, frozen_each
from tests.helpers.surrogate.methods_problems import NUMBERS, clients, convert, rounds

START = np.array([1.0, -2.0])


def message(i: int, gamma: F, kind: str = "float", name: str = "local-adam", **settings: Any) -> Any:
    """What client i sends at the first round, divided by its gradient there."""
    _, _, ops = NUMBERS[kind]
    method = methods.build(name, ops=ops, **convert({"gamma": gamma, **settings}, kind, 2))
    client = clients(kind)[i]
    x = convert(np.array([F(1), F(-2)], dtype=object), kind, 2)
    sent, _ = method.local(method.start(x), method.enrol(x), client, i)
    return sent.get("q", sent["delta"]) / client(x, 0)


OPTIMIZERS = [
    ("local-sgdm", {"beta": BETA}),
    ("local-sgdm", {"beta": BETA, "dampened": False}),
    ("local-sgdm", {"beta": BETA, "bias_correction": True}),
    ("local-adagrad", {"eps": EPS}),
    ("local-adagrad", {"beta1": BETA, "initial": EPS}),
    ("local-adam", ADAM),
    ("local-adam", {**ADAM, "bias_correction": True}),
    ("local-amsgrad", ADAM),
    ("local-yogi", ADAM),
]


@pytest.mark.parametrize(("name", "settings"), OPTIMIZERS)
@pytest.mark.parametrize("i", range(3))
def test_corrected_updates_are_gradients_to_first_order(name: str, settings: Any, i: int) -> None:
    """(11): N_i^-1 (x - y) = grad f_i(x) + O(gamma), for every optimizer: a tenth of gamma, a tenth of the error."""
    errors = [
        np.abs(message(i, gamma, name=name, steps=4, correction="local", **settings) - 1)
        for gamma in (F(1, 10**4), F(1, 10**5))
    ]
    assert (errors[0] < 1e-2).all()
    assert (errors[0] / errors[1] > 9.5).all()  # more where the first-order term happens to be small


def test_the_printed_normaliser_is_not_the_one_of_the_text() -> None:
    """Printed N leaves out gamma, and weighs P_k by 1 - beta^(K-k) where (11) needs 1 - beta^(k+1).

    With P = (2, 3/2, 4/3) in the first coordinate and beta = 2/3 the message is gamma times this ratio to first order.
    """
    tiny = F(1, 10**12)
    P = [F(2), F(3, 2), F(4, 3)]
    needed = sum(p * (1 - BETA ** (k + 1)) for k, p in enumerate(P))
    printed = sum(p * (1 - BETA ** (3 - k)) for k, p in enumerate(P))
    assert needed != printed
    settings = {"steps": 3, "beta1": BETA, "frozen": frozen, "correction": "local"}
    assert float(message(0, tiny, **settings, as_printed=True)[0] / float(tiny)) == pytest.approx(
        float(needed / printed), rel=1e-3
    )
    exact = message(0, tiny, "rationals", **settings)[0]
    assert abs(F(int(exact.p), int(exact.q)) - 1) < F(1, 10**10)


@pytest.mark.parametrize("steps", [1, 3])
def test_the_printed_normaliser_is_right_up_to_gamma_where_p_is_constant(steps: int) -> None:
    """For SGD with momentum P = 1: printed N = N / gamma, so that the message is gamma times the corrected one."""
    settings = {"name": "local-sgdm", "beta": BETA, "steps": steps, "correction": "local"}
    corrected = message(1, F(1, 8), "rationals", **settings)
    printed = message(1, F(1, 8), "rationals", **settings, as_printed=True)
    assert printed.tolist() == (corrected / 8).tolist()


@pytest.mark.parametrize(("name", "settings"), OPTIMIZERS)
def test_one_corrected_step_is_a_gradient(name: str, settings: Any) -> None:
    np.testing.assert_allclose(message(2, F(1, 8), name=name, steps=1, correction="local", **settings), 1, rtol=1e-12)


def test_global_and_joint_divide_by_the_mean_of_the_inverses() -> None:
    """N_s = mean(N_i^-1) is the server's: it rescales the mean message by coordinate, with all or some clients."""
    settings = {"gamma": F(1, 8), "steps": [2, 1, 3], "beta1": BETA, "frozen": frozen_each}
    for draws in ([[0, 1, 2]], [[0, 2]]):
        moves = {
            kind: rounds("local-adam", {**settings, "correction": kind}, draws=draws)[1]["x"] - START
            for kind in ("none", "local", "global", "joint")
        }
        np.testing.assert_allclose(moves["joint"] / moves["local"], moves["global"] / moves["none"], rtol=1e-12)
        assert (np.abs(moves["joint"] / moves["local"] - 1) > 1e-3).all()


def test_the_joint_correction_leaves_one_client_as_it_is() -> None:
    """With one client N_s = N^-1, so that the two corrections cancel."""
    settings = {"gamma": F(1, 8), "steps": 3, **ADAM}
    none, joint = (
        rounds("local-adam", {**settings, "correction": kind}, draws=[[1]] * 3)[-1]["x"] for kind in ("none", "joint")
    )
    np.testing.assert_allclose(joint, none, rtol=1e-12)


@pytest.mark.parametrize("states", ["keep", "sync"])
def test_states_that_carry_over_have_no_correction(states: str) -> None:
    with pytest.raises(ProblemError, match="restart"):
        methods.build("local-adam", gamma=0.1, steps=2, states=states, correction="local")


@pytest.mark.parametrize("kind", ["local", "global", "joint"])
@pytest.mark.parametrize("gamma", [0, [0.1, 0, 0.2]])
def test_a_rate_of_zero_has_no_correction(gamma: Any, kind: str) -> None:
    """N_i = gamma_i sum_k P_k w_k = 0; the printed N_i leaves gamma out, and without a correction nothing divides."""
    given = {"gamma": gamma, "steps": 2}
    for name, more in (("local-sgdm", {"beta": 0.5}), ("fedlocal", {"optimizer": "adam"})):
        with pytest.raises(ProblemError, match="gamma of a corrected method is 0"):
            methods.build(name, **given, **more, correction=kind)
        assert methods.build(name, **given, **more).settings["gamma"] == gamma
        assert methods.build(name, **given, **more, correction=kind, as_printed=True).settings["gamma"] == gamma


@pytest.mark.parametrize("kind", ["local", "global", "joint"])
@pytest.mark.parametrize("factors", [[0, 0], [[1, 1], [0, 0.0], [1, 0]], np.zeros(2), np.array([[1, 1], [0, 0]])])
def test_factors_of_zero_alone_have_no_correction(factors: Any, kind: str) -> None:
    """N_i = sum_k gamma_k P_k w_k is 0 as soon as every gamma_k is."""
    given = {"gamma": 0.1, "steps": 2, "inner_rates": factors}
    for name, more in (("local-sgdm", {"beta": 0.5}), ("fedlocal", {"optimizer": "adam"})):
        with pytest.raises(ProblemError, match="inner_rates of a corrected method is all 0"):
            methods.build(name, **given, **more, correction=kind)


@pytest.mark.parametrize("kind", ["local", "global", "joint"])
@pytest.mark.parametrize("name, settings", [("local-sgdm", {"beta": BETA}), ("local-adam", ADAM)])
def test_some_factors_of_zero_are_no_trouble(name: str, settings: Any, kind: str) -> None:
    """One step that moves makes N_i > 0; all 0, the printed N_i > 0 leaves the clients, and x, where they are."""
    given = {"gamma": F(1, 8), "steps": 2, "correction": kind, **settings}
    for factors in ([0, 1], [[1, 0], [0, 1], [1, 1]]):
        found = rounds(name, {**given, "inner_rates": factors}, draws=[[0, 1, 2]])[-1]["x"]
        assert np.isfinite(found).all() and (found != START).all()
    still = rounds(name, {**given, "inner_rates": [0, 0], "as_printed": True}, draws=[[0, 1, 2]])[-1]["x"]
    assert still.tolist() == START.tolist()
