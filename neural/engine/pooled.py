"""Convolutions that are pooled, with slopes of the outputs that pooling kept: a quarter of them at the most.

oneDNN is told the other three quarters, too, all of them 0. For McMahan's second convolution, 20 x 32 x 14 x 14 and 64
kernels of 5 x 5, that takes 2.5 ms of a step's 6.4 on a core of an AMD EPYC, at the core's peak; slopes of the kept
outputs alone take 1.2 (`neural.kernels.pooled`).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from neural.tasks.models.layers import PooledConv2d

__all__ = ["with_kept_slopes"]

FILTERS = 32  # with fewer, too few slopes share a place for their sums to stay in registers
VECTOR = 64  # bytes: rows of a kernel are whole vectors of every processor


def with_kept_slopes(module: nn.Module) -> nn.Module:
    """The module itself, whose pooled convolutions can be differentiated once."""
    for part in module.modules():
        if type(part) is PooledConv2d and _suits(part):
            part.forward = partial(_forward, part)  # type: ignore[method-assign]
    return module


def _suits(layer: PooledConv2d) -> bool:
    """Square kernels without groups, gaps or strides, for inputs of many channels."""
    k, p = layer.kernel_size[0], layer.padding
    square = layer.kernel_size == (k, k) and layer.stride == layer.dilation == (1, 1) and layer.groups == 1
    if not square or isinstance(p, str) or p[0] != p[1] or layer.padding_mode != "zeros":
        return False
    rows = k * layer.in_channels * layer.weight.element_size()
    return rows % VECTOR == 0 and layer.out_channels >= FILTERS


def _forward(layer: PooledConv2d, x: Tensor) -> Tensor:
    if x.ndim != 4 or x.device.type != "cpu" or x.dtype not in (torch.float32, torch.float64):
        return PooledConv2d.forward(layer, x)
    z: Tensor = _Pooled.apply(x, layer.weight, layer.bias, layer.padding[0])
    return z


class _Pooled(torch.autograd.Function):
    """The largest of each 2 x 2 outputs, and the slopes of its inputs, kernels and biases."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, w: Tensor, b: Tensor | None, p: int) -> Tensor:
        z, top = F.max_pool2d(F.conv2d(x, w, b, padding=p), 2, return_indices=True)
        ctx.save_for_backward(x, w, top)
        ctx.p, ctx.biased = p, b is not None
        return z

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor | None, Tensor, Tensor | None, None]:
        from neural.kernels.pooled import by_inputs, by_kernels

        x, w, top = ctx.saved_tensors
        k, slopes, tops = w.shape[-1], _last(g), _last(top)
        found = torch.zeros(w.shape[0] * k * k * w.shape[1], dtype=w.dtype)
        by_kernels(_last(x).numpy(), slopes.numpy(), tops.numpy(), k, ctx.p, found.numpy())
        kernels = found.view(w.shape[0], k, k, w.shape[1]).permute(0, 3, 1, 2)
        inputs = None
        if ctx.needs_input_grad[0]:
            inputs = torch.zeros(_last(x).shape, dtype=x.dtype)
            by_inputs(_last(w).reshape(-1).numpy(), slopes.numpy(), tops.numpy(), k, ctx.p, inputs.numpy())
            inputs = inputs.permute(0, 3, 1, 2)
        return inputs, kernels, slopes.sum(dim=(0, 1, 2)) if ctx.biased else None, None


def _last(x: Tensor) -> Tensor:
    """(B, C, H, W) as (B, H, W, C), in this order in memory."""
    return x.detach().permute(0, 2, 3, 1).contiguous()
