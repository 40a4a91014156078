"""Same seed, same loss path: every engine follows the sequential reference, to rounding."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
import torch

from neural.engine import Settings, build
from neural.engine.draws import Draws
from neural.engine.loop import Report, train
from neural.engine.scheduled_method import ScheduledMethod
from neural.engine.schedules import Schedule
from neural.flat import Flat
from neural.tasks.models import CNN
from surrogate import ProblemError, Theta, methods
from tests.helpers.neural import small

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


class Product(torch.nn.Module):
    """Scores by a matrix of low rank, U V."""

    def __init__(self) -> None:
        super().__init__()
        self.U, self.V = (torch.nn.Parameter(0.3 * torch.randn(*shape)) for shape in ((36, 3), (3, small.CLASSES)))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.flatten(start_dim=1) @ (self.U @ self.V)


class Gated(torch.nn.Module):
    """Weights that are used transposed as well, and a bias that is a product."""

    def __init__(self) -> None:
        super().__init__()
        self.W, self.out = torch.nn.Parameter(0.3 * torch.randn(36, 36)), torch.nn.Linear(36, small.CLASSES)
        self.a, self.b = (torch.nn.Parameter(torch.randn(small.CLASSES)) for _ in range(2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.out(x.flatten(start_dim=1) @ (self.W @ self.W.T)) + self.a * self.b


def run(engine: str, name: str, dtype: torch.dtype, method: str, rounds: int = 5, **settings: Any) -> list[Report]:
    recipe = ScheduledMethod(method, RECIPES[method])
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


@pytest.mark.parametrize("name", small.MODELS)
def test_batched_in_float32(name: str) -> None:
    compare(*(run(engine, name, torch.float32, "fedavg") for engine in ("sequential", "batched")), 1e-4)


@pytest.mark.parametrize("name", small.MODELS)
def test_epochs_are_steps_one_a_client(name: str) -> None:
    """Two passes over its own data: clients differ in their number of steps, and engines still agree."""
    task = small.task(name)
    recipe = ScheduledMethod("fednova", {"gamma": 0.1}).for_epochs(2, task.data.sizes, task.batch)
    assert recipe.settings["steps"] == [6, 1, 2, 8, 4, 6, 2]
    ends = [
        list(train(task, recipe, Settings(), 3, engine=engine, device="cpu")) for engine in ("sequential", "batched")
    ]
    compare(*ends, 1e-10)


@pytest.mark.parametrize("model", [Product, Gated])
@pytest.mark.parametrize("engine", ["inplace", "batched"])
def test_parameters_that_multiply_each_other(model: Any, engine: str) -> None:
    """The gradient of U holds V and that of V holds U: both are taken before either moves."""
    task = small.task("cnn", model=model)
    compare(
        *(
            list(train(task, ScheduledMethod("fedavg", STEPS), Settings(), 3, engine=e, device="cpu"))
            for e in ("sequential", engine)
        ),
        1e-10,
    )


MOVES = [("fedavg", {}), ("scaffold", {}), ("fednova", {"steps": [2, 4, 3, 2, 4, 3, 2]}), ("local-adam", {})]
MOVES += [("local-adam", {"correction": kind}) for kind in ("local", "global", "joint")]  # which send q beside it


@pytest.mark.parametrize("engine", ["sequential", "batched"])
@pytest.mark.parametrize("name, more", MOVES)
def test_consistency_is_how_far_clients_end_from_the_server(name: str, more: dict[str, Any], engine: str) -> None:
    """mean ||y_i - x+||^2 with the y_i of each client by itself."""
    task, settings = small.task("logistic"), Settings(seed=4, clients_per_round=4, weights="examples")
    recipe = ScheduledMethod(name, {**STEPS, **more, "eta": 0.5})
    first, second = list(train(task, recipe, settings, 1, engine=engine, device="cpu"))
    draws = Draws(task, settings)
    plain, method, before = build("sequential", task, settings, "cpu", draws), recipe.at(0), first.position.state
    wanted = 0.0
    for v in draws.visits(0):
        sent, _ = method.local(before, method.enrol(before["x"]), plain.client(v, 0), v.client)
        wanted += v.share * float((before["x"] - sent["delta"] - second.position.state["x"]).square().sum())
    assert second.read()["consistency"] == pytest.approx(wanted, rel=1e-10)


def test_where_clients_send_something_else_there_is_no_consistency() -> None:
    recipe = ScheduledMethod("reptile", {**STEPS, "eta": 1.0})
    for engine in ("sequential", "batched"):
        _, report = train(small.task("logistic"), recipe, Settings(), 1, engine=engine, device="cpu")
        assert "consistency" not in report.read() and report.read()["update_norm"] > 0


def test_rates_one_a_client() -> None:
    rates = [0.1, 0.2, 0.05, 0.1, 0.3, 0.1, 0.2]
    recipe = ScheduledMethod("reptile", {"gamma": rates, "steps": [1, 2, 3, 1, 2, 3, 4], "eta": 0.1})
    task = small.task("cnn")
    ends = [
        list(train(task, recipe, Settings(), 3, engine=engine, device="cpu")) for engine in ("sequential", "batched")
    ]
    compare(*ends, 1e-10)


@pytest.mark.parametrize("batch", [0, 3])
@pytest.mark.parametrize("name", small.MODELS)
def test_full_batches(name: str, batch: int) -> None:
    compare(*(run(engine, name, torch.float64, "fedavg", batch=batch) for engine in ("sequential", "batched")), 1e-10)


@pytest.mark.parametrize("method", ["fedavg", "scaffold", "local-update", "local-adam"])
@pytest.mark.parametrize("engine", ["inplace", "batched", "workers"])
def test_channels_last(engine: str, method: str) -> None:
    """Kernels that lie otherwise in memory than in the vector, of many channels and of few."""
    recipe = ScheduledMethod(method, RECIPES.get(method) or {"theta": Theta([1, 0, 2]), "eta": 0.1, "gamma": 0.1})
    for model in (small.Convolutions, partial(CNN, 6, small.CLASSES, filters=(16, 32), dense=8)):
        task, settings = small.task("cnn", model=model), Settings(seed=5, channels_last=True, workers=2)
        ends = [list(train(task, recipe, settings, 2, engine=by, device="cpu")) for by in ("sequential", engine)]
        compare(*ends, 1e-10)


def test_gradients_by_hand_are_those_of_autograd() -> None:
    """The logistic task with and without its ``by_hand``."""
    ends = []
    for changed in ({}, {"by_hand": None}):
        task = small.task("logistic", **changed)
        ends.append(list(train(task, ScheduledMethod("fedavg", STEPS), Settings(), 3, engine="batched", device="cpu")))
    compare(*ends, 1e-12)


def test_every_method_trains_a_network_in_both() -> None:
    """No method of the registry needs more than the engines give."""
    for name in methods.names():
        settings = enough(name)
        task = small.task("logistic", data=small.data(torch.float64, (4, 6, 5)))
        recipe = ScheduledMethod(name, settings)
        one, other = (
            list(train(task, recipe, Settings(), 2, engine=e, device="cpu")) for e in ("sequential", "batched")
        )
        compare(one, other, 1e-8)


@pytest.mark.parametrize("name", methods.names())
def test_clients_that_cannot_take_part_change_nothing(name: str) -> None:
    """Methods whose server counts clients (SCAFFOLD, CLIMB) must not count those without examples."""
    ends = [
        list(train(small.task("logistic", data=small.data(torch.float64, sizes)), ScheduledMethod(name, enough(name)),
                   Settings(seed=4), 3, engine="batched", device="cpu"))
        for sizes in ((4, 6, 5), (4, 6, 5, 0, 0, 0))
    ]  # fmt: skip
    compare(*ends, 1e-12)


def enough(name: str) -> dict[str, Any]:
    """Settings for whatever a method requires."""
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


def test_layerwise_methods_know_the_layers_of_the_model() -> None:
    task = small.task("mlp")
    recipe = ScheduledMethod("fed-lamb", {"gamma": 0.01, "steps": 2, "eps": 0.1})
    known = recipe.on(task.dtype, torch.device("cpu"), Flat(task.model()).layers)
    assert [part.stop - part.start for part in known.settings["layers"]] == [432, 12, 48, 4]
    assert known.at(0).settings["layers"] == known.settings["layers"]
    ends = [list(train(task, recipe, Settings(), 2, engine=e, device="cpu")) for e in ("sequential", "batched")]
    compare(*ends, 1e-10)


def test_recurrent_models_are_not_batched() -> None:
    class Recurrent(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.cell = torch.nn.LSTM(36, small.CLASSES, batch_first=True)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.cell(x.flatten(start_dim=1)[:, None])[0][:, 0]

    task = small.task("cnn", model=Recurrent)
    with pytest.raises(ProblemError, match="recurrent"):
        list(train(task, ScheduledMethod("fedavg", STEPS), Settings(), 1, engine="batched", device="cpu"))
    list(train(task, ScheduledMethod("fedavg", STEPS), Settings(), 1, engine="sequential", device="cpu"))


def test_learning() -> None:
    """FedAvg tells the quarters apart, from a quarter right to nearly all."""
    reports = list(
        train(small.task("cnn"), ScheduledMethod("fedavg", STEPS), Settings(), 30, engine="batched", device="cpu")
    )
    assert reports[-1].read()["accuracy"] > 0.8


def test_a_run_that_is_cut_goes_on_as_if_it_were_not() -> None:
    """Positions hold all that a run needs: 2 + 3 rounds are 5, to the bit."""
    task, recipe = small.task("mlp"), ScheduledMethod("scaffold", STEPS, gamma_schedule=Schedule("decay", factor=0.9))
    settings = Settings(seed=2, clients_per_round=3)
    whole = list(train(task, recipe, settings, 5, engine="sequential", device="cpu"))
    rest = list(train(task, recipe, settings, 5, engine="sequential", device="cpu", start=whole[2].position))
    assert [report.position.rounds for report in rest] == [3, 4, 5]
    assert torch.equal(rest[-1].position.state["x"], whole[-1].position.state["x"])
    assert all(torch.equal(rest[-1].position.own[i]["c"], own["c"]) for i, own in whole[-1].position.own.items())
