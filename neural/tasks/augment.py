"""Random crops and flips as functions of integer keys (`neural.noise`): the same in every engine and under vmap."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from neural.noise import uniform

__all__ = ["crop"]

CROP = 1 << 20  # streams that no layer's dropout uses


def crop(x: Tensor, keys: Tensor, size: int | None = None, padding: int = 0, flip: bool = False) -> Tensor:
    """A window of ``size`` x ``size`` (None: the image's own) at a random place of x padded with black, on all sides.

    x (B, C, H, W), keys (B,) -> (B, C, size, size). ``flip``: left and right change sides with probability 1/2.
    """
    x = F.pad(x, (padding,) * 4) if padding else x
    height, width = x.shape[-2:]
    rows, columns = (min(size or side - 2 * padding, side) for side in (height, width))
    u = uniform(keys, (3,), CROP)
    down = (u[:, 0] * (height - rows + 1)).long()[:, None] + torch.arange(rows, device=x.device)
    across = torch.arange(columns, device=x.device).expand(len(x), columns)
    if flip:
        across = torch.where(u[:, 2:] < 0.5, across, columns - 1 - across)
    across = (u[:, 1] * (width - columns + 1)).long()[:, None] + across
    where = (down[..., None] * width + across[:, None]).flatten(1)[:, None]  # row by row, as an image lies in memory
    window = x.flatten(-2).gather(-1, where.expand(-1, x.shape[1], -1))
    return window.view(*window.shape[:-1], rows, columns)
