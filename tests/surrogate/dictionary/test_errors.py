"""Bad input: each refusal names the object, the value and the next step."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from surrogate import Quadratics, Theta, dictionary
from surrogate.kit.errors import ProblemError
from tests.helpers.surrogate.dictionary_populations import fixed

CLIENTS = fixed().to_float()
SGD: dict[str, Any] = {"gamma": 0.1, "steps": 2}

REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("fedavgg", SGD, r"'fedavgg'.*fedavg"),
    ("climb", SGD, r"'climb' is not in the dictionary.*without a closed form"),
    ("fedavg", {**SGD, "momentum": 0.9}, r"'momentum' of fedavg is unknown"),
    ("fedavg", {"steps": 2}, r"gamma of fedavg is missing"),
    ("fedavg", {**SGD, "gamma": -0.1}, r"gamma is -"),
    ("fedavg", {**SGD, "gamma": "1/0"}, r"a setting is '1/0'"),
    ("fedavg", {**SGD, "gamma": "fast"}, r"gamma is 'fast'"),
    ("fedavg", {**SGD, "gamma": float("nan")}, r"nan, expected"),
    ("fedavg", {**SGD, "gamma": [0.1, 0.2]}, r"gamma is 2 values, expected one, or 3"),
    ("fedavg", {**SGD, "steps": [1, 2, 3, 4]}, r"steps is 4 values"),
    ("fedavg", {**SGD, "steps": 0}, r"whole number >= 1"),
    ("local-update", {"gamma": 0.1, "theta": [Theta.sum(1)] * 2}, r"theta is 2 values"),
    ("fedavg", {"gamma": 0.0, "steps": 2}, r"gamma or alpha of 0"),
    ("fedlada", {**SGD, "steps": 1, "as_printed": True, "frozen": np.ones((0, 2))}, r"clients that send nothing"),
    ("fedavg", {"gamma": 1e3, "steps": 1000}, r"distortion of client . under fedavg is infinite"),
    ("local-adam", SGD, r"computed from gradients.*frozen"),
    ("mfl", {**SGD, "optimizer": "adam"}, r"optimizer 'adam'.*frozen"),
    ("fedlada", SGD, r"computed from gradients.*realised"),
    ("fedavg", {**SGD, "realised": np.ones((3, 2, 2))}, r"realised of fedavg is given"),
    (
        "local-adam",
        {**SGD, "frozen": np.ones((3, 5, 2))},
        r"frozen is of shape \(5, 2\) for client 0, expected",
    ),
    ("local-adam", {**SGD, "frozen": np.ones((2, 2, 2))}, r"frozen is 2 arrays, expected one \(K, d\), or 3"),
    ("local-adam", {**SGD, "frozen": np.ones((2, 3))}, r"frozen is of shape \(2, 3\) for client 0, expected \(2, 2\)"),
    ("preconditioned", {**SGD, "P": np.ones((2, 2, 2))}, r"P is 2 matrices, expected one, or 3"),
    ("preconditioned", {**SGD, "P": np.eye(3)}, r"P is of shape \(3, 3\), expected \(2, 2\)"),
    ("preconditioned", {**SGD, "P": np.diag([1, -1])}, r"P\[0\] is not positive definite: .*-1"),
    ("preconditioned", {**SGD, "P": np.array([[2, 1], [0, 2]])}, r"P\[0\]"),
    ("fedavg", {**SGD, "inner_rates": [1, 2, 3]}, r"inner_rates is 3 factors for client 0"),
]


@pytest.mark.parametrize("name, case, message", REFUSED)
def test_refusals(name: str, case: dict[str, Any], message: str) -> None:
    """Both kinds of numbers refuse alike."""
    for clients in (CLIENTS, fixed()):
        if "infinite" in message and clients is not CLIENTS:
            continue  # rationals do not overflow
        with pytest.raises(ProblemError, match=f"(?s){message}.*What to do"):
            dictionary.resting_point(name, clients, **case)


def test_floats_need_no_exact_arithmetic() -> None:
    """In a fresh interpreter the dictionary of float64 clients never imports flint, sympy or scipy."""
    code = (
        "import sys; from surrogate import Quadratics, dictionary\n"
        "clients = Quadratics([[[1.0]], [[2.0]]], [[1.0], [0.5]])\n"
        "dictionary.round_map('scaffold', clients, gamma=0.5, steps=2).solve()\n"
        "dictionary.displacement('mfl', clients, gamma=0.5, steps=2)\n"
        "assert not {'flint', 'sympy', 'scipy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_no_closed_form_no_claim() -> None:
    """equals_minimizer refuses what resting_point refuses."""
    with pytest.raises(ProblemError, match="computed from gradients"):
        dictionary.equals_minimizer("local-adam", CLIENTS, gamma=0.1, steps=1)


def test_what_is_no_population_is_refused() -> None:
    for clients in (None, np.eye(2), "fedavg"):
        with pytest.raises(ProblemError, match=r"(?s)clients is .*expected Quadratics of surrogate"):
            dictionary.resting_point("fedavg", clients, gamma=0.1, steps=2)


def test_aliases_are_entries() -> None:
    """An alias is looked up under the method that it means."""
    assert dictionary.entry("fed-sgd").name == "fedavg"
    found = dictionary.resting_point("fedlocal-sgdm", CLIENTS, gamma=0.1, steps=2)
    assert (found == dictionary.resting_point("local-sgdm", CLIENTS, gamma=0.1, steps=2)).all()


def test_weights_without_a_mean_are_refused_but_the_point_is_not() -> None:
    """gamma L > 1: D_1 = -D_2 has mean 0, and yet the field has a zero."""
    clients = Quadratics([[[1.0]], [[3.0]]], [[1.0], [0.5]])
    settings = {"gamma": 1.0, "steps": 2, "eta": 1.0}  # fomaml: D = 1 - gamma A = 0, -2
    assert dictionary.resting_point("fomaml", clients, **settings)[0] == 0.5
    balanced = {"gamma": 0.5, "steps": 2}  # 1/2 and -1/2
    with pytest.raises(ProblemError, match="mean distortion of fomaml is singular"):
        dictionary.rest_weights("fomaml", clients, **balanced)
    assert abs(dictionary.resting_point("fomaml", clients, **balanced)[0] - 0.25) < 1e-15
