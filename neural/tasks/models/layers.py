"""Layers that compute what torch's own do, and by being what they are say more to an engine."""

from __future__ import annotations

import torch.nn.functional as F
from torch import Tensor, nn

__all__ = ["OwnLinear", "PooledConv2d"]


class PooledConv2d(nn.Conv2d):
    """``F.relu(F.max_pool2d(convolution(x), 2))``, with nn.Conv2d's parameters and arguments.

    As one layer it says that three of four outputs are thrown away, and have no slope (`neural.engine.pooled`).
    """

    def forward(self, x: Tensor) -> Tensor:
        """(B, C, H, W) -> (B, filters, h // 2, w // 2)."""
        return F.relu(F.max_pool2d(super().forward(x), 2))


class OwnLinear(nn.Linear):
    """An nn.Linear that is called once in a forward pass, and whose matrix nothing else reads.

    So a step of the matrix may be taken as soon as the layer's own slopes are known (`neural.engine.dense`).
    """
