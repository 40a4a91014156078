r"""Linear models without autograd: what it would find, in two batched products a step, and steps taken in place.

With scores Z = X W^T + b and losses l(z, y), the gradient of sum_b share_b l_b is S^T X for W and the column sums of S
for b, where S_b = share_b dl/dz. For softmax regression dl/dz = softmax(z) - e_y.

What is left to gain, on one core of an AMD EPYC with AVX-512, for 10 clients and 10 steps of 20 x 784 x 62: 5.1 ms, of
which 3.8 are the products, at the 118 Gflop/s that torch's BLAS reaches there. oneDNN reaches 264, but each call costs
9 us before it multiplies, and has no batches of matrices. Fewer and larger calls of it, three or four steps at once in
the span of their examples (X_j X_i^T gives what step i changes in the scores of step j), take 4.7 ms: not worth it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

__all__ = ["Linear", "softmax"]

Slope = Callable[[Tensor, Tensor], Tensor]
Inputs = Callable[[Tensor, int, torch.dtype], Tensor]  # (x, features, dtype) -> (..., features)
_VECTOR = 16  # float32 numbers that a register holds: products of other heights waste part of one


def softmax(scores: Tensor, y: Tensor) -> Tensor:
    """d/dz of the cross entropy with labels y (...,)."""
    return torch.softmax(scores, dim=-1).scatter_add(
        -1, y[..., None].long(), torch.full_like(y[..., None], -1, dtype=scores.dtype)
    )


def flattened(x: Tensor, features: int, dtype: torch.dtype) -> Tensor:
    """(M, B, ...) -> (M, B, features), numbers as they are."""
    return x.flatten(start_dim=2)


@dataclass(frozen=True)
class Linear:
    """The ``by_hand`` of a task whose model is one nn.Linear of ``outputs`` rows on ``inputs(x, features, dtype)``.

    Vectors are (M, outputs * (F + 1)): weights, then biases, as nn.Linear orders them.
    """

    outputs: int
    slope: Slope
    inputs: Inputs = flattened

    def __call__(self, vectors: Tensor, x: Tensor, y: Tensor, share: Tensor) -> Tensor:
        """The gradients of sum_b share_b l_b: x (M, B, ...), y (M, B, ...), share (M, B) -> (M, D)."""
        F = vectors.shape[1] // self.outputs - 1
        X, M = self.inputs(x, F, vectors.dtype), len(vectors)
        W, b = vectors[:, : self.outputs * F].view(M, self.outputs, F), vectors[:, None, self.outputs * F :]
        S = self.slope(torch.baddbmm(b, X, W.transpose(1, 2)), y) * share[..., None]
        # Into a matrix of its own, then copied: written in place, with a gap after each client's weights, it is three
        # times slower.
        return torch.cat([torch.bmm(S.transpose(1, 2), X).view(M, -1), S.sum(dim=1)], dim=1)

    def descend(
        self,
        y: Tensor,
        rates: Sequence[float],
        batches: Iterable[tuple[Tensor, Tensor, Tensor]],
        decay: float,
        correction: Tensor | None,
        weights: Sequence[Any] | None,
    ) -> tuple[Tensor, Tensor | None]:
        """Where steps y <- (1 - gamma w) y - gamma (g + c) end from y (M, D), and sum_k theta_k (g_k + w y_k + c).

        The product S^T X is added to the weights as it is made, so no gradient is ever written down. Rows of 0 fill up
        the weights to a multiple of what a register holds; their scores are not looked at and their slopes are 0.
        """
        at = _Padded.of(y, self.outputs)
        fixed = None if correction is None else _Padded.of(correction.expand_as(y), self.outputs)
        total = None if weights is None else _Padded.of(torch.zeros_like(y), self.outputs)
        S: Tensor | None = None
        for k, (rate, (x, target, share)) in enumerate(zip(rates, batches, strict=True)):
            X = self.inputs(x, at.W.shape[2], y.dtype)
            if S is None or S.shape[:2] != X.shape[:2]:
                S = y.new_zeros(len(y), X.shape[1], at.W.shape[1])
            scores = torch.bmm(X, at.W.transpose(1, 2))[..., : self.outputs] + at.b
            torch.mul(self.slope(scores, target), share[..., None], out=S[..., : self.outputs])
            if total is not None and weights is not None and weights[k] != 0:
                theta = float(weights[k])
                total.add_products(S, X, theta)
                total.add(at, theta * decay).add(fixed, theta)
            at.add_products(S, X, -rate, 1 - rate * decay).add(fixed, -rate)
        return at.vectors(), None if total is None else total.vectors()


class _Padded:
    """Weights (M, rows, F), rows a multiple of 16, and biases (M, 1, outputs)."""

    def __init__(self, W: Tensor, b: Tensor) -> None:
        self.W, self.b = W, b

    @classmethod
    def of(cls, vectors: Tensor, outputs: int) -> _Padded:
        M, F = len(vectors), vectors.shape[1] // outputs - 1
        W = vectors.new_empty(M, -(-outputs // _VECTOR) * _VECTOR, F)
        W[:, :outputs] = vectors[:, : outputs * F].view(M, outputs, F)
        W[:, outputs:] = 0
        return cls(W, vectors[:, None, outputs * F :].clone())

    def add_products(self, S: Tensor, X: Tensor, factor: float, keep: float = 1.0) -> _Padded:
        """keep times itself plus factor times (S^T X, the sums of S)."""
        self.W.baddbmm_(S.transpose(1, 2), X, beta=keep, alpha=factor)
        sums = S.sum(dim=1, keepdim=True)[..., : self.b.shape[2]]
        (self.b if keep == 1 else self.b.mul_(keep)).add_(sums, alpha=factor)
        return self

    def add(self, other: _Padded | None, factor: float) -> _Padded:
        """Plus factor times the other."""
        if other is not None and factor != 0:
            self.W.add_(other.W, alpha=factor)
            self.b.add_(other.b, alpha=factor)
        return self

    def vectors(self) -> Tensor:
        """As (M, D)."""
        return torch.cat([self.W[:, : self.b.shape[2]].flatten(start_dim=1), self.b[:, 0]], dim=1)
