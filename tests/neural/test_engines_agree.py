"""Same seed, same loss path: every engine follows the sequential reference, to rounding."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from neural.engine import Settings
from neural.engine.loop import Report, train
from neural.engine.recipe import Recipe
from surrogate import methods
from tests.neural import small

STEPS = {"gamma": 0.1, "steps": 4}
RECIPES: dict[str, dict[str, Any]] = {
    "fedavg": STEPS,
    "scaffold": {**STEPS, "option": "I"},
    "fedprox": {**STEPS, "mu": 0.1},
    "mimelite": STEPS,
    "fedda-sgdm": {**STEPS, "eta": 0.1},
    "fedlada": {**STEPS, "gamma": 0.01, "initial": 0.01},
    "local-adam": {**STEPS, "gamma": 0.01, "states": "keep", "bias_correction": True, "correction": "none"},
    "fedopt-yogi": {**STEPS, "eta": 0.01},
}


def run(engine: str, name: str, dtype: torch.dtype, method: str, rounds: int = 5, **settings: Any) -> list[Report]:
    recipe = Recipe(method, RECIPES[method])
    chosen = Settings(seed=5, clients_per_round=5, loss_before=True, weights="examples", **settings)
    return list(train(small.task(name, dtype), recipe, chosen, rounds, engine=engine, device="cpu"))


def compare(one: list[Report], other: list[Report], tolerance: float) -> None:
    for a, b in zip(one, other, strict=True):
        left, right = a.read(), b.read()
        assert left.keys() == right.keys()
        for key in left:
            np.testing.assert_allclose(right[key], left[key], rtol=tolerance, atol=tolerance, err_msg=key)
    ends = [reports[-1].position.state["x"] for reports in (one, other)]
    torch.testing.assert_close(ends[1], ends[0], rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("method", RECIPES)
@pytest.mark.parametrize("name", small.MODELS)
def test_batched_in_float64(name: str, method: str) -> None:
    one, other = (run(engine, name, torch.float64, method, weight_decay=0.01) for engine in ("sequential", "batched"))
    compare(one, other, 1e-10)
    assert one[-1].read()["loss"] < 0.9 * one[0].read()["loss"] or RECIPES[method] is not STEPS


@pytest.mark.parametrize("name", small.MODELS)
def test_batched_in_float32(name: str) -> None:
    compare(*(run(engine, name, torch.float32, "fedavg") for engine in ("sequential", "batched")), 1e-4)


@pytest.mark.parametrize("name", small.MODELS)
def test_epochs_are_steps_one_a_client(name: str) -> None:
    """Two passes over its own data: clients differ in their number of steps, and engines still agree."""
    task = small.task(name)
    recipe = Recipe("fednova", {"gamma": 0.1}).for_epochs(2, task.data.sizes, task.batch)
    assert recipe.settings["steps"] == [6, 1, 2, 8, 4, 6, 2]
    ends = [
        list(train(task, recipe, Settings(), 3, engine=engine, device="cpu")) for engine in ("sequential", "batched")
    ]
    compare(*ends, 1e-10)


def test_rates_one_a_client() -> None:
    rates = [0.1, 0.2, 0.05, 0.1, 0.3, 0.1, 0.2]
    recipe = Recipe("reptile", {"gamma": rates, "steps": [1, 2, 3, 1, 2, 3, 4], "eta": 0.1})
    task = small.task("cnn")
    ends = [
        list(train(task, recipe, Settings(), 3, engine=engine, device="cpu")) for engine in ("sequential", "batched")
    ]
    compare(*ends, 1e-10)


@pytest.mark.parametrize("batch", [0, 3])
@pytest.mark.parametrize("name", small.MODELS)
def test_full_batches(name: str, batch: int) -> None:
    compare(*(run(engine, name, torch.float64, "fedavg", batch=batch) for engine in ("sequential", "batched")), 1e-10)


def test_gradients_by_hand_are_those_of_autograd() -> None:
    """The logistic task with and without its ``by_hand``."""
    ends = []
    for changed in ({}, {"by_hand": None}):
        task = small.task("logistic", **changed)
        ends.append(list(train(task, Recipe("fedavg", STEPS), Settings(), 3, engine="batched", device="cpu")))
    compare(*ends, 1e-12)


def test_every_method_trains_a_network_in_both() -> None:
    """No method of the registry needs more than the engines give."""
    for name in methods.names():
        settings = enough(name)
        task = small.task("logistic", data=small.data(torch.float64, (4, 6, 5)))
        recipe = Recipe(name, settings)
        one, other = (
            list(train(task, recipe, Settings(), 2, engine=e, device="cpu")) for e in ("sequential", "batched")
        )
        compare(one, other, 1e-8)


def enough(name: str) -> dict[str, Any]:
    """Settings for whatever a method requires."""
    from surrogate import Theta

    known: dict[str, Any] = {"gamma": 0.05, "steps": 3, "eta": 0.05, "theta": Theta.sum(3), "mu": 0.1}
    known |= {"P": 0.5 * torch.eye(148, dtype=torch.float64), "optimizer": "adam"}
    required = {
        key
        for key, default in methods.describe(name).settings.items()
        if isinstance(default, str) and default == "required"
    }
    if name == "fedprox":
        required |= {"gamma", "steps"}
    assert required <= known.keys(), f"{name} requires {required - known.keys()}: say here what to give it"
    return {key: known[key] for key in required}
