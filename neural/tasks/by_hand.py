r"""Linear models without autograd: what it would find, in two batched products a step, and steps taken in place.

With scores Z = X W^T + b and losses l(z, y), the gradient of sum_b share_b l_b is S^T X for W and the column sums of S
for b, where S_b = share_b dl/dz. For softmax regression dl/dz = softmax(z) - e_y.

What is left to gain, on one core of an AMD EPYC with AVX-512, for 10 clients and 10 steps of 20 x 784 x 62: 4.8 ms, of
which 3.9 are the products, at the 103 Gflop/s that torch's BLAS reaches there. oneDNN reaches 264, but each call costs
9 us before it multiplies, it has no batches of matrices (a grouped convolution takes longer), and a second core
gains little in small calls. Fewer and larger calls of it, three or four steps at once in the span of their examples
(X_j X_i^T gives what step i changes in the scores of step j), saved a twelfth on one core: not worth it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

__all__ = ["Linear", "softmax"]

Slope = Callable[[Tensor, Tensor], Tensor]  # (scores, y) -> dl/dz, may take the place of the scores
Inputs = Callable[[Tensor, int, torch.dtype], Tensor]  # (x, features, dtype) -> (..., features)
_VECTOR = 16  # float32 numbers that a register holds: products of other heights waste part of one


def softmax(scores: Tensor, y: Tensor) -> Tensor:
    """d/dz of the cross entropy with labels y (...,), written over the scores."""
    torch.softmax(scores, dim=-1, out=scores)
    return scores.scatter_add_(-1, y[..., None].long(), scores.new_full((*y.shape, 1), -1))


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

        The product S^T X is added to the weights as it is made, so no gradient is ever written down. Classes that
        nobody has fill up the matrices to a multiple of what a register holds: weights 0, bias -inf, slope 0.
        """
        at = _Padded.of(y, self.outputs)
        fixed = None if correction is None else _Padded.of(correction.expand_as(y), self.outputs)
        total = None if weights is None else _Padded.of(torch.zeros_like(y), self.outputs)
        Z: Tensor | None = None
        for k, (rate, (x, target, share)) in enumerate(zip(rates, batches, strict=True)):
            X = self.inputs(x, at.W.shape[2], y.dtype)
            if Z is None or Z.shape[1] != X.shape[1]:
                Z = y.new_empty(len(y), X.shape[1], at.W.shape[1])
            S = self._slopes(torch.baddbmm(at.row, X, at.across, out=Z), target).mul_(share[..., None])
            if total is not None and weights is not None and weights[k] != 0:
                theta = float(weights[k])
                total.add_products(S, X, theta)
                total.add(at, theta * decay).add(fixed, theta)
            at.add_products(S, X, -rate, 1 - rate * decay).add(fixed, -rate)
        return at.vectors(), None if total is None else total.vectors()

    def _slopes(self, Z: Tensor, target: Tensor) -> Tensor:
        """dl/dz in the place of the scores Z (M, B, rows), 0 for classes that nobody has."""
        if self.slope is softmax:  # of contiguous rows, in half the time of rows with gaps
            return softmax(Z, target)
        Z[..., : self.outputs] = self.slope(Z[..., : self.outputs], target)
        Z[..., self.outputs :] = 0
        return Z


class _Padded:
    """Weights (M, rows, F) and biases (M, 1, rows), rows a multiple of 16, of which the first ``outputs`` are real.

    The others have weights 0 and, in ``row``, biases -inf, which are never multiplied: 0 times -inf is NaN.
    """

    def __init__(self, W: Tensor, row: Tensor, outputs: int) -> None:
        self.W, self.row, self.b = W, row, row[..., :outputs]
        self.across = W.transpose(1, 2)

    @classmethod
    def of(cls, vectors: Tensor, outputs: int) -> _Padded:
        M, F, rows = len(vectors), vectors.shape[1] // outputs - 1, -(-outputs // _VECTOR) * _VECTOR
        made = cls(vectors.new_empty(M, rows, F), vectors.new_full((M, 1, rows), -torch.inf), outputs)
        flat, end = made.W.view(M, -1), outputs * F
        flat[:, :end] = vectors[:, :end]
        flat[:, end:] = 0
        made.b.copy_(vectors[:, None, end:])
        return made

    def add_products(self, S: Tensor, X: Tensor, factor: float, keep: float = 1.0) -> _Padded:
        """keep times itself plus factor times (S^T X, the sums of S)."""
        self.W.baddbmm_(S.transpose(1, 2), X, beta=keep, alpha=factor)
        if keep != 1:
            self.b.mul_(keep)
        self.row.add_(S.sum(dim=1, keepdim=True), alpha=factor)
        return self

    def add(self, other: _Padded | None, factor: float) -> _Padded:
        """Plus factor times the other."""
        if other is not None and factor != 0:
            self.W.add_(other.W, alpha=factor)
            self.b.add_(other.b, alpha=factor)
        return self

    def vectors(self) -> Tensor:
        """As (M, D), the last thing to ask for: in the memory of W, where the rows of 0 leave room for the biases."""
        (M, rows, F), biases = self.W.shape, self.b[:, 0]
        flat, end = self.W.view(M, -1), biases.shape[1] * F
        if rows * F < end + biases.shape[1]:
            return torch.cat([flat[:, :end], biases], dim=1)
        found = flat[:, : end + biases.shape[1]]
        found[:, end:] = biases
        return found
