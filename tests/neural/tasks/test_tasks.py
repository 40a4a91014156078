"""Every task learns in seconds with FedAvg, is built from options that it knows, and can be sent to other processes."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
import torch

from neural import tasks
from neural.engine import Settings
from neural.engine.loop import train
from neural.engine.scheduled_method import ScheduledMethod
from neural.runs.config import Config
from neural.runs.key import folder_name
from neural.tasks import catalogue
from neural.tasks import task as registry
from neural.tasks.family import families, parameters
from surrogate.cli.main import main
from surrogate.kit.errors import ProblemError

# Rate, and what the metric must reach: far from chance (0.1 of ten classes, 1/30 of tokens, the mean image's error).
GOALS: dict[str, tuple[float, float]] = {
    "autoencoder": (30.0, 0.06),
    "cifar10-lenet": (0.1, 0.8),
    "cifar10-resnet18": (0.1, 0.4),
    "cifar100-resnet18": (0.1, 0.4),
    "emnist-cnn": (0.1, 0.8),
    "fmnist-cnn": (0.1, 0.8),
    "mnist-cnn": (0.1, 0.8),
    "mnist-logreg": (0.1, 0.8),
    "mnist-mlp": (0.1, 0.8),
    "shakespeare-lstm": (2.0, 0.2),
    "tags-logreg": (300.0, 0.6),
    "tinyimagenet-resnet18": (0.1, 0.4),
    "words-lstm": (2.0, 0.2),
}
SLOW = ("autoencoder", "shakespeare-lstm")  # stacks of sigmoids, of LSTMs: they wait before they learn


def test_every_task_has_a_goal() -> None:
    assert set(GOALS) == set(families()) == set(tasks.names()) - {"quadratic"}


@pytest.mark.parametrize("name", GOALS)
def test_fedavg_learns(name: str) -> None:
    """Five of the clients a round, rounds of ten steps."""
    rate, goal = GOALS[name]
    rounds = 40 if name in SLOW else 10
    task = tasks.build(name, "smoke", seed=1, batch=10)
    settings = Settings(seed=0, clients_per_round=5, eval_every=rounds)
    recipe = ScheduledMethod("fedavg", {"gamma": rate, "steps": 10})
    reports = list(train(task, recipe, settings, rounds, engine="sequential", device="cpu"))
    first, last = reports[0].read(), reports[-1].read()
    assert last["loss"] < first["loss"] and last["test_loss"] < first["test_loss"]
    ((metric, better),) = task.better.items()
    assert last[metric] > goal if better == "max" else last[metric] < goal


@pytest.mark.parametrize("name", GOALS)
def test_tasks_travel_to_other_processes(name: str) -> None:
    task = tasks.build(name, "smoke")
    again = pickle.loads(pickle.dumps(task))
    x, y = task.data.x[:3], task.data.y[:3]
    torch.manual_seed(0)
    outputs = task.model()(x)
    torch.manual_seed(0)
    torch.testing.assert_close(again.loss(again.model()(x), y), task.loss(outputs, y))
    assert (again.augment is None) == (task.augment is None)


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("emnist-cnn", {"model": "vgg"}, "mcmahan"),
        ("emnist-cnn", {"modle": "fedda"}, "model"),
        ("emnist-cnn", {"width": 0.0}, "width"),
        ("emnist-cnn", {"classes": 1}, "2 to 10"),
        ("emnist-cnn", {"classes": 63}, "2 to 10"),
        ("emnist-cnn", {"shrink": 0}, "from 1 to 28"),
        ("emnist-cnn", {"shrink": 29}, "from 1 to 28"),
        ("cifar10-resnet18", {"shrink": "16"}, "divisor"),
        ("mnist-cnn", {"shrink": 2}, "14 x 14"),
        ("words-lstm", {"shrink": 2}, "shrink"),
        ("shakespeare-lstm", {"classes": 5}, "classes"),
        ("mnist-mlp", {"dropout": 50}, "percentage"),
        ("cifar10-resnet18", {"depth": 9}, "depth"),
        ("cifar10-resnet18", {"width": 5}, "multiple"),
        ("cifar10-resnet18", {"augment": "mixup"}, "crop24"),
        ("cifar10-lenet", {"activation": "swish"}, "gelu"),
        ("shakespeare-lstm", {"units": 0}, "units"),
        ("shakespeare-lstm", {"alpha": 0.3}, "alpha"),
        ("mnist-logreg", {"width": 2}, "width"),
    ],
)
def test_options_that_make_no_sense_are_refused(name: str, options: dict[str, Any], words: str) -> None:
    with pytest.raises(ProblemError, match=words):
        tasks.build(name, "smoke", **options)


def test_options_reach_the_data_and_the_model() -> None:
    task = tasks.build("emnist-cnn", "smoke", clients=7, limit=70, split="dirichlet", alpha=0.5, batch=3, model="fedda")
    assert (task.data.n, len(task.data.x), task.batch, task.random) == (7, 70, 3, True)
    assert int(task.data.sizes.sum()) == 70
    assert not tasks.build("mnist-mlp", "smoke", dropout=0).random


@pytest.mark.parametrize("name", [name for name, family in families().items() if family.kind == "images"])
def test_images_of_the_first_classes(name: str) -> None:
    """Three classes: no other label occurs, the model has three outputs (those of an autoencoder are its pixels)."""
    task = tasks.build(name, "smoke", classes=3, limit=60, clients=4, split="dirichlet", alpha=0.3)
    assert task.options["classes"] == 3 and (task.data.n, len(task.data.x)) == (4, 60)
    assert task.data.source.endswith("3 of its 10 classes")
    if name != "autoencoder":
        assert task.data.classes == 3 and set(task.data.y.tolist()) == {0, 1, 2} == set(task.data.test_y.tolist())
        outputs = task.model().eval()(task.data.test_x[:2], *[None] * task.random)
        assert outputs.shape == (2, 3)
        assert sum(p.numel() for p in task.model().parameters()) == parameters(name, "smoke", classes=3)


@pytest.mark.parametrize("name", ["emnist-cnn", "mnist-mlp", "mnist-logreg", "cifar100-resnet18", "autoencoder"])
def test_images_with_a_quarter_of_the_pixels(name: str) -> None:
    """Each is the mean of four of the whole image's, which the data say; the model fits them."""
    whole, few = tasks.build(name, "smoke"), tasks.build(name, "smoke", shrink=2)
    expected, rounded = torch.nn.functional.avg_pool2d(whole.data.x.double(), 2), not whole.data.x.is_floating_point()
    torch.testing.assert_close(few.data.x.double(), expected, rtol=0, atol=0.51 if rounded else 1e-6)
    assert few.data.test_x.shape == (len(whole.data.test_x), *expected.shape[1:])
    assert torch.equal(few.data.y if name != "autoencoder" else few.data.x, few.data.y)
    assert "each pixel the mean of 2 x 2" in few.data.source and "mean of" not in whole.data.source
    assert len(few.model().eval()(few.data.x[:2], *[None] * few.random)) == 2
    assert sum(p.numel() for p in few.model().parameters()) == parameters(name, "smoke", shrink=2)


