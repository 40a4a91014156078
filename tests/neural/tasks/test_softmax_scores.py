"""Losses and hits of scores that are never all written down, against torch's of the same that are."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn

from neural import tasks
from neural.engine import Settings, build
from neural.engine.fast_sequential import FastModule, FastSequential
from neural.engine.loop import train
from neural.engine.scheduled_method import ScheduledMethod
from neural.tasks import losses, softmax_scores
from neural.tasks.models import LanguageModel, lstm
from neural.tasks.softmax_scores import Scores
from neural.tasks.task import Task
from tests.helpers.neural import small
from tests.neural.test_engines_agree import compare

CLOSE = {"rtol": 1e-10, "atol": 1e-12}


def drawn(seed: int, size: float, shape: tuple[int, int, int, int] = (4, 5, 3, 11)) -> tuple[Tensor, ...]:
    """rows, W, b and y, a text in four of padding alone and the others with some at their end."""
    random = torch.Generator().manual_seed(seed)
    B, T, K, V = shape
    rows, W, b = (torch.randn(*s, dtype=torch.float64, generator=random) for s in ((B, T, K), (V, K), (V,)))
    y = torch.randint(1, V, (B, T), generator=random)
    lengths = torch.tensor([0, 1, 3, T])[:B, None]
    return rows * size, W, b * size, torch.where(torch.arange(T) < lengths, y, 0)


def both(drawn: tuple[Tensor, ...], grad: bool = True) -> list[list[Tensor]]:
    """Losses, and the gradients of their mean where asked for, by scores and by torch."""
    *start, y = drawn
    ends = []
    for outputs in (Scores, nn.functional.linear):
        at = [part.clone().requires_grad_(grad) for part in start]
        each = losses.token_cross_entropy(outputs(*at), y)
        ends.append([each.detach(), *(torch.autograd.grad(each.mean(), at) if grad else ())])
    return ends


@given(st.integers(0, 999), st.sampled_from([0.0, 0.1, 1.0, 30.0, 3e4]), st.booleans())
def test_losses_and_gradients(seed: int, size: float, grad: bool) -> None:
    """Of scores of any size: exp(30,000) is no number, and its logarithm is."""
    for ours, torchs in zip(*both(drawn(seed, size), grad), strict=True):
        torch.testing.assert_close(ours, torchs, rtol=1e-10, atol=1e-12 * max(1, size))


def test_of_many_words_in_single_precision() -> None:
    """As large as those of a laptop's sentences; scores beyond exp among them."""
    for size in (0.1, 20.0):
        rows, W, b, y = drawn(1, size, (4, 60, 32, 1004))
        for ours, torchs in zip(*both((rows.float(), W.float(), b.float(), y)), strict=True):
            torch.testing.assert_close(ours, torchs, rtol=1e-4, atol=1e-4 * size)


@pytest.mark.parametrize("grad", [True, False])
def test_a_row_that_is_too_small_for_exp_is_moved(grad: bool) -> None:
    rows, W, b, y = drawn(0, 1.0)
    ways = rows, W, b - 5000, y
    for ours, torchs in zip(*both(ways, grad), strict=True):
        torch.testing.assert_close(ours, torchs, **CLOSE)


def test_what_is_no_number_is_none() -> None:
    """In the loss of its text, and in the slopes of its place and of the scores' parameters."""
    rows, W, b, y = drawn(0, 1.0)
    rows[2, 1, 0] = torch.nan
    ours, torchs = both((rows, W, b, y))
    assert ours[0].isnan().tolist() == [False, False, True, False] == torchs[0].isnan().tolist()
    assert (
        ours[1].isnan().any(dim=-1).nonzero().tolist() == [[2, 1]] == torchs[1].isnan().any(dim=-1).nonzero().tolist()
    )
    assert ours[2].isnan().any() and ours[3].isnan().all() and torchs[3].isnan().all()


def test_texts_of_padding_alone_cost_nothing() -> None:
    rows, W, b, y = drawn(0, 1.0)
    ours = both((rows, W, b, torch.zeros_like(y)))[0]
    assert all(not part.any() for part in ours)
    with torch.no_grad():
        assert losses.token_accuracy(Scores(rows, W, b), torch.zeros_like(y), 11) == (0, 0)


