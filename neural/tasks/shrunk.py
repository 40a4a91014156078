"""Images with fewer pixels, made once: models that saw the means of 2 x 2 pixels took them anew at every step."""

from __future__ import annotations

from functools import reduce

import torch
from torch import Tensor

__all__ = ["shrunk"]

AT_ONCE = 1000  # images: as whole numbers they take four times their memory


def shrunk(images: Tensor, times: int) -> Tensor:
    """(N, C, H, W) -> (N, C, H // times, W // times), the means of ``times`` x ``times`` pixels; of bytes, to the next.

    >>> shrunk(torch.tensor([[[[0, 2], [4, 5]]]], dtype=torch.uint8), 2)
    tensor([[[[3]]]], dtype=torch.uint8)
    """
    return torch.cat([_shrunk(piece, times) for piece in images.split(AT_ONCE)])


def _shrunk(images: Tensor, times: int) -> Tensor:
    numbers = images if images.is_floating_point() else images.to(torch.int32)
    for axis in (-2, -1):
        used = numbers.narrow(axis, 0, numbers.shape[axis] // times * times).unflatten(axis, (-1, times))
        numbers = reduce(torch.add, used.unbind(axis))
    if images.is_floating_point():
        return numbers / times**2
    return torch.div(2 * numbers + times**2, 2 * times**2, rounding_mode="floor").to(images.dtype)
