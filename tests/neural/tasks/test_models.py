"""The printed sizes, gradients against finite differences, dropout and augmentation as functions of keys, vmap."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from neural.engine.objective import fresh_module
from neural.flat import Flat
from neural.tasks import augment, losses
from neural.tasks.family import parameters
from neural.tasks.models import (
    CNN,
    LSTM,
    MLP,
    Autoencoder,
    DropoutCNN,
    LanguageModel,
    LeNet,
    Logistic,
    Look,
    PooledCNN,
    ResNet,
    lenet,
)
from neural.tasks.models.bags import BagLogistic
from neural.tasks.models.dense import softmax_gradients
from neural.tasks.models.inputs import frequencies
from neural.tasks.shrunk import shrunk


def lstm(inputs: int, units: int) -> int:
    return 4 * units * (inputs + units + 1)


def residual(classes: int, stem: int) -> int:
    """Stem, four stages of two blocks, 1x1 shortcuts into the last three, two numbers a channel of each norm."""
    total, inputs = stem + 2 * 64, 64
    for outputs in (64, 128, 256, 512):
        total += 9 * inputs * outputs + 3 * 9 * outputs * outputs + 4 * 2 * outputs
        total += inputs * outputs + 2 * outputs if inputs != outputs else 0
        inputs = outputs
    return total + (512 + 1) * classes


PRINTED: dict[tuple[str, ...], int] = {
    ("emnist-cnn",): 26 * 32 + (25 * 32 + 1) * 64 + (49 * 64 + 1) * 512 + 513 * 62,
    ("emnist-cnn", "model=fedda"): 10 * 32 + (9 * 32 + 1) * 64 + (144 * 64 + 1) * 128 + 129 * 62,
    ("mnist-mlp",): 785 * 200 + 201 * 10,
    ("mnist-cnn",): 26 * 10 + 251 * 20 + 321 * 50 + 51 * 10,
    ("fmnist-cnn",): 26 * 10 + 251 * 20 + 321 * 50 + 51 * 10,
    ("mnist-logreg",): 785 * 10,
    ("cifar10-resnet18",): residual(10, 3 * 49 * 64),
    ("cifar100-resnet18",): residual(100, 3 * 49 * 64),
    ("cifar100-resnet18", "stem=3x3"): residual(100, 3 * 9 * 64),
    ("tinyimagenet-resnet18",): residual(200, 3 * 49 * 64),
    ("cifar10-lenet",): 76 * 20 + 501 * 50 + 1251 * 500 + 501 * 10,
    ("shakespeare-lstm",): 90 * 8 + lstm(8, 256) + lstm(256, 256) + 257 * 90,
    ("words-lstm",): 10_004 * 96 + lstm(96, 670) + 671 * 96 + 97 * 10_004,
    ("tags-logreg",): 10_001 * 500,
    ("autoencoder",): 785 * 1000 + 1001 * 500 + 501 * 250 + 251 * 30 + 31 * 250 + 251 * 500 + 501 * 1000 + 1001 * 784,
}


@pytest.mark.parametrize("name", PRINTED, ids=" ".join)
def test_parameters_are_the_printed_architectures_arithmetic(name: tuple[str, ...]) -> None:
    options = dict(option.split("=") for option in name[1:])
    assert parameters(name[0], "paper", **options) == PRINTED[name]


def test_the_numbers_that_the_literature_prints() -> None:
    """McMahan et al. (their CNN with 10 classes), FedOpt's table of models."""
    assert sum(p.numel() for p in CNN(28, 10).parameters()) == 1_663_370
    assert PRINTED[("emnist-cnn", "model=fedda")] == 1_206_590
    assert PRINTED[("shakespeare-lstm",)] == 820_522
    assert PRINTED[("words-lstm",)] == 4_050_748


