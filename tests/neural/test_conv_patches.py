"""Convolutions and group norms of many models against torch's own of each; and what is written down of a function."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.func import functional_call

from neural import tasks
from neural.engine import Settings, conv_patches
from neural.engine.conv_patches import with_patches
from neural.engine.graph_recorder import recorded
from neural.engine.objective import Objective
from neural.engine.stacked_clients import Models

CLOSE = {"rtol": 1e-12, "atol": 1e-12}


def one_by_one(module: nn.Module, parameters: list[torch.Tensor], x: torch.Tensor) -> list[torch.Tensor]:
    """The outputs of each model, and the gradients of a sum of them that tells all entries apart."""
    found = []
    for m in range(len(x)):
        own = [part[m].clone().requires_grad_() for part in parameters]
        shown = x[m].clone().requires_grad_()
        z = functional_call(module, dict(zip(dict(module.named_parameters()), own, strict=True)), (shown,))
        found.append([z.detach(), *torch.autograd.grad(weighted(z).sum(), [shown, *own])])
    return [torch.stack(parts) for parts in zip(*found, strict=True)]


def at_once(module: nn.Module, parameters: list[torch.Tensor], x: torch.Tensor) -> list[torch.Tensor]:
    """The same by `torch.vmap` over a copy with patches."""
    copied, at = with_patches(module), [part.clone().requires_grad_() for part in parameters]
    names, shown = list(dict(module.named_parameters())), x.clone().requires_grad_()
    z = torch.vmap(lambda x, *own: functional_call(copied, dict(zip(names, own, strict=True)), (x,)))(shown, *at)
    return [z.detach(), *torch.autograd.grad(torch.stack([weighted(own) for own in z]).sum(), [shown, *at])]


def weighted(z: torch.Tensor) -> torch.Tensor:
    return z * torch.linspace(-1, 2, z.numel(), dtype=z.dtype).view(z.shape).sin()


def models(module: nn.Module, many: int, seed: int = 0) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(many, *part.shape, dtype=torch.float64, generator=generator) for part in module.parameters()]


@given(st.data())
def test_convolutions(data: st.DataObject) -> None:
    """Any kernel, stride, padding and size that fits, with and without bias, one model and several, both ways."""
    draw = data.draw
    k, s, channels, filters = (draw(st.integers(1, most)) for most in (5, 3, 3, 4))
    p = draw(st.integers(0, k - 1))
    M, B, H, W = (draw(st.integers(low, low + 4)) for low in (1, 1, max(1, k - 2 * p), max(1, k - 2 * p)))
    layer = nn.Conv2d(channels, filters, k, s, p, bias=draw(st.booleans())).double()
    x = models(nn.ParameterList([torch.empty(B, channels, H, W)]), M, seed=1)[0]
    if draw(st.booleans()):
        x = x.flatten(0, 1).contiguous(memory_format=torch.channels_last).unflatten(0, (M, B))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conv_patches, "MANY", draw(st.sampled_from([0, 1 << 30])))
        found, wanted = (way(layer, models(layer, M), x) for way in (at_once, one_by_one))
    for ours, torchs in zip(found, wanted, strict=True):
        torch.testing.assert_close(ours, torchs, **CLOSE)


@given(st.data())
def test_group_norms(data: st.DataObject) -> None:
    draw = data.draw
    groups, each, M, B = (draw(st.integers(1, 3)) for _ in range(4))
    layer = nn.GroupNorm(groups, groups * each, affine=draw(st.booleans())).double()
    H, W = draw(st.integers(2, 4)), draw(st.integers(1, 3))
    x = models(nn.ParameterList([torch.empty(B, groups * each, H, W)]), M, seed=1)[0]
    for ours, torchs in zip(*(way(layer, models(layer, M), x) for way in (at_once, one_by_one)), strict=True):
        torch.testing.assert_close(ours, torchs, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    "layer",
    [
        nn.Conv2d(2, 4, 3, groups=2),
        nn.Conv2d(2, 4, 3, dilation=2),
        nn.Conv2d(2, 4, (3, 2)),
        nn.Conv2d(2, 4, 3, padding="same"),
        nn.Conv2d(2, 4, 3, padding=1, padding_mode="circular"),
        nn.Conv2d(2, 4, 1, padding=1),
        nn.Conv1d(2, 4, 3),
    ],
)
def test_others_stay_torchs(layer: nn.Module) -> None:
    layer = layer.double()
    shape = (3, 2, 6) if isinstance(layer, nn.Conv1d) else (3, 2, 6, 6)
    x = models(nn.ParameterList([torch.empty(shape)]), 2, seed=1)[0]
    for ours, torchs in zip(*(way(layer, models(layer, 2), x) for way in (at_once, one_by_one)), strict=True):
        torch.testing.assert_close(ours, torchs, **CLOSE)


def test_the_copy_leaves_the_module_as_it_is() -> None:
    module = nn.Sequential(nn.Conv2d(2, 4, 3), nn.GroupNorm(2, 4))
    copied = with_patches(module)
    assert "_conv_forward" in vars(copied[0]) and "forward" in vars(copied[1])
    assert "forward" not in vars(module[0]) and "forward" not in vars(module[1])
    assert [name for name, _ in copied.named_parameters()] == [name for name, _ in module.named_parameters()]


@pytest.mark.parametrize("name", ["cifar100-resnet18", "mnist-cnn", "emnist-cnn"])
def test_the_papers_models(name: str) -> None:
    """Losses and traced gradients of three models, dropout included, against one after another by autograd."""
    task = tasks.build(name, "smoke")
    one = Objective(task, Settings(), torch.device("cpu"))
    many, rows = Models(one), torch.arange(12).view(3, 4)
    (x, y), share, keys = one.data.at(rows), torch.full((3, 4), 0.25), 1000 + rows
    vectors = one.start() + 0.01 * torch.randn(3, one.flat.D, generator=torch.Generator().manual_seed(0))
    parts = [
        part.unflatten(1, shape) for part, shape in zip(vectors.split(one.flat.sizes, 1), one.flat.shapes, strict=True)
    ]
    asked = x, y, share, keys if one.needs_keys() else None
    found = many.cached([part.contiguous() for part in parts], *asked)
    joined = torch.cat([(p if torch.is_tensor(p) else torch.bmm(*p)).reshape(3, -1) for p in found], dim=1)
    for m in range(3):
        own = (x[m], y[m], None if asked[3] is None else keys[m])
        torch.testing.assert_close(joined[m], one.gradient(vectors[m], *own), rtol=2e-4, atol=2e-6)
        torch.testing.assert_close(many.losses(parts, *asked)[m], one.losses(vectors[m], *own).mean())


def test_what_is_written_down() -> None:
    """Constants, steps in place and missing inputs; the second time with other numbers."""
    brought = torch.arange(3.0)

    def function(parts: Any, x: torch.Tensor, nothing: None) -> list[torch.Tensor]:
        made = torch.zeros(3)
        made[1:].add_(parts[0][1:])
        values, where = (x + brought).sort(descending=True)
        return [made * x, values, where, brought]

    graph = recorded(function, [torch.ones(3)], torch.ones(3), None).module()
    a, x = torch.tensor([5.0, 6.0, 7.0]), torch.tensor([9.0, 2.0, 4.0])
    for ours, theirs in zip(graph(a, x, None), function([a], x, None), strict=True):
        assert torch.equal(ours, theirs)
