"""Settings at which every entry of the dictionary is checked; all client rates are stable on `populations`.

An entry without a case fails `test_every_entry_has_cases`, so a new formula cannot go unchecked.
"""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import numpy as np

from surrogate import Theta, dictionary

R = F(1, 3)  # the client rate of most cases
UNEQUAL = {"gamma": [F(1, 3), F(1, 2), F(1, 5)], "steps": [3, 1, 2]}  # for three clients

Settings = dict[str, Any]

_SUMS: list[Settings] = [
    {"gamma": R, "steps": 3},
    {"gamma": R, "steps": 3, "sends": "gradients", "eta": F(1, 2)},
    {"gamma": R, "steps": 3, "inner_rates": [1, F(3, 2), F(1, 2)]},
    {**UNEQUAL},
    {**UNEQUAL, "sends": "gradients", "eta": F(1, 2)},
]
_SERVER: list[Settings] = [{"eta": F(1, 2), **case} for case in _SUMS]
_GRADIENTS: list[Settings] = [{"gamma": R, "steps": 3, "eta": F(1, 2)}, {**UNEQUAL, "eta": F(1, 2)}]
_EPS = {"eps": 1, "eta": F(1, 4)}  # a tame adaptive server: near rest it is momentum
_P = [[[1, 0], [0, F(1, 2)]], [[F(3, 4), F(1, 4)], [F(1, 4), F(1, 2)]], [[F(1, 2), 0], [0, 1]]]

# (client, step, coordinate)
FROZEN = np.array(
    [
        [[1, F(1, 2)], [F(1, 2), F(1, 2)], [F(1, 4), F(3, 4)]],
        [[F(1, 2), 1], [F(3, 4), F(1, 4)], [F(1, 4), F(1, 4)]],
        [[F(3, 4), F(3, 4)], [1, F(1, 2)], [F(1, 2), F(1, 3)]],
    ]
)

