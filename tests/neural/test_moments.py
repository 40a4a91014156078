"""All outcomes of three rounds on three clients, each played by the engine, have the mean and covariance of moments."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction as F
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
import torch

from neural.engine import Settings, build
from neural.engine.draws import Draws, Visit, counted
from neural.engine.loop import Position, train
from neural.engine.scheduled_method import ScheduledMethod
from neural.tasks.quadratic import from_clients
from surrogate import Quadratics, Theta, moments
from tests.helpers.neural.spine_tools import CPU
from tests.surrogate.test_moments_exact import EVEN, ONE_D, TWO_D, UNEVEN, exact_clients

ROUNDS = 3
Outcome = tuple[tuple[Visit, ...], dict[Visit, tuple[int, ...]]]  # who is heard, and the example of each local step


class Injected(Draws):
    """The draws of one round, given."""

    outcome: Outcome

    def visits(self, t: int) -> tuple[Visit, ...]:
        return self.outcome[0]

    def batches(self, t: int, visit: Visit) -> Any:
        return Steps(self.outcome[1][visit])


class Steps:
    """One example a local step."""

    all = False
    owned = None

    def __init__(self, examples: tuple[int, ...]) -> None:
        self.examples = examples

    def __getitem__(self, k: int) -> Any:
        return np.array([self.examples[k]])


def outcomes(sizes: list[int], weights: list[F], steps: int, M: int, sampling: str) -> Iterator[tuple[Outcome, float]]:
    """All outcomes of a round with their probabilities."""
    n, w = len(sizes), [float(weight) for weight in weights]
    draws = list(combinations(range(n), M)) if sampling == "uniform" else list(product(range(n), repeat=M))
    for drawn in draws:
        chance = 1 / len(draws) if sampling == "uniform" else float(np.prod([w[i] for i in drawn]))
        visits = counted(drawn, [w[i] for i in drawn] if sampling == "uniform" else [1.0] * M)
        seen = [list(product(range(sizes[v.client]), repeat=steps)) for v in visits]
        for choice in product(*seen):
            yield (visits, dict(zip(visits, choice, strict=True))), chance / np.prod([len(s) for s in seen])


CASES = [  # clients, weights, theta, M, sampling
    (ONE_D, UNEVEN, [1, 2], 1, "uniform"),
    (ONE_D, UNEVEN, [1], 2, "uniform"),
    (ONE_D, UNEVEN, [F(1, 3), 1], 1, "iid"),
    (TWO_D, EVEN, [1], 2, "uniform"),
    ([TWO_D[0], TWO_D[1][:1], TWO_D[2][:1]], EVEN, [1], 2, "iid"),
]


@pytest.mark.parametrize("engine", ["sequential", "batched"])
@pytest.mark.parametrize("case", range(len(CASES)))
def test_enumerated_rounds(case: int, engine: str) -> None:
    examples, weights, theta, M, sampling = CASES[case]
    flat = [(A, c, i) for i, own in enumerate(examples) for A, c in own]
    A, c = (np.array([z[part] for z in flat], dtype=float) for part in (0, 1))
    clients = Quadratics.from_examples(A, c, [z[2] for z in flat])
    x0 = [5 / 7, -2.0][: clients.d]
    task = from_clients(clients, x0, batch=1)
    settings = Settings(
        eval_every=0, batch=1, weights=tuple(map(float, weights)), clients_per_round=M, sampling=sampling
    )
    draws = Injected(task, settings)
    made = build(engine, task, settings, CPU, draws)
    gammas, etas = [0.3, 0.5, 1.5], [1.0, 0.5, 0.2]
    law = [(Position(0, {"x": torch.tensor(x0, dtype=torch.float64)}), 1.0)]
    sizes = [len(own) for own in examples]
    exact = moments.trajectory(
        exact_clients(examples, weights),
        [F(x) for x in x0],
        ROUNDS,
        [F(g) for g in gammas],
        [F(e) for e in etas],
        Theta(theta),
        1,
        M,
        sampling,
    )
    for t in range(ROUNDS):
        recipe, after = ScheduledMethod("local-update", {"gamma": gammas[t], "eta": etas[t], "theta": Theta(theta)}), []
        for outcome, chance in outcomes(sizes, weights, len(theta), M, sampling):
            draws.outcome = outcome
            for position, p in law:
                for report in train(task, recipe, settings, t + 1, engine=made, start=position, draws=draws):
                    after.append((report.position, p * chance))
        law = after
        X = np.array([position.state["x"].numpy() for position, _ in law])
        p = np.array([chance for _, chance in law])
        assert abs(p.sum() - 1) < 1e-13
        mean = p @ X
        covariance = np.einsum("o,oi,oj->ij", p, X - mean, X - mean)
        for got, wanted in ((mean, exact.mean[t + 1]), (covariance, exact.covariance[t + 1])):
            wanted = wanted.astype(float)
            assert np.abs(got - wanted).max() <= 1e-12 * max(1.0, np.abs(wanted).max())
