"""States of all kinds, for tests that hold of every one."""

from __future__ import annotations

from typing import Any

import numpy as np

from figures.explorer import State, menu

PLANE: dict[str, Any] = {"problem": {"preset": "plane"}}
OWN = {"kind": "c", "A": [[[1, 0], [0, 3]], [[2, 1], [1, 1]]], "v": [[0, 1], [2, -1]], "weights": [0.25, 0.75]}
SINGULAR = {"kind": "b", "A": [[[1, 0], [0, 0]], [[0, 0], [0, 2]]], "v": [[1, 0], [0, 1]]}
WITHOUT_MINIMIZER = {"kind": "b", "A": [[[1, 0], [0, 0]], [[1, 0], [0, 2]]], "v": [[1, 1], [0, 1]]}
EXAMPLES = {"kind": "examples", "A": [[[1]], [[2]], [[4]]], "v": [[0], [1], [3]], "owner": [0, 0, 1]}

VARIOUS: dict[str, dict[str, Any]] = {
    "two clients": {},
    "steep": PLANE | {"gamma": 1.7, "steps": 4},
    "beyond": PLANE | {"gamma": 2.5, "steps": 3, "eta": "best"},
    "last": PLANE | {"theta": "last", "steps": 5, "gamma": 0.3},
    "maml": PLANE | {"theta": "maml", "steps": 2, "gamma": 0.3, "eta": 0.5},
    "by hand": PLANE | {"theta": [1, 0, 0.5], "gamma": 0.3},
    "million steps": PLANE | {"steps": 1_000_000},
    "own": {"problem": OWN, "start": [3, 3], "rounds": 7, "eta": 0.125},
    "singular": {"problem": SINGULAR, "gamma": 0.2},
    "without minimizer": {"problem": WITHOUT_MINIMIZER, "gamma": 0.2},
    "sampled": PLANE | {"per_round": 2, "sampling": "uniform"},
    "minibatches": {"problem": {"preset": "plane", "spread": 0.5}, "batch": 2, "per_round": 1},
    "examples": {"problem": EXAMPLES, "gamma": 0.1, "batch": 1},
    "density": {"problem": {"preset": "density"}, "gamma": 0.4},
    "preconditioned": PLANE | {"method": "preconditioned", "P": [[1, 2], [0.5, 1], [3, 1]], "gamma": 0.2},
    **{
        f"corrected {kind}": PLANE
        | {"method": "preconditioned", "P": [[1, 2], [0.5, 1], [3, 1]], "gamma": 0.2, "steps": 4, "correction": kind}
        for kind in ("local", "joint", "global")
    },
    "fedprox": PLANE | {"method": "fedprox", "settings": {"mu": 0.25}},
}


def own_population(n: int = 10, d: int = 2, seed: int = 0) -> dict[str, Any]:
    """n clients in d dimensions."""
    rng = np.random.default_rng(seed)
    roots = rng.normal(size=(n, d, d))
    A = roots @ roots.transpose(0, 2, 1) + 0.1 * np.eye(d)
    return {"kind": "c", "A": A.tolist(), "v": rng.normal(size=(n, d)).tolist()}


def of_each_method() -> list[State]:
    """Each method of the menu on the plane."""
    return [State.of(PLANE | {"method": name, "gamma": 0.1, "steps": 3}) for name in menu.choices()]


def various() -> dict[str, State]:
    """A state of each kind."""
    return {name: State.of(given) for name, given in VARIOUS.items()}
