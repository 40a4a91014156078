"""What happens to an example on its way into a model: pixels to numbers, centre crop, standardisation, dropout."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from neural.noise import uniform
from surrogate.kit.errors import problem

__all__ = ["Look", "dropout", "frequencies", "narrow", "pixels", "side_left"]


def pixels(x: Tensor, dtype: torch.dtype) -> Tensor:
    """Bytes as numbers in [0, 1]; other numbers as they are."""
    return x.to(dtype) / 255 if x.dtype == torch.uint8 else x.to(dtype)


def frequencies(x: Tensor, words: int, dtype: torch.dtype) -> Tensor:
    """Rows (B, words) that sum to 1 from the numbers 1..words of an example's words, (B, L), 0 where it has no more.

    Rows that are dense already, (B, words), pass through.
    """
    if x.is_floating_point():
        return x.to(dtype)
    there = (x > 0).to(dtype)
    share = there / there.sum(dim=-1, keepdim=True).clamp(min=1)
    empty = torch.zeros((*x.shape[:-1], words + 1), dtype=dtype, device=x.device)
    return empty.scatter_add(-1, x.long(), share)[..., 1:]


def dropout(x: Tensor, keys: Tensor | None, rate: float, stream: int) -> Tensor:
    """Each entry set to 0 with probability ``rate`` and the others divided by 1 - rate; x itself without keys.

    The mask is a function of the example's key and the ``stream`` (one a layer), so it is the same in every engine.
    """
    if keys is None or rate == 0:
        return x
    kept = uniform(keys, tuple(x.shape[1:]), stream) >= rate
    return x * kept.to(x.dtype).div_(1 - rate)


def narrow(size: int, width: float) -> int:
    """``size`` times ``width``, even (group norm asks for two groups) and at least 2.

    >>> narrow(32, 1), narrow(32, 0.25), narrow(50, 0.01)
    (32, 8, 2)
    """
    return size if width == 1 else max(2, 2 * round(size * width / 2))


def side_left(side: int, size: int) -> int:
    """What convolutions and pooling leave of an image's side, ``size`` before them: refused where that is nothing."""
    if side < 1:
        raise problem(
            "the image size", f"{size} x {size}", "16 x 16 or more",
            "a network whose convolutions and pooling leave nothing of so small an image", "take mnist-mlp",
        )  # fmt: skip
    return side


@dataclass(frozen=True)
class Look:
    """How a model sees an image: the central ``crop`` x ``crop`` pixels, then either each image less its mean over its
    standard deviation (``standardize``), or each channel less ``mean`` over ``std``.

    The deviation of an image of N numbers is taken as 1 / sqrt(N) at least, for images of one grey.
    """

    crop: int | None = None
    standardize: bool = False
    mean: tuple[float, ...] = ()
    std: tuple[float, ...] = ()

    def __call__(self, x: Tensor, dtype: torch.dtype) -> Tensor:
        """(B, C, H, W), bytes or numbers -> (B, C, h, w) of ``dtype``."""
        x = pixels(self._central(x), dtype)
        if self.standardize:
            centred = x - x.mean(dim=(-3, -2, -1), keepdim=True)
            variance = (centred * centred).mean(dim=(-3, -2, -1), keepdim=True)
            return centred / variance.clamp(min=1 / centred[0].numel()).sqrt()
        return (x - _channels(self.mean, x)) / _channels(self.std, x) if self.mean else x

    def _central(self, x: Tensor) -> Tensor:
        if self.crop is None or (x.shape[-2] <= self.crop and x.shape[-1] <= self.crop):
            return x
        top, left = (x.shape[-2] - self.crop) // 2, (x.shape[-1] - self.crop) // 2
        return x[..., top : top + self.crop, left : left + self.crop]


def _channels(values: tuple[float, ...], x: Tensor) -> Tensor:
    """(C, 1, 1), filled on x's device: torch.tensor(values) would wait for a copy."""
    return torch.stack([x.new_full((1, 1), value) for value in values])
