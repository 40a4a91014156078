"""Settings: unknown, missing, impossible or idle ones are refused, and the error says what to do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq

from surrogate import ProblemError, Theta, methods
from surrogate.methods.optimizers import OPTIMIZERS, Optimizer, adam, optimizer
from surrogate.methods.settings import MEANING
from tests.helpers.surrogate.methods_problems import clients

K = {"gamma": 0.1, "steps": 2}
REFUSED = [
    ("fedavgg", K, "a slip for fedavg"),
    ("fedavg", K | {"etaa": 1}, "a slip for eta"),
    ("fedavg", K | {"beta": 0.9}, "one of gamma, steps, eta, sends, inner_rates"),
    ("fedavg", {"gamma": 0.1}, "steps of fedavg is missing"),
    ("fedavg", {"gamma": -0.1, "steps": 2}, "gamma is -0.1"),
    ("fedavg", {"gamma": [0.1, float("nan")], "steps": 2}, "gamma is nan"),
    ("fedavg", {"gamma": "1/2", "steps": 2}, "gamma is '1/2'"),
    ("fedavg", {"gamma": 0.1, "steps": 0}, "steps is 0"),
    ("fedavg", {"gamma": 0.1, "steps": [1, 2.5]}, "steps is 2.5"),
    ("fedavg", {"gamma": 0.1, "steps": True}, "steps is True"),
    ("fedavg", K | {"sends": "model"}, "one of updates, gradients"),
    ("fedavg", {"gamma": [0.1, 0.2], "steps": 2, "sends": "gradients"}, "tied to gamma"),
    ("fedavg", K | {"inner_rates": [1, -1]}, "inner_rates is -1"),
    ("fedavg", K | {"inner_rates": 0.5}, "a list of factors"),
    ("fedavg", K | {"inner_rates": []}, "a list of factors"),
    ("local-update", {"gamma": 0.1, "eta": 1, "theta": [1, 2]}, "theta is 1, expected a Theta"),
    ("local-update", {"gamma": 0.1, "eta": 1, "theta": Theta.sum(2), "server": "admm"}, "the optimizer is 'admm'"),
    (
        "local-update",
        {"gamma": 0.1, "eta": 1, "theta": Theta.sum(2), "server": {"name": "sgdm", "bta": 1}},
        "a slip for beta",
    ),
    ("minibatch-sgd", {"eta": 1, "gamma": 0.1}, "'gamma' of minibatch-sgd"),
    ("fedopt-adam", K | {"eta": 1, "beta2": 1.0}, "beta2 is 1.0"),
    ("fedopt-sgdm", K | {"eta": 1, "dampened": "no"}, "True or False"),
    ("preconditioned", K | {"P": [1.0, 2.0]}, "a diagonal given as a vector"),
    ("local-adam", K | {"as_printed": True}, "left out when correction=none"),
    ("local-adam", K | {"frozen": np.ones((2, 2)), "beta2": 0.9}, "with frozen it would be ignored"),
    ("local-adagrad", K | {"frozen": np.ones((2, 2)), "record": True}, "with frozen it would be ignored"),
    ("local-sgdm", K | {"record": True}, "'record' of local-sgdm"),
    ("fedlocal-adam", K | {"states": "keep"}, "fixes it"),
    ("fedavg", K | {"eta": [1.0, 0.5]}, "a sweep's grid"),
    ("fedopt-adam", K | {"eta": 1, "beta1": [0.9]}, "beta1 is [0.9], expected one value"),
    ("fedcm", K | {"alpha": (0.1,)}, "a sweep's grid"),
    ("fedprox", {"mu": 1, "gamma": 0.1}, "gamma, steps of fedprox is missing"),
    ("fedprox", {"mu": 1, "gamma": 0.1, "exact": True}, "gamma of fedprox is given"),
    ("fedcm", {"gamma": 0.0, "steps": 2}, "a rate > 0"),
    ("fedlada", {"gamma": [0.1, 0], "steps": 2}, "a rate > 0"),
    ("fedlada", K | {"frozen": np.ones((2, 2)), "initial": 1}, "with frozen it would be ignored"),
    ("mfl", K | {"optimizer": "adam", "beta": 0.9}, "with optimizer it would be ignored"),
    ("mimelite", K | {"optimizer": {"name": "adam", "bias_correction": True}}, "nothing to correct by"),
    ("scaffold", K | {"option": 2}, "one of I, II"),
    ("maml", K | {"eta": 1, "order": "second"}, "one of hessians, gradients"),
    ("maml", K | {"eta": 1, "order": "gradients", "report": True}, "with order=gradients it would be ignored"),
    ("local-update-decay", {"gamma": 0.1, "eta": 1, "theta": Theta.sum(2), "window": 0}, "a whole number >= 1"),
    ("stem", K | {"a": -1}, "a is -1"),
    ("climb", K | {"tolerance": -1}, "tolerance is -1"),
    ("fed-ams", K | {"frozen": np.ones((2, 2)), "eps": 1}, "with frozen it would be ignored"),
    ("mfl-adam", K | {"optimizer": "adagrad"}, "fixes it"),
    ("fedda-sgdm", K | {"eta": 1, "momentum": "kept"}, "one of carried, restarted"),
]


@pytest.mark.parametrize(("name", "settings", "says"), REFUSED)
def test_refused_when_built(name: str, settings: Any, says: str) -> None:
    with pytest.raises(ProblemError) as error:
        methods.build(name, **settings)
    assert says in str(error.value)
    assert "What to do:" in str(error.value)


PLAYED = [
    ("fedavg", {"gamma": [0.1, 0.2], "steps": 2}, "client 2 has none"),
    ("fedavg", {"gamma": 0.1, "steps": [2, 1]}, "client 2 has none"),
    ("fedavg", K | {"inner_rates": [1]}, "1 factors for client 0"),
    ("preconditioned", K | {"P": np.ones((2, 2, 2))}, "client 2 has none"),
    ("local-adam", K | {"frozen": np.ones((3, 2))}, "3 preconditioners for client 0"),
    ("local-adam", K | {"frozen": np.ones((2, 2, 2))}, "client 2 has none"),
]


@pytest.mark.parametrize(("name", "settings", "says"), PLAYED)
def test_refused_when_the_clients_come(name: str, settings: Any, says: str) -> None:
    method = methods.build(name, **settings)
    with pytest.raises(ProblemError, match=says):
        methods.play(method, method.start(np.zeros(2)), {}, clients("float"), [1.0, 1.0, 1.0])


def test_the_exact_prox_needs_a_client_that_has_one() -> None:
    method = methods.build("fedprox", mu=1.0, exact=True)
    with pytest.raises(ProblemError, match="prox"):
        methods.play(method, method.start(np.zeros(2)), {}, [lambda y, k: y], [1.0])


@pytest.mark.parametrize(
    ("name", "more", "lacks"), [("climb", {}, "loss"), ("maml", {"eta": 1}, "hvp"), ("maml", {"eta": 1}, "What to do")]
)
def test_what_a_client_cannot_do_is_named(name: str, more: Any, lacks: str) -> None:
    method = methods.build(name, **K, **more)
    with pytest.raises(ProblemError, match=lacks):
        methods.play(method, method.start(np.zeros(2)), {}, [lambda y, k: y], [1.0])


@pytest.mark.parametrize("name", methods.names())
def test_every_setting_has_a_meaning(name: str) -> None:
    about = methods.describe(name)
    assert set(about.settings) <= set(MEANING)
    assert about.about and about.paper
    assert about.name == name


def test_no_meaning_is_left_over() -> None:
    used = {setting for name in methods.names() for setting in methods.describe(name).settings}
    assert used == set(MEANING)


def test_the_names_of_the_papers_are_known() -> None:
    """METHODS.md."""
    wanted = """local-update local-update-decay stem climb
        minibatch-sgd fedavg reptile fomaml maml lookahead preconditioned
        fedopt-sgd fedopt-sgdm fedopt-adam fedopt-adagrad fedopt-yogi fedopt-amsgrad
        local-sgdm local-adagrad local-adam local-yogi fedda-sgdm fedda-adam fedda-adagrad
        fedlada fedcm fedadam-amended fed-lamb fed-ams fedprox scaffold fedlin fednova mfl mimelite
        central-sgd central-sgdm central-adam central-adagrad"""
    assert set(wanted.split()) <= set(methods.names())
    assert {"fed-sgd", "local-sgd", "localadam", "fedlocal-adam", "adp-fed"} <= set(methods.aliases())
    assert all(methods.describe(alias).name == target for alias, target in methods.aliases().items())


def test_defaults_become_numbers_of_the_kind() -> None:
    """0.9 is nine tenths exactly, and encloses nine tenths; whole numbers stay."""
    exact = methods.build("fedda-sgdm", ops=methods.RATIONALS, gamma=fmpq(1, 8), steps=2, eta=fmpq(1))
    assert exact.settings["beta"] == fmpq(9, 10)
    ball = methods.build("fedda-sgdm", ops=methods.BALLS, gamma=arb(1), steps=2, eta=1).settings["beta"]
    assert (ball * 10).contains(9) and not ball.is_exact()
    assert exact.settings["mu"] == 0


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizers_come_by_name_mapping_or_themselves(name: str) -> None:
    made = optimizer(name, methods.FLOATS)
    assert isinstance(made, Optimizer)
    assert made.name == optimizer({"name": name}, methods.FLOATS).name == name
    assert optimizer(made, methods.FLOATS) is made


def test_masses_count_what_gradients_weigh() -> None:
    """After t steps the masses are 1 - beta^t, so that a constant gradient g gives m = g and P = 1 / (|g| + eps)."""
    made, state = adam(beta1=0.5, beta2=0.75, eps=0.1, bias_correction=True), None
    g = np.array([2.0, -3.0])
    state = made.start(g)
    for t in range(1, 5):
        P, m, state = made.step(state, g, methods.FLOATS)
        assert state["m_mass"] == pytest.approx(1 - 0.5**t)
        assert state["v_mass"] == pytest.approx(1 - 0.75**t)
        np.testing.assert_allclose(m, g)
        np.testing.assert_allclose(P, 1 / (np.abs(g) + 0.1))


def test_layers_step_as_far_as_their_own_norm() -> None:
    """Fed-LAMB moves each layer by gamma times its norm, along m / (sqrt(V) + eps); one layer moves as a whole."""
    x, A = np.array([3.0, 4.0, 2.0]), np.diag([1.0, 2.0, 3.0])
    for layers in ([slice(0, 2), [2]], [[0, 1, 2]], None):
        method = methods.build("fed-lamb", gamma=0.1, steps=1, layers=layers, eps=1.0)
        start = method.start(x)
        state, _ = methods.play(method, start, {}, [methods.QuadraticClient(A, np.zeros(3))], [1.0])
        move, g = x - state["x"], A @ x
        for layer in layers or [[0, 1, 2]]:
            np.testing.assert_allclose(
                move[layer], 0.1 * np.linalg.norm(x[layer]) * g[layer] / np.linalg.norm(g[layer])
            )


def test_ball_signs_enclose() -> None:
    """Yogi's sign of a ball around 0 is all of [-1, 1]."""
    around = arb(0, 1)
    sign = methods.BALLS.sign(np.array([around, arb(2), arb(-2)], dtype=object))
    assert sign[0].contains(1) and sign[0].contains(-1)
    assert (sign[1], sign[2]) == (1, -1)


