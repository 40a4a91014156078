"""A small LSTM as one autograd function over the compiled kernels of `neural.kernels.lstm`.

oneDNN takes each step of time through calls of its own; here all numbers stay in a core's caches. OLR.F2
(shakespeare-lstm, 32 units) trains 1.4 times as fast with it, LA.F2 (words-lstm) 1.3 times (`bench neural.laptop`).
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from neural.once_differentiable import once_differentiable

__all__ = ["MOST", "fits", "lstm"]

MOST = 1 << 13  # numbers of the recurrent matrix up to which it pays: 45 units; with 64 oneDNN is as fast


def fits(x: Tensor, recurrent: Tensor) -> bool:
    """Whether the kernels take these inputs, and pay."""
    known = x.device.type == "cpu" and x.dtype == recurrent.dtype in (torch.float32, torch.float64)
    small = x.ndim == 3 and x.numel() > 0 and recurrent.numel() <= MOST
    return known and small and torch.is_grad_enabled() and not torch.is_autocast_enabled("cpu")


def lstm(x: Tensor, W: Tensor, R: Tensor, b: Tensor) -> Tensor:
    """x (B, T, F), W (4 U, F), R (4 U, U), b (4 U,) -> h (B, T, U), from h = c = 0."""
    h: Tensor = _Steps.apply(x, W, R, b)  # type: ignore[no-untyped-call]
    return h


class _Steps(torch.autograd.Function):
    """The products that need no order in time, by torch, and the kernel between them."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, W: Tensor, R: Tensor, b: Tensor) -> Tensor:
        rows = x.transpose(0, 1).flatten(0, 1)
        ctx.gates, cells, tops, hidden = _forward(rows, len(x), W, R, b)
        ctx.save_for_backward(rows, W, R, b, cells, tops, hidden)
        return hidden[1:].transpose(0, 1)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, outside: Tensor) -> tuple[Tensor, ...]:
        from neural.kernels.lstm import backward

        rows, W, R, b, cells, tops, hidden = ctx.saved_tensors
        T, B, _ = tops.shape
        by_a = _forward(rows, B, W, R, b)[0] if ctx.gates is None else ctx.gates
        ctx.gates = None  # the kernel writes over them
        backward(*(part.numpy() for part in (outside.transpose(0, 1).contiguous(), R.contiguous(), by_a, cells, tops)))
        by_a = by_a.flatten(0, 1)
        by_x = (by_a @ W).view(T, B, -1).transpose(0, 1)
        return by_x, by_a.t() @ rows, by_a.t() @ hidden[:-1].flatten(0, 1), by_a.sum(dim=0)


def _forward(rows: Tensor, B: int, W: Tensor, R: Tensor, b: Tensor) -> tuple[Tensor, ...]:
    """Gates (T, B, 4 U), cells (T + 1, B, U), their tanh (T, B, U) and hidden states (T + 1, B, U); rows (T B, F)."""
    from neural.kernels.lstm import forward

    T, U = len(rows) // B, R.shape[1]
    gates = torch.addmm(b, rows, W.t()).view(T, B, 4 * U)
    cells, tops, hidden = (rows.new_zeros(times, B, U) for times in (T + 1, T, T + 1))
    forward(*(part.detach().numpy() for part in (gates, R.t().contiguous(), cells, tops, hidden)))
    return gates, cells, tops, hidden
