"""On a laptop, every task learns from real data in a minute or so of one core: far better than chance, or than what
knows no more than how often each answer occurs. `make thorough` fetches the data and plays all; CI leaves them out, for
they need it.

Measured on one core that others used too, in seconds of its own time, evaluation of all test examples included. The
last column: the metric of the best answer that is the same for all (the mean image, the commonest label, word or tags).

    task                   rounds  seconds  metric       start    end   same for all
    autoencoder               120       13  MSE          0.228  0.075          0.100
    cifar10-lenet              30       30  accuracy     0.094  0.298          0.100
    cifar10-resnet18           50       17  accuracy     0.098  0.337          0.100
    cifar100-resnet18          75       35  accuracy     0.008  0.184          0.010
    emnist-cnn                 60       12  accuracy     0.015  0.313          0.016
    fmnist-cnn                 20       19  accuracy     0.100  0.705          0.100
    mnist-cnn                  20       18  accuracy     0.099  0.933          0.114
    mnist-logreg               40        1  accuracy     0.098  0.879          0.114
    mnist-mlp                  20        4  accuracy     0.136  0.894          0.114
    shakespeare-lstm           60       17  accuracy     0.001  0.300          0.164
    tags-logreg               120       13  recall@5     0.009  0.544          0.380
    tinyimagenet-resnet18      50       31  accuracy     0.005  0.125          0.005
    words-lstm                 80       20  accuracy     0.000  0.140          0.057
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

import pytest
import torch

from neural import tasks
from neural.data import catalogue, loading
from neural.engine import Settings
from neural.engine.loop import train
from neural.engine.scheduled_method import ScheduledMethod
from neural.tasks.family import families
from neural.tasks.models.inputs import pixels
from neural.tasks.task import Task
from surrogate.kit.errors import ProblemError
from tests.helpers.needs import lacking

THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"


@dataclass(frozen=True)
class Setting:
    """FedAvg with K steps at rate gamma by M clients a round; ``times``: the metric at the end over the baseline's.

    ``server``: FedAdam's settings instead. With plain means, tags came no further than how often each occurs in 150
    rounds: words are rare, which is what adaptive servers are for.
    """

    gamma: float
    rounds: int
    times: float
    steps: int = 10
    M: int = 10
    server: dict[str, Any] = field(default_factory=dict)
    more: dict[str, Any] = field(default_factory=dict)


SETTINGS = {
    "autoencoder": Setting(100.0, 120, 0.85),
    "cifar10-lenet": Setting(0.05, 30, 2.0, M=5),
    "cifar10-resnet18": Setting(0.3, 50, 2.5, steps=20, M=5, more={"batch": 20}),
    "cifar100-resnet18": Setting(0.5, 75, 10.0, steps=20, M=5),
    "emnist-cnn": Setting(0.1, 60, 15.0),
    "fmnist-cnn": Setting(0.1, 20, 6.0),
    "mnist-cnn": Setting(0.1, 20, 7.0),
    "mnist-logreg": Setting(0.1, 40, 7.0),
    "mnist-mlp": Setting(0.1, 20, 7.0),
    "shakespeare-lstm": Setting(1.0, 60, 1.5, more={"weights": "examples"}),
    "tags-logreg": Setting(100.0, 120, 1.2, server={"eta": 0.5, "eps": 1e-5}, more={"weights": "examples"}),
    "tinyimagenet-resnet18": Setting(0.5, 50, 10.0, steps=20, M=5, more={"batch": 20}),
    "words-lstm": Setting(1.0, 80, 2.0, more={"weights": "examples"}),
}


def baseline(task: Task) -> float:
    """The task's metric for the best answer that is the same for every example, counted on the training examples."""
    data = task.data
    if task.name == "autoencoder":
        mean = pixels(data.x, torch.float32).mean(dim=0)
        return float((pixels(data.test_x, torch.float32) - mean).square().mean())
    metric: Any = next(iter(task.metrics.values()))
    often = data.y.mean(dim=0) if data.y.is_floating_point() else torch.bincount(data.y.flatten()).float()
    if data.y.ndim == 2 and not data.y.is_floating_point():
        often[0], often[metric.keywords["vocabulary"] + 1 :] = 0, 0  # padding, unknown, begin and end count for nothing
    answers = data.test_y.shape[:1] if data.y.is_floating_point() else data.test_y.shape
    hits, count = metric(often.expand(*answers, -1), data.test_y)
    return float(hits) / float(count)


def learnt(name: str) -> tuple[dict[str, float], dict[str, float], float]:
    """What is measured at the start and at the end, and the baseline."""
    chosen = SETTINGS[name]
    task = tasks.build(name, "laptop")
    settings = Settings(clients_per_round=chosen.M, eval_every=chosen.rounds, eval_clients=20, workers=1, **chosen.more)
    method = "fedopt-adam" if chosen.server else "fedavg"
    recipe = ScheduledMethod(method, {"gamma": chosen.gamma, "steps": chosen.steps, **chosen.server})
    reports = list(train(task, recipe, settings, chosen.rounds, engine="auto", device="cpu"))
    return reports[0].read(), reports[-1].read(), baseline(task)


def there(name: str) -> bool:
    """Whether the laptop's data was fetched."""
    try:
        loading.route(catalogue.find(families()[name].sources["laptop"].name))
    except ProblemError:
        return False
    return True


def test_every_task_has_a_setting() -> None:
    assert set(SETTINGS) == set(families())


if THOROUGH:

    @pytest.mark.parametrize("name", SETTINGS)
    def test_it_learns(name: str) -> None:
        if not there(name):
            lacking(f"needs its data: `surrogate data fetch {families()[name].sources['laptop'].name}`")
        first, last, trivial = learnt(name)
        metric = next(iter(families()[name].make(families()[name].sources["laptop"].dims, "laptop").metrics))
        assert last["test_loss"] < first["test_loss"]
        if name == "autoencoder":
            assert last[metric] < SETTINGS[name].times * trivial
        else:
            assert last[metric] > SETTINGS[name].times * trivial
