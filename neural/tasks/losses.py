"""Losses, one number an example, and metrics, each a sum and a count, so that batches of any size add up."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from neural.tasks.models.inputs import pixels
from neural.tasks.softmax_scores import PAD, Scores, hits, takes_scores

__all__ = [
    "accuracy",
    "cross_entropy",
    "mean_squared_error",
    "one_vs_rest",
    "recall_at_5",
    "squared_error",
    "token_accuracy",
    "token_cross_entropy",
]


def cross_entropy(outputs: Tensor, y: Tensor) -> Tensor:
    """-log softmax(outputs)_y: (B, classes), (B,) -> (B,)."""
    return F.cross_entropy(outputs, y.long(), reduction="none")


@takes_scores
def token_cross_entropy(outputs: Tensor | Scores, y: Tensor) -> Tensor:
    """Its mean over the places of a text that are not padding: (B, T, V), (B, T) -> (B,); 0 for padding alone.

    So every text counts alike in a batch, long or short.
    """
    outputs = _written(outputs, y)
    if isinstance(outputs, Scores):
        each = outputs.cross_entropy(y)
    else:
        each = F.cross_entropy(outputs.flatten(0, 1), y.flatten().long(), reduction="none").unflatten(0, y.shape)
    valid = (y != PAD).to(each.dtype)
    return (each * valid).sum(dim=-1) / valid.sum(dim=-1).clamp(min=1)


def _ordinary(outputs: Tensor, y: Tensor, ndim: int) -> bool:
    """Whether there is a label from 0 up for each row of outputs: torch knows others, and has words for some.

    On a GPU it would have to be waited for.
    """
    fit = outputs.ndim == ndim and y.shape == outputs.shape[:-1] and y.numel() > 0
    return fit and y.device.type == "cpu" and int(y.amin()) >= 0


def _written(outputs: Tensor | Scores, y: Tensor) -> Tensor | Scores:
    """Outputs written out where labels are not ordinary, such as torch's mark for none; else as they are."""
    if not isinstance(outputs, Scores) or _ordinary(outputs.rows, y, 3):
        return outputs
    return F.linear(outputs.rows, outputs.weight, outputs.bias)


def one_vs_rest(outputs: Tensor, y: Tensor) -> Tensor:
    """The mean over tags of log(1 + exp(z)) - y z, (B, tags), (B, tags) -> (B,).

    OLR and LA print no scale. FedOpt's code (optimization/tasks/stackoverflow_tp.py of google-research/federated) takes
    Keras's binary cross entropy, a mean over tags, with reduction SUM over the batch; as a batch's loss is a mean here,
    its client rate gamma is B gamma with us, B being the batch size.
    """
    return F.binary_cross_entropy_with_logits(outputs, y.to(outputs.dtype), reduction="none").mean(dim=-1)


def squared_error(outputs: Tensor, y: Tensor) -> Tensor:
    """The mean over pixels of (output - pixel)^2: (B, features), images (B, ...) -> (B,)."""
    return (outputs - pixels(y, outputs.dtype).flatten(1)).square().mean(dim=-1)


def accuracy(outputs: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """How many labels the largest output hits, and how many there are."""
    return (outputs.argmax(dim=-1) == y).sum(), _count(y)


@takes_scores
def token_accuracy(outputs: Tensor | Scores, y: Tensor, vocabulary: int) -> tuple[Tensor, Tensor]:
    """Hits among the places whose target is one of the numbers 1..vocabulary: no padding, unknown, begin or end."""
    valid = (y > PAD) & (y <= vocabulary)
    outputs = _written(outputs, y)
    if isinstance(outputs, Scores):
        found = outputs.hits(y)
    else:
        found = hits(outputs, y) if outputs.device.type == "cpu" else outputs.argmax(dim=-1) == y
    return (found & valid).sum(), valid.sum()


def recall_at_5(outputs: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """How many of the tags, y (B, tags) of 0 and 1, are among the example's five largest outputs, of how many."""
    top = outputs.topk(min(5, outputs.shape[-1]), dim=-1).indices
    return y.gather(-1, top).sum(), y.sum()


def mean_squared_error(outputs: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """The squared errors summed over examples, and how many examples."""
    return squared_error(outputs, y).sum(), _count(y)


def _count(y: Tensor) -> Tensor:
    return torch.full((), len(y), device=y.device)
