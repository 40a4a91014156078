"""Residual networks with group norm in the place of batch norm, whose running means clients could not send."""

from __future__ import annotations

import torch.nn.functional as F
from torch import Tensor, nn

from neural.tasks.models.inputs import Look
from surrogate.kit.errors import problem

__all__ = ["DEPTHS", "ResNet"]

GROUPS = 2
DEPTHS = {8: (1, 1, 1), 18: (2, 2, 2, 2)}  # blocks a stage; a block has two convolutions


class Block(nn.Module):
    """ReLU(shortcut(x) + norm(conv(ReLU(norm(conv(x)))))); the shortcut is a 1x1 convolution where shapes differ."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.first = _conv(inputs, outputs, 3, stride)
        self.first_norm = nn.GroupNorm(GROUPS, outputs)
        self.second = _conv(outputs, outputs, 3, 1)
        self.second_norm = nn.GroupNorm(GROUPS, outputs)
        self.shortcut: nn.Module = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.shortcut = nn.Sequential(_conv(inputs, outputs, 1, stride), nn.GroupNorm(GROUPS, outputs))

    def forward(self, x: Tensor) -> Tensor:
        """(B, inputs, h, w) -> (B, outputs, h / stride, w / stride)."""
        inner = F.relu(self.first_norm(self.first(x)))
        return F.relu(self.shortcut(x) + self.second_norm(self.second(inner)))


class ResNet(nn.Module):
    """He et al. 2016 with group norm of 2 groups (FedDA A.5; OLR C and LADA 4.1 do not print how many groups).

    ``depth`` 18, or 8 for a laptop. ``width``: filters of the first stage, doubled at each later one. ``stem`` "7x7": a
    convolution of stride 2 and max pooling, as He et al. print it, 11,227,812 parameters with 100 classes; "3x3": a
    convolution alone, common for small images. The papers do not say which; nor whether ReLU comes before or after
    the sum: here after, as printed in the first of the two papers on residual networks. FedOpt's code (utils/models/
    resnet_models.py of google-research/federated), which FedDA names as its own, has the 7x7 stem, the other order, and
    stages that keep their size; from it are the small scores at the start (N(0, 0.01^2) weights, no bias), so that the
    loss starts at log(classes).
    """

    def __init__(
        self,
        classes: int,
        channels: int = 3,
        depth: int = 18,
        width: int = 64,
        stem: str = "7x7",
        look: Look = Look(),  # noqa: B008  (frozen)
    ) -> None:
        super().__init__()
        _check(depth, width, stem)
        self.look, self.pooled = look, stem == "7x7"
        self.stem = _conv(channels, width, 7, 2) if self.pooled else _conv(channels, width, 3, 1)
        self.norm = nn.GroupNorm(GROUPS, width)
        blocks, inputs = [], width
        for stage, count in enumerate(DEPTHS[depth]):
            for k in range(count):
                blocks.append(Block(inputs, width << stage, 2 if stage and not k else 1))
                inputs = width << stage
        self.blocks = nn.Sequential(*blocks)
        self.out = nn.Linear(inputs, classes)
        nn.init.normal_(self.out.weight, std=0.01)
        nn.init.zeros_(self.out.bias)

    def forward(self, x: Tensor) -> Tensor:
        """(B, C, H, W) -> (B, classes)."""
        x = F.relu(self.norm(self.stem(self.look(x, self.out.weight.dtype))))
        if self.pooled:
            x = F.max_pool2d(x, 3, stride=2, padding=1)
        scores: Tensor = self.out(self.blocks(x).mean(dim=(-2, -1)))
        return scores


def _conv(inputs: int, outputs: int, kernel: int, stride: int) -> nn.Conv2d:
    made = nn.Conv2d(inputs, outputs, kernel, stride, padding=kernel // 2, bias=False)
    nn.init.kaiming_normal_(made.weight, mode="fan_out", nonlinearity="relu")
    return made


def _check(depth: int, width: int, stem: str) -> None:
    if depth not in DEPTHS:
        raise problem("depth", depth, f"one of {', '.join(map(str, DEPTHS))}", "another ResNet", "pass depth=8 or 18")
    if width < GROUPS or width % GROUPS:
        raise problem("width", width, f"a multiple of {GROUPS} groups", "an odd number of filters", "pass width=16")
    if stem not in ("3x3", "7x7"):
        raise problem("stem", repr(stem), "3x3 or 7x7", "a slip", 'pass stem="3x3" for images of 32 x 32 or less')
