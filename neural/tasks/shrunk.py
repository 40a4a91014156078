"""Images with fewer pixels, made once: models that saw the means of 2 x 2 pixels took them anew at every step."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import torch
from torch import Tensor

from neural.data.federated import FederatedData
from surrogate.kit.errors import problem

__all__ = ["fewer_pixels", "shrunk"]

AT_ONCE = 1000  # images: as whole numbers they take four times their memory


def fewer_pixels(data: FederatedData, times: int) -> FederatedData:
    """The same images `shrunk`, and said so."""
    side = min(data.x.shape[-2:])
    if type(times) is not int or not 1 <= times <= side:
        cause, fix = "a size in the place of a divisor, or a slip", "pass shrink=2 for a quarter of the pixels"
        raise problem("shrink", repr(times), f"a whole number from 1 to {side}, a side of the images", cause, fix)
    source, comma, identity = data.source.rpartition(", ")
    said = f"{source or identity}, each pixel the mean of {times} x {times}{comma and f', {identity}'}"
    return replace(data, x=shrunk(data.x, times), test_x=shrunk(data.test_x, times), source=said)


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