def test_options_of_images_alone_are_part_of_the_key(capsys: pytest.CaptureFixture[str]) -> None:
    for name, family in families().items():
        options, about = tasks.describe(name)
        for option in ("classes", "shrink"):
            assert (option in options) == (f"``{option}``" in about) == (family.kind == "images")
    assert main(["tasks", "emnist-cnn"]) == 0
    assert "\n  classes  its own\n" in capsys.readouterr().out
    common = {"task": "emnist-cnn", "method": "fedavg", "gamma": 0.1, "steps": 3}
    keys = [folder_name(Config.of({**common, **more})) for more in ({}, {"classes": 3}, {"classes": 4}, {"shrink": 2})]
    assert len(set(keys)) == 4


def test_made_up_data_are_a_function_of_the_seed() -> None:
    one, same, other = (tasks.build("words-lstm", "smoke", seed=s).data.x for s in (0, 0, 1))
    assert torch.equal(one, same) and not torch.equal(one, other)


def test_the_autoencoders_targets_are_its_inputs() -> None:
    data = tasks.build("autoencoder", "smoke").data
    assert data.y is data.x and data.test_y is data.test_x


def test_the_list(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["tasks", "--json", str(tmp_path / "tasks.json")]) == 0
    printed = capsys.readouterr().out
    listed = {entry["name"]: entry for entry in json.loads((tmp_path / "tasks.json").read_text())}
    assert set(listed) == set(tasks.names()) and all(f"\n{name} " in printed for name in listed)
    assert listed["emnist-cnn"]["parameters"]["paper"] == 1_690_046 and "1,690,046" in printed
    assert main(["tasks", "cifar10-lenet"]) == 0
    assert "activation" in capsys.readouterr().out
    assert main(["tasks", "--json", str(tmp_path / "none" / "tasks.json")]) == 2


def test_the_catalogue_lists_what_the_files_register() -> None:
    homes = {name: registry._factory(name).__module__ for name in catalogue.FILES}
    assert homes == {name: f"neural.tasks.{file}" for name, file in catalogue.FILES.items()}
    assert set(registry._FACTORIES) == set(catalogue.FILES)