CASES: dict[str, list[Settings]] = {
    "local-update": [
        {"gamma": R, "theta": Theta.sum(3), "eta": F(1, 2)},
        {"gamma": R, "theta": Theta.last(3), "eta": F(1, 2)},
        {"gamma": R, "theta": Theta([1, F(1, 2), 0, 2]), "eta": F(1, 4), "inner_rates": [1, 0, F(1, 2), 1]},
        {"gamma": [R, 0, F(1, 5)], "theta": [Theta.sum(2), Theta.last(4), Theta([1, "1/2", 3])], "eta": F(1, 4)},
        {"gamma": R, "theta": Theta.sum(2), "eta": F(1, 4), "server": {"name": "sgdm", "beta": F(1, 2)}},
    ],
    "fedavg": _SUMS,
    "reptile": _GRADIENTS,
    "fomaml": _GRADIENTS,
    "maml": _GRADIENTS,
    "lookahead": _GRADIENTS,
    "minibatch-sgd": [{"eta": F(1, 2)}],
    "fedopt-sgd": _SERVER,
    "fedopt-sgdm": [{"beta": F(1, 2), **case} for case in (*_SERVER, {**_SERVER[0], "bias_correction": True})],
    "fedopt-adam": [{**case, **_EPS} for case in _SERVER[:2]],
    "fedopt-adagrad": [{**case, **_EPS} for case in _SERVER[:2]],
    "fedopt-yogi": [{**case, **_EPS} for case in _SERVER[:2]],
    "fedopt-amsgrad": [{**case, **_EPS} for case in _SERVER[:2]],
    "preconditioned": [
        {"gamma": R, "steps": 3, "P": _P},
        {"gamma": R, "steps": 3, "P": _P[0]},
        {**UNEQUAL, "P": _P},
        {"gamma": R, "steps": 2, "P": _P[1], "inner_rates": [1, F(1, 2)], "server": "sgd"},
    ],
    "central-sgd": [{"eta": F(1, 2)}],
    "central-sgdm": [{"eta": F(1, 2), "beta": F(1, 2)}, {"eta": F(1, 4), "beta": F(1, 2), "dampened": False}],
    "central-adam": [_EPS],
    "central-adagrad": [_EPS],
    "fedprox": [
        {"gamma": R, "steps": 3, "mu": F(1, 2)},
        {**UNEQUAL, "mu": F(1, 2)},
        {"gamma": R, "steps": 3, "mu": F(1, 2), "inner_rates": [1, F(1, 2), 2]},
        {"mu": F(1, 2), "exact": True},
    ],
    "scaffold": [
        {"gamma": R, "steps": 3},
        {"gamma": R, "steps": 3, "alpha": F(1, 2)},
        {"gamma": R, "steps": 3, "alpha": 0},
        {"gamma": R, "steps": 3, "alpha": F(1, 2), "option": "I"},
        {"gamma": R, "steps": 3, "option": "I"},
        UNEQUAL,
        {**UNEQUAL, "alpha": F(1, 2)},
        {**UNEQUAL, "alpha": F(1, 2), "option": "I"},
    ],
    "fedlin": [{"gamma": R, "steps": 3}, UNEQUAL, {"gamma": R, "steps": 2, "inner_rates": [1, F(1, 2)]}],
    "fednova": [{"gamma": R, "steps": 3}, UNEQUAL, {"gamma": R, "steps": [3, 1, 2]}],
    "mimelite": [
        {"gamma": R, "steps": 3, "beta": F(1, 2)},
        {**UNEQUAL, "beta": F(1, 2)},
        {"gamma": F(1, 6), "steps": 3, "optimizer": {"name": "sgdm", "beta": F(1, 2), "dampened": False}},
        {"gamma": R, "steps": 3, "optimizer": "sgd"},
    ],
    "mfl": [
        {"gamma": F(1, 6), "steps": 3, "beta": F(1, 2)},
        {**UNEQUAL, "beta": F(1, 3)},
        {"gamma": R, "steps": 3, "optimizer": {"name": "sgdm", "beta": F(1, 2)}},
    ],
    "local-sgdm": [
        {"gamma": R, "steps": 3, "beta": F(1, 2), **option}
        for option in (
            {},
            {"states": "keep"},
            {"states": "sync"},
            {"dampened": False},
            {"dampened": False, "states": "keep", "inner_rates": [1, F(1, 2), F(1, 3)]},
            {"states": "sync", "inner_rates": [1, F(1, 2), F(1, 3)]},
            {"bias_correction": True},
            {"bias_correction": True, "states": "keep"},
            {"bias_correction": True, "states": "keep", "dampened": False, "gamma": F(1, 6)},
            {"bias_correction": True, "states": "sync", "dampened": False, "gamma": F(1, 6)},
            {"bias_correction": True, "dampened": False, "correction": "local"},
            {"correction": "local"},
            {"correction": "joint"},
            {"correction": "global"},
            {"correction": "local", "as_printed": True},
            {**UNEQUAL},
            {**UNEQUAL, "states": "keep"},
            {**UNEQUAL, "states": "sync"},
            {**UNEQUAL, "correction": "local"},
            {**UNEQUAL, "correction": "local", "as_printed": True},
        )
    ],
    "local-adagrad": [
        {"gamma": R, "steps": 3, "frozen": FROZEN, **option}
        for option in ({}, {"beta1": F(1, 2)}, {"correction": "local"}, {"correction": "joint", "as_printed": True})
    ],
    "local-adam": [
        {"gamma": R, "steps": 3, "beta1": F(1, 2), "frozen": FROZEN, **option}
        for option in (
            {},
            {"states": "keep"},
            {"states": "sync"},
            {"correction": "local"},
            {"correction": "local", "as_printed": True},
            {"bias_correction": True},
            {"frozen": FROZEN[0]},
        )
    ],
    "local-amsgrad": [{"gamma": R, "steps": 3, "beta1": F(1, 2), "frozen": FROZEN}],
    "local-yogi": [{"gamma": R, "steps": 3, "beta1": F(1, 2), "frozen": FROZEN, "inner_rates": [1, F(1, 2), 2]}],
    "fedlocal": [
        {"gamma": R, "steps": 3, "optimizer": {"name": "sgdm", "beta": F(1, 2)}},
        {"gamma": R, "steps": 3, "optimizer": "sgd", "correction": "local"},
    ],
    "fed-ams": [
        {"gamma": R, "steps": 3, "beta1": F(1, 2), "frozen": FROZEN, **option}
        for option in ({}, {"bias_correction": True, "gamma": F(1, 6)}, {"frozen": FROZEN[0]})
    ],
    "fed-lamb": [{"gamma": R, "steps": 3, "beta1": F(1, 2), "frozen": FROZEN}],
    "stem": [
        {"gamma": R, "steps": 3, "a": F(1, 2)},
        {"gamma": R, "steps": 3, "a": F(1, 2), "first": "zero"},
        {**UNEQUAL, "a": F(1, 3), "first": "zero"},
        {"gamma": R, "steps": 2, "a": 1, "first": "zero"},
    ],
    "fedcm": [
        {"gamma": R, "steps": 3, "alpha": F(1, 2)},
        {**UNEQUAL, "alpha": F(1, 2)},
        {"gamma": R, "steps": 3, "alpha": 1},
    ],
    "fedadam-amended": [{"gamma": R, "steps": 3, "alpha": F(1, 2), **_EPS}],
    "fedlada": [
        {"gamma": R, "steps": 3, "alpha": F(1, 2), "beta1": F(1, 2), "frozen": FROZEN},
        {"gamma": [R, R, F(1, 2)], "steps": 3, "alpha": F(1, 2), "beta1": F(1, 2), "frozen": FROZEN},
        {"gamma": R, "steps": 4, "alpha": F(1, 2), "beta1": F(1, 2), "frozen": FROZEN[1], "as_printed": True},
    ],
    "fedda-sgdm": [
        {"gamma": R, "steps": 3, "beta": F(1, 2), "eta": F(1, 4), **option}
        for option in (
            {},
            {"momentum": "restarted"},
            {"mu": F(1, 2)},
            UNEQUAL,
            {**UNEQUAL, "momentum": "restarted"},
            {"inner_rates": [1, F(1, 2), 2], "momentum": "restarted"},
        )
    ],
    "fedda-adam": [{"gamma": R, "steps": 3, "beta1": F(1, 2), **_EPS, **option} for option in ({}, {"mu": F(1, 2)})],
    "fedda-adagrad": [
        {"gamma": R, "steps": 3, "beta1": F(1, 2), **_EPS, **option}
        for option in ({}, {"mu": F(1, 2)}, UNEQUAL, {"inner_rates": [1, F(1, 2), 2]})
    ],
}

