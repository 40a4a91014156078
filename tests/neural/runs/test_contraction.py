"""h_i between the first and the last point of a run: the closed form on quadratics, minibatches, what has none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import neural
from neural.engine import Draws, Sequential, Settings
from neural.engine.draws import Visit
from neural.tasks import task as tasks
from surrogate.kit.errors import ProblemError

QUADRATIC: dict[str, Any] = {
    "task": "quadratic",
    "n": 4,
    "d": 3,
    "method": "fedavg",
    "gamma": 0.3,
    "steps": 6,
    "rounds": 5,
}
LOGREG: dict[str, Any] = {"task": "mnist-logreg", "method": "fedavg", "scale": "smoke", "gamma": 0.1, "steps": 1,
                          "rounds": 3, "clients_per_round": 2, "seed": 7}  # fmt: skip


@pytest.mark.parametrize("more", [{}, {"method": "fednova"}, {"method": "local-sgdm", "beta": 0.0}])
def test_of_gradient_steps_on_quadratics(more: dict[str, Any], tmp_path: Path) -> None:
    """||(I - gamma A_i)^K (x - y)||^2 / ||x - y||^2 <= (1 - gamma mu_i)^2K (LA B.2)."""
    result = neural.run({**QUADRATIC, **more}, tmp_path)
    quadratics = tasks.build("quadratic", n=4, d=3).quadratics
    found, z = result.contraction(repeats=2), result.state["x"].numpy()  # from 0
    assert sorted(found) == [0, 1, 2, 3]
    for i, A in enumerate(quadratics.A):
        moved = np.linalg.matrix_power(np.eye(3) - 0.3 * A, 6) @ z
        assert found[i] == pytest.approx(moved @ moved / (z @ z), rel=1e-10)
        assert found[i] <= (1 - 0.3 * np.linalg.eigvalsh(A)[0]) ** 12 * (1 + 1e-12)


def test_of_minibatches_on_real_data(tmp_path: Path) -> None:
    """One step: x - gamma g, with the mean of the gradients of three minibatches of each client of the first round."""
    result = neural.run(LOGREG, tmp_path)
    task = tasks.build("mnist-logreg", "smoke")
    settings = Settings(clients_per_round=2, seed=7)
    engine = Sequential(task, settings, torch.device("cpu"), draws := Draws(task, settings))
    x, y = result.state["x"], engine.objective.start()
    found = result.contraction(repeats=3)
    assert sorted(found) == [v.client for v in draws.visits(0)]
    for i, h in found.items():
        clients = [engine.client(Visit(i, 1.0), t) for t in range(3)]
        g = sum(client(x, 0) - client(y, 0) for client in clients) / 3
        wanted = torch.linalg.vector_norm(x - y - 0.1 * g) / torch.linalg.vector_norm(x - y)
        assert h == pytest.approx(float(wanted) ** 2, rel=1e-4)
    assert list(result.contraction(repeats=1, clients=[3])) == [3]


@pytest.mark.parametrize("tail", [0, 2])
def test_of_a_tail_that_begins_with_the_run(tail: int, tmp_path: Path) -> None:
    """A step on all examples, from the first round on; a later tail leaves the first round's steps as they are."""
    more = {"steps": 3, "full_batch_from": tail, "task.batch": 2}
    result = neural.run({**LOGREG, **more}, tmp_path)
    settings, task = Settings(clients_per_round=2, seed=7), tasks.build("mnist-logreg", "smoke", batch=2)
    draws = Draws(task, settings, 0 if tail == 0 else None)
    engine = Sequential(task, settings, torch.device("cpu"), draws)
    x, y = result.state["x"], engine.objective.start()
    for i, h in result.contraction(repeats=4).items():
        ends = []
        for start in (x, y):
            found = []
            for t in range(4):
                client, z = engine.client(Visit(i, 1.0), t), start
                for k in range(1 if tail == 0 else 3):
                    z = z - 0.1 * client(z, k)
                found.append(z)
            ends.append(sum(found) / 4)
        wanted = torch.linalg.vector_norm(ends[0] - ends[1]) / torch.linalg.vector_norm(x - y)
        assert h == pytest.approx(float(wanted) ** 2, rel=1e-4)


@pytest.mark.parametrize("clients", [[0, 4], [-1]])
def test_clients_that_are_not_there_are_refused(clients: list[int], tmp_path: Path) -> None:
    result = neural.run(QUADRATIC, tmp_path)
    with pytest.raises(ProblemError, match="some of the 4 clients, with examples"):
        result.contraction(clients=clients)


@pytest.mark.parametrize(
    "changed, named",
    [
        ({"method": "fedlin"}, "by themselves"),
        ({"rounds": 0}, "train a few rounds"),
        ({"method": "local-update", "theta": "sum(3)", "eta": 0.1, "steps": None}, "x - y_K"),
    ],
)
def test_what_has_no_contraction_is_refused(changed: dict[str, Any], named: str, tmp_path: Path) -> None:
    keys = {key: value for key, value in {**QUADRATIC, **changed}.items() if value is not None}
    result = neural.run(keys, tmp_path)
    with pytest.raises(ProblemError, match=named):
        result.contraction()
