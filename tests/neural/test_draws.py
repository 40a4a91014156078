"""Draws are functions of (seed, round, client); schedules give the rates that they say; flat vectors are the model."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from neural.engine import Settings, evaluate
from neural.engine.draws import Batches, Draws, Visit, clients, generator, permutation
from neural.engine.loop import diverged, train
from neural.engine.scheduled_method import ScheduledMethod
from neural.engine.schedules import Schedule, schedule
from neural.flat import Flat
from neural.noise import uniform
from neural.tasks import build
from surrogate import ProblemError, Theta
from tests.helpers.neural import small


@given(size=st.integers(1, 30), batch=st.integers(1, 12), i=st.integers(0, 5000), t=st.integers(0, 10**6))
def test_an_epoch_sees_every_example_once(size: int, batch: int, i: int, t: int) -> None:
    batches = Batches(7, t, i, size, batch)
    for epoch in range(2):
        steps = range(epoch * batches.epoch, (epoch + 1) * batches.epoch)
        assert sorted(np.concatenate([batches[k] for k in steps]).tolist()) == list(range(size))
    again = Batches(7, t, i, size, batch)
    k = 2 * batches.epoch - 1
    assert again[k].tolist() == batches[k].tolist(), "asked in another order, another minibatch"


@given(size=st.integers(1, 9), batch=st.integers(0, 4), steps=st.integers(0, 12), replacement=st.booleans())
def test_the_first_minibatches_are_those_asked_for_one_by_one(
    size: int, batch: int, steps: int, replacement: bool
) -> None:
    batches, examples = Batches(7, 1, 2, size, batch, replacement=replacement and batch > 0), np.arange(size)[::-1]
    found = batches.first(steps, examples)
    assert [part.tolist() for part in found] == [examples[batches[k]].tolist() for k in range(steps)]
    whole = batches.whole(steps, examples)
    if whole is None:
        assert steps == 0 or replacement or batch == 0 or size % min(batch, size) > 0
    else:
        assert whole.tolist() == [part.tolist() for part in found]


def test_large_seeds_have_streams_of_their_own() -> None:
    seeds = (2**63, 2**63 + 1, 2**64 - 2, 2**64 - 1)
    assert len({tuple(Batches(seed, 0, 0, 40, 40)[0].tolist()) for seed in seeds}) == len(seeds)
    assert len({int(Batches(seed, 0, 0, 40, 40).keys(0, 1)[0]) for seed in seeds}) == len(seeds)


@given(
    count=st.integers(0, 40), seed=st.integers(0, 2**64 - 1), purpose=st.integers(0, 9),
    place=st.lists(st.integers(0, 2**63), max_size=3), again=st.booleans(),
)  # fmt: skip
def test_a_stream_that_is_set_is_the_one_that_is_made(
    count: int, seed: int, purpose: int, place: list[int], again: bool
) -> None:
    if again:  # numbers of another stream are left over
        permutation(7, seed, purpose)
    found = permutation(count, seed, purpose, *place)
    assert found.tolist() == generator(seed, purpose, *place).permutation(count).tolist()


def test_places_have_streams_of_their_own() -> None:
    places = [(s, t, i, time) for s in (0, 1) for t in (0, 1) for i in (0, 1) for time in (0, 1)]
    seen = {tuple(Batches(s, t, i, 40, 40, time)[0].tolist()) for s, t, i, time in places}
    assert len(seen) == len(places)
    keys = {int(Batches(s, t, i, 40, 40, time).keys(0, 1)[0]) for s, t, i, time in places}
    assert len(keys) == len(places)


def test_all_examples_or_with_replacement() -> None:
    assert Batches(0, 0, 0, 5, 0)[3].tolist() == [0, 1, 2, 3, 4]
    drawn = np.concatenate([Batches(0, 0, 0, 3, 8, replacement=True)[k] for k in range(2000)])
    assert np.abs(np.bincount(drawn) / len(drawn) - 1 / 3).max() < 0.02


def test_participation() -> None:
    assert clients(0, 3, 5, None) == [0, 1, 2, 3, 4]
    counts = np.bincount(np.concatenate([clients(0, t, 10, 3) for t in range(3000)]), minlength=10)
    assert all(len(set(clients(0, t, 10, 3))) == 3 for t in range(50))
    assert np.abs(counts / 9000 - 0.1).max() < 0.01


def test_empty_clients_are_skipped_or_refused() -> None:
    task = small.task("logistic")
    heard = Draws(task, Settings()).visits(0)
    assert [v.client for v in heard] == [0, 2, 3, 4, 5, 6]
    assert sum(v.share for v in heard) == pytest.approx(1, abs=1e-15)
    assert len({v.share for v in heard}) == 1
    by_size = Draws(task, Settings(weights="examples")).visits(0)
    assert [v.share for v in by_size] == [size / 62 for size in small.SIZES if size]
    one = Draws(task, Settings(clients_per_round=1))
    assert {visit.client for t in range(50) for visit in one.visits(t)} == {0, 2, 3, 4, 5, 6}, "none draws nobody"
    assert Draws(task, Settings(clients_per_round=7)).visits(0) == heard
    chosen = Draws(task, Settings(clients_per_round=1, weights=(0, 1, 0, 0, 0, 0, 2)))
    assert [visit.client for visit in chosen.visits(0)] == [6], "one without examples, one with weight"
    with pytest.raises(ProblemError, match="at most 7"):
        Draws(task, Settings(clients_per_round=8))
    with pytest.raises(ProblemError, match="weights"):
        Draws(task, Settings(weights=(1.0, 2.0)))


def test_iid_draws_follow_the_weights() -> None:
    draws = Draws(small.task("logistic"), Settings(clients_per_round=2, sampling="iid", weights="examples"))
    heard = [v for t in range(4000) for v in draws.visits(t)]
    counts = np.bincount([v.client for v in heard], minlength=7) / len(heard)
    assert np.abs(counts - np.array(small.SIZES) / 62).max() < 0.02
    twice = next(draws.visits(t) for t in range(100) if len({v.client for v in draws.visits(t)}) == 1)
    assert [v.time for v in twice] == [0, 1] and all(v.share == 0.5 for v in twice)
    assert draws.batches(0, twice[0])[0].tolist() != draws.batches(0, twice[1])[0].tolist()


def test_the_tail_is_full_batches() -> None:
    task = small.task("logistic")
    recipe = ScheduledMethod("fedda-sgdm", {"gamma": 0.1, "steps": 3, "eta": 0.1}, full_batch_from=4)
    draws = Draws(task, Settings(), recipe.full_batch_from)
    assert len(draws.batches(3, Visit(3, 1.0))[0]) == 6 and len(draws.batches(4, Visit(3, 1.0))[0]) == 20
    assert recipe.at(3).settings["steps"] == 3 and recipe.at(4).settings["steps"] == 1


def test_schedules() -> None:
    steps = schedule({"kind": "steps", "at": [2, 4], "factor": 0.5})
    assert [steps.gamma(1.0, t) for t in range(6)] == [1, 1, 0.5, 0.5, 0.25, 0.25]
    assert schedule({"kind": "decay", "factor": 0.5}).eta([1.0, 3.0], 1) == [0.5, 1.5]
    assert schedule(None).gamma(3, 9) == 3
    with pytest.raises(ProblemError, match="kind"):
        schedule({"kind": "cosine"})
    with pytest.raises(ProblemError, match="exactly"):
        schedule({"kind": "decay", "at": [3]})


def test_theorem_29() -> None:
    """Its rates, by their defining sum."""
    mu, L, K = 0.5, 2.0, 4
    made = Schedule("t29", mu=mu, L=L, steps=K)
    for t in (0, 3, 100, 10_000):
        b, s = 3 * (L / mu) ** 2, t + 1
        gamma = min(1 / (L * (b + s)), math.log(2) / (K * mu))
        assert made.gamma(None, t) == gamma
        mu_t = sum((1 - gamma * mu) ** k * mu for k in range(K))
        assert made.eta(None, t) == pytest.approx(3 / mu_t / (b + s), rel=1e-12)
    recipe = ScheduledMethod("local-update", {"theta": Theta.sum(K)}, gamma_schedule=made, eta_schedule=made)
    assert recipe.at(3).settings["gamma"] == made.gamma(None, 3)
    with pytest.raises(ProblemError, match="beside gamma"):
        ScheduledMethod("local-update", {"theta": Theta.sum(K), "gamma": 1.0, "eta": 1.0}, gamma_schedule=made)
    with pytest.raises(ProblemError, match="without gamma"):
        ScheduledMethod("minibatch-sgd", {"eta": 1.0}, gamma_schedule=Schedule("decay", factor=0.5))


def test_epochs_need_steps() -> None:
    with pytest.raises(ProblemError, match="beside epochs"):
        ScheduledMethod("fedavg", {"gamma": 0.1, "steps": 2}).for_epochs(1, [3], 2)
    with pytest.raises(ProblemError, match="epochs of minibatch-sgd"):
        ScheduledMethod("minibatch-sgd", {"eta": 0.1}).for_epochs(1, [3], 2)


@pytest.mark.parametrize(
    "wrong",
    [
        {"seed": -1},
        {"chunk": 0},
        {"sampling": "all"},
        {"sampling": "iid"},
        {"weights": "mine"},
        {"batch": 1.5},
        {"weight_decay": [0.1]},
        {"weight_decay": True},
    ],
)
def test_settings_are_checked(wrong: dict[str, Any]) -> None:
    with pytest.raises(ProblemError, match=next(iter(wrong))):
        Settings(**wrong)


def test_flat_vectors() -> None:
    module = small.Convolutions().double()
    flat, x = Flat(module), torch.rand(3, 1, 6, 6, dtype=torch.float64)
    torch.testing.assert_close(flat.call(flat.vector(), x), module(x))
    torch.testing.assert_close(Flat(module, channels_last=True).call(flat.vector(), x), module(x))
    moved = flat.vector() + 1
    assert torch.equal(Flat(flat.load(moved)).vector(), moved)
    for refused in (
        torch.nn.BatchNorm2d(2),
        torch.nn.Sequential(torch.nn.Linear(1, 1), torch.nn.Dropout(0.3)),
        torch.nn.Tanh(),
    ):
        with pytest.raises(ProblemError):
            Flat(refused)


def test_noise_is_the_hash_of_key_and_position() -> None:
    """In Python's integers; keys are left as they are."""
    whole = 1 << 64

    def mixed(z: int) -> int:
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % whole
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % whole
        return z ^ (z >> 31)

    keys = torch.tensor([0, 1, -1, 977 << 40, -(1 << 63)])
    wanted = [
        [(mixed((mixed(key % whole) + (i + (3 << 32)) * 0x9E3779B97F4A7C15) % whole) >> 40) / 2**24 for i in (1, 2, 3)]
        for key in keys.tolist()
    ]
    assert uniform(keys, (3,), 3).tolist() == wanted
    assert keys.tolist() == [0, 1, -1, 977 << 40, -(1 << 63)]


