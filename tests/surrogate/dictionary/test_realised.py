"""Adaptive clients: not linear, but linear given the preconditioners that they realised."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from surrogate import dictionary, methods
from tests.helpers.surrogate.dictionary_cases import label
from tests.helpers.surrogate.dictionary_iterate import settle
from tests.helpers.surrogate.dictionary_populations import fixed

CLIENTS = fixed().to_float()
_TAME: dict[str, Any] = {"gamma": 0.1, "steps": 3, "eps": 0.5}
RUNS: list[tuple[str, dict[str, Any]]] = [
    ("local-adagrad", {**_TAME, "initial": 0.25}),
    ("local-adagrad", {**_TAME, "beta1": 0.5, "correction": "local"}),
    ("local-adam", _TAME),
    ("local-adam", {**_TAME, "correction": "local"}),
    ("local-adam", {**_TAME, "correction": "joint", "as_printed": True}),
    ("local-adam", {**_TAME, "states": "keep", "beta1": 0.5}),
    ("local-adam", {**_TAME, "states": "sync", "beta1": 0.5}),
    ("local-adam", {**_TAME, "bias_correction": True}),
    ("local-amsgrad", {**_TAME, "inside": True}),
    ("local-yogi", {**_TAME, "initial": 0.1}),
    ("fedlocal", {"gamma": 0.1, "steps": 3, "optimizer": {"name": "adam", "eps": 0.5}, "correction": "local"}),
    ("fed-ams", {**_TAME, "beta1": 0.5, "beta2": 0.5}),
    ("fed-ams", {**_TAME, "beta1": 0.5, "beta2": 0.5, "bias_correction": True, "gamma": 0.05}),
    ("fedlada", {"gamma": 0.1, "steps": 3, "alpha": 0.5, "initial": 0.05}),
]


@pytest.mark.parametrize("name, case", RUNS, ids=label)
def test_a_run_rests_where_its_own_preconditioners_say(name: str, case: dict[str, Any]) -> None:
    """Run to rest with record=True; the field of the recorded preconditioners vanishes there."""
    method = methods.build(name, **case, record=True)
    x, own = settle(method, CLIENTS, np.zeros(2))
    realised = np.array([own[i]["realised"] for i in range(CLIENTS.n)])
    assert realised.shape == (3, 3, 2)
    settings = {**case, "realised": realised}
    assert np.abs(dictionary.resting_point(name, CLIENTS, **settings) - x).max() < 1e-10
    D = dictionary.rest_weights(name, CLIENTS, **settings)
    gradients = [CLIENTS.client_gradient(i, x) for i in range(CLIENTS.n)]
    assert np.abs(np.einsum("i,ijk,ik->j", CLIENTS.weights, D, gradients)).max() < 1e-10
    assert np.abs(x - CLIENTS.minimizer).max() > 1e-3  # and that is not x*
    assert not dictionary.equals_minimizer(name, CLIENTS, **settings)


@pytest.mark.parametrize("kind", ["sum", "numbers"])
def test_frozen_ones_are_plain_momentum(kind: str) -> None:
    """Preconditioners of 1 change nothing: local-adam is local-sgdm."""
    ones = np.ones((3, 2)) if kind == "sum" else [np.ones((3, 2))] * 3
    plain = dictionary.resting_point("local-sgdm", CLIENTS, gamma=0.2, steps=3, beta=0.5)
    found = dictionary.resting_point("local-adam", CLIENTS, gamma=0.2, steps=3, beta1=0.5, frozen=ones)
    assert np.abs(found - plain).max() < 1e-15


def test_fed_lamb_where_it_rests() -> None:
    """At these rates it does, off 0, where it would stand still; the lengths belong to what it realised."""
    case = {"gamma": 0.1, "steps": 3, "eps": 0.5, "beta1": 0.5, "beta2": 0.5, "eta": 0.2}
    x, own = settle(methods.build("fed-lamb", **case, record=True), CLIENTS, np.array([0.3, -0.4]))
    realised = np.array([own[i]["realised"] for i in range(CLIENTS.n)])
    assert np.abs(dictionary.resting_point("fed-lamb", CLIENTS, **case, realised=realised) - x).max() < 1e-10
    assert np.abs(x - CLIENTS.minimizer).max() > 1e-3


@pytest.mark.parametrize("shared", [True, False])
def test_frozen_preconditioners_may_come_as_lists(shared: bool) -> None:
    """Files hold lists where Python has arrays: the field and the method's own rounds take both."""
    n, d = CLIENTS.n, CLIENTS.d
    one = np.array([[1.0 + j + k for j in range(d)] for k in range(3)])
    frozen = one if shared else np.stack([one + i for i in range(n)])
    settings: dict[str, Any] = {"gamma": 0.05, "steps": 3, "beta1": 0, "correction": "local"}
    rests = [
        dictionary.resting_point("local-adagrad", CLIENTS, frozen=f, **settings) for f in (frozen, frozen.tolist())
    ]
    maps = [
        dictionary.round_map("local-adagrad", CLIENTS, eta=0.1, frozen=f, **settings) for f in (frozen, frozen.tolist())
    ]
    np.testing.assert_array_equal(*rests)
    np.testing.assert_array_equal(maps[0].matrix, maps[1].matrix)
    np.testing.assert_allclose(maps[0].solve()["x"], rests[0], rtol=1e-9)