GREY = (3, 1, 16, 16)
Example = tuple[Callable[[], nn.Module], Callable[..., Tensor], tuple[int, ...], int]
TINY: dict[str, Example] = {
    "cnn": (partial(CNN, 16, 3, 1, (2, 3), 4), losses.cross_entropy, GREY, 3),
    "dropout-cnn": (partial(DropoutCNN, 16, 3, 1, (2, 3), 4), losses.cross_entropy, GREY, 3),
    "pooled-cnn": (partial(PooledCNN, 16, 3, 1, (2, 3), 4), losses.cross_entropy, GREY, 3),
    "mlp": (partial(MLP, 256, 3, 5), losses.cross_entropy, GREY, 3),
    "logistic": (partial(Logistic, 256, 3), losses.cross_entropy, GREY, 3),
    "autoencoder": (partial(Autoencoder, 256, (4, 2)), losses.squared_error, GREY, 0),
    "resnet8": (partial(ResNet, 3, 1, 8, 2, "3x3", Look(crop=12, standardize=True)), losses.cross_entropy, GREY, 3),
    "resnet18": (partial(ResNet, 3, 3, 18, 2, "7x7"), losses.cross_entropy, (3, 3, 32, 32), 3),
    **{
        f"lenet-{act}": (
            partial(LeNet, 16, 3, 3, (2, 3), 4, act, Look(mean=(0.5,) * 3, std=(0.2,) * 3)),
            losses.cross_entropy, (3, 3, 16, 16), 3,
        )
        for act in ("relu", "gelu", "smu")
    },
    "characters": (partial(LanguageModel, 9, 3, 4, 2), losses.token_cross_entropy, (3, 5), -9),
    "words": (partial(LanguageModel, 9, 3, 4, 1, 3), losses.token_cross_entropy, (3, 5), -9),
    "bags": (partial(BagLogistic, 9, 4), losses.one_vs_rest, (3, 5), -4),
}  # fmt: skip


def example(name: str) -> tuple[Flat, Tensor, Tensor, Callable[..., Tensor], bool]:
    """A tiny model in float64, inputs and targets."""
    model, loss, shape, outputs = TINY[name]
    torch.manual_seed(1)
    module = model().double()
    if outputs < 0:
        x = torch.randint(0, 9, shape)
        y = torch.randint(0, 2, (3, 4)).float() if name == "bags" else torch.randint(0, 9, shape)
    else:
        x = torch.randint(0, 256, shape, dtype=torch.uint8)
        y = torch.randint(outputs, (3,)) if outputs else x
    flat = Flat(module)
    return flat, x, y, loss, hasattr(module, "rate") or hasattr(module, "rates")


KEYS = torch.tensor([7, 8, 9])


