"""Steps taken in place: equal to steps one by one, by every route that takes them."""

from __future__ import annotations

import multiprocessing
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import nn

from neural import engine, tasks
from neural.engine import Settings, build, choose
from neural.engine.batched import Batched
from neural.engine.draws import Draws
from neural.engine.graph_cache import GraphCache
from neural.engine.loop import train
from neural.engine.scheduled_method import ScheduledMethod
from neural.engine.steps import in_place
from neural.ops import TORCH
from neural.tasks import by_hand
from surrogate import ProblemError, Theta, methods
from tests.helpers.neural import small
from tests.neural.test_engines_agree import RECIPES, compare, run

CPU = torch.device("cpu")


@pytest.mark.parametrize("method", RECIPES)
@pytest.mark.parametrize("name", small.MODELS)
def test_in_place_in_float64(name: str, method: str) -> None:
    one, other = (run(engine, name, torch.float64, method, weight_decay=0.01) for engine in ("sequential", "inplace"))
    compare(one, other, 1e-10)


@pytest.mark.parametrize("name", small.MODELS)
def test_in_place_in_float32(name: str) -> None:
    compare(*(run(engine, name, torch.float32, "fedavg") for engine in ("sequential", "inplace")), 1e-4)


@pytest.mark.parametrize("engine", ["inplace", "batched"])
@pytest.mark.parametrize("name", small.MODELS)
@pytest.mark.parametrize(
    "method, settings",
    [
        ("local-update", {"theta": Theta([1, 0, Fraction(1, 2), 2]), "eta": 0.1, "gamma": 0.1}),
        ("fomaml", {"steps": 3, "eta": 0.1, "gamma": 0.1, "inner_rates": [1, 0.5, 0]}),
        ("fedlin", {"steps": 3, "gamma": 0.1}),
    ],
)
def test_weights_and_corrections(method: str, settings: dict[str, Any], name: str, engine: str) -> None:
    """Sums of weighted gradients, rates one a step, and a correction that differs from client to client."""
    chosen = Settings(seed=3, clients_per_round=4, weight_decay=0.02)
    ends = [
        list(train(small.task(name), ScheduledMethod(method, settings), chosen, 3, engine=e, device="cpu"))
        for e in ("sequential", engine)
    ]
    compare(*ends, 1e-10)


class Counting:
    """A client that counts how often it is asked for a gradient, and so whether it took its steps itself."""

    def __init__(self, client: Any) -> None:
        self.client, self.asked = client, 0

    def __call__(self, y: Any, k: int) -> Any:
        self.asked += 1
        return self.client(y, k)

    def descend(self, *asked: Any) -> Any:
        return self.client.descend(*asked)


@pytest.mark.parametrize("engine", ["inplace", "batched"])
@pytest.mark.parametrize("rate, asked", [(0.1, 0), (torch.tensor(0.1, dtype=torch.float64), 4)])
def test_the_client_takes_the_steps_unless_rates_would_have_to_be_read(engine: str, rate: Any, asked: int) -> None:
    task = small.task("cnn")
    made = build(engine, task, Settings(), "cpu")
    visits = Draws(task, Settings()).visits(0)[3:4]
    client = Counting(made.together(visits, 0) if isinstance(made, Batched) else made.client(visits[0], 0))
    method = methods.build("fedavg", ops=TORCH, gamma=rate, steps=4)
    method.local(method.start(made.objective.start()), {}, client, visits[0].client)
    assert client.asked == asked


def squares(scores: Any, y: Any, share: Any) -> Any:
    """share d/dz of 1/2 ||z - e_y||^2, in a tensor of its own."""
    return share[..., None] * (scores - nn.functional.one_hot(y, scores.shape[-1]))


def squares_over_the_scores(scores: Any, y: Any, share: Any) -> Any:
    return scores.sub_(nn.functional.one_hot(y, scores.shape[-1])).mul_(share[..., None])


def half_squares(scores: Any, y: Any) -> Any:
    return 0.5 * (scores - nn.functional.one_hot(y, scores.shape[-1])).square().sum(dim=-1)


