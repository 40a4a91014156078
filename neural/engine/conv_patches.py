"""Convolutions and group norms of many small models at once, in place of torch.vmap's grouped convolutions.

Small ones are products: patches of the images, k x k pixels each, times the models' kernels, all models in one batched
product. Many patches take longer to be copied than oneDNN takes with them: these go to it one model after the other.
LADA.T1 (cifar10-resnet18) trains 1.4 times as fast with it, LADA.F7 (cifar10-lenet) 1.3 times (`bench neural.laptop`).
"""

from __future__ import annotations

import copy
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

__all__ = ["MANY", "with_patches"]

MANY = 1 << 17  # numbers in all patches of a model's minibatch, from which oneDNN is faster
_LAST = torch.channels_last


def with_patches(module: nn.Module) -> nn.Module:
    """A copy for `torch.vmap` over its parameters, whose names are the same; it can be differentiated once."""
    copied = copy.deepcopy(module)
    for part in copied.modules():
        if type(part) is nn.Conv2d and _plain(part):
            part._conv_forward = partial(_convolved, part)  # type: ignore[method-assign]
        elif type(part) is nn.GroupNorm:
            part.forward = partial(_normed, part)  # type: ignore[method-assign]
    return copied


def _plain(layer: nn.Conv2d) -> bool:
    """Square, without groups or gaps, and padded by zeros that every kernel reaches beyond."""
    padding = layer.padding
    if isinstance(padding, str) or layer.groups > 1 or layer.dilation != (1, 1) or layer.padding_mode != "zeros":
        return False
    square = all(len({*pair}) == 1 for pair in (layer.kernel_size, layer.stride, padding))
    return square and padding[0] < layer.kernel_size[0]


def _convolved(layer: nn.Conv2d, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """Replaces `nn.Conv2d._conv_forward`, but for images with one channel."""
    if x.ndim != 4 or x.shape[1] == 1:
        z: Tensor = nn.Conv2d._conv_forward(layer, x, weight, bias)
        return z
    z = _One.apply(_Convolution, x, weight, layer.stride[0], layer.padding[0])  # type: ignore[no-untyped-call]
    return z if bias is None else z + bias[:, None, None]


def _normed(layer: nn.GroupNorm, x: Tensor) -> Tensor:
    if x.ndim != 4:
        return F.group_norm(x, layer.num_groups, layer.weight, layer.bias, layer.eps)
    z: Tensor = _One.apply(_Norm, x, None, layer.num_groups, layer.eps)  # type: ignore[no-untyped-call]
    return torch.addcmul(layer.bias[:, None, None], z, layer.weight[:, None, None]) if layer.affine else z


class _One(torch.autograd.Function):
    """The function ``kind`` of many models (M, ...) for one model; `torch.vmap` calls it for all of them at once."""

    @staticmethod
    def forward(kind: Any, x: Tensor, w: Tensor | None, *more: Any) -> Any:
        return kind.apply(x[None], None if w is None else w[None], *more)[0]

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        """It has no gradient of its own: `torch.vmap` differentiates ``kind``."""

    @staticmethod
    def vmap(info: Any, dims: Any, kind: Any, x: Tensor, w: Tensor | None, *more: Any) -> tuple[Any, int]:
        def first(part: Tensor | None, dim: int | None) -> Tensor | None:
            if part is None or dim is None:
                return part if part is None else part.expand(info.batch_size, *part.shape)
            return part.movedim(dim, 0)

        return kind.apply(first(x, dims[1]), first(w, dims[2]), *more), 0


class _Norm(torch.autograd.Function):
    """x (M, B, C, H, W) less the means of its groups of channels, over their deviations."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, _: None, groups: int, eps: float) -> Tensor:
        M, B, C, H, W = x.shape
        sizes = ctx.sizes = M * B, C, H * W, groups
        x = _flat(x)
        z, *moments = torch.native_group_norm(x, None, None, *sizes, eps)
        ctx.save_for_backward(x, *moments)
        return z.view(M, B, C, H, W)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor, None, None, None]:
        x, *moments = ctx.saved_tensors
        wanted = [True, False, False]
        by_x = torch.ops.aten.native_group_norm_backward(_flat(g), x, *moments, None, *ctx.sizes, wanted)[0]
        return by_x.view(g.shape), None, None, None


class _Convolution(torch.autograd.Function):
    """x (M, B, C, H, W) with kernels w (M, D, C, k, k), stride s, p zeros around."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, w: Tensor, s: int, p: int) -> Tensor:
        (M, B, C, H, W), D, k = x.shape, w.shape[1], w.shape[-1]
        h, v = (H + 2 * p - k) // s + 1, (W + 2 * p - k) // s + 1
        ctx.s, ctx.p, ctx.shape = s, p, x.shape
        ctx.single = B * h * v * k * k * C > MANY
        if ctx.single:
            x, w = _each(x), _each(w)
            ctx.save_for_backward(w, x)
            return torch.stack([F.conv2d(images, kernels, None, s, p) for images, kernels in zip(x, w, strict=True)])
        patches = _patches(_rows(x), k, s, (p, p, p, p)).reshape(M, B * h * v, k * k * C)
        ctx.save_for_backward(w, patches)
        return _images(torch.bmm(patches, w.permute(0, 3, 4, 2, 1).reshape(M, k * k * C, D)), B, h, v)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor | None, Tensor, None, None]:
        gradients, (w, kept) = _one_by_one if ctx.single else _all_at_once, ctx.saved_tensors
        return *gradients(g, w, kept, ctx.shape, ctx.s, ctx.p, ctx.needs_input_grad[0]), None, None


