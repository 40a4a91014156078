"""Models without convolutions: logistic regression with its gradient by hand, the MLP, the autoencoder."""

from __future__ import annotations

from itertools import pairwise

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from neural.tasks import by_hand
from neural.tasks.models.inputs import dropout, pixels

__all__ = ["MLP", "Autoencoder", "Logistic", "softmax_gradients"]


class Logistic(nn.Module):
    """x W + b, from 0, W with a row a feature (see `by_hand`). Images are flattened."""

    def __init__(self, features: int, classes: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(features, classes))
        self.bias = nn.Parameter(torch.zeros(classes))

    def forward(self, x: Tensor) -> Tensor:
        """(B, ...) -> (B, classes)."""
        return torch.addmm(self.bias, pixels(x, self.weight.dtype).flatten(1), self.weight)


def softmax_gradients(outputs: int) -> by_hand.Linear:
    """The gradients of M softmax regressions on images at once."""
    return by_hand.Linear(outputs, by_hand.softmax)


class MLP(nn.Module):
    """LAMB section 5: one hidden layer of 200 cells with dropout (the rate, 0.5, is our choice); 159,010 on MNIST."""

    def __init__(self, features: int, classes: int, hidden: int = 200, rate: float = 0.5) -> None:
        super().__init__()
        self.rate = rate
        self.hidden = nn.Linear(features, hidden)
        self.out = nn.Linear(hidden, classes)

    def forward(self, x: Tensor, keys: Tensor | None = None) -> Tensor:
        """(B, ...), keys (B,) -> (B, classes)."""
        hidden = F.relu(self.hidden(pixels(x, self.out.weight.dtype).flatten(1)))
        scores: Tensor = self.out(dropout(hidden, keys, self.rate, 0))
        return scores


class Autoencoder(nn.Module):
    """Dense 1000, 500, 250, 30 and back; sigmoids, but for the linear bottleneck; 2,837,314 parameters on 28 x 28.

    FedDA's Table 4 prints no architecture: this is that of FedOpt (Reddi et al. 2021), whose settings FedDA follows,
    with the initial values of its code (Glorot normal, biases 0).
    """

    def __init__(self, features: int, widths: tuple[int, ...] = (1000, 500, 250, 30)) -> None:
        super().__init__()
        sizes = [features, *widths, *reversed(widths[:-1]), features]
        layers = [nn.Linear(a, b) for a, b in pairwise(sizes)]
        self.layers, self.bottleneck = nn.ModuleList(layers), len(widths) - 1
        for layer in layers:
            nn.init.xavier_normal_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, x: Tensor) -> Tensor:
        """(B, ...) -> (B, features), numbers in (0, 1)."""
        x = pixels(x, next(self.parameters()).dtype).flatten(1)
        for k, layer in enumerate(self.layers):
            x = layer(x) if k == self.bottleneck else torch.sigmoid(layer(x))
        return x
