"""Scores of many words, z = rows W^T + b, of which a language model's loss and accuracy need less than all.

torch writes z, log softmax(z), zeros for the slopes, and the slopes, a megabyte each for 6 texts of 20 places and 2,004
words, with two exponentials a number, padding included: half of a step. Here e = exp(rows W^T) alone is written, for
the places that are not padding. With q = exp(b) and S = sum_v e_v q_v,

    loss_y = log S - z_y,   its slopes in z: p - 1_y with p_v = e_v q_v / S,

so if a place's loss counts s and r = s / S, the slopes in its row are r e (q W) - s W_y, those in W q e^T (r rows) less
s row in row y, those in b q e^T r less s at y: products of e. Where S leaves the numbers, e is exp(z - max z), and q 1.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import torch
from torch import Tensor

from neural.products import product

__all__ = ["PAD", "Scores", "hits"]

PAD = 0
CACHED = 1 << 18  # scores at once where nothing is kept: a megabyte, which a core's own cache holds
SAFE = 1e-30, 1e30  # S: far from what a float32 cannot say
LARGEST = -60.0, 60.0  # the largest z of a place: the same for exp(z)


class Scores:
    """rows (B, T, K), weight (V, K), bias (V,): z = rows weight^T + bias, (B, T, V), as `torch.nn.Linear` gives it."""

    def __init__(self, rows: Tensor, weight: Tensor, bias: Tensor) -> None:
        self.rows, self.weight, self.bias = rows, weight, bias
        self._known: tuple[Any, ...] = (None,)  # what was asked last, and the answers

    def numel(self) -> int:
        """Of z."""
        return self.rows[..., 0].numel() * len(self.bias)

    def cross_entropy(self, y: Tensor) -> Tensor:
        """-log softmax(z)_y at each place, (B, T); 0 at padding. Without slopes, which are another question."""
        return self._answers(y)[0]

    def slopes(self, y: Tensor, shares: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Of sum_places share loss in rows, weight and bias; shares (B, T) are 0 at padding."""
        with torch.no_grad():
            where, targets, rows = _places(y, self.rows)
            s = shares.reshape(-1).index_select(0, where)
            by_rows, by_W, by_b = _slopes(rows, self.weight.detach(), self.bias.detach(), targets, s)
            by_all = rows.new_zeros(self.rows.shape)
            by_all.view(-1, rows.shape[-1]).index_copy_(0, where, by_rows)
            return by_all, by_W, by_b

    def hits(self, y: Tensor) -> Tensor:
        """Where argmax finds y, (B, T); nowhere at padding."""
        return self._answers(y)[1]

    def _answers(self, y: Tensor) -> tuple[Tensor, Tensor]:
        """Losses and hits. A piece of z after the other, which stays in the cache, is made once for both."""
        if self._known[0] is not y:
            where, targets, rows = _places(y, self.rows)
            most = max(1, CACHED // len(self.bias))
            pieces = zip(rows.split(most), targets.split(most), strict=True)
            judged = [_judged((part @ self.weight.t()).add_(self.bias), of) for part, of in pieces]
            self._known = y, *(_spread(torch.cat(parts), where, y) for parts in zip(*judged, strict=True))
        return self._known[1], self._known[2]


def hits(z: Tensor, y: Tensor) -> Tensor:
    """Where argmax finds y, (..., V) and (...): asked only where no score is larger, since amax is far faster."""
    return _found(z, y, z.gather(-1, y.clamp(min=0)[..., None].long())[..., 0], z.amax(dim=-1))


def _found(z: Tensor, y: Tensor, own: Tensor, top: Tensor) -> Tensor:
    found = ~(own < top)  # of NaN, too: argmax finds it
    found[found.clone()] = z[found].argmax(dim=-1) == y[found]
    return found


def _judged(z: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Losses and hits, (N,); z is used up."""
    own, top = z.gather(-1, y[:, None])[:, 0], z.amax(dim=-1)
    found = _found(z, y, own, top)
    if len(z) == 0 or (LARGEST[0] < float(top.amin()) and float(top.amax()) < LARGEST[1]):
        return z.exp_().sum(dim=-1).log_().sub_(own), found
    return z.sub_(top[:, None]).exp_().sum(dim=-1).log_().add_(top).sub_(own), found


def _places(y: Tensor, rows: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Which places are no padding, and targets and rows there."""
    where = (y != PAD).view(-1).nonzero()[:, 0]
    return where, y.reshape(-1).index_select(0, where).long(), rows.flatten(0, 1).index_select(0, where)


def _spread(values: Tensor, where: Tensor, y: Tensor) -> Tensor:
    """These values at these places, 0 elsewhere, (B, T)."""
    return values.new_zeros(y.numel()).index_copy_(0, where, values).view(y.shape)


def _exponentials(rows: Tensor, W: Tensor, b: Tensor) -> tuple[Tensor, Tensor | None, Tensor]:
    """e (N, V), q (V,), None for 1, and S (N,)."""
    e, q = product(rows, W), b.exp()
    S = _summed(e, q)
    if len(S) == 0 or (SAFE[0] < float(S.amin()) and float(S.amax()) < SAFE[1]):
        return e, q, S
    e = product(rows, W, b)
    return e.sub_(e.amax(dim=-1, keepdim=True)).exp_(), None, e.sum(dim=-1)


def _summed(z: Tensor, q: Tensor) -> Tensor:
    """e^z q, with e^z in the place of z: a third of the time where the kernel knows its numbers."""
    if z.dtype != torch.float32 or z.device.type != "cpu":
        return z.exp_() @ q
    from neural.kernels.exponential import exponentials
    from neural.kernels.shared_out import shared_out

    sums = z.new_empty(len(z))
    shared_out(partial(exponentials, z.numpy(), q.numpy(), sums.numpy()), len(z))
    return sums


def _slopes(rows: Tensor, W: Tensor, b: Tensor, y: Tensor, s: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """By the formulas above, for places alone: rows (N, K), y and s (N,)."""
    e, q, S = _exponentials(rows, W, b)
    r, one = (s / S)[:, None], s[:, None]
    by_rows = torch.addcmul(W.index_select(0, y).mul_(-one), product(e, (W if q is None else W * q[:, None]).t()), r)
    by_W = product((rows * r).t().contiguous(), e.t()).t().contiguous()  # the other way round e would be turned
    by_b = e.t() @ r[:, 0]
    if q is not None:
        by_W.mul_(q[:, None])
        by_b.mul_(q)
    by_W.index_add_(0, y, rows * one, alpha=-1)
    by_b.index_add_(0, y, s, alpha=-1)
    return by_rows, by_W, by_b
