"""Settings of every method, in rationals: what the checks that all methods inherit are run on."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction as F
from typing import Any

import numpy as np

from surrogate import Theta

__all__ = ["ALL", "Case"]


@dataclass(frozen=True)
class Case:
    """One method with settings; ``rational``: it needs no irrational root."""

    name: str
    settings: dict[str, Any] = field(default_factory=dict)
    rational: bool = True

    def __str__(self) -> str:
        return f"{self.name}({', '.join(sorted(self.settings))})"


G = F(1, 8)
RATES = [F(1, 8), F(1, 5), F(1, 16)]
STEPS = [2, 1, 3]
INNER = [F(1), F(1, 2), F(1, 3)]
BETA = F(2, 3)
EPS = F(1, 10)
HEAVY = {"beta": F(1, 2), "dampened": False}
ADAM = {"beta1": F(1, 2), "beta2": F(3, 4), "eps": EPS}


def frozen(d: int) -> np.ndarray:
    """Preconditioners for three local steps, the same for all clients."""
    return np.array([[F(k + 2, k + 1 + j) for j in range(d)] for k in range(3)], dtype=object)


def frozen_each(d: int) -> list[np.ndarray]:
    """Preconditioners for STEPS, one array a client."""
    return [frozen(d)[:K] * F(i + 1, 2) for i, K in enumerate(STEPS)]


def matrices(d: int) -> np.ndarray:
    """One preconditioner a client, not diagonal where d > 1."""
    base = np.array([[F(1, 1 + abs(j - k)) for j in range(d)] for k in range(d)], dtype=object)
    return np.array([base * F(i + 1, 2) + F(i) * np.eye(d, dtype=int) for i in range(3)], dtype=object)


def _family(name: str, rational: bool, *settings: dict[str, Any], **common: Any) -> list[Case]:
    return [Case(name, {**common, **one}, rational) for one in settings]


LINEAR = [
    *_family(
        "local-update",
        True,
        {"theta": Theta.sum(3)},
        {"theta": Theta.last(2), "gamma": RATES},
        {"theta": [Theta([1, 0, "1/2"]), Theta.sum(2), Theta([0, 3])], "server": {"name": "sgdm", "beta": BETA}},
        {"theta": Theta([2, -1, 1], signed=True), "inner_rates": INNER},
        gamma=G,
        eta=F(1, 9),
    ),
    Case("minibatch-sgd", {"eta": F(1, 4)}),
    *_family(
        "fedavg",
        True,
        {},
        {"eta": F(1, 2), "inner_rates": INNER},
        {"sends": "gradients"},
        {"gamma": RATES, "steps": STEPS},
        {"gamma": RATES, "steps": STEPS, "sends": "gradients", "eta": F(1, 9)},
        gamma=G,
        steps=3,
    ),
    *_family(
        "reptile", True, {}, {"steps": STEPS, "inner_rates": [[1, F(1, 2)], [F(1, 3)], INNER]}, gamma=G, steps=3, eta=G
    ),
    *_family("fomaml", True, {}, {"steps": STEPS}, gamma=G, steps=3, eta=G),
    *_family(
        "maml",
        True,
        {},
        {"steps": STEPS, "gamma": RATES, "minibatches": "independent"},
        {"order": "gradients"},
        {"steps": STEPS, "gamma": RATES, "order": "gradients"},
        {"report": True},
        gamma=G,
        steps=2,
        eta=G,
    ),
    *_family(
        "local-update-decay",
        True,
        {"window": 1, "patience": 1, "cooldown": 0},
        {"window": 2, "patience": 2, "cooldown": 1, "server": {"name": "sgdm", "beta": BETA}},
        {"gamma": RATES, "window": 3, "patience": 1, "cooldown": 1, "inner_rates": INNER},
        gamma=F(1, 2),
        theta=Theta.sum(3),
        eta=F(1, 9),
        threshold=F(1),
        client_factor=F(1, 3),
        server_factor=F(1, 2),
    ),
    *_family(
        "climb",
        True,
        {},
        {"dual_rate": F(1, 2), "tolerance": F(1, 3), "eta": F(1, 2), "inner_rates": INNER},
        {"steps": STEPS, "gamma": RATES},
        gamma=G,
        steps=3,
    ),
    *_family(
        "stem",
        True,
        {},
        {"first": "zero", "a": F(1, 3)},
        {"a": F(1, 2), "steps": STEPS, "gamma": RATES},
        gamma=G,
        steps=3,
    ),
    Case("lookahead", {"gamma": G, "steps": 3, "eta": F(1, 2)}),
    *_family("fedopt-sgd", True, {"eta": F(1, 2)}, {"eta": G, "sends": "gradients"}, gamma=G, steps=2),
    *_family(
        "fedopt-sgdm",
        True,
        {},
        HEAVY,
        {"beta": BETA, "bias_correction": True},
        {**HEAVY, "bias_correction": True, "sends": "gradients", "eta": G},
        gamma=G,
        steps=2,
        eta=F(1, 2),
    ),
    *_family(
        "preconditioned", True, {"steps": STEPS, "gamma": RATES}, {"steps": 2, "eta": F(1, 2)}, gamma=G, P=matrices
    ),
    *_family(
        "fedprox",
        True,
        {"steps": 3, "gamma": G},
        {"steps": STEPS, "gamma": RATES},
        {"exact": True, "eta": F(1, 2)},
        mu=F(3, 2),
    ),
    *_family(
        "scaffold",
        True,
        {},
        {"option": "I"},
        {"alpha": F(1, 2), "eta": F(1, 2)},
        {"steps": STEPS, "gamma": RATES},
        gamma=G,
        steps=3,
    ),
    *_family(
        "fedlin", True, {}, {"steps": STEPS, "gamma": RATES}, {"eta": F(1, 2), "inner_rates": INNER}, gamma=G, steps=3
    ),
    *_family("fednova", True, {}, {"steps": STEPS}, {"steps": STEPS, "gamma": RATES, "eta": F(1, 2)}, gamma=G, steps=2),
    *_family("fedcm", True, {}, {"alpha": F(1, 2), "eta": F(1, 2)}, {"steps": STEPS, "gamma": RATES}, gamma=G, steps=2),
    *_family(
        "fedda-sgdm",
        True,
        {},
        {"beta": BETA, "momentum": "restarted"},
        {"beta": BETA, "mu": F(1, 2), "inner_rates": INNER},
        {"beta": BETA, "steps": STEPS, "gamma": RATES},
        gamma=G,
        steps=3,
        eta=G,
    ),
    *_family("mfl", True, {}, {"beta": BETA, "steps": STEPS, "gamma": RATES}, gamma=G, steps=2),
    *_family("mimelite", True, {}, {"beta": BETA, "steps": STEPS, "gamma": RATES, "eta": F(1, 2)}, gamma=G, steps=2),
    Case("central-sgd", {"eta": F(1, 4)}),
    *_family("central-sgdm", True, {}, HEAVY, {"beta": BETA, "bias_correction": True}, eta=F(1, 4)),
    *_family(
        "local-sgdm",
        True,
        {},
        {**HEAVY, "states": "keep"},
        {"beta": BETA, "states": "sync", "gamma": RATES, "steps": STEPS},
        {"beta": BETA, "bias_correction": True, "states": "keep"},
        {"beta": BETA, "correction": "local", "gamma": RATES, "steps": STEPS},
        {"beta": BETA, "correction": "joint", "as_printed": True},
        {**HEAVY, "correction": "global", "inner_rates": INNER},
        {"server": {"name": "sgdm", "beta": BETA}},
        gamma=G,
        steps=3,
        eta=F(1, 9),
    ),
    *_family(
        "local-adam",
        True,
        {},
        {"correction": "local"},
        {"correction": "joint", "as_printed": True},
        {"frozen": frozen_each, "steps": STEPS, "gamma": RATES, "correction": "local"},
        {"states": "keep"},
        {"bias_correction": True},
        gamma=G,
        steps=3,
        eta=F(1, 9),
        beta1=BETA,
        frozen=frozen,
    ),
    *_family(
        "fed-ams",
        True,
        {"frozen": frozen},
        {"frozen": frozen_each, "steps": STEPS, "gamma": RATES, "bias_correction": True},
        gamma=G,
        steps=3,
        beta1=BETA,
        eta=F(1, 2),
    ),
    Case("fed-lamb", {"gamma": G, "steps": 3, "beta1": BETA, "frozen": frozen}),
    Case("local-amsgrad", {"gamma": G, "steps": 3, "beta1": BETA, "frozen": frozen}),
    Case("local-adagrad", {"gamma": G, "steps": 3, "frozen": frozen}),
    Case("local-yogi", {"gamma": G, "steps": 3, "beta1": BETA, "frozen": frozen, "states": "sync"}),
    *_family(
        "fedlada",
        True,
        {},
        {"steps": 4, "as_printed": True},
        gamma=G,
        steps=3,
        beta1=BETA,
        alpha=F(1, 2),
        frozen=frozen,
    ),
    Case("fedlocal", {"gamma": G, "steps": 3, "optimizer": {"name": "sgdm", "beta": BETA}, "correction": "joint"}),
]

ADAPTIVE_SERVERS = [
    case
    for name in ("adagrad", "adam", "amsgrad", "yogi")
    for case in _family(
        f"fedopt-{name}",
        False,
        {},
        {"sends": "gradients", "inside": True, "initial": F(1, 5), "beta1": BETA, "eps": EPS},
        *([{**ADAM, "bias_correction": True}] if name in ("adam", "amsgrad") else []),
        gamma=G,
        steps=2,
        eta=F(1, 9),
    )
]

ADAPTIVE_CLIENTS = [
    *_family(
        "local-adam",
        False,
        ADAM,
        {**ADAM, "states": "sync", "bias_correction": True},
        {**ADAM, "states": "keep", "bias_correction": True, "record": True},
        {**ADAM, "correction": "local", "inside": True, "initial": EPS},
        {**ADAM, "correction": "joint", "bias_correction": True},
        {**ADAM, "correction": "global", "as_printed": True, "server": "adagrad"},
        gamma=G,
        steps=3,
    ),
    *_family(
        "local-adagrad",
        False,
        {},
        {"correction": "local", "initial": F(1), "eps": 0},
        {"beta1": BETA, "correction": "joint"},
        {"states": "keep"},
        {"states": "sync", "steps": STEPS, "gamma": RATES},
        gamma=G,
        steps=2,
        eta=F(1, 9),
    ),
    *_family(
        "local-amsgrad",
        False,
        ADAM,
        {**ADAM, "initial": F(50)},
        {**ADAM, "bias_correction": True, "states": "keep"},
        gamma=G,
        steps=3,
        eta=F(1, 9),
    ),
    *_family("local-yogi", False, ADAM, {**ADAM, "states": "sync", "initial": EPS}, gamma=G, steps=3, eta=F(1, 9)),
    *_family(
        "fedlocal", False, {"optimizer": "adagrad"}, {"optimizer": {"name": "amsgrad", **ADAM}}, gamma=G, steps=2, eta=G
    ),
    *_family(
        "fedlada",
        False,
        {"initial": EPS},
        {"initial": EPS, "as_printed": True, "beta1": BETA, "alpha": F(1, 2), "eta": F(1, 2)},
        {"initial": EPS, "record": True, "steps": STEPS, "gamma": RATES},
        gamma=G,
        steps=3,
    ),
    Case("fedadam-amended", {"gamma": G, "steps": 3, "eta": F(1, 9), "beta1": BETA}, False),
    *_family("mfl", False, {"optimizer": {"name": "adam", **ADAM}}, {"optimizer": "adagrad"}, gamma=G, steps=2, eta=G),
    *_family(
        "mimelite", False, {"optimizer": {"name": "adam", **ADAM}}, {"optimizer": "adagrad"}, gamma=F(1, 99), steps=2
    ),
    *_family(
        "fed-ams",
        False,
        {},
        {"bias_correction": True},
        {"record": True, "steps": STEPS, "gamma": RATES},
        gamma=F(1, 99),
        steps=3,
        beta1=BETA,
        beta2=BETA,
        eps=F(1),
    ),
    *_family(
        "fed-lamb",
        False,
        {},
        {"bias_correction": True, "decay": F(1, 7)},
        {"record": True},
        gamma=G,
        steps=3,
        beta1=BETA,
        beta2=BETA,
        eps=F(1),
    ),
]

OTHERS = [
    *_family("fedda-adam", False, {}, {"bias_correction": False, "mu": F(1, 2)}, gamma=G, steps=3, eta=F(1, 9), **ADAM),
    *_family("fedda-adagrad", False, {}, {"mu": F(1, 2), "initial": EPS}, gamma=G, steps=3, eta=F(1, 9), beta1=BETA),
    *_family("central-adam", False, {}, {**ADAM, "bias_correction": False}, eta=F(1, 9)),
    *_family("central-adagrad", False, {}, {"initial": EPS}, eta=F(1, 9)),
]

ALL = [*LINEAR, *ADAPTIVE_SERVERS, *ADAPTIVE_CLIENTS, *OTHERS]