# What these do to (x, state) is not affine, though they rest where a linear method rests.
ADAPTIVE = {
    *("fedopt-adam", "fedopt-adagrad", "fedopt-yogi", "fedopt-amsgrad", "central-adam", "central-adagrad"),
    *("fedda-adam", "fedda-adagrad", "fedadam-amended"),
}

EVERY = [(name, case) for name in dictionary.methods() for case in CASES.get(name, [])]


def linear(name: str, case: Settings) -> bool:
    """Is the round an affine map, the same in every round (corrected momenta that are carried count rounds)?"""
    carried = name == "fedopt-sgdm" or case.get("states", "restart") != "restart"
    surveyed = name == "stem" and case.get("first") != "zero"  # its first round is another
    return name not in ADAPTIVE and not surveyed and not (carried and case.get("bias_correction"))


LINEAR = [(name, case) for name, case in EVERY if linear(name, case)]


def label(value: Any) -> str | None:
    """A readable test id."""
    if isinstance(value, dict):
        return ",".join(f"{k}={_short(v)}" for k, v in value.items())
    return None


def _short(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return "x".join(map(str, value.shape))
    return "[...]" if isinstance(value, list) else str(value).replace(" ", "")


def one_step(name: str, case: Settings) -> Settings:
    """The same settings with one local step a client (as FedLADA prints it, the listing's K = 2 is one step)."""
    steps = 2 if case.get("as_printed") and name == "fedlada" else 1
    changed = dict(case)
    for key in {"steps", "theta", "inner_rates", "frozen"} & set(case):
        listed = isinstance(case[key], list)
        if key == "steps":
            changed[key] = [steps] * len(case[key]) if listed else steps
        elif key == "theta":
            changed[key] = [Theta.sum(1)] * len(case[key]) if listed else Theta.sum(1)
        elif key == "inner_rates":
            changed[key] = case[key][:1]
        else:
            changed[key] = case[key][..., :1, :]
    return changed


def common(case: Settings) -> bool:
    """Does the case make sense for any number of clients and coordinates?"""
    return "frozen" not in case and not any(isinstance(case.get(key), list) for key in ("gamma", "steps", "theta", "P"))
