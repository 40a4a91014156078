"""The worker processes agree with the sequential engine, give the same bits twice, and end when they should."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from typing import Any

import pytest
import torch

from neural.engine import Batched, FastSequential, Settings, build, choose
from neural.engine.draws import Draws, Visit
from neural.engine.loop import train
from neural.engine.mailbox import Mailbox
from neural.engine.scheduled_method import ScheduledMethod
from neural.engine.workers import Workers, dealt
from surrogate import ProblemError, methods
from tests.helpers.neural import small
from tests.neural.test_engines_agree import RECIPES, compare

CPU = torch.device("cpu")
SETTINGS = Settings(seed=5, clients_per_round=5, loss_before=True, weights="examples", workers=2, threads=1)


@pytest.fixture(scope="module")
def engines() -> Any:
    """One engine a model and kind of number, for all tests of this file: processes take a while to start."""
    made: dict[Any, Workers] = {}

    def engine(name: str, dtype: torch.dtype, kind: type[FastSequential] = FastSequential) -> Workers:
        if (name, dtype, kind) not in made:
            task = small.task(name, dtype)
            made[name, dtype, kind] = Workers(task, SETTINGS, CPU, Draws(task, SETTINGS), kind=kind)
        return made[name, dtype, kind]

    yield engine
    for workers in made.values():
        workers.close()
    assert not any(process.is_alive() for workers in made.values() for process in workers.processes)


@pytest.mark.parametrize("kind", [FastSequential, Batched])
@pytest.mark.parametrize("method", RECIPES)
def test_they_agree_with_the_reference(method: str, kind: type[FastSequential], engines: Any) -> None:
    """One client after another in each process, or a process's share of them at once."""
    made, recipe = engines("cnn", torch.float64, kind), ScheduledMethod(method, RECIPES[method])
    task = made.objective.task
    reports = [list(train(task, recipe, SETTINGS, 5, engine=e, device="cpu")) for e in ("sequential", made)]
    compare(*reports, 1e-10)


def test_they_agree_in_float32_and_repeat_themselves(engines: Any) -> None:
    made, recipe = engines("cnn", torch.float32), ScheduledMethod("scaffold", RECIPES["scaffold"])
    task = made.objective.task
    one, two, plain = (
        list(train(task, recipe, SETTINGS, 5, engine=e, device="cpu")) for e in (made, made, "sequential")
    )
    compare(plain, one, 1e-4)
    assert torch.equal(one[-1].position.state["x"], two[-1].position.state["x"])
    assert all(torch.equal(one[-1].position.own[i]["c"], two[-1].position.own[i]["c"]) for i in one[-1].position.own)


def test_a_client_drawn_twice_keeps_the_later_state() -> None:
    """Its two visits may be in two workers, of which the first need not have the first visit."""
    task = small.task("logistic")
    settings = Settings(seed=1, clients_per_round=5, sampling="iid", batch=2, workers=2, threads=1)
    recipe, ends = ScheduledMethod("scaffold", {"gamma": 0.3, "steps": 2}), []
    for engine in ("sequential", "workers"):
        ends.append(list(train(task, recipe, settings, 3, engine=engine, device="cpu"))[-1].position)
    twice = {v.client for t in range(3) for v in Draws(task, settings).visits(t) if v.time and v.client in ends[0].own}
    assert twice
    for i, kept in ends[0].own.items():
        torch.testing.assert_close(ends[1].own[i]["c"], kept["c"], rtol=1e-12, atol=1e-14)


def test_a_lost_worker_is_named() -> None:
    task = small.task("mlp")
    made = Workers(task, SETTINGS, CPU, Draws(task, SETTINGS))
    os.kill(made.processes[1].pid, signal.SIGKILL)
    with pytest.raises(ProblemError, match="worker 1 of 2 is gone"):
        list(train(task, ScheduledMethod("fedavg", RECIPES["fedavg"]), SETTINGS, 2, engine=made, device="cpu"))
    assert not any(process.is_alive() for process in made.processes)


def test_what_cannot_be_sent_is_refused() -> None:
    task = small.task("mlp", loss=lambda outputs, y: outputs.sum())
    with pytest.raises(ProblemError, match="lambda"):
        Workers(task, SETTINGS, CPU, Draws(task, SETTINGS))


def test_problems_come_back_as_such(engines: Any) -> None:
    made = engines("cnn", torch.float64)
    recipe = ScheduledMethod("fedprox", {"mu": 0.1, "exact": True})
    with pytest.raises(ProblemError, match="prox"):
        list(train(made.objective.task, recipe, SETTINGS, 1, engine=made, device="cpu"))


def test_dealing_balances_steps() -> None:
    method = methods.build("fednova", gamma=0.1, steps=[5, 1, 1, 2, 1, 9])
    piles = dealt(method, [Visit(i, 1 / 6) for i in range(6)], 2)
    assert [sorted(v.client for v in pile) for pile in piles] == [[4, 5], [0, 1, 2, 3]]


def test_the_mailbox_carries_trees() -> None:
    box, reader = Mailbox(), Mailbox()
    tree = {"x": torch.arange(5.0), 7: (torch.tensor(3), [torch.zeros(2, 3, dtype=torch.float64), "word", 2.5]), "": {}}
    for _ in range(2):
        got = reader.read(box.write(tree))
        assert torch.equal(got["x"], tree["x"]) and got[7][0] == 3 and got[7][1][1:] == ["word", 2.5] and got[""] == {}
        assert got[7][1][0].dtype == torch.float64
        tree["x"] = torch.arange(500.0)


def test_the_choice() -> None:
    many, one = Settings(workers=2), Settings(workers=1)
    cnn, mlp = small.task("cnn"), small.task("mlp")
    assert choose(mlp, many, CPU) == choose(mlp, many, torch.device("cuda")) == "batched"
    assert choose(cnn, many, CPU) == "workers"
    assert choose(cnn, one, CPU) == "batched"
    assert choose(cnn, many, torch.device("cuda")) == "batched"
    with pytest.raises(ProblemError, match="engine"):
        build("fastest", mlp, many)
    with pytest.raises(ProblemError, match="on cuda"):
        build("workers", mlp, many, torch.device("cuda"))
    alone = replace(many, clients_per_round=1)
    assert choose(cnn, alone, CPU) == "batched"
