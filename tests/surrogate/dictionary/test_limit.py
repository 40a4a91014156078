"""Where methods rest as all client rates tend to 0."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest

from surrogate import dictionary, exact
from tests.helpers.surrogate.dictionary_cases import EVERY, FROZEN, UNEQUAL, R, label
from tests.helpers.surrogate.dictionary_populations import fixed, floats

CLIENTS = fixed()
WITH_RATE = [(name, case) for name, case in EVERY if "gamma" in case]


def _slower(case: dict[str, Any], factor: F) -> dict[str, Any]:
    gamma = case["gamma"]
    return {**case, "gamma": [g * factor for g in gamma] if isinstance(gamma, list) else gamma * factor}


@pytest.mark.parametrize("name, case", WITH_RATE, ids=label)
def test_resting_points_tend_to_the_limit(name: str, case: dict[str, Any]) -> None:
    """Linearly: a rate a thousand times smaller leaves a thousandth of the way, in rationals."""
    end = dictionary.limit(name, CLIENTS, **case)
    far, near = (
        np.abs(floats(dictionary.resting_point(name, CLIENTS, **_slower(case, F(1, 10**p))) - end)).max()
        for p in (9, 12)
    )
    assert far < 1e-7 and (far == near == 0 or abs(far / near - 1000) < 1)
    inexact = dictionary.limit(name, CLIENTS.to_float(), **case)
    assert np.abs(inexact - floats(end)).max() < 1e-13


def _weighed(parts: list[Any]) -> Any:
    """The zero of sum_i w_i N_i A_i (x - c_i), by elimination in floats of rationals (N_i numbers or diagonals)."""
    N = [np.diag(p) if np.ndim(p) else p * np.eye(2, dtype=int) for p in parts]
    A, b, w = (
        np.vectorize(lambda v: F(int(v.p), int(v.q)), otypes=[object])(m)
        for m in (CLIENTS.A, CLIENTS.b, CLIENTS.weights)
    )
    J = sum(wi * Ni @ Ai for wi, Ni, Ai in zip(w, N, A, strict=True))
    pull = sum(wi * Ni @ bi for wi, Ni, bi in zip(w, N, b, strict=True))
    det = J[0, 0] * J[1, 1] - J[0, 1] * J[1, 0]
    return [(J[1, 1] * pull[0] - J[0, 1] * pull[1]) / det, (J[0, 0] * pull[1] - J[1, 0] * pull[0]) / det]


g, K = UNEQUAL["gamma"], UNEQUAL["steps"]
w = [F(1, 6), F(1, 3), F(1, 2)]
MEAN = sum(wi * gi * ki for wi, gi, ki in zip(w, g, K, strict=True))
STATED: list[tuple[str, dict[str, Any], list[Any]]] = [  # the weights N_i that the entries' limits name
    ("fedavg", UNEQUAL, [a * b for a, b in zip(g, K, strict=True)]),
    ("fedavg", {**UNEQUAL, "sends": "gradients"}, K),
    ("fomaml", UNEQUAL, [1, 1, 1]),
    ("fedprox", {**UNEQUAL, "mu": 1}, [a * b for a, b in zip(g, K, strict=True)]),
    ("fednova", UNEQUAL, g),
    ("fedlin", UNEQUAL, [1, 1, 1]),
    ("scaffold", UNEQUAL, [1, 1, 1]),
    ("scaffold", {**UNEQUAL, "alpha": F(1, 4)}, [F(3, 4) * a * b + MEAN / 4 for a, b in zip(g, K, strict=True)]),
    (
        "scaffold",
        {**UNEQUAL, "alpha": F(1, 4), "option": "I"},
        [F(3, 4) * a * b + MEAN / 4 for a, b in zip(g, K, strict=True)],
    ),
    ("mimelite", {**UNEQUAL, "beta": F(1, 4)}, [F(3, 4) * a * b + MEAN / 4 for a, b in zip(g, K, strict=True)]),
    ("fedda-sgdm", UNEQUAL, K),
    ("local-sgdm", {**UNEQUAL, "correction": "local"}, [1, 1, 1]),
    (
        "local-sgdm",
        {**UNEQUAL, "beta": F(1, 2)},
        [a * sum(1 - F(1, 2) ** k for k in range(1, b + 1)) for a, b in zip(g, K, strict=True)],
    ),
    ("local-sgdm", {**UNEQUAL, "states": "keep", "beta": F(1, 2)}, [a * b for a, b in zip(g, K, strict=True)]),
    (
        "local-adam",
        {"gamma": R, "steps": 3, "frozen": FROZEN, "states": "keep", "beta1": F(1, 2)},
        list(FROZEN.sum(axis=1)),
    ),
    (
        "fedlada",
        {"gamma": R, "steps": 3, "frozen": FROZEN, "beta1": F(1, 2)},
        [sum(p * (1 - F(1, 2) ** k) for k, p in enumerate(P, start=1)) for P in FROZEN],
    ),
    ("local-adagrad", {"gamma": R, "steps": 3, "frozen": FROZEN}, list(FROZEN.sum(axis=1))),
    ("local-adagrad", {"gamma": R, "steps": 3, "frozen": FROZEN, "correction": "local"}, [1, 1, 1]),
    *((name, {"gamma": R, "steps": 3}, [1, 1, 1]) for name in ("mfl", "fedcm", "fedda-adagrad", "local-sgdm")),
]


@pytest.mark.parametrize("name, case, weights", STATED, ids=label)
def test_the_limits_that_entries_state(name: str, case: dict[str, Any], weights: list[Any]) -> None:
    """The weights by hand, the zero by elimination."""
    found = dictionary.limit(name, CLIENTS, **case)
    assert [F(int(v.p), int(v.q)) for v in found] == _weighed(weights)


def test_printed_correction_keeps_a_bias() -> None:
    """LA Algorithm 1 as printed: unequal rates, or preconditioners that change from step to step, leave a bias."""
    momentum = {"steps": 3, "correction": "local", "as_printed": True}
    for name, case in (
        ("local-sgdm", {"gamma": g, "beta": F(1, 2), **momentum}),
        ("local-adam", {"gamma": R, "beta1": F(1, 2), "frozen": FROZEN, **momentum}),
    ):
        assert (dictionary.limit(name, CLIENTS, **case) != CLIENTS.minimizer).any()
        mended = {**case, "as_printed": False}
        assert (dictionary.limit(name, CLIENTS, **mended) == CLIENTS.minimizer).all()


def test_exact_prox_knows_no_rate() -> None:
    """Its limit is itself; a large mu brings it to x*."""
    rest = dictionary.resting_point("fedprox", CLIENTS, mu=F(1, 2), exact=True)
    assert (dictionary.limit("fedprox", CLIENTS, mu=F(1, 2), exact=True) == rest).all()
    gap = [np.abs(floats(dictionary.displacement("fedprox", CLIENTS, mu=m, exact=True))).max() for m in (10**6, 10**9)]
    assert abs(gap[0] / gap[1] - 1000) < 1
    assert isinstance(CLIENTS, exact.Quadratics)