@given(st.integers(0, 999), st.integers(1, 60))
def test_hits(seed: int, cached: int) -> None:
    """Ties included, in pieces of any size."""
    rows, W, b, y = (part.round() for part in drawn(seed, 1.0))
    with pytest.MonkeyPatch.context() as patch, torch.no_grad():
        patch.setattr(softmax_scores, "CACHED", cached)
        found = losses.token_accuracy(Scores(rows, W, b), y, vocabulary=7)
    assert found == losses.token_accuracy(nn.functional.linear(rows, W, b), y, vocabulary=7)


def test_scores_are_made_once_for_loss_and_accuracy(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    judged = softmax_scores._judged
    monkeypatch.setattr(softmax_scores, "_judged", lambda z, y: made.append(len(z)) or judged(z, y))
    rows, W, b, y = drawn(0, 1.0)
    with torch.no_grad():
        of = Scores(rows, W, b)
        losses.token_cross_entropy(of, y)
        losses.token_accuracy(of, y, vocabulary=7)
        assert made == [int((y > 0).sum())]
        losses.token_cross_entropy(of, y.flip(0))
    assert len(made) == 2
    assert of.numel() == 4 * 5 * 11


def task_of(**changed: object) -> Task:
    return replace(tasks.build("words-lstm", "smoke"), dtype=torch.float64, **changed)  # type: ignore[arg-type]


def shifted(outputs: Tensor, y: Tensor) -> Tensor:
    return losses.token_cross_entropy(outputs + 1, y)


class Warm(LanguageModel):
    """Another temperature."""

    def __init__(self) -> None:
        super().__init__(104, 8, 8)

    def forward(self, x: Tensor) -> Tensor:
        return 3 * super().forward(x)


def unbiased() -> LanguageModel:
    made = LanguageModel(104, 8, 8)
    made.out = nn.Linear(8, 104, bias=False)
    return made


def hooked() -> LanguageModel:
    made = LanguageModel(104, 8, 8)
    made.out.register_forward_hook(lambda module, given, found: 2 * found)
    return made


def backwards() -> LanguageModel:
    made = LanguageModel(104, 8, 8)
    made.out.register_full_backward_hook(lambda module, found, given: (2 * found[0],))
    return made


def replaced() -> LanguageModel:
    made = LanguageModel(104, 8, 8)
    made.out.forward = lambda x: x @ made.out.weight.t()  # type: ignore[method-assign]
    return made


def test_labels_that_only_torch_knows() -> None:
    """Its mark for none; fewer targets than places are refused."""
    rows, W, b, y = drawn(0, 1.0)
    y[1, 0] = -100
    of, z = Scores(rows, W, b), nn.functional.linear(rows, W, b)
    with torch.no_grad():
        assert torch.equal(losses.token_cross_entropy(of, y), losses.token_cross_entropy(z, y))
        assert losses.token_accuracy(of, y, 7) == losses.token_accuracy(z, y, 7)
        for fewer in (y[:, :4], y[:3]):
            with pytest.raises((ValueError, RuntimeError)):
                losses.token_cross_entropy(of, fewer)


def test_the_engine_takes_them_for_many_words_and_a_loss_that_knows_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def scored(task: Task) -> bool:
        made = build("inplace", task, Settings(), "cpu")
        assert isinstance(made, FastSequential)
        assert isinstance(made.loaded, FastModule)
        return made.loaded.scored

    assert not scored(task_of()), "104 are few"
    monkeypatch.setattr(lstm, "WORDS", 104)
    assert scored(task_of())
    assert not scored(task_of(loss=shifted))
    assert not scored(task_of(metrics={"accuracy": losses.accuracy}))
    assert not scored(small.task("cnn"))
    for model in (
        Warm,
        unbiased,
        hooked,
        backwards,
        replaced,
    ):  # whose outputs are not what the last layer's parameters say
        assert not scored(task_of(model=model))


@pytest.mark.parametrize("method", ["fedavg", "local-adagrad"])
def test_training_is_the_same(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Losses before local work, accuracies and models of three rounds, as by the reference engine."""
    monkeypatch.setattr(lstm, "WORDS", 104)
    settings = Settings(eval_every=1, loss_before=True, clients_per_round=4)
    recipe = ScheduledMethod(method, {"gamma": 0.1, "steps": 3})
    compare(*([*train(task_of(), recipe, settings, 3, engine=name)] for name in ("sequential", "inplace")), 1e-9)
