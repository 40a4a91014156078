"""Convolutional networks for small grey images. Pooling comes before ReLU: the two commute, and a quarter is left."""

from __future__ import annotations

import torch.nn.functional as F
from torch import Tensor, nn

from neural.tasks.models.inputs import dropout, pixels, side_left

__all__ = ["CNN", "DropoutCNN", "PooledCNN"]


class CNN(nn.Module):
    """McMahan et al. 2017, as OLR uses it: 5x5 convolutions with 32 and 64 filters, each pooled, dense 512.

    Same padding, 28 -> 14 -> 7; 1,663,370 parameters with 10 classes (their number), 1,690,046 with 62.
    """

    def __init__(
        self, size: int, classes: int, channels: int = 1, filters: tuple[int, int] = (32, 64), dense: int = 512
    ) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, filters[0], 5, padding=2)
        self.second = nn.Conv2d(filters[0], filters[1], 5, padding=2)
        self.dense = nn.Linear(filters[1] * side_left(size // 2 // 2, size) ** 2, dense)
        self.out = nn.Linear(dense, classes)

    def forward(self, x: Tensor) -> Tensor:
        """(B, C, size, size) -> (B, classes)."""
        x = pixels(x, self.out.weight.dtype)
        x = _pooled(self.second(_pooled(self.first(x)))).flatten(1)
        scores: Tensor = self.out(F.relu(self.dense(x)))
        return scores


class DropoutCNN(nn.Module):
    """FedDA A.5: two 3x3 convolutions, max pooling, dropout, dense 128.

    What it leaves out is as in FedOpt (Reddi et al. 2021), whose settings it follows: 32 and 64 filters without
    padding, dropout 0.25 after pooling and 0.5 after the dense layer; 1,206,590 parameters with 62 classes.
    """

    def __init__(
        self,
        size: int,
        classes: int,
        channels: int = 1,
        filters: tuple[int, int] = (32, 64),
        dense: int = 128,
        rates: tuple[float, float] = (0.25, 0.5),
    ) -> None:
        super().__init__()
        self.rates = rates
        self.first = nn.Conv2d(channels, filters[0], 3)
        self.second = nn.Conv2d(filters[0], filters[1], 3)
        self.dense = nn.Linear(filters[1] * side_left((size - 4) // 2, size) ** 2, dense)
        self.out = nn.Linear(dense, classes)

    def forward(self, x: Tensor, keys: Tensor | None = None) -> Tensor:
        """(B, C, size, size), keys (B,) -> (B, classes)."""
        x = F.relu(self.first(pixels(x, self.out.weight.dtype)))
        x = _pooled(self.second(x)).flatten(1)
        x = F.relu(self.dense(dropout(x, keys, self.rates[0], 0)))
        scores: Tensor = self.out(dropout(x, keys, self.rates[1], 1))
        return scores


class PooledCNN(nn.Module):
    """LAMB section 5: two max-pooled convolutions, dropout, "fully-connected layers with 320 and 50 cells".

    Our reading: the common MNIST network with 5x5 convolutions of 10 and 20 filters, whose 20 x 4 x 4 = 320 outputs go
    into a dense layer of 50 and from there into the classes; 21,840 parameters with 10. The rate 0.5 is our choice.
    """

    def __init__(
        self, size: int, classes: int, channels: int = 1, filters: tuple[int, int] = (10, 20), dense: int = 50,
        rate: float = 0.5,
    ) -> None:  # fmt: skip
        super().__init__()
        self.rate = rate
        self.first = nn.Conv2d(channels, filters[0], 5)
        self.second = nn.Conv2d(filters[0], filters[1], 5)
        self.dense = nn.Linear(filters[1] * side_left(((size - 4) // 2 - 4) // 2, size) ** 2, dense)
        self.out = nn.Linear(dense, classes)

    def forward(self, x: Tensor, keys: Tensor | None = None) -> Tensor:
        """(B, C, size, size), keys (B,) -> (B, classes)."""
        x = _pooled(self.second(_pooled(self.first(pixels(x, self.out.weight.dtype))))).flatten(1)
        scores: Tensor = self.out(F.relu(self.dense(dropout(x, keys, self.rate, 0))))
        return scores


def _pooled(x: Tensor) -> Tensor:
    """2 x 2 max-pool and ReLU: (B, C, H, W) -> (B, C, H // 2, W // 2)."""
    return F.relu(F.max_pool2d(x, 2))
