"""Operations of a model, counted by torch on a copy without numbers."""

from __future__ import annotations

import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

__all__ = ["flops"]


def flops(model: nn.Module, shape: tuple[int, ...], dtype: torch.dtype, random: bool = False) -> float:
    """Of a forward pass of one example; multiplications and additions count apart. ``model``: on the device "meta"."""
    x = torch.zeros((1, *shape), dtype=dtype, device="meta")
    with FlopCounterMode(display=False) as counter:
        model(x, None) if random else model(x)
    return float(counter.get_total_flops())
