"""Softmax scores of many words, z = rows W^T + b, of which a language model's loss and accuracy need less than all.

torch writes z, log softmax(z), zeros for their gradient, and the gradient, a megabyte each for 6 texts of 20 places and
2,004 words, with two exponentials a number, padding included: half of a step. Here e = exp(rows W^T) alone is written,
for the places that are not padding. With q = exp(b) and S = sum_v e_v q_v,

    loss_y = log S - z_y,   d loss_y / dz = p - 1_y   with p_v = e_v q_v / S,

so where d/d loss is s and r = s / S, the gradient by the place's row is r e (q W) - s W_y, by W q e^T (r rows) less
s row in row y, by b q e^T r less s at y: products of e. Where S leaves the numbers, e is exp(z - max z), and q 1.
LA.F2 (words-lstm) trains 1.4 times as fast with it (`bench neural.laptop`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar, runtime_checkable

import torch
from torch import Tensor

from neural.once_differentiable import once_differentiable

__all__ = ["PAD", "HasScores", "Scores", "hits", "takes_scores", "usable"]

PAD = 0
CACHED = 1 << 18  # scores at once where nothing is kept: a megabyte, which a core's own cache holds
SAFE = 1e-30, 1e30  # S: far from what a float32 cannot say
LARGEST = -60.0, 60.0  # the largest z of a place: the same for exp(z)


class Scores:
    """rows (B, T, K), weight (V, K), bias (V,): z = rows weight^T + bias, (B, T, V), as `torch.nn.Linear` gives it."""

    def __init__(self, rows: Tensor, weight: Tensor, bias: Tensor) -> None:
        self.rows, self.weight, self.bias = rows, weight, bias
        self._known: tuple[Any, ...] = (None,)  # the last labels, and their losses and hits

    def numel(self) -> int:
        """Of z."""
        return self.rows[..., 0].numel() * len(self.bias)

    def cross_entropy(self, y: Tensor) -> Tensor:
        """-log softmax(z)_y at each place, (B, T); 0 at padding. It can be differentiated once."""
        if not (torch.is_grad_enabled() and self.rows.requires_grad):
            return self._answers(y)[0]
        where, targets, rows = _places(y, self.rows)
        each = _CrossEntropy.apply(rows, self.weight, self.bias, targets)  # type: ignore[no-untyped-call]
        return _spread(each, where, y)

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
    """Where argmax finds y, (..., V) and (...): computed only where no score is larger, since amax is far faster."""
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


def _exponentials(rows: Tensor, W: Tensor, b: Tensor) -> tuple[Tensor, Tensor | None, Tensor, Tensor | None]:
    """e (N, V), q (V,) (None for 1), S (N,), and the largest z of each place (N,) where it was taken off."""
    e, q = rows @ W.t(), b.exp()
    S = _summed(e, q)
    if len(S) == 0 or (SAFE[0] < float(S.amin()) and float(S.amax()) < SAFE[1]):
        return e, q, S, None
    e = torch.addmm(b, rows, W.t())
    highest = e.amax(dim=-1)
    e.sub_(highest[:, None]).exp_()
    return e, None, e.sum(dim=-1), highest


def _summed(z: Tensor, q: Tensor) -> Tensor:
    """e^z q, with e^z in the place of z: a third of the time where the kernel knows its numbers."""
    if z.dtype != torch.float32 or z.device.type != "cpu":
        return z.exp_() @ q
    from neural.kernels.exponential import exponentials

    sums = z.new_empty(len(z))
    exponentials(z.numpy(), q.numpy(), sums.numpy())
    return sums


class _CrossEntropy(torch.autograd.Function):
    """log S - z_y by the formulas above, for places alone: rows (N, K), W (V, K), b (V,), y (N,) -> (N,)."""

    @staticmethod
    def forward(ctx: Any, rows: Tensor, W: Tensor, b: Tensor, y: Tensor) -> Tensor:
        e, q, S, highest = _exponentials(rows, W, b)
        ctx.save_for_backward(rows, W, y, e, q, S)
        z_y = torch.linalg.vecdot(rows, W.index_select(0, y)).add_(b.index_select(0, y))
        return S.log().sub_(z_y) if highest is None else S.log().add_(highest).sub_(z_y)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, s: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:
        rows, W, y, e, q, S = ctx.saved_tensors
        r, one = (s / S)[:, None], s[:, None]
        by_rows = torch.addcmul(W.index_select(0, y).mul_(-one), e @ (W if q is None else W * q[:, None]), r)
        by_W = e.t() @ (rows * r)
        by_b = e.t() @ r[:, 0]
        if q is not None:
            by_W.mul_(q[:, None])
            by_b.mul_(q)
        by_W.index_add_(0, y, rows * one, alpha=-1)
        by_b.index_add_(0, y, s, alpha=-1)
        return by_rows, by_W, by_b, None


@runtime_checkable
class HasScores(Protocol):
    """A module whose outputs are `Scores`, unless something has been changed about it."""

    def scores(self, x: Tensor) -> Scores:
        """The outputs, not yet computed."""

    def has_scores(self) -> bool:
        """Whether its outputs are what `scores` says: no subclass, hook or patched method changes them."""


F = TypeVar("F", bound=Callable[..., Any])


def takes_scores(function: F) -> F:
    """Mark a loss or a metric that looks at `Scores` in place of outputs."""
    function.takes_scores = True  # type: ignore[attr-defined]
    return function


def usable(module: object, functions: Iterable[Callable[..., Any]]) -> bool:
    """Whether a module's outputs are scores of many words, and the loss and metrics that look at them take scores."""
    marked = all(getattr(getattr(function, "func", function), "takes_scores", False) for function in functions)
    return marked and isinstance(module, HasScores) and module.has_scores()
