"""No round of any method waits for the device: tensors without numbers, which refuse to be read, go through it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch
from torch._subclasses.fake_tensor import DataDependentOutputException, FakeTensor

from neural.engine import Batched, Sequential, Settings
from neural.engine.draws import Draws
from neural.engine.loop import Report, train
from neural.engine.objective import Examples
from neural.engine.scheduled_method import ScheduledMethod
from neural.tasks.quadratic import from_clients
from surrogate import methods
from tests.helpers.neural import small
from tests.helpers.neural.fake_cuda import fake_device
from tests.helpers.surrogate.dictionary_populations import fixed
from tests.neural.test_engines_agree import enough


def fake_rounds(kind: Any, task: Any, recipe: ScheduledMethod, device: str, rounds: int = 2) -> Report:
    """The last report of a run, evaluation included, on a fake device."""
    settings = Settings(clients_per_round=3, loss_before=True, weight_decay=0.01)
    draws = Draws(task, settings)
    made = kind(task, settings, torch.device("cpu"), draws)  # its data are real until here
    with fake_device(device) as where:
        made.objective.device = where
        made.objective.data = Examples(*(part.to(where) for part in made.objective.data))
        report = list(train(task, recipe, settings, rounds, engine=made, draws=draws))[-1]
        x = report.position.state["x"]
        assert isinstance(x, FakeTensor) and x.device.type == where.type
        with pytest.raises(DataDependentOutputException):
            report.measures["update_norm"].item()
    return report


@pytest.mark.parametrize("device", ["cuda", "cpu"])
@pytest.mark.parametrize("kind", [Sequential, Batched])
@pytest.mark.parametrize("name", methods.names())
def test_every_method(name: str, kind: Any, device: str) -> None:
    task = small.task("logistic", torch.float32, data=small.data(torch.float32, (4, 6, 5)))
    report = fake_rounds(kind, task, ScheduledMethod(name, enough(name)), device)
    assert {"update_norm", "loss_before", "loss", "accuracy", "test_loss"} <= report.measures.keys()


@pytest.mark.parametrize("device", ["cuda", "cpu"])
@pytest.mark.parametrize("kind", [Sequential, Batched])
@pytest.mark.parametrize("name", ["mlp", "cnn"])
def test_every_kind_of_model(name: str, kind: Any, device: str) -> None:
    """Dropout, augmentation, convolutions."""
    recipe = ScheduledMethod("scaffold", {**enough("scaffold"), "option": "I"})
    report = fake_rounds(kind, small.task(name, torch.float32), recipe, device)
    assert "update_norm" in report.measures


@pytest.mark.parametrize("kind", [Sequential, Batched])
def test_quadratics(kind: Any) -> None:
    task = from_clients(fixed().to_float())
    report = fake_rounds(kind, task, ScheduledMethod("fedprox", {"mu": 0.1, "exact": True}), "cuda")
    assert "update_norm" in report.measures


def test_reading_is_refused() -> None:
    """What the other tests rest on: a round that looks at a number does not pass."""
    task = small.task("logistic", torch.float32)

    def curious(name: str, **settings: Any) -> methods.Method:
        method = methods.build(name, **settings)

        def update(state: Any, message: Any, drawn: int, clients: int) -> Any:
            return method.update(state, message, drawn, clients) if float(message["delta"][0]) < 1e9 else state

        return replace(method, update=update)

    for device in ("cuda", "cpu"):
        with pytest.raises(DataDependentOutputException):
            fake_rounds(Batched, task, ScheduledMethod("fedavg", enough("fedavg"), maker=curious), device)
