r"""Gradients of many linear models at once, two batched products a step: what autograd would find, without its graph.

With scores Z = X W^T + b and losses l(z, y), the gradient of sum_b share_b l_b is S^T X for W and the column sums of S
for b, where S_b = share_b dl/dz. For softmax regression dl/dz = softmax(z) - e_y; for one-vs-rest, sigmoid(z) - y.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

__all__ = ["linear", "one_vs_rest_mean", "one_vs_rest_sum", "softmax"]

Slope = Callable[[Tensor, Tensor], Tensor]


def softmax(scores: Tensor, y: Tensor) -> Tensor:
    """d/dz of the cross entropy with labels y (...,)."""
    return torch.softmax(scores, dim=-1).scatter_add(
        -1, y[..., None].long(), torch.full_like(y[..., None], -1, dtype=scores.dtype)
    )


def one_vs_rest_sum(scores: Tensor, y: Tensor) -> Tensor:
    """d/dz of the logistic losses, summed over tags, with targets y of 0 and 1."""
    return torch.sigmoid(scores) - y


def one_vs_rest_mean(scores: Tensor, y: Tensor) -> Tensor:
    """The same for the mean over tags."""
    return one_vs_rest_sum(scores, y) / scores.shape[-1]


def linear(vectors: Tensor, x: Tensor, y: Tensor, share: Tensor, *, outputs: int, slope: Slope) -> Tensor:
    """The ``by_hand`` of a task whose model is one nn.Linear on flattened inputs: functools.partial(linear, ...).

    ``vectors`` (M, outputs * (F + 1)): weights, then biases, as nn.Linear orders them; x (M, B, ...) with F features.
    """
    X = x.flatten(start_dim=2)
    M, F = len(vectors), X.shape[2]
    W, b = vectors[:, : outputs * F].view(M, outputs, F), vectors[:, None, outputs * F :]
    S = slope(torch.baddbmm(b, X, W.transpose(1, 2)), y) * share[..., None]
    # Into a matrix of its own, then copied: written in place, with a gap after each client's weights, it is three times
    # slower.
    return torch.cat([torch.bmm(S.transpose(1, 2), X).view(M, -1), S.sum(dim=1)], dim=1)