def test_noise_is_uniform_and_under_vmap_the_same() -> None:
    keys = torch.arange(4000) * 977
    u = uniform(keys, (5,))
    assert 0 <= u.min() and u.max() < 1
    assert abs(u.mean() - 0.5) < 0.01 and abs(u.var() - 1 / 12) < 0.002
    assert torch.corrcoef(u.T).fill_diagonal_(0).abs().max() < 0.08
    assert torch.equal(torch.vmap(lambda k: uniform(k, (5,)))(keys.view(8, 500)).view(4000, 5), u)
    assert not torch.equal(uniform(keys, (5,), stream=1), u)


def test_evaluation_in_pieces_is_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over few clients or all, in chunks of any size, asked for or as the cache holds them."""
    task = small.task("cnn")
    losses = []
    for chunk, cached in ((1, 1 << 20), (7, 1 << 20), (500, 3 * small.CLASSES), (500, 1), (500, 1 << 20)):
        monkeypatch.setattr(evaluate, "CACHED", cached)
        (report,) = train(
            task,
            ScheduledMethod("minibatch-sgd", {"eta": 0.1}),
            Settings(chunk=chunk),
            0,
            device="cpu",
            engine="batched",
        )
        losses.append(report.read())
    for other in losses[:-1]:
        assert other == pytest.approx(losses[-1], rel=1e-12)
    some = replace(Settings(), eval_clients=2)
    assert len(Draws(task, some).sample(2)) == 2
    assert Draws(task, some).sample(None) == [0, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("engine", ["sequential", "batched"])
def test_metrics_of_a_sample_of_the_tests(engine: str) -> None:
    """The same few at every look, others with another seed, and the metrics are theirs."""
    task = small.task("cnn")
    of = len(task.data.test_x)
    draws = Draws(task, Settings(seed=1))
    few = draws.tests(of - 2, of)
    assert len(set(few)) == of - 2 and set(few) <= set(range(of)) and list(few) == sorted(few)
    assert draws.tests(of, of) is None and draws.tests(None, of) is None
    assert any(set(Draws(task, Settings(seed=seed)).tests(of - 2, of)) != set(few) for seed in range(2, 9))
    recipe = ScheduledMethod("minibatch-sgd", {"eta": 0.1})
    less = replace(task, data=replace(task.data, test_x=task.data.test_x[few], test_y=task.data.test_y[few]))
    asked = ((task, Settings(seed=1, eval_tests=of - 2)), (less, Settings(seed=1)), (task, Settings(seed=1)))
    ends = [
        [report.read() for report in train(which, recipe, settings, 2, device="cpu", engine=engine)]
        for which, settings in asked
    ]
    assert ends[0] == ends[1] != ends[2]
    untested = next(iter(train(task, recipe, Settings(eval_tests=0), 1, device="cpu")))
    assert "loss" in untested.measures and not {"test_loss", "accuracy"} & set(untested.measures)
    with pytest.raises(ProblemError, match="eval_tests"):
        Settings(eval_tests=-1)


def test_divergence() -> None:
    assert diverged(math.nan, 1.0) and diverged(math.inf, 1.0) and diverged(2e6, 1.0)
    assert diverged(2e6, 0.0) and not diverged(1e-3, 0.0), "a loss that begins at 0 has no size of its own"
    assert not diverged(5.0, 1.0)


def test_gamma_0_is_minibatch_sgd() -> None:
    """Clients that stand still send K gradients at x."""
    task = small.task("cnn")
    settings = Settings(batch=0)
    still = ScheduledMethod("local-update", {"gamma": 0, "theta": Theta.sum(4), "eta": 0.1})
    plain = ScheduledMethod("minibatch-sgd", {"eta": 0.4})
    ends = [
        list(train(task, r, settings, 3, engine="sequential", device="cpu"))[-1].position.state["x"]
        for r in (still, plain)
    ]
    torch.testing.assert_close(*ends)


def test_the_registry_of_tasks() -> None:
    with pytest.raises(ProblemError, match="quadratic"):
        build("quadratc")
    with pytest.raises(ProblemError, match="sigma_A"):
        build("quadratic", sigma_a=1)
    task = build("quadratic", seed=4, n=3, d=2)
    assert task.weights == pytest.approx((1 / 3,) * 3)
    (report,) = train(task, ScheduledMethod("minibatch-sgd", {"eta": 1.0}), Settings(), 0, device="cpu")
    assert report.read()["loss"] == pytest.approx(task.quadratics.value([0, 0]), rel=1e-12)
