"""Many steps, and steps that tend to 0: float64 keeps its digits, at a cost that does not grow with K."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from surrogate import Preconditioned, Quadratics, Theta, dictionary, exact
from surrogate.kit.errors import ProblemError
from tests.helpers.surrogate import dictionary_digits as digits
from tests.helpers.surrogate.dictionary_cases import EVERY, FROZEN, label
from tests.helpers.surrogate.dictionary_populations import fixed, floats

FIXED = fixed()
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


APART = [([1.0, 2.0, 4.0], [4, 2, 1]), ([3.0, 1.0, 1.5], [1, 3, 2]), ([1.0, 1e-3, 1e-6], [1, 1000, 10**6])]
POWERS = [("fomaml", {}), ("maml", {})]  # D_i = r^K: underflows where the others settle
RATES = [(0.1, 10**6), (1e-5, 10**6), (1e-9, 10**6), (1e-12, 10), (1e-140, 3), (1e-300, 7), (0.4, 1000)]


@pytest.mark.parametrize("gamma, steps", RATES)
@pytest.mark.parametrize("name, case", FAST, ids=label)
def test_displacement_keeps_its_digits(name: str, case: dict[str, Any], gamma: float, steps: int) -> None:
    """Against 700 digits."""
    keeps_its_digits(name, with_steps(name, case, gamma, steps))


def keeps_its_digits(name: str, settings: dict[str, Any]) -> None:
    """float64 against many digits."""
    right, found = digits.displacement(name, CLIENTS, **settings), dictionary.displacement(name, CLIENTS, **settings)[0]
    assert abs(found - right) <= 3e-14 * abs(right), (found, right)


@pytest.mark.parametrize("gamma, steps", [(1e-5, 10**6), (1e-12, 10**6), (1e-140, 3), (1e-300, 7), (0.4, 10)])
@pytest.mark.parametrize("name, case", POWERS, ids=label)
def test_powers_keep_their_digits(name: str, case: dict[str, Any], gamma: float, steps: int) -> None:
    """The same for methods whose distortions are powers."""
    test_displacement_keeps_its_digits(name, case, gamma, steps)


@pytest.mark.parametrize("gamma", [1e-3, 1e-8, 1e-11, 1e-14, 1e-200, 1e-300])
@pytest.mark.parametrize("rates, steps", APART, ids=str)
@pytest.mark.parametrize("name, case", [pair for pair in FAST if pair[0] != "local-update"], ids=label)
def test_rates_and_steps_that_almost_cancel(
    name: str, case: dict[str, Any], rates: list[float], steps: list[int], gamma: float
) -> None:
    """Clients whose gamma_i K_i agree, exactly or up to the rounding of the rates: D_i - D_j has the size of gamma^2,
    or of that rounding, far below the rounding of D_i."""
    keeps_its_digits(name, {**case, "gamma": [gamma * rate for rate in rates], "steps": steps})


@pytest.mark.parametrize("gamma", [1e-3, 1e-11, 1e-300])
@pytest.mark.parametrize("mu", [1e-3, 1.0, 30.0])
@pytest.mark.parametrize("name", ["fedprox", "fedda-sgdm", "fedda-adagrad"])
def test_proximal_terms_of_any_size(name: str, mu: float, gamma: float) -> None:
    """Below, among and above the curvatures, rates apart and alike."""
    for rates, steps in (*APART, ([1.0] * 3, [5] * 3), ([1.0, 0.5, 0.25], [7] * 3)):
        keeps_its_digits(name, {"mu": mu, "gamma": [gamma * rate for rate in rates], "steps": steps})


def against_rationals(name: str, clients: Quadratics, **settings: Any) -> None:
    """float64 against the same formula in rationals."""
    right = floats(dictionary.displacement(name, exact.Quadratics.from_float(clients), **settings))
    found = dictionary.displacement(name, clients, **settings)
    assert np.abs(found - right).max() <= 1e-14 * np.abs(right).max()


@pytest.mark.parametrize("name, case", [("fedavg", {}), ("fedavg", {"sends": "gradients", "eta": 1}), ("fomaml", {})])
def test_clients_and_rates_that_almost_agree(name: str, case: dict[str, Any]) -> None:
    """Hessians apart by 1e-9 and rates by 1e-10: D_i - D_j is a difference in both, and keeps its digits."""
    A = FIXED.to_float().A
    clients = Quadratics(A[0] + 1e-9 * A, FIXED.to_float().c)
    for gamma in (0.1, 1e-5):
        rates = [gamma * (1 + 1e-10 * k / 7) for k in range(clients.n)]
        against_rationals(name, clients, **case, gamma=rates, steps=5)


@pytest.mark.parametrize("gamma", [1e-3, 2.0**-27, 2.0**-40])
def test_preconditioners_and_rates_that_cancel(gamma: float) -> None:
    """P_i apart, gamma_i K_i P_i alike: D_i - D_j has the size of gamma^2."""
    rates, P = [gamma, gamma / 2, gamma / 4], [np.eye(2) * share for share in (0.25, 0.5, 1.0)]
    clients = Quadratics([[[1.0, 0.25], [0.25, 2.0]], np.diag([0.5, 3.0]), np.diag([2.0, 0.125])], np.eye(3, 2))
    against_rationals("preconditioned", clients, gamma=rates, steps=[4, 4, 4], P=P)


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


@pytest.mark.parametrize("gamma", [1e-4, 1e-11, 1e-200])
@pytest.mark.parametrize("name, case", [(name, case) for name, case in EVERY if isinstance(case.get("gamma"), list)])
def test_clients_of_their_own_against_rationals(name: str, case: dict[str, Any], gamma: float) -> None:
    """Two dimensions, Hessians that do not commute, every client with a rate (and steps) of its own: gamma_i K_i agree
    up to rounding wherever the case leaves the steps free."""
    clients = Quadratics(floats(FIXED.A), floats(FIXED.c), floats(FIXED.weights))
    steps = case.get("steps")
    rates = [12 * gamma / k for k in steps] if isinstance(steps, list) else [gamma * float(g) for g in case["gamma"]]
    against_rationals(name, clients, **{**case, "gamma": rates})


@pytest.mark.parametrize("gamma", [1e-3, 1e-13, 1e-200])
@pytest.mark.parametrize(
    ("name", "momentum"),
    [
        ("local-adagrad", {"beta1": 0}),
        ("local-adagrad", {"beta1": 0.5}),
        ("local-adam", {"beta1": 0.5, "bias_correction": False}),
        ("local-adam", {"beta1": 0.5, "bias_correction": True}),
    ],
)
def test_corrected_clients_with_preconditioners_of_their_own(name: str, momentum: dict[str, Any], gamma: float) -> None:
    """N_i^-1 takes D_i to I as gamma -> 0, whatever the P_ik: the displacement is made of what is left of D_i - I."""
    clients = Quadratics(floats(FIXED.A), floats(FIXED.c), floats(FIXED.weights))
    settings = {"gamma": [gamma, gamma / 2, gamma], "steps": 3, "frozen": floats(FROZEN), "correction": "local"}
    against_rationals(name, clients, **settings, **momentum)


def test_a_fixed_preconditioner_corrected_is_that_of_theorem_2() -> None:
    """Without momentum, P_ik = P_i: the other route to the same rest."""
    clients, P = FIXED.to_float(), floats(FROZEN)[:, 0]
    gammas = [1e-9, 5e-10, 2e-9]
    right = Preconditioned(clients, gammas, 4, [np.diag(p) for p in P], corrected=True).displacement
    frozen = np.repeat(P[:, None], 4, axis=1)
    settings = {"gamma": gammas, "steps": 4, "beta1": 0, "frozen": frozen, "correction": "local"}
    found = dictionary.displacement("local-adagrad", clients, **settings)
    assert np.abs(found - right).max() <= 1e-13 * np.abs(right).max()


BESIDE: list[tuple[str, dict[str, Any]]] = [  # N_i = gamma_i sum_k P_ik, up to a common factor
    ("local-adagrad", {"beta1": 0}),
    ("local-adam", {"beta1": 0.5, "states": "keep"}),
    ("local-adam", {"beta1": 0, "states": "sync"}),
    ("fed-ams", {"beta1": 0.5}),
    ("fed-lamb", {"beta1": 0.5}),
    ("fedlada", {"beta1": 0, "alpha": 0.3}),
]
TINY = [1e-3, 1e-6, 1e-9, 1e-13, 1e-60, 1e-170]


@pytest.mark.parametrize("gamma", TINY)
@pytest.mark.parametrize("rates, steps", [([1, 0.5, 2], [4, 8, 2]), ([1, 1 / 3, 0.3], [3, 9, 10])], ids=str)
@pytest.mark.parametrize("name, case", BESIDE, ids=label)
def test_a_common_preconditioner_and_steps_that_cancel(
    name: str, case: dict[str, Any], rates: list[float], steps: list[int], gamma: float
) -> None:
    """One P for all clients and steps, gamma_i K_i that agree, exactly or up to rounding: N_i - N_j is 0 or that
    rounding, where D_i - N_i has the size of gamma^2."""
    frozen = [np.tile([0.75, 0.4], (K, 1)) for K in steps]
    against_rationals(name, FIXED.to_float(), gamma=[gamma * r for r in rates], steps=steps, frozen=frozen, **case)


@pytest.mark.parametrize("gamma", TINY)
def test_one_sum_of_preconditioners_in_another_order(gamma: float) -> None:
    """sum_k P_ik agree between clients in numbers, but not in floats, whose sums depend on their order."""
    P = np.array([[0.1, 3e4], [0.7, 1e-5], [0.3, 0.9]])
    frozen = np.stack([P, P[::-1], P[[1, 0, 2]]])
    against_rationals("local-adagrad", FIXED.to_float(), gamma=gamma, steps=3, frozen=frozen, beta1=0)


@pytest.mark.parametrize("tiny", [1e-20, 1e-100, 1e-145])
def test_preconditioners_and_hessians_that_are_tiny(tiny: float) -> None:
    """In the place of the rates."""
    clients, rates, steps = FIXED.to_float(), [0.1, 0.1 / 3, 0.03], [3, 9, 10]
    small = Quadratics(clients.A * tiny, clients.c, clients.weights)
    for who, p in ((clients, tiny), (small, 1.0)):
        frozen = [np.tile([0.75 * p, 0.4 * p], (K, 1)) for K in steps]
        against_rationals("fed-ams", who, gamma=rates, steps=steps, frozen=frozen, beta1=0.5)


@pytest.mark.parametrize("gamma", TINY)
@pytest.mark.parametrize(
    "name, case",
    [
        ("fedavg", {}),
        ("fedprox", {"mu": 0.3}),
        ("local-sgdm", {"beta": 0.5, "states": "keep"}),
        ("local-adagrad", {"beta1": 0, "frozen": [np.tile([1, 0.3], (K, 1)) for K in (2, 2, 3)]}),
    ],
    ids=label,
)
def test_inner_rates_of_one_sum(name: str, case: dict[str, Any], gamma: float) -> None:
    """gamma_i sum_k inner_ik agree up to the rounding of the factors; their products with gamma_i are not rounded."""
    factors, rates = [[1, 0.7], [2, 1.4], [1.7, 1.7, 1.7]], [gamma, gamma / 2, gamma / 3]
    against_rationals(name, FIXED.to_float(), gamma=rates, steps=[2, 2, 3], inner_rates=factors, **case)
