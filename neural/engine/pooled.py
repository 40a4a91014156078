"""Convolutions that are pooled and cut off at 0, with slopes of the outputs that are left: a quarter at the most.

oneDNN is told the other three quarters, too, all of them 0. For McMahan's second convolution, 20 x 32 x 14 x 14 and 64
kernels of 5 x 5, that takes 2.5 ms on a core of an AMD EPYC, at the core's peak; slopes of the outputs that are left
take 1.4 (`neural.kernels.pooled`), and the first convolution's 0.2 instead of 0.35. In training, pooling and ReLU are
part of the convolution (`neural.kernels.largest`): for the first one 0.17 ms instead of 0.34, and nothing of four times
the size is written, nor positions as whole numbers of eight bytes.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from neural.engine.once import once
from neural.tasks.models.layers import PooledConv2d

__all__ = ["with_kept_slopes"]

FILTERS = 32  # with fewer, too few slopes share a place for their sums to stay in registers
FEW = 4  # channels of a first layer, whose filters are what fills a vector
VECTOR = 64  # bytes: rows are whole vectors of every processor


def with_kept_slopes(module: nn.Module) -> nn.Module:
    """The module itself, whose pooled convolutions can be differentiated once."""
    for part in module.modules():
        if type(part) is PooledConv2d and _square(part) and (_wide(part) or _first(part)):
            part.forward = partial(_forward, part)  # type: ignore[method-assign]
    return module


def _square(layer: PooledConv2d) -> bool:
    """Square kernels without groups, gaps or strides, and as many zeros on all sides."""
    k, p = layer.kernel_size[0], layer.padding
    square = layer.kernel_size == (k, k) and layer.stride == layer.dilation == (1, 1) and layer.groups == 1
    return square and not isinstance(p, str) and p[0] == p[1] and layer.padding_mode == "zeros"


def _wide(layer: PooledConv2d) -> bool:
    """Whether rows of a kernel are vectors, and there are many of them."""
    row = layer.kernel_size[0] * layer.in_channels * layer.weight.element_size()
    return row % VECTOR == 0 and layer.out_channels >= FILTERS


def _first(layer: PooledConv2d) -> bool:
    """Whether it can be the first layer of a network for images, which nobody asks for the images' slopes."""
    return layer.in_channels <= FEW and layer.out_channels * layer.weight.element_size() % VECTOR == 0


def _fits(layer: PooledConv2d, x: Tensor) -> bool:
    """Whether images have the layer's channels, and leave something to pool: torch has words for others."""
    least = layer.kernel_size[0] + 1 - 2 * layer.padding[0]  # type: ignore[operator]
    return x.shape[1] == layer.in_channels and x.dtype == layer.weight.dtype and min(x.shape[2:]) >= max(1, least)


def _forward(layer: PooledConv2d, x: Tensor) -> Tensor:
    known = x.ndim == 4 and x.device.type == "cpu" and x.dtype in (torch.float32, torch.float64)
    asked = torch.is_grad_enabled() and layer.weight.requires_grad
    wide = _wide(layer)
    fits = known and _fits(layer, x) and (wide or (_first(layer) and not x.requires_grad))
    if not asked or not fits or torch.is_autocast_enabled("cpu"):
        return PooledConv2d.forward(layer, x)
    z: Tensor = _Pooled.apply(x, layer.weight, layer.bias, layer.padding[0], wide)
    return z


class _Pooled(torch.autograd.Function):
    """max(0, .) of the largest of each 2 x 2 outputs, and the slopes of its inputs, kernels and biases."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, w: Tensor, b: Tensor | None, p: int, wide: bool) -> Tensor:
        z, corner = _largest(_last(x), w.detach(), b, p)
        ctx.save_for_backward(x, w, corner)
        ctx.p, ctx.wide, ctx.biased = p, wide, b is not None
        return z.permute(0, 3, 1, 2)

    @staticmethod
    @once
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor | None, Tensor, Tensor | None, None, None]:
        x, w, corner = ctx.saved_tensors
        g = _last(g)
        by_w, by_b = _by_kernels(_last(x), g, corner, w.shape, ctx.p, ctx.wide)
        by_x = _by_inputs(_last(w), g, corner, x, ctx.p) if ctx.needs_input_grad[0] else None
        return by_x, by_w, by_b if ctx.biased else None, None, None


def _largest(x: Tensor, w: Tensor, b: Tensor | None, p: int) -> tuple[Tensor, Tensor]:
    """What pooling and ReLU leave, and which corner it was, (B, h, w, O)."""
    from neural.kernels.largest import largest
    from neural.kernels.shared_out import shared_out
    from neural.kernels.vectors import whole

    (B, H, W, _), (filters, _, k, _) = x.shape, w.shape
    shape = B, (H + 2 * p - k + 1) // 2, (W + 2 * p - k + 1) // 2, filters
    z, corner = x.new_empty(shape), x.new_empty(shape, dtype=torch.uint8)
    more = whole(filters, x.element_size()) - filters
    kernels = F.pad(w.permute(2, 3, 1, 0), (0, more)).reshape(-1)
    biases = x.new_zeros(filters + more) if b is None else F.pad(b.detach(), (0, more))
    given = x.numpy(), kernels.numpy(), biases.numpy(), k, p, z.numpy(), corner.numpy()
    shared_out(partial(largest, *given), B)
    return z, corner


def _by_kernels(x: Tensor, g: Tensor, corner: Tensor, shape: torch.Size, p: int, wide: bool) -> tuple[Tensor, Tensor]:
    """(O, C, k, k), and those in the biases, (O,)."""
    from neural.kernels import pooled

    filters, channels, k, _ = shape
    found, biases = x.new_zeros(shape.numel()), x.new_zeros(filters)
    add = pooled.by_kernels if wide else pooled.of_few
    add(x.numpy(), g.numpy(), corner.numpy(), k, p, found.numpy(), biases.numpy())
    if wide:
        return found.view(filters, k, k, channels).permute(0, 3, 1, 2), biases
    return found.view(k, k, channels, filters).permute(3, 2, 0, 1), biases


def _by_inputs(w: Tensor, g: Tensor, corner: Tensor, x: Tensor, p: int) -> Tensor:
    """(B, C, H, W)."""
    from neural.kernels.pooled import by_inputs

    found = torch.empty_like(x.permute(0, 2, 3, 1), memory_format=torch.contiguous_format)
    by_inputs(w.reshape(-1).numpy(), g.numpy(), corner.numpy(), w.shape[1], p, found.numpy())
    return found.permute(0, 3, 1, 2)


def _last(x: Tensor) -> Tensor:
    """(B, C, H, W) as (B, H, W, C), in this order in memory."""
    return x.detach().permute(0, 2, 3, 1).contiguous()
