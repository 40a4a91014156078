"""Slopes of pooled convolutions, of the outputs that pooling kept, against autograd's of all of them."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn

from neural.engine import pooled
from neural.engine.pooled import with_kept_slopes
from neural.tasks.models.layers import PooledConv2d
from surrogate import ProblemError

CLOSE = {torch.float32: {"rtol": 1e-4, "atol": 1e-4}, torch.float64: {"rtol": 1e-11, "atol": 1e-11}}


class Plain(nn.Conv2d):
    """What the layer says it is."""

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(F.max_pool2d(super().forward(x), 2))


def slopes(layer: nn.Module, x: Tensor, needed: bool) -> list[Tensor]:
    """The outputs, and the slopes of a sum that tells all of them apart in x, if needed, kernels and biases."""
    shown = x.clone().requires_grad_(needed)
    z = layer(shown)
    total = (z * torch.linspace(-1, 2, z.numel(), dtype=z.dtype).view(z.shape).sin()).sum()
    return [z.detach(), *torch.autograd.grad(total, [*([shown] if needed else []), *layer.parameters()])]


def pair(*args: Any, dtype: torch.dtype, **more: Any) -> tuple[nn.Module, PooledConv2d]:
    plain, ours = Plain(*args, **more).to(dtype), PooledConv2d(*args, **more).to(dtype)
    ours.load_state_dict(plain.state_dict())
    for layer in (plain, ours):
        layer.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    return plain, ours


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@given(st.data())
def test_against_autograd(dtype: torch.dtype, data: st.DataObject) -> None:
    """Any kernel, padding and size, odd ones and windows at the edge among them; ties, of outputs that are all 0."""
    draw = data.draw
    k, p, size = draw(st.integers(1, 5)), draw(st.integers(0, 4)), draw(st.integers(2, 9))
    size = max(size, k - 2 * p + 1)
    channels, filters = 16 * draw(st.integers(1, 2)), draw(st.sampled_from([32, 33]))
    torch.manual_seed(draw(st.integers(0, 99)))
    plain, ours = pair(channels, filters, k, padding=p, bias=draw(st.booleans()), dtype=dtype)
    x = torch.randn(draw(st.integers(1, 3)), channels, size, size + draw(st.integers(0, 3)), dtype=dtype)
    x = x.relu() * draw(st.sampled_from([0, 1]))
    if draw(st.booleans()):
        x = x.contiguous(memory_format=torch.channels_last)
    quick = with_kept_slopes(ours)
    assert "forward" in vars(quick)
    needed = draw(st.booleans())
    for found, expected in zip(slopes(quick, x, needed), slopes(plain, x, needed), strict=True):
        torch.testing.assert_close(found, expected, **CLOSE[dtype])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@given(st.data())
def test_of_few_channels_against_autograd(dtype: torch.dtype, data: st.DataObject) -> None:
    """A first layer: nobody asks for slopes in the images."""
    draw = data.draw
    k, p, size = draw(st.integers(1, 5)), draw(st.integers(0, 3)), draw(st.integers(2, 9))
    size = max(size, k - 2 * p + 1)
    channels, filters = draw(st.integers(1, 4)), 16 * draw(st.integers(1, 3))
    torch.manual_seed(draw(st.integers(0, 99)))
    plain, ours = pair(channels, filters, k, padding=p, bias=draw(st.booleans()), dtype=dtype)
    x = torch.randn(draw(st.integers(1, 3)), channels, size, size + draw(st.integers(0, 3)), dtype=dtype)
    x = x * draw(st.sampled_from([0, 1]))
    quick = with_kept_slopes(ours)
    assert "forward" in vars(quick)
    for found, expected in zip(slopes(quick, x, False), slopes(plain, x, False), strict=True):
        torch.testing.assert_close(found, expected, **CLOSE[dtype])
    if channels == 1:  # asked for all the same: torch's
        for found, expected in zip(slopes(quick, x, True), slopes(plain, x, True), strict=True):
            torch.testing.assert_close(found, expected, **CLOSE[dtype])


@pytest.mark.parametrize(
    "args, more",
    [
        ((5, 32, 5), {}),  # rows of 25 numbers are no vectors, and the channels are not few
        ((1, 33, 5), {}),  # nor are 33 filters
        ((16, 8, 3), {}),  # few filters
        ((16, 32, 3), {"stride": 2}),
        ((16, 32, 3), {"dilation": 2}),
        ((16, 32, 3), {"groups": 2}),
        ((16, 32, (3, 1)), {}),
        ((16, 32, 3), {"padding": (1, 0)}),
        ((16, 32, 3), {"padding": "same"}),
        ((16, 32, 3), {"padding": 1, "padding_mode": "reflect"}),
    ],
)
def test_others_stay_torchs(args: Any, more: Any) -> None:
    plain, ours = pair(*args, dtype=torch.float64, **more)
    x = torch.randn(2, args[0], 9, 8, dtype=torch.float64)
    quick = with_kept_slopes(ours)
    assert "forward" not in vars(quick)
    for found, expected in zip(slopes(quick, x, True), slopes(plain, x, True), strict=True):
        torch.testing.assert_close(found, expected, **CLOSE[torch.float64])


def test_one_image_without_a_batch_and_half_precision_stay_torchs(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any) -> None:
        raise AssertionError("not for these")

    monkeypatch.setattr(pooled._Pooled, "apply", refuse)
    for dtype, shape in ((torch.float64, (32, 6, 6)), (torch.bfloat16, (2, 32, 6, 6))):
        plain, ours = pair(32, 32, 3, dtype=dtype)
        x, quick = torch.randn(shape, dtype=dtype), with_kept_slopes(ours)
        assert "forward" in vars(quick)
        torch.testing.assert_close(quick(x), plain(x))


def test_what_is_not_a_number_stays_none() -> None:
    plain, ours = pair(16, 32, 3, dtype=torch.float64)
    x = torch.randn(1, 16, 6, 6, dtype=torch.float64)
    x[0, 0, 0, 0] = float("nan")
    both = [slopes(layer, x, needed=True) for layer in (with_kept_slopes(ours), plain)]
    for found, expected in zip(*both, strict=True):
        torch.testing.assert_close(found, expected, equal_nan=True, **CLOSE[torch.float64])
    assert both[0][0].isnan().any() and both[0][2].isnan().any()


@pytest.mark.parametrize(
    "shape, says", [((2, 17, 6, 6), "16 channels"), ((2, 16, 2, 6), "Kernel size"), ((2, 16, 3, 6), "too small")]
)
def test_images_of_other_shapes_are_refused_in_torchs_words(shape: tuple[int, ...], says: str) -> None:
    """The kernel would read beyond them."""
    layer = with_kept_slopes(PooledConv2d(16, 32, 3))
    with pytest.raises(RuntimeError, match=says):
        layer(torch.zeros(shape))


def test_slopes_of_slopes_are_refused() -> None:
    """Not left out in silence."""
    layer, x = with_kept_slopes(PooledConv2d(16, 32, 3)), torch.randn(1, 16, 6, 6, requires_grad=True)
    with pytest.raises(ProblemError, match=r"create_graph=True[\s\S]*sequential"):
        torch.autograd.grad(layer(x).sum(), x, create_graph=True)


def test_by_several_threads() -> None:
    """Each takes some of the images."""
    _, ours = pair(16, 32, 3, dtype=torch.float32)
    quick, x, before = with_kept_slopes(ours), torch.randn(5, 16, 8, 8), torch.get_num_threads()
    found = []
    try:
        for threads in (1, 3):
            torch.set_num_threads(threads)
            found.append(slopes(quick, x, needed=True))
    finally:
        torch.set_num_threads(before)
    for one, other in zip(*found, strict=True):
        assert torch.equal(one, other)
