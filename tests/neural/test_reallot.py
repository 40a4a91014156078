"""All examples dealt out anew each round to the clients that take part (LAMB section 5)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from neural.engine import Draws, Settings
from neural.engine.loop import train
from neural.engine.reallot import Deal
from neural.engine.scheduled_method import ScheduledMethod
from neural.runs.config import Config
from neural.runs.run import run
from neural.tasks import task as tasks
from surrogate.kit.errors import ProblemError
from tests.helpers.neural import small

TOTAL = sum(small.SIZES)


def dealt(task: tasks.Task, settings: Settings, t: int) -> list[Any]:
    """The positions that each client of round t has."""
    draws = Draws(task, settings)
    return [draws.batches(t, visit).owned for visit in draws.visits(t)]


@pytest.mark.parametrize("M", [1, 3, 7])
def test_iid_deals_everything_in_equal_parts(M: int) -> None:
    parts = dealt(small.task("mlp"), Settings(clients_per_round=M, weights=(1.0,) * 7, reallot="iid"), 4)
    assert sorted(np.concatenate(parts).tolist()) == list(range(TOTAL))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@pytest.mark.parametrize("M", [1, 3, 4, 6])
def test_one_class_gives_each_client_a_label_alone(M: int) -> None:
    task = small.task("mlp")
    parts = Deal(task, "one_class").parts(M, np.random.default_rng(5))
    labels = [set(task.data.y[torch.from_numpy(part)].tolist()) for part in parts]
    together = np.concatenate(parts)
    assert all(len(label) == 1 for label in labels) and len(set(together.tolist())) == len(together)
    assert len(set.union(*labels)) == min(M, small.CLASSES)
    assert len(together) == sum(int((task.data.y == label).sum()) for label in set.union(*labels))


def test_more_clients_than_examples_are_refused() -> None:
    task = small.task("mlp", data=small.data(torch.float64, (1, 1, 1)))
    with pytest.raises(ProblemError, match="an example for each"):
        Deal(task, "iid").parts(4, np.random.default_rng(0))


@pytest.mark.parametrize("kind", ["iid", "one_class"])
def test_a_deal_is_a_function_of_seed_and_round(kind: Any) -> None:
    task = small.task("mlp")
    settings = Settings(clients_per_round=5, reallot=kind)

    def same(one: list[Any], other: list[Any]) -> bool:
        return len(one) == len(other) and all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))

    draws = Draws(task, settings)
    first, other, again = ([draws.batches(t, v).owned for v in draws.visits(t)] for t in (2, 3, 2))  # in any order
    assert same(first, again) and same(first, dealt(task, settings, 2))
    assert not same(first, other)
    assert not same(first, dealt(task, Settings(seed=1, clients_per_round=5, reallot=kind), 2))


@pytest.mark.parametrize("kind", ["iid", "one_class"])
@pytest.mark.parametrize("name", ["mlp", "logistic"])
def test_engines_agree_and_the_data_stays_as_it_is(name: str, kind: Any) -> None:
    task = small.task(name)
    order, settings = task.data.order.clone(), Settings(clients_per_round=4, reallot=kind, loss_before=True)
    recipe = ScheduledMethod("scaffold", {"gamma": 0.1, "steps": 4})
    paths = [
        [report.read() for report in train(task, recipe, settings, 3, engine=engine, device="cpu")]
        for engine in ("sequential", "inplace", "batched")
    ]
    for path in paths[1:]:
        for mine, reference in zip(path, paths[0], strict=True):
            assert mine == pytest.approx(reference, rel=1e-9)
    assert torch.equal(task.data.order, order)
    own = [r.read() for r in train(task, recipe, Settings(clients_per_round=4), 3, engine="sequential", device="cpu")]
    assert own[-1]["loss"] != pytest.approx(paths[0][-1]["loss"], rel=1e-6)


def test_worker_processes_deal_the_same() -> None:
    """Each makes the deal for itself, from seed and round; what clients keep follows them from part to part."""
    task = small.task("cnn")
    settings = Settings(seed=3, clients_per_round=4, reallot="one_class", loss_before=True, workers=2, threads=1)
    recipe, paths, ends = ScheduledMethod("scaffold", {"gamma": 0.1, "steps": 4}), [], []
    for engine in ("sequential", "workers"):
        reports = list(train(task, recipe, settings, 3, engine=engine, device="cpu"))
        paths.append([report.read() for report in reports])
        ends.append(reports[-1].position)
    for mine, reference in zip(paths[1], paths[0], strict=True):
        assert mine == pytest.approx(reference, rel=1e-9)
    torch.testing.assert_close(ends[1].state["x"], ends[0].state["x"], rtol=1e-10, atol=1e-12)
    assert ends[1].own.keys() == ends[0].own.keys() != set()
    for i, kept in ends[0].own.items():
        torch.testing.assert_close(ends[1].own[i]["c"], kept["c"], rtol=1e-10, atol=1e-12)


def test_a_run_deals_anew_and_an_epoch_is_one_of_the_parts(tmp_path: Path) -> None:
    """400 examples to 5 clients: 80 each, 4 steps of 20 an epoch, where each client's own 40 would make 2."""
    keys = {"task": "mnist-logreg", "method": "fedavg", "scale": "smoke", "gamma": 0.1, "rounds": 2, "epochs": 1}
    config = Config.of({**keys, "clients_per_round": 5, "reallot": "iid", "engine": "sequential"})
    steps = Config.of({**keys, "epochs": None, "steps": 4, "clients_per_round": 5, "reallot": "iid",
                       "engine": "sequential"})  # fmt: skip
    one, other = (run(c, tmp_path) for c in (config, steps))
    assert one.rows[-1]["loss"] == other.rows[-1]["loss"] < one.rows[0]["loss"]


@pytest.mark.parametrize(
    ("task", "keys", "words"),
    [
        ("quadratic", {"reallot": "iid"}, "quadratics"),
        ("tags-logreg", {"reallot": "one_class"}, 'reallot="iid"'),
        ("mnist-logreg", {"reallot": "dirichlet"}, "one_class"),
        ("mnist-logreg", {"reallot": "iid", "weights": "examples"}, "uniform"),
    ],
)
def test_what_cannot_be_dealt_is_refused(task: str, keys: dict[str, Any], words: str) -> None:
    with pytest.raises(ProblemError, match=words):
        Draws(tasks.build(task, "smoke"), Settings(**keys))


def test_epochs_of_parts_that_grow_are_refused() -> None:
    with pytest.raises(ProblemError, match=r'epochs(.|\n)*sampling="iid"'):
        Settings(reallot="iid", sampling="iid", clients_per_round=2).sizes([3, 4])


def test_epochs_of_parts_of_unknown_size_are_refused() -> None:
    with pytest.raises(ProblemError, match="pass steps"):
        Settings(reallot="one_class").sizes([3, 4])