def _one_by_one(
    g: Tensor, w: Tensor, x: Tensor, shape: Any, s: int, p: int, wanted: bool
) -> tuple[Tensor | None, Tensor]:
    """The gradients by x, if ``wanted``, and by w, by oneDNN, a model after the other."""
    sizes = None, [s, s], [p, p], [1, 1], False, [0, 0], 1, [wanted, True, False]
    each = zip(_each(g), x, w, strict=True)
    by_x, by_w, _ = zip(*(torch.ops.aten.convolution_backward(*parts, *sizes) for parts in each), strict=True)
    return torch.stack(by_x) if wanted else None, torch.stack(by_w)


def _all_at_once(
    g: Tensor, w: Tensor, patches: Tensor, shape: Any, s: int, p: int, wanted: bool
) -> tuple[Tensor | None, Tensor]:
    """The same for all models: by x a convolution of g, spread out by s, with w turned around; by w patches^T g."""
    (M, B, C, H, W), D, k = shape, w.shape[1], w.shape[-1]
    h, v = g.shape[-2:]
    g = _rows(g)
    by_w = torch.bmm(patches.transpose(1, 2), g.view(M, B * h * v, D)).view(M, k, k, C, D).permute(0, 4, 3, 1, 2)
    if not wanted:
        return None, by_w
    if s > 1:
        spread = g.new_zeros(M * B, (h - 1) * s + 1, (v - 1) * s + 1, D)
        spread[:, ::s, ::s] = g
        g = spread
    around = k - 1 - p
    rest = (around, W + p - g.shape[2], around, H + p - g.shape[1])
    turned = w.flip(3, 4).permute(0, 3, 4, 1, 2).reshape(M, k * k * D, C)
    return _images(torch.bmm(_patches(g, k, 1, rest).reshape(M, B * H * W, k * k * D), turned), B, H, W), by_w


def _flat(x: Tensor) -> Tensor:
    """(M, B, ...) -> (M B, ...) with channels last in memory; a copy of one alone, whose first stride may be any."""
    flat = x.flatten(0, 1)
    return flat.clone(memory_format=_LAST) if len(flat) == 1 else flat.contiguous(memory_format=_LAST)


def _each(x: Tensor) -> Tensor:
    """(M, B, ...) as oneDNN likes it; what it does not compute, doubles, as torch's other kernels ask for it."""
    return _flat(x).unflatten(0, x.shape[:2]) if x.dtype == torch.float32 else x.contiguous()


def _rows(x: Tensor) -> Tensor:
    """(M, B, C, H, W) -> (M B, H, W, C) without gaps."""
    return x.flatten(0, 1).permute(0, 2, 3, 1).contiguous()


def _images(rows: Tensor, B: int, h: int, v: int) -> Tensor:
    """(M, B h v, C) -> (M, B, C, h, v), channels last in memory."""
    return rows.view(len(rows), B, h, v, -1).permute(0, 1, 4, 2, 3)


def _patches(x: Tensor, k: int, s: int, zeros: tuple[int, int, int, int]) -> Tensor:
    """(N, h, v, k, k, C), every s-th patch of images (N, H, W, C) with zeros left, right, above and below; a view."""
    x = F.pad(x, (0, 0, *zeros)) if any(zeros) else x
    N, H, W, C = x.shape
    n, h, v, c = x.stride()
    return x.as_strided((N, (H - k) // s + 1, (W - k) // s + 1, k, k, C), (n, h * s, v * s, h, v, c))