def test_settings_may_be_symbols() -> None:
    """With gamma a symbol, two rounds of FedAvg are a polynomial in it, which at 1/8 is the rational run."""
    import sympy

    gamma = sympy.Symbol("gamma")
    method = methods.build("fedavg", gamma=gamma, steps=2)
    people = [
        methods.QuadraticClient(np.array([[sympy.Integer(a)]]), np.array([sympy.Integer(b)]))
        for a, b in ((1, 2), (3, 1))
    ]
    state = method.start(np.array([sympy.Integer(0)]))
    for _ in range(2):
        state, _ = methods.play(method, state, {}, people, [sympy.Rational(1, 2)] * 2)
    assert sympy.Poly(state["x"][0], gamma).degree() == 4
    exact = methods.build("fedavg", ops=methods.RATIONALS, gamma=fmpq(1, 8), steps=2)
    people = [methods.QuadraticClient(np.array([[fmpq(a)]]), np.array([fmpq(b)])) for a, b in ((1, 2), (3, 1))]
    run = exact.start(np.array([fmpq(0)]))
    for _ in range(2):
        run, _ = methods.play(exact, run, {}, people, [fmpq(1, 2)] * 2)
    assert str(state["x"][0].subs(gamma, sympy.Rational(1, 8))) == str(run["x"][0])


@pytest.mark.parametrize("name", ["local-adam", "fedlada", "fed-ams"])
@pytest.mark.parametrize(("frozen", "named"), [(np.ones((2, 3)), "3 entries"), ([np.ones((2, 1, 4))] * 3, "4 entries")])
def test_preconditioners_of_another_problem_are_refused(name: str, frozen: Any, named: str) -> None:
    method, x = methods.build(name, **K, frozen=frozen), np.zeros(2)
    with pytest.raises(ProblemError, match=rf"frozen is .*{named} for client 0, expected 2, one a parameter"):
        method.local(method.start(x), method.enrol(x), clients("float")[0], 0)
