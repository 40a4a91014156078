"""Small LSTMs by a kernel of ours, whose numbers stay in a core's caches (`neural.kernels.lstm`).

oneDNN takes each step of time through calls of its own: both ways, 0.50 ms for 16 texts of 20 places, 32 inputs and 64
units on a core of an AMD EPYC, and 0.34 by the kernel; for 4 texts of 80 places and 64 inputs, 0.65 and 0.44. A whole
step of the words' model at laptop size takes 0.75 of the time, and of Shakespeare's 0.6.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from neural.engine.once import once
from neural.tasks.models.lstm import LSTM

__all__ = ["with_own_steps"]

MOST = 1 << 17  # numbers of the recurrent matrix, which is read at every step, up to which a core's cache holds it


def with_own_steps(module: nn.Module) -> nn.Module:
    """The module itself, whose small LSTMs can be differentiated once."""
    for part in module.modules():
        if type(part) is LSTM and part.recurrent.numel() <= MOST:
            part.fused = partial(_fused, part)  # type: ignore[method-assign]
    return module


def _fused(layer: LSTM, x: Tensor) -> Tensor:
    known = x.device.type == "cpu" and x.dtype == layer.weight.dtype in (torch.float32, torch.float64)
    fits = x.ndim == 3 and x.numel() > 0
    if not known or not fits or not torch.is_grad_enabled() or torch.is_autocast_enabled("cpu"):
        return LSTM.fused(layer, x)
    found: Tensor = _Through.apply(x, layer.weight, layer.recurrent, layer.bias)
    return found


class _Through(torch.autograd.Function):
    """x (B, T, F) -> h (B, T, U)."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, W: Tensor, R: Tensor, b: Tensor) -> Tensor:
        out, ctx.kept = _steps(x, W, R, b)
        ctx.save_for_backward(x, W, R, b)
        return out

    @staticmethod
    @once
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        from neural.kernels.lstm import backward

        x, W, R, b = (part.detach() for part in ctx.saved_tensors)
        kept = _steps(x, W, R, b)[1] if ctx.kept is None else ctx.kept
        ctx.kept = None  # the way back writes over it
        found = torch.empty_like(x, memory_format=torch.contiguous_format), *map(torch.empty_like, (W, R, b))
        backward(*(part.numpy() for part in (g.contiguous(), W, R, *kept, *found)))
        return found


def _steps(x: Tensor, W: Tensor, R: Tensor, b: Tensor) -> tuple[Tensor, list[Tensor]]:
    """The outputs, and what the way back needs of the way there."""
    from neural.kernels.lstm import forward
    from neural.kernels.vectors import whole

    (B, T, F), U = x.shape, R.shape[1]
    P, Q = (whole(width, x.element_size()) for width in (U, F))
    kept = [x.new_zeros(shape) for shape in ((T, B, Q), (T, 4, B, P), (T + 1, B, P), (T, B, P), (T + 1, B, P))]
    out = x.new_empty(B, T, U)
    forward(*(part.detach().numpy() for part in (x.contiguous(), W, R, b, *kept, out)))
    return out, kept