@pytest.mark.parametrize("name", TINY)
def test_gradients_are_those_of_finite_differences(name: str) -> None:
    """Along random directions, in float64; dropout by keys stays the same mask at both points."""
    flat, x, y, loss, random = example(name)
    more = (KEYS,) if random else ()

    def value(vector: Tensor) -> Tensor:
        return loss(flat.call(vector, x, *more), y).mean()

    at = (flat.vector() + 0.05 * torch.randn(flat.D, dtype=torch.float64)).requires_grad_()
    (gradient,) = torch.autograd.grad(value(at), at)
    assert torch.isfinite(gradient).all() and gradient.abs().max() > 0
    for _ in range(3):
        direction, h = torch.nn.functional.normalize(torch.randn_like(at.detach()), dim=0), 1e-6
        with torch.no_grad():
            slope = (value(at + h * direction) - value(at - h * direction)) / (2 * h)
        torch.testing.assert_close(gradient @ direction, slope, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("name", TINY)
def test_models_under_vmap_are_the_models_one_by_one(name: str) -> None:
    flat, x, y, loss, random = example(name)
    vectors = flat.vector() + 0.1 * torch.randn(2, flat.D, dtype=torch.float64)
    more: tuple[Any, ...] = (KEYS,) if random else ()

    def value(vector: Tensor) -> Tensor:
        return loss(flat.call(vector, x, *more), y)

    torch.testing.assert_close(torch.vmap(value)(vectors), torch.stack([value(v) for v in vectors]))


@pytest.mark.parametrize("activation", lenet.ACTIVATIONS)
def test_lenet_pools_what_is_activated(activation: str) -> None:
    """As printed: outputs and gradients, whichever of the two comes first."""
    torch.manual_seed(0)
    act = lenet.ACTIVATIONS[activation]
    net, x = LeNet(16, 3, 3, (2, 3), 4, activation).double(), torch.randn(5, 3, 16, 16, dtype=torch.float64)
    z = nn.functional.max_pool2d(act(net.first(x)), 2)
    z = nn.functional.max_pool2d(act(net.second(z)), 2).flatten(1)
    printed, ours = net.out(act(net.dense(z))), net(x)
    torch.testing.assert_close(ours, printed)
    slopes = [torch.autograd.grad(out.square().sum(), list(net.parameters())) for out in (ours, printed)]
    torch.testing.assert_close(*slopes)


def test_the_lstm_by_its_equations_is_the_fused_one_twice_differentiated() -> None:
    torch.manual_seed(0)
    layer, x = LSTM(3, 4).double(), torch.randn(2, 6, 3, dtype=torch.float64)
    found = []
    for forward in (layer.fused, layer.stepwise):
        first = torch.autograd.grad(forward(x).pow(2).sum(), list(layer.parameters()), create_graph=True)
        second = torch.autograd.grad(sum((g * g).sum() for g in first), list(layer.parameters()))
        found.append([forward(x), *first, *second])
    for fused, stepwise in zip(*found, strict=True):
        torch.testing.assert_close(fused, stepwise)


def test_gradients_by_hand() -> None:
    flat, x, y, loss, _ = example("logistic")
    vectors = torch.randn(2, flat.D, dtype=torch.float64, requires_grad=True)
    share = torch.tensor([0.5, 0.3, 0.2], dtype=torch.float64)
    total = sum((share * loss(flat.call(v, x), y)).sum() for v in vectors)
    (expected,) = torch.autograd.grad(total, vectors)
    both = [torch.stack([part, part]) for part in (x, y, share)]
    torch.testing.assert_close(softmax_gradients(3)(vectors.detach(), *both), expected)


def test_dropout_depends_on_each_examples_key_alone() -> None:
    flat, x, _, _, _ = example("mlp")
    v = flat.vector()
    out = flat.call(v, x, KEYS)
    torch.testing.assert_close(flat.call(v, x[[2, 0]], KEYS[[2, 0]]), out[[2, 0]])
    assert not torch.allclose(flat.call(v, x, KEYS + 10), out)
    many = torch.arange(4000)
    mean = flat.call(v, x[:1].expand(4000, -1, -1, -1), many).mean(dim=0)
    torch.testing.assert_close(mean, flat.call(v, x[:1], None)[0], rtol=0, atol=0.1)


def test_crops_are_windows_of_the_image() -> None:
    """Every window of every orientation occurs, by key, alike for one example and for many, and under vmap."""
    x = torch.arange(2 * 4 * 4).reshape(1, 2, 4, 4)
    windows = {
        tuple(part.flatten().tolist())
        for image in (x[0],)
        for top in range(3)
        for left in range(3)
        for cut in (image[:, top : top + 2, left : left + 2],)
        for part in (cut, cut.flip(-1))
    }
    keys = torch.arange(400)
    cut = augment.crop(x.expand(400, -1, -1, -1), keys, size=2, flip=True)
    assert {tuple(part.flatten().tolist()) for part in cut} == windows
    torch.testing.assert_close(augment.crop(x, keys[5:6], size=2, flip=True), cut[5:6])
    many = torch.vmap(partial(augment.crop, size=2, flip=True))(x.expand(2, 200, 2, 4, 4), keys.reshape(2, 200))
    torch.testing.assert_close(many.flatten(0, 1), cut)


def test_padding_is_black_and_keeps_the_size() -> None:
    cut = augment.crop(torch.full((50, 1, 4, 4), 7), torch.arange(50), padding=1)
    assert cut.shape == (50, 1, 4, 4)
    assert {int(part.eq(7).sum()) for part in cut} == {9, 12, 16}


def test_what_a_model_sees_is_standardised_after_the_central_crop() -> None:
    torch.manual_seed(0)
    x = torch.randint(0, 256, (2, 3, 8, 8), dtype=torch.uint8)
    seen = Look(crop=4, standardize=True)(x, torch.float64)
    middle = x[..., 2:6, 2:6].double().flatten(1)
    expected = (middle - middle.mean(1, keepdim=True)) / middle.std(1, correction=0, keepdim=True)
    torch.testing.assert_close(seen.flatten(1), expected)
    grey = Look(standardize=True)(torch.full((1, 3, 8, 8), 9, dtype=torch.uint8), torch.float64)
    torch.testing.assert_close(grey, torch.zeros_like(grey))


@pytest.mark.parametrize("shrink, side", [(2, 8), (2, 7), (3, 10), (1, 5)])
def test_images_shrink_by_means_of_whole_squares(shrink: int, side: int) -> None:
    torch.manual_seed(0)
    x = torch.randint(0, 256, (2, 3, side, side + 1), dtype=torch.uint8)
    expected = nn.functional.avg_pool2d(x.double(), shrink)
    assert len(shrunk(x, shrink)) == 2 and len(shrunk(x[:0], shrink)) == 0
    torch.testing.assert_close(shrunk(x.double(), shrink), expected, rtol=1e-15, atol=0)
    assert shrunk(x, shrink).dtype == torch.uint8
    torch.testing.assert_close(shrunk(x, shrink).double(), (expected + 0.5 + 1e-9).floor(), rtol=0, atol=0)


def test_losses_and_metrics_leave_out_what_they_should() -> None:
    """V = 3: 0 padding, 1..3 tokens, 4 unknown, 5 begin, 6 end."""
    y = torch.tensor([[1, 4, 6, 0], [2, 3, 0, 0], [0, 0, 0, 0]])
    outputs = torch.randn(3, 4, 7, dtype=torch.float64)
    each = -outputs.log_softmax(-1).gather(-1, y[..., None])[..., 0]
    expected = torch.stack([each[0, :3].mean(), each[1, :2].mean(), torch.zeros((), dtype=torch.float64)])
    torch.testing.assert_close(losses.token_cross_entropy(outputs, y), expected)
    right = nn.functional.one_hot(y, 7).double()
    assert losses.token_accuracy(right, y, vocabulary=3) == (3, 3)
    right[1, 0] = right[1, 0].roll(1)
    assert losses.token_accuracy(right, y, vocabulary=3) == (2, 3)


def test_hits_are_those_of_argmax_with_ties_and_without_numbers() -> None:
    random = torch.Generator().manual_seed(0)
    outputs = torch.randint(0, 3, (40, 5, 9), generator=random).float()  # ties everywhere
    outputs[0, :, 4], outputs[1], outputs[2, :, 3] = torch.nan, torch.nan, torch.inf
    y = torch.randint(0, 9, (40, 5), generator=random)
    y[0], y[1] = 4, 0
    expected = (outputs.argmax(dim=-1) == y) & (y > 0) & (y <= 7)
    assert 0 < expected.sum() < expected.numel()
    assert losses.token_accuracy(outputs, y, vocabulary=7) == (expected.sum(), ((y > 0) & (y <= 7)).sum())


def test_recall_at_5() -> None:
    scores = torch.arange(8.0).expand(2, 8)  # the five largest are 3..7
    y = torch.tensor([[1, 1, 0, 1, 0, 0, 0, 1], [0, 0, 1, 0, 0, 0, 0, 0]])
    assert losses.recall_at_5(scores, y) == (2, 5)


def test_frequencies_of_words() -> None:
    x = torch.tensor([[2, 2, 1, 0], [0, 0, 0, 0]])
    expected = torch.tensor([[1 / 3, 2 / 3, 0], [0, 0, 0]], dtype=torch.float64)
    torch.testing.assert_close(frequencies(x, 3, torch.float64), expected)
    torch.testing.assert_close(frequencies(expected, 3, torch.float64), expected)


def test_a_seed_gives_one_model() -> None:
    from neural import tasks

    task = tasks.build("shakespeare-lstm", "smoke")
    one, same, other = (Flat(fresh_module(task, seed)).vector() for seed in (0, 0, 1))
    assert torch.equal(one, same) and not torch.equal(one, other)