def cross_entropies(scores: Any, y: Any) -> Any:
    return nn.functional.cross_entropy(scores.flatten(0, 1), y.flatten(), reduction="none").view(y.shape)


SLOPES = {
    by_hand.softmax: cross_entropies,
    squares: half_squares,
    squares_over_the_scores: half_squares,
}


@pytest.mark.parametrize("slope", SLOPES)
@pytest.mark.parametrize("M, F, outputs", [(3, 5, 3), (1, 5, 3), (2, 4, 16), (2, 1, 15), (2, 3, 62), (1, 2, 1)])
@pytest.mark.parametrize("decay, corrected", [(0.1, True), (0.1, False), (0, True), (5, True)])
def test_linear_models_against_autograd(
    decay: float, corrected: bool, M: int, F: int, outputs: int, slope: Any
) -> None:
    """Ragged shares, minibatches of two widths, weight decay (1 - gamma w = 0 as well), corrections, weights."""
    random = torch.Generator().manual_seed(0)
    draw = lambda *shape: torch.randn(*shape, generator=random, dtype=torch.float64)  # noqa: E731
    y, c = draw(M, outputs * (F + 1)), draw(M, outputs * (F + 1)) if corrected else None
    share = torch.tensor([[0.25] * 4, [0.5, 0.5, 0, 0], [1, 0, 0, 0]], dtype=torch.float64)[:M]
    examples = draw(20, 1, F)
    widths = (4, 4, 2, 4)
    where, labels = ([torch.randint(top, (M, B), generator=random) for B in widths] for top in (20, outputs))
    batches = [*zip(where, labels, (share[:, :B] for B in widths), strict=True)]
    rates, weights, before = [0.3, 0.2, 0.1, 0.1], [1, 0, 0.5, 2], y.clone()
    model = by_hand.Linear(outputs, slope)
    found = model.descend(y, rates, examples, batches, decay, c, weights)
    at, total = y.clone(), torch.zeros_like(y)
    for rate, weight, (at_k, target, part) in zip(rates, weights, batches, strict=True):
        x = examples[at_k, 0]
        v = at.clone().requires_grad_()
        W, b = v[:, : outputs * F].view(M, F, outputs), v[:, None, outputs * F :]
        losses = SLOPES[slope](x @ W + b, target)
        (g,) = torch.autograd.grad((part * losses).sum(), v)
        torch.testing.assert_close(model(at, x, target, part), g, rtol=1e-12, atol=1e-12)
        g = g + decay * at + (0 if c is None else c)
        at, total = at - rate * g, total + weight * g
    torch.testing.assert_close(found[0], at, rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(found[1], total, rtol=1e-12, atol=1e-12)
    assert torch.equal(y, before)
    assert model.descend(y, rates, examples, batches, decay, c, None)[1] is None


def test_bytes_are_looked_up_as_numbers() -> None:
    pixels = torch.randint(256, (7, 1, 2, 2), dtype=torch.uint8)
    batch, model = [torch.tensor([row]) for row in ([6, 0], [1, 0], [0.5, 0.5])], by_hand.Linear(4, by_hand.softmax)
    ends = [model.descend(torch.zeros(1, 20), [0.3], x, [batch], 0, None, None)[0] for x in (pixels, pixels / 255)]
    assert torch.equal(*ends) and ends[0].any()


@pytest.mark.parametrize("M, outputs", [(3, 4), (1, 16)])
def test_no_steps_lead_nowhere(M: int, outputs: int) -> None:
    y = torch.randn(M, outputs * 6)
    end, total = by_hand.Linear(outputs, by_hand.softmax).descend(y, [], torch.ones(2, 5), [], 0.1, None, [])
    assert torch.equal(end, y) and torch.equal(total, torch.zeros_like(y))


class Rows(nn.Module):
    """Scores by nn.Linear, a row an output."""

    def __init__(self, bias: bool) -> None:
        super().__init__()
        self.linear = nn.Linear(36, small.CLASSES, bias=bias)


@pytest.mark.parametrize("bias, shapes", [(True, r"\(4, 36\), \(4,\)"), (False, r"\(4, 36\)")])
def test_models_with_other_parameters_are_refused(bias: bool, shapes: str) -> None:
    task = small.task("logistic", model=lambda: Rows(bias))
    with pytest.raises(ProblemError, match=rf"(?s)shapes {shapes}.*a row a feature"):
        build("batched", task, Settings(), "cpu")


@pytest.mark.parametrize("tokens", [False, True])
@pytest.mark.parametrize("batch", [0, 1, 6, 20])
def test_minibatches_placed_at_once_are_those_placed_one_by_one(batch: int, tokens: bool) -> None:
    """Ragged clients, more than an epoch, labels of one and of several numbers, x in memory that is used again."""
    task, settings = small.task("cnn"), Settings(batch=batch)
    if tokens:
        task = replace(task, data=replace(task.data, y=task.data.y[:, None].repeat(1, 2)))
    engine, visits = Batched(task, settings, CPU, Draws(task, settings)), Draws(task, settings).visits(0)
    planned, plain = engine.together(visits, 0), engine.together(visits, 0)
    planned._plan(9)
    assert len(planned._planned) == (9 if batch else 0) and not plain._planned
    if not tokens:  # in one piece, too, as wide as the widest
        for k, parts in enumerate(engine.together(visits, 0)._batches(9)):
            for ours, wanted in zip(parts, plain._labelled(k), strict=True):
                assert torch.equal(ours[:, : wanted.shape[1]], wanted)
            assert not parts[2][:, plain._labelled(k)[2].shape[1] :].any()
    for k in (*range(9), 2, 11):  # not only in order, and beyond the plan
        for ours, wanted in zip(planned._minibatch(k), plain._minibatch(k), strict=True):
            assert ours is wanted is None or torch.equal(ours, wanted)
        x, y, _, _ = planned._minibatch(k)
        for row, (visit, own) in enumerate(zip(visits, planned.batches, strict=True)):
            where = task.data.order[task.data.offsets[visit.client] + torch.from_numpy(own[k])]
            assert torch.equal(x[row, : len(where)], task.data.x[where])
            assert torch.equal(y[row, : len(where)], task.data.y[where])


def test_factors_are_added_as_products() -> None:
    A, B = torch.randn(2, 3, 4, dtype=torch.float64), torch.randn(2, 4, 5, dtype=torch.float64)
    ends, sums = [], []
    for gradient in ((A, B), A @ B):
        at = [torch.ones(2, 3, 5, dtype=torch.float64), torch.ones(2, 1, dtype=torch.float64)]
        sums.append(in_place(at, lambda k, g=gradient, at=at: [g, 2 * at[1]], [0.1, 0.2], 0.3, None, [1, 2]))
        ends.append(at)
    for one, other in zip([*ends[0], *sums[0]], [*ends[1], *sums[1]], strict=True):
        torch.testing.assert_close(one, other, rtol=1e-13, atol=1e-13)


def test_what_is_written_down_is_what_torch_computes() -> None:
    """Also for a second set of numbers; products come as factors, and shapes beyond the limit push out the oldest."""

    def gradient(parameters: Any, x: Any, keys: Any) -> Any:
        def one(W: Any, b: Any, x: Any) -> Any:
            return nn.functional.linear(x, W, b).relu().square().sum() * 0.5

        at = [part.detach().requires_grad_() for part in parameters]
        return torch.autograd.grad(torch.vmap(one)(*at, x).sum(), at)

    traced = GraphCache(gradient)
    for width in (4, 4, *range(5, 40)):
        parts = [torch.randn(3, 2, 6, dtype=torch.float64), torch.randn(3, 2, dtype=torch.float64)]
        x = torch.randn(3, width, 6, dtype=torch.float64)
        (A, B), b = traced(parts, x, None)
        W_wanted, b_wanted = gradient(parts, x, None)
        torch.testing.assert_close(A @ B, W_wanted, rtol=1e-13, atol=1e-13)
        assert torch.equal(b, b_wanted) and not b.requires_grad
    assert len(traced.known) == 32


def test_all_of_the_vector_is_trained() -> None:
    """Parameters that a module marks as frozen are part of the vector, in every engine."""

    def model() -> nn.Module:
        module = nn.Sequential(nn.Flatten(), nn.Linear(36, 8), nn.Tanh(), nn.Linear(8, small.CLASSES))
        module[1].requires_grad_(False)
        return module

    task = small.task("cnn", model=model)
    ends = [
        list(train(task, ScheduledMethod("fedavg", {"gamma": 0.1, "steps": 3}), Settings(), 2, engine=by, device="cpu"))
        for by in ("sequential", "inplace", "batched")
    ]
    compare(ends[0], ends[1], 1e-10)
    compare(ends[0], ends[2], 1e-10)


@pytest.mark.parametrize("setting", ["amp", "compile"])
@pytest.mark.parametrize("engine", ["sequential", "inplace", "batched"])
def test_what_only_cuda_has_is_refused_elsewhere(setting: str, engine: str) -> None:
    with pytest.raises(ProblemError, match=f"{setting} on cpu"):
        build(engine, small.task("logistic"), Settings(**{setting: True}), "cpu")


def test_graphs_are_compiled_where_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """As far as a machine without CUDA can tell: the compiler is called on the graph, and its answer is used."""
    compiled: list[Any] = []
    traced = GraphCache(
        lambda parts, x: [x * parts[0]], lambda graph: compiled.append(graph) or (lambda parts, x: ["ours"])
    )
    assert traced([torch.ones(2)], torch.ones(2)) == ["ours"] == traced([torch.ones(2)], torch.ones(2))
    assert len(compiled) == 1 and "mul" in compiled[0].code


CHOICES = [  # task, its options, the engine where there are two cores, and where there is one
    ("mnist-logreg", {}, "batched", "batched"),
    ("mnist-mlp", {}, "batched", "batched"),
    ("emnist-cnn", {}, "workers", "batched"),
    ("emnist-cnn", {"width": 1.0}, "workers", "inplace"),
    ("emnist-cnn", {"batch": 0}, "workers", "inplace"),
    ("shakespeare-lstm", {}, "workers", "inplace"),
    ("cifar100-resnet18", {}, "workers", "batched"),
    ("cifar100-resnet18", {"width": 64}, "workers", "inplace"),
]


@pytest.mark.parametrize("name, options, several, one", CHOICES)
def test_the_choice_by_task(name: str, options: Any, several: str, one: str, monkeypatch: pytest.MonkeyPatch) -> None:
    task = tasks.build(name, "smoke", **options)
    assert choose(task, Settings(workers=2), CPU) == several
    assert choose(task, Settings(workers=1), CPU) == one
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: SimpleNamespace(name="a sweep"))
    assert choose(task, Settings(workers=2), CPU) == one
    assert choose(task, Settings(workers=2, clients_per_round=1), CPU) == one


def test_a_model_that_needs_numbers_is_not_counted() -> None:
    class Reads(nn.Conv2d):
        def forward(self, x: Any) -> Any:
            return super().forward(x)[:, : 1 + int(x.sum() > 0)].flatten(1)

    task = replace(small.task("cnn"), model=lambda: Reads(1, 2, 3))
    assert choose(task, Settings(workers=1), CPU) == "inplace"


def test_what_works_in_worker_processes() -> None:
    """Small convolutions are batched there; a model that cannot be made without numbers keeps the other engine."""

    class Drawn(nn.Conv2d):
        def __init__(self) -> None:
            super().__init__(1, 2, 3)
            self.scale = float(torch.ones(1).sum())

    one = Settings(workers=2)
    assert engine._hands(small.task("cnn"), one) is engine.Batched
    assert engine._hands(small.task("mlp"), one) is engine.FastSequential
    assert engine._hands(replace(small.task("cnn"), model=Drawn), one) is engine.FastSequential


def test_no_processes_are_started_by_processes() -> None:
    """The choice inside a real process, such as those of a sweep."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(choose, (small.task("cnn"), Settings(workers=2), CPU)) == "batched"
