"""Methods that are the same by algebra give the same path, in exact rationals where they are rational."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from surrogate import Preconditioned, Quadratics, Surrogate, Theta, methods, simulate
from tests.helpers.surrogate.methods_cases import ADAM, BETA, EPS, RATES, STEPS, G, matrices
from tests.helpers.surrogate.methods_problems import (
    EVERYONE,
    NUMBERS,
    PLANE_A,
    PLANE_B,
    SOME,
    WEIGHTS,
    clients,
    convert,
    rounds,
)

E = F(1, 9)


def path(name: str, kind: str = "rationals", **settings: Any) -> list[list[Any]]:
    """The models, round after round. ``A``, ``b``, ``draws`` choose another problem."""
    problem = {key: settings.pop(key) for key in ("A", "b", "draws", "weights") if key in settings}
    return [state["x"].tolist() for state in rounds(name, settings, kind, **{"draws": SOME, **problem})]


IDENTITY = lambda d: np.eye(d, dtype=int) + np.zeros((d, d), dtype=object)  # noqa: E731
K = {"gamma": G, "steps": 3}
SAME = [
    (("fedavg", K | {"eta": E}), ("local-update", {"gamma": G, "theta": Theta.sum(3), "eta": E * G})),
    (("fedavg", K | {"sends": "gradients"}), ("fedavg", K)),
    (("fedavg", K | {"sends": "gradients", "eta": E}), ("reptile", K | {"eta": E})),
    (("fedavg", K | {"inner_rates": [1, 1, 1]}), ("fedavg", K)),
    (("lookahead", K | {"eta": E}), ("fedavg", K | {"eta": E})),
    (("fomaml", K | {"eta": E}), ("local-update", {"gamma": G, "theta": Theta.last(3), "eta": E})),
    (("maml", K | {"eta": E}), ("local-update", {"gamma": G, "theta": Theta.maml(3), "eta": E})),
    (("fedopt-sgd", K | {"eta": E}), ("fedavg", K | {"eta": E})),
    (("fedopt-sgdm", K | {"eta": E, "beta": F(0)}), ("fedavg", K | {"eta": E})),
    (("local-sgdm", K | {"eta": E, "beta": F(0)}), ("fedavg", K | {"eta": E})),
    (("preconditioned", K | {"P": IDENTITY}), ("fedavg", K)),
    (("fedprox", K | {"mu": F(0)}), ("fedavg", K)),
    (("fednova", K | {"eta": E}), ("fedavg", K | {"eta": E})),
    (("fedcm", K | {"alpha": F(1)}), ("fedavg", K)),
    (("scaffold", K | {"alpha": F(0)}), ("fedavg", K)),
    (("fedda-sgdm", K | {"eta": E, "beta": F(0)}), ("reptile", K | {"eta": E})),
    (("mfl", K | {"beta": BETA}), ("local-sgdm", K | {"beta": BETA, "dampened": False, "states": "sync"})),
    (("mimelite", K | {"beta": F(0)}), ("fedavg", K)),
    (("fedlocal-sgdm", K | {"beta": BETA}), ("fedlocal", K | {"optimizer": {"name": "sgdm", "beta": BETA}})),
    (("fed-sgd", K), ("local-sgd", K)),
    (("central-sgd", {"eta": E}), ("minibatch-sgd", {"eta": E})),
]
ONE = {"gamma": G, "steps": 1}
ONE_STEP = [
    ("fedavg", ONE, "minibatch-sgd", {"eta": G}),
    ("reptile", ONE | {"eta": E}, "minibatch-sgd", {"eta": E}),
    ("fomaml", ONE | {"eta": E}, "minibatch-sgd", {"eta": E}),
    ("fedprox", ONE | {"mu": F(3)}, "minibatch-sgd", {"eta": G}),
    ("fedlin", ONE, "minibatch-sgd", {"eta": G}),
    ("fednova", ONE, "minibatch-sgd", {"eta": G}),
    ("local-sgdm", ONE | {"beta": BETA}, "minibatch-sgd", {"eta": G * (1 - BETA)}),
    ("local-sgdm", ONE | {"beta": BETA, "correction": "local", "eta": E}, "minibatch-sgd", {"eta": E}),
    ("local-sgdm", ONE | {"beta": BETA, "states": "sync"}, "central-sgdm", {"eta": G, "beta": BETA}),
    ("fedda-sgdm", ONE | {"eta": E, "beta": BETA}, "central-sgdm", {"eta": E, "beta": BETA}),
    ("mfl", ONE | {"beta": BETA}, "central-sgdm", {"eta": G, "beta": BETA, "dampened": False}),
    ("mimelite", ONE | {"beta": BETA}, "central-sgdm", {"eta": G, "beta": BETA}),
    ("fedopt-sgdm", ONE | {"eta": F(1), "beta": BETA}, "central-sgdm", {"eta": G, "beta": BETA}),
]


@pytest.mark.parametrize(("one", "two"), SAME, ids=lambda pair: pair[0])
def test_two_names_of_one_method(one: tuple[str, Any], two: tuple[str, Any]) -> None:
    assert path(one[0], **one[1]) == path(two[0], **two[1])


@pytest.mark.parametrize(("name", "settings", "central", "rates"), ONE_STEP)
def test_one_local_step_is_centralized(name: str, settings: Any, central: str, rates: Any) -> None:
    assert path(name, **settings) == path(central, **rates)


@pytest.mark.parametrize("option", ["I", "II"])
def test_scaffold_with_one_step_is_centralized_when_all_take_part(option: str) -> None:
    """mean(g_i + c - c_i) = mean(g_i) while c is the mean of the c_i, which partial participation breaks."""
    assert path("scaffold", **ONE, option=option, draws=EVERYONE) == path("minibatch-sgd", eta=G, draws=EVERYONE)
    assert path("scaffold", **ONE, option=option) != path("minibatch-sgd", eta=G)


@pytest.mark.parametrize(
    ("name", "own", "central"),
    [
        ("fedda-adam", ADAM, ADAM),
        ("fedda-adagrad", {"beta1": BETA, "eps": EPS}, {"eps": EPS}),
        ("fedda-adam", {**ADAM, "bias_correction": False}, {**ADAM, "bias_correction": False}),
    ],
)
def test_fedda_with_one_step_is_centralized(name: str, own: Any, central: Any) -> None:
    """With T = 1, P = beta m + (1 - beta) g and G = g."""
    fedda = path(name, "float", **ONE, **own, eta=E)
    np.testing.assert_allclose(fedda, path(name.replace("fedda", "central"), "float", **central, eta=E), rtol=1e-11)


def test_amended_adam_without_amendment_is_fedadam() -> None:
    adam = {"beta1": BETA, "eps": F(0), "initial": F(1, 100)}
    amended = path("fedadam-amended", "float", **K, eta=E, alpha=F(1), **adam)
    np.testing.assert_allclose(amended, path("fedopt-adam", "float", **K, eta=E, **adam), rtol=1e-12)


@pytest.mark.parametrize("name", ["scaffold", "fedlin"])
def test_corrections_are_idle_among_equal_clients(name: str) -> None:
    """With three equal clients and all taking part, SCAFFOLD's and FedLin's corrections vanish: FedAvg."""
    equal = {"A": [PLANE_A[0]] * 3, "b": [PLANE_B[0]] * 3, "draws": EVERYONE}
    assert path(name, **K, **equal) == path("fedavg", **K, **equal)
    assert path(name, **K, draws=EVERYONE) != path("fedavg", **K, draws=EVERYONE)


@pytest.mark.parametrize("name", ["local-adagrad", "local-adam"])
def test_constant_frozen_preconditioners_are_preconditioned_clients(name: str) -> None:
    diagonal = lambda d: np.array([F(j + 1, 3) for j in range(d)], dtype=object)  # noqa: E731
    own = {"beta1": F(0)} if name == "local-adam" else {}
    frozen = path(name, **K, frozen=lambda d: np.array([diagonal(d)] * 3), **own)
    assert frozen == path("preconditioned", **K, P=lambda d: np.diag(diagonal(d)))


@pytest.mark.parametrize(
    ("name", "settings", "idle"),
    [
        ("local-adam", {**ADAM, "bias_correction": True}, ("beta2", "eps")),
        ("local-adam", {**ADAM, "states": "keep", "correction": "none"}, ("beta2", "eps")),
        ("local-adagrad", {"beta1": BETA, "initial": EPS, "correction": "joint"}, ("initial",)),
        ("local-amsgrad", ADAM, ("beta2", "eps")),
        ("local-yogi", ADAM, ("beta2", "eps")),
        ("fedlada", {"initial": EPS, "beta1": BETA}, ("initial",)),
    ],
)
def test_what_a_run_recorded_replays_it(name: str, settings: Any, idle: tuple[str, ...]) -> None:
    """Frozen at the preconditioners that a round realised, the linear method makes the same round."""
    people, weights = clients("float"), [float(w) for w in WEIGHTS]
    adaptive = methods.build(name, gamma=0.1, steps=3, record=True, **convert(settings, "float", 2))
    state, own = methods.play(adaptive, adaptive.start(np.array([1.0, -2.0])), {}, people, weights)
    realised = [np.array(own[i]["realised"]) for i in range(3)]
    kept = {key: value for key, value in convert(settings, "float", 2).items() if key not in idle}
    linear = methods.build(name, gamma=0.1, steps=3, frozen=realised, **kept)
    replayed, _ = methods.play(linear, linear.start(np.array([1.0, -2.0])), {}, people, weights)
    assert (adaptive.check, linear.check) == ("realised", "linear")
    np.testing.assert_allclose(replayed["x"], state["x"], rtol=1e-12)


def test_a_round_is_a_step_along_the_surrogates_gradient() -> None:
    problem = Quadratics(
        np.array(PLANE_A, float),
        np.linalg.solve(np.array(PLANE_A, float), np.array(PLANE_B, float)[..., None])[..., 0],
        np.array(WEIGHTS, float),
    )
    x0 = np.array([1.0, -2.0])
    theta = Theta([1, 0, "1/2"])
    gamma = [float(rate) for rate in RATES]
    surrogate = Surrogate(problem, gamma, theta)
    run = rounds("local-update", {"theta": theta, "gamma": RATES, "eta": E})
    np.testing.assert_allclose(run[1]["x"], x0 - float(E) * surrogate.gradient(x0), rtol=1e-12)
    field = Preconditioned(problem, gamma, STEPS, convert(matrices, "float", 2))
    run = rounds("preconditioned", {"gamma": RATES, "steps": STEPS, "P": matrices, "eta": E})
    np.testing.assert_allclose(run[1]["x"], x0 - float(E) * field.gradient(x0), rtol=1e-12)


def test_rounds_are_those_of_the_simulator() -> None:
    """OLR Algorithms 1 and 2, transcribed apart, give the same path."""
    problem = Quadratics.from_linear(np.array(PLANE_A, float), np.array(PLANE_B, float), np.array(WEIGHTS, float))
    plain = simulate.outer_loop(problem, [1.0, -2.0], 3, gamma=0.1, eta=0.2, theta=Theta.sum(4))
    method = methods.build("local-update", gamma=0.1, eta=0.2, theta=Theta.sum(4))
    states, people = [method.start(plain[0])], methods.quadratic_clients(problem)
    for _ in range(3):
        states.append(methods.play(method, states[-1], {}, people, problem.weights)[0])
    np.testing.assert_allclose([state["x"] for state in states], plain, rtol=1e-12)


def test_the_exact_prox_is_where_many_proximal_steps_end() -> None:
    exact = path("fedprox", "float", mu=F(1), exact=True)
    np.testing.assert_allclose(path("fedprox", "float", mu=F(1), gamma=F(1, 8), steps=400), exact, rtol=1e-12)
    rational = [[float(F(int(q.p), int(q.q))) for q in x] for x in path("fedprox", mu=F(1), exact=True)]
    np.testing.assert_allclose(rational, exact, rtol=1e-13)


def test_scaffold_keeps_its_variates_by_client() -> None:
    """A client not drawn keeps its variate; those drawn get the mean of their local gradients."""
    number, _, ops = NUMBERS["rationals"]
    method = methods.build("scaffold", ops=ops, gamma=number(G), steps=1)
    people, weights = clients("rationals"), [number(w) for w in WEIGHTS]
    start = method.start(people[0].b * 0)
    state, own = methods.play(method, start, {}, people, weights, [0, 2])
    assert sorted(own) == [0, 2]
    assert own[2]["c"].tolist() == (-people[2].b).tolist()
    _, later = methods.play(method, state, own, people, weights, [0])
    assert later[2] is own[2]
    share = (weights[0] * own[0]["c"] + weights[2] * own[2]["c"]) / (weights[0] + weights[2])
    assert state["c"].tolist() == (share * fmpq(2, 3)).tolist()
