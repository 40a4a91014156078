"""Bags of words, read and moved word by word: equal to products with dense rows of frequencies, in every engine."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor, nn

from neural.data.federated import FederatedData
from neural.engine import Settings, build, choose
from neural.engine.factors import Factors
from neural.engine.fast_sequential import FastSequential
from neural.engine.loop import Report, train
from neural.engine.scheduled_method import ScheduledMethod
from neural.tasks.losses import one_vs_rest, recall_at_5
from neural.tasks.models.bags import BagLogistic
from neural.tasks.models.inputs import frequencies
from neural.tasks.task import Task
from surrogate import Theta
from tests.helpers.neural.small import SIZES
from tests.neural.test_engines_agree import compare

WORDS, TAGS = 11, 6
TEXTS = torch.tensor([[3, 0, 7, 3, 3], [0, 0, 0, 0, 0], [11, 1, 0, 0, 0], [2, 3, 4, 5, 6]])  # repeated; none; gaps
STEPS = {"gamma": 0.5, "steps": 4}


class Rows(BagLogistic):
    """The same by dense rows, whose gradients autograd finds."""

    def forward(self, x: Tensor) -> Tensor:
        rows = torch.stack([torch.bincount(text, minlength=WORDS + 1)[1:] for text in x.long().cpu()]).to(
            self.weight.dtype
        )
        return rows / rows.sum(dim=1, keepdim=True).clamp(min=1) @ self.weight + self.bias


def models() -> list[nn.Module]:
    """One of each, with the same random parameters."""
    torch.manual_seed(0)
    made: list[nn.Module] = [kind(WORDS, TAGS).double() for kind in (BagLogistic, Rows)]
    with torch.no_grad():
        for one, other in zip(*(model.parameters() for model in made), strict=True):
            one.normal_()
            other.copy_(one)
    return made


def task(kind: type[nn.Module]) -> Task:
    random = torch.Generator().manual_seed(4)
    total = sum(SIZES)
    x = torch.randint(0, WORDS + 1, (total + 20, 7), generator=random) * (
        torch.rand(total + 20, 7, generator=random) < 0.7
    )
    x[5] = 0  # a text without words
    y = (torch.rand(total + 20, TAGS, generator=random) < 0.3).float()
    offsets, order = torch.tensor([0, *SIZES]).cumsum(dim=0), torch.randperm(total, generator=random)
    data = FederatedData("texts", "made up", x[:total], y[:total], order, offsets, x[total:], y[total:], TAGS)
    made = lambda: kind(WORDS, TAGS)  # noqa: E731
    metrics = {"recall_at_5": recall_at_5}
    return Task("bags", data, made, one_vs_rest, metrics, 6, torch.float64, {"recall_at_5": "max"}, "smoke")


def run(kind: type[nn.Module], engine: str, method: str, settings: dict[str, Any]) -> list[Report]:
    chosen = Settings(seed=5, clients_per_round=5, loss_before=True, weights="examples", weight_decay=0.01)
    return list(train(task(kind), ScheduledMethod(method, settings), chosen, 3, engine=engine, device="cpu"))


def test_scores_gradients_and_hessian_products_are_those_of_dense_rows() -> None:
    y = torch.randint(0, 2, (len(TEXTS), TAGS)).double()
    found = []
    for model in models():
        parameters = list(model.parameters())
        outputs = model(TEXTS)
        first = torch.autograd.grad(one_vs_rest(outputs, y).sum(), parameters, create_graph=True)
        square = sum((g * g).sum() for g in first)
        assert torch.is_tensor(square)
        second = torch.autograd.grad(square, parameters, create_graph=True)
        third = torch.autograd.grad(second[0].pow(3).sum(), parameters)
        found.append([outputs, *first, *second, *third])
    for sparse, dense in zip(*found, strict=True):
        torch.testing.assert_close(sparse, dense, rtol=1e-12, atol=1e-13)


def test_frequencies_and_numbers_have_equal_scores() -> None:
    model = models()[0]
    torch.testing.assert_close(model(frequencies(TEXTS, WORDS, torch.float64)), model(TEXTS))
    torch.testing.assert_close(torch.vmap(model)(TEXTS[None])[0], model(TEXTS))
    torch.testing.assert_close(model(TEXTS[1:2])[0], model.bias)


@pytest.mark.parametrize("engine", ["sequential", "inplace", "batched"])
@pytest.mark.parametrize(
    "method, settings",
    [
        ("fedavg", STEPS),
        ("scaffold", {**STEPS, "option": "II"}),  # with a correction
        ("local-update", {"gamma": 0.5, "theta": Theta([1.0, 0.0, 2.0]), "eta": 0.3}),  # with weights
        ("fedda-sgdm", {**STEPS, "eta": 0.1}),
        ("local-adam", {**STEPS, "gamma": 0.01, "bias_correction": True}),
        ("maml", {**STEPS, "eta": 0.3}),
    ],
)
def test_engines_agree_with_dense_rows(method: str, settings: dict[str, Any], engine: str) -> None:
    compare(run(Rows, "sequential", method, settings), run(BagLogistic, engine, method, settings), 1e-11)


def test_steps_in_place_never_write_the_gradient_down() -> None:
    made = build("inplace", task(BagLogistic), Settings(), "cpu")
    assert isinstance(made, FastSequential)
    assert made.loaded is not None
    found = made.loaded.gradient(TEXTS, torch.ones(len(TEXTS), TAGS), None)
    A, B = found[0]
    assert A.is_sparse
    assert A._nnz() == int((TEXTS > 0).sum())
    reference = Rows(WORDS, TAGS).double()
    expected = torch.autograd.grad(
        one_vs_rest(reference(TEXTS), torch.ones(len(TEXTS), TAGS)).mean(), list(reference.parameters())
    )
    torch.testing.assert_close((A @ B, found[1]), tuple(expected))


def test_factors_of_one_matrix_add_up_and_are_taken_once() -> None:
    """A layer used twice, what autograd computed besides, and what is left of a gradient that an error ended."""
    matrix, A, B = torch.zeros(4, 3), torch.rand(4, 2), torch.rand(2, 3)
    factors = Factors()
    factors.put(matrix, A, B)
    factors.put(matrix, 2 * A, B)
    torch.testing.assert_close(torch.mm(*factors.take(matrix, None)), 3 * A @ B)
    assert torch.equal(factors.take(matrix, None), matrix)
    factors.put(matrix, A, B)
    torch.testing.assert_close(factors.take(matrix, torch.ones(4, 3)), A @ B + 1)
    factors.put(matrix, A, B)
    factors.begin()
    assert torch.equal(factors.take(matrix, None), matrix)


def test_bags_are_not_batched_over_clients() -> None:
    """On a CPU, where several of them at once are dense products."""
    assert choose(task(BagLogistic), Settings(workers=1), torch.device("cpu")) == "inplace"
