"""LADA's LeNet (appendix A.2): two convolutions, two dense layers, ReLU or a smooth activation."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from neural.tasks.models.inputs import Look, side_left
from surrogate.kit.errors import problem

__all__ = ["LeNet", "smu"]


def smu(x: Tensor, mu: float = 2.0) -> Tensor:
    """x (1 + erf(mu x)) / 2, which tends to ReLU as mu grows (LADA Table 8; mu is not printed, 2 is our choice)."""
    return x * (1 + torch.erf(mu * x)) / 2


ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": F.relu,
    "gelu": partial(F.gelu, approximate="tanh"),
    "smu": smu,
}


class LeNet(nn.Module):
    """5x5 convolutions of 20 and 50 filters, each activated and pooled, dense 500, classes; 657,080 on 3x32x32.

    LADA prints no sizes: these are of the known LeNet with 2 + 2 layers (that of Caffe). ``activation``: relu, gelu
    (by tanh, as Table 8 prints it) or smu. Pooling comes after the last two, which fall before they rise; it commutes
    with relu, and comes before, where a quarter of the numbers is left.
    """

    def __init__(
        self,
        size: int,
        classes: int,
        channels: int = 3,
        filters: tuple[int, int] = (20, 50),
        dense: int = 500,
        activation: str = "relu",
        look: Look = Look(),  # noqa: B008  (frozen)
    ) -> None:
        super().__init__()
        if activation not in ACTIVATIONS:
            raise problem("activation", repr(activation), "relu, gelu or smu", "a slip", 'pass activation="relu"')
        self.activation, self.look = activation, look
        self.first = nn.Conv2d(channels, filters[0], 5)
        self.second = nn.Conv2d(filters[0], filters[1], 5)
        self.dense = nn.Linear(filters[1] * side_left(((size - 4) // 2 - 4) // 2, size) ** 2, dense)
        self.out = nn.Linear(dense, classes)

    def forward(self, x: Tensor) -> Tensor:
        """(B, C, size, size) -> (B, classes)."""
        act = ACTIVATIONS[self.activation]
        x = self.look(x, self.out.weight.dtype)
        x = self._pooled(self.first(x))
        x = self._pooled(self.second(x)).flatten(1)
        scores: Tensor = self.out(act(self.dense(x)))
        return scores

    def _pooled(self, x: Tensor) -> Tensor:
        act = ACTIVATIONS[self.activation]
        return act(F.max_pool2d(x, 2)) if act is F.relu else F.max_pool2d(act(x), 2)
