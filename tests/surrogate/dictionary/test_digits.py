"""Many steps, and steps that tend to 0: float64 keeps its digits, at a cost that does not grow with K."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from surrogate import Quadratics, Theta, dictionary
from surrogate.errors import ProblemError
from tests.surrogate.dictionary import digits
from tests.surrogate.dictionary.cases import label

CLIENTS = Quadratics([[[1.0]], [[0.3]], [[0.01]]], [[1.0], [-2.0], [0.5]], [0.5, 0.25, 0.25])

FAST: list[tuple[str, dict[str, Any]]] = [  # whatever has a closed form in K
    ("local-update", {}),
    *((name, {}) for name in ("fedavg", "reptile", "lookahead", "fednova", "fedlin")),
    *((f"fedopt-{name}", {}) for name in ("sgd", "sgdm", "adam", "adagrad", "yogi", "amsgrad")),
    ("fedavg", {"sends": "gradients", "eta": 1}),
    ("preconditioned", {"P": [[0.5]]}),
    ("preconditioned", {"P": [[[0.5]], [[0.25]], [[1.0]]]}),
    ("fedprox", {"mu": 0.5}),
    ("scaffold", {}),
    ("scaffold", {"alpha": 0.5}),
    ("scaffold", {"alpha": 0.5, "option": "I"}),
    ("mimelite", {}),
    ("mfl", {}),
    ("local-sgdm", {}),
    ("local-sgdm", {"states": "keep"}),
    ("local-sgdm", {"states": "sync"}),
    ("local-sgdm", {"states": "sync", "dampened": False, "beta": 0.5}),
    ("fedlocal", {"optimizer": "sgdm"}),
    ("fedcm", {}),
    ("fedadam-amended", {}),
    ("fedda-sgdm", {}),
    ("fedda-sgdm", {"momentum": "restarted"}),
    ("fedda-sgdm", {"mu": 0.5}),
    ("fedda-adam", {}),
    ("fedda-adagrad", {}),
]


def with_steps(name: str, case: dict[str, Any], gamma: float, steps: int) -> dict[str, Any]:
    """The case at a rate and a number of steps."""
    return {**case, "gamma": gamma, **({"theta": Theta.sum(steps)} if name == "local-update" else {"steps": steps})}


POWERS = [("fomaml", {}), ("maml", {})]  # D_i = r^K: underflows where the others settle
RATES = [(0.1, 10**6), (1e-5, 10**6), (1e-9, 10**6), (1e-12, 10), (1e-140, 3), (0.4, 1000)]


@pytest.mark.parametrize("gamma, steps", RATES)
@pytest.mark.parametrize("name, case", FAST, ids=label)
def test_displacement_keeps_its_digits(name: str, case: dict[str, Any], gamma: float, steps: int) -> None:
    """Against 400 digits. With a proximal term the base 1 - gamma mu is rounded, which K multiplies."""
    settings = with_steps(name, case, gamma, steps)
    right, found = digits.displacement(name, CLIENTS, **settings), dictionary.displacement(name, CLIENTS, **settings)[0]
    assert abs(found - right) <= (1e-10 if "mu" in case else 3e-14) * abs(right), (found, right)


@pytest.mark.parametrize("gamma, steps", [(1e-5, 10**6), (1e-12, 10**6), (1e-140, 3), (0.4, 10)])
@pytest.mark.parametrize("name, case", POWERS, ids=label)
def test_powers_keep_their_digits(name: str, case: dict[str, Any], gamma: float, steps: int) -> None:
    """The same for methods whose distortions are powers."""
    test_displacement_keeps_its_digits(name, case, gamma, steps)


def test_underflow_is_refused_with_its_cause() -> None:
    """0.999^(10^6) is 0 in float64: no resting point, and the error says why."""
    with pytest.raises(ProblemError, match="underflow"):
        dictionary.resting_point("fomaml", CLIENTS, gamma=0.1, steps=10**6)


@pytest.mark.parametrize("name, case", FAST, ids=label)
def test_a_million_steps_cost_what_ten_cost(name: str, case: dict[str, Any]) -> None:
    """Twenty squarings at most, never a loop over steps."""
    started = time.perf_counter()
    rest = dictionary.resting_point(name, CLIENTS, **with_steps(name, case, 0.1, 10**6))
    assert np.isfinite(rest).all() and time.perf_counter() - started < 0.5
