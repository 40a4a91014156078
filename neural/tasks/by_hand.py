"""Linear models without autograd: what it would find, in two batched products a step, and steps taken in place.

With scores Z = X W + b and losses l(z, y), the gradient of sum_b share_b l_b is X^T S for W and the column sums of S
for b, where S_b = share_b dl/dz. For softmax regression dl/dz = softmax(z) - e_y.

W has a row a feature: with a row an output, as nn.Linear has it, one of the two products turns a long matrix round, and
takes half as long again (MKL, an Intel core with AVX-512).

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

from surrogate.errors import problem

__all__ = ["Linear", "softmax"]

Slope = Callable[[Tensor, Tensor], Tensor]  # (scores, y) -> dl/dz, may take the place of the scores
Parts = tuple[Tensor, Tensor]  # W and b of each client
Inputs = Callable[[Tensor, int, torch.dtype], Tensor]  # (x, features, dtype) -> (..., features)


def softmax(scores: Tensor, y: Tensor) -> Tensor:
    """d/dz of the cross entropy with labels y (...,), written over the scores."""
    torch.softmax(scores, dim=-1, out=scores)
    return scores.scatter_add_(-1, y[..., None].long(), scores.new_full((*y.shape, 1), -1))


def flattened(x: Tensor, features: int, dtype: torch.dtype) -> Tensor:
    """(M, B, ...) -> (M, B, features), numbers as they are."""
    return x.flatten(start_dim=2)


@dataclass(frozen=True)
class Linear:
    """The ``by_hand`` of a task whose model has the scores x W + b, x = ``inputs(x, features, dtype)``.

    Vectors are (M, (F + 1) * outputs): W (F, outputs), then b, the module's two parameters.
    """

    outputs: int
    slope: Slope
    inputs: Inputs = flattened

    def check(self, shapes: Sequence[Sequence[int]]) -> None:
        """Refuse a model whose parameters have other shapes: its gradients would be wrong."""
        if len(shapes) != 2 or [shapes[0][-1], *shapes[1]] != [self.outputs, self.outputs]:
            raise problem(
                "by_hand", f"for a model with parameters of shapes {', '.join(str(tuple(shape)) for shape in shapes)}",
                f"W (features, {self.outputs}) and b ({self.outputs},), for the scores x W + b",
                "an nn.Linear: its weight has a row an output",
                "hold W with a row a feature (neural.tasks.models.Logistic does), or leave by_hand out",
            )  # fmt: skip

    def __call__(self, vectors: Tensor, x: Tensor, y: Tensor, share: Tensor) -> Tensor:
        """The gradients of sum_b share_b l_b: x (M, B, ...), y (M, B, ...), share (M, B) -> (M, D)."""
        W, b = self._parts(vectors)
        X = self.inputs(x, W.shape[1], vectors.dtype)
        S = self.slope(torch.baddbmm(b, X, W), y) * share[..., None]
        return _joined(torch.bmm(X.transpose(1, 2), S), S.sum(dim=1))

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

        The product X^T S is added to W as it is made, so no gradient is ever written down.
        """
        at = self._copy(y)
        fixed = None if correction is None else self._parts(correction.expand_as(y))
        total = None if weights is None else self._copy(torch.zeros_like(y))
        W, b = at
        Z: Tensor | None = None
        for k, (rate, (x, target, share)) in enumerate(zip(rates, batches, strict=True)):
            X = self.inputs(x, W.shape[1], y.dtype)
            if Z is None or Z.shape[1] != X.shape[1]:
                Z = y.new_empty(len(y), X.shape[1], self.outputs)
            S = self.slope(torch.baddbmm(b, X, W, out=Z), target).mul_(share[..., None])
            if total is not None and weights is not None and weights[k] != 0:
                theta = float(weights[k])
                _add_products(total, X, S, theta)
                _add(total, at, theta * decay)
                _add(total, fixed, theta)
            _add_products(at, X, S, -rate, 1 - rate * decay)
            _add(at, fixed, -rate)
        return _joined(*at), None if total is None else _joined(*total)

    def _parts(self, vectors: Tensor) -> Parts:
        """W (M, F, outputs) and b (M, 1, outputs) where they lie in vectors (M, D)."""
        end = vectors.shape[1] - self.outputs
        return vectors[:, :end].unflatten(1, (-1, self.outputs)), vectors[:, None, end:]

    def _copy(self, vectors: Tensor) -> Parts:
        """The same, each in memory of its own: added to with gaps between the clients, W takes twice as long."""
        W, b = (part.clone(memory_format=torch.contiguous_format) for part in self._parts(vectors))
        return W, b


def _add_products(to: Parts, X: Tensor, S: Tensor, factor: float, keep: float = 1.0) -> None:
    """keep times itself plus factor times (X^T S, the sums of S)."""
    W, b = to
    W.baddbmm_(X.transpose(1, 2), S, beta=keep, alpha=factor)
    if keep != 1:
        b.mul_(keep)
    b.add_(S.sum(dim=1, keepdim=True), alpha=factor)


def _add(to: Parts, other: Parts | None, factor: float) -> None:
    """Plus factor times the other."""
    if other is not None and factor != 0:
        for own, part in zip(to, other, strict=True):
            own.add_(part, alpha=factor)


def _joined(W: Tensor, b: Tensor) -> Tensor:
    """As (M, D)."""
    return torch.cat([W.flatten(1), b.flatten(1)], dim=1)
