"""Gradients of linear models by hand: two batched products a step, and steps taken in place.

With inputs that end in a one, X = [x, 1], and the parameters as one matrix V = [W; b], scores are Z = X V. The gradient
of sum_b share_b l(z_b, y_b) is X^T S with S_b = share_b dl/dz_b. For softmax regression dl/dz = softmax(z) - e_y.

V is the flat vector itself, W with a row a feature and b after it, so nothing is split or joined. With a row an
output, as nn.Linear has it, one of the two products would read a long matrix across its rows.

In minibatches, softmax regression takes all its steps in one compiled call on a CPU (`neural.kernels.softmax`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from neural.tasks.models.inputs import pixels
from surrogate.kit.errors import problem

__all__ = ["Linear", "Minibatches", "softmax"]

MOST = 512  # examples in a minibatch up to which steps are taken by the compiled kernel
Minibatch = tuple[Tensor, Tensor, Tensor]  # positions, labels, shares; (M, B) each
ScoreGradient = Callable[[Tensor, Tensor, Tensor], Tensor]  # (scores, y, share) -> share dl/dz, maybe in place


def softmax(scores: Tensor, y: Tensor, share: Tensor, to: Tensor | None = None) -> Tensor:
    """share d/dz of the cross entropy with labels y (...,), written ``to`` there or over the scores."""
    share = share[..., None]
    to = torch.softmax(scores, dim=-1, out=scores if to is None else to)
    return to.mul_(share).scatter_add_(-1, y[..., None].long(), -share)


@dataclass(frozen=True)
class Minibatches:
    """Those of several steps: positions, labels, shares, (U, M, B) each, of which step k takes the ``which[k]``-th."""

    where: Tensor
    labels: Tensor
    shares: Tensor
    which: Sequence[int]

    @classmethod
    def of(cls, batches: Sequence[Minibatch]) -> Minibatches:
        """At least one, of any width; a full batch is taken again and again."""
        distinct = {tuple(map(id, batch)): batch for batch in batches}
        numbers = {key: number for number, key in enumerate(distinct)}
        width = max(share.shape[1] for *_, share in distinct.values())
        where, labels, shares = (
            torch.stack([_filled(part, width) for part in parts]) for parts in zip(*distinct.values(), strict=True)
        )
        return cls(where, labels, shares, [numbers[tuple(map(id, batch))] for batch in batches])

    def __iter__(self) -> Iterator[Minibatch]:
        parts = list(zip(self.where, self.labels, self.shares, strict=True))
        return (parts[u] for u in self.which)


@dataclass(frozen=True)
class Linear:
    """The ``by_hand`` of a task whose model has the scores x W + b, x flattened and as numbers (`inputs.pixels`).

    Vectors are (M, (F + 1) * outputs): W (F, outputs), then b, the module's two parameters.
    """

    outputs: int
    by_scores: ScoreGradient

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
        V = self._matrices(vectors)
        X = _with_ones(V, share)
        X[..., :-1] = pixels(x.flatten(start_dim=2), V.dtype)
        return torch.bmm(X.mT, self.by_scores(torch.bmm(X, V), y, share)).flatten(1)

    def descend(
        self,
        y: Tensor,
        rates: Sequence[float],
        examples: Tensor,
        batches: Iterable[Minibatch] | Minibatches,
        decay: float,
        correction: Tensor | None,
        weights: Sequence[Any] | None,
    ) -> tuple[Tensor, Tensor | None]:
        """Where steps y <- (1 - gamma w) y - gamma (g + c) end from y (M, D), and sum_k theta_k (g_k + w y_k + c).

        Minibatches: which of the ``examples`` (N, ...), labels, shares, (M, B) each. They are copied right to their
        place beside the ones, and the product X^T S is added to V as it is made: no gradient is ever written down.
        """
        starts = self._matrices(y)
        fixed = None if correction is None else self._matrices(correction.expand_as(y))
        batches = batches if isinstance(batches, Minibatches) else list(batches)
        if self.by_scores is softmax and rates and _compact(starts, examples, batches):
            at_once = batches if isinstance(batches, Minibatches) else Minibatches.of(batches)
            ends, total = _walk(starts, rates, examples.flatten(1), at_once, decay, fixed, weights)
            return ends.flatten(1), None if total is None else total.flatten(1)
        V = starts.clone(memory_format=torch.contiguous_format)
        total = None if weights is None else torch.zeros_like(V)
        rows, X, Z, last = examples.flatten(1), V[:, :0], V[:, :0], None
        for k, (rate, (where, target, share)) in enumerate(zip(rates, batches, strict=True)):
            if X.shape[:2] != where.shape:
                X, Z = _with_ones(V, share), V.new_empty(*where.shape, self.outputs)
            if where is not last:
                _copy_rows(rows, where, X.flatten(0, 1)[:, :-1])
                last = where
            S = self.by_scores(torch.bmm(X, V, out=Z), target, share)
            if total is not None and weights is not None and weights[k] != 0:
                theta = float(weights[k])
                total.baddbmm_(X.mT, S, alpha=theta)
                _add(total, V, theta * decay)
                _add(total, fixed, theta)
            V.baddbmm_(X.mT, S, beta=1 - rate * decay, alpha=-rate)
            _add(V, fixed, -rate)
        return V.flatten(1), None if total is None else total.flatten(1)

    def _matrices(self, vectors: Tensor) -> Tensor:
        """[W; b] of each, (M, F + 1, outputs)."""
        matrices: Tensor = vectors.unflatten(1, (-1, self.outputs))
        return matrices


def _compact(V: Tensor, examples: Tensor, batches: Minibatches | Sequence[Minibatch]) -> bool:
    """Whether the compiled kernel knows such numbers, and a minibatch of them fits into a processor's cache."""
    known = type(V) is Tensor and V.device.type == "cpu" and V.dtype in (torch.float32, torch.float64)
    shares = [batches.shares] if isinstance(batches, Minibatches) else [share for *_, share in batches]
    return known and examples.dtype in (torch.uint8, V.dtype) and all(share.shape[-1] <= MOST for share in shares)


def _walk(
    starts: Tensor, rates: Sequence[float], rows: Tensor, batches: Minibatches, decay: float,
    fixed: Tensor | None, weights: Sequence[Any] | None,
) -> tuple[Tensor, Tensor | None]:  # fmt: skip
    """`Linear.descend` by the kernel, from starts (M, F + 1, outputs), which may be one for all."""
    from neural.kernels.softmax import walk

    M, one = len(starts), starts.stride(0) == 0
    ends, total = starts.new_empty(starts.shape), starts.new_zeros(0 if weights is None else M, *starts.shape[1:])
    _check_labels(batches.labels, starts.shape[2])
    which = np.array([u for u, _ in zip(batches.which, rates, strict=True)])
    kind = np.float64 if starts.dtype == torch.float64 else np.float32
    walk(
        starts=(starts[:1] if one else starts).contiguous().numpy(), ends=ends.numpy(), totals=total.numpy(),
        fixed=(ends[:0] if fixed is None else fixed.contiguous()).numpy(), examples=rows.numpy(),
        divisor=kind(255 if rows.dtype == torch.uint8 else 1), where=batches.where.numpy(),
        labels=batches.labels.long().numpy(), shares=batches.shares.to(starts.dtype).numpy(), which=which,
        rates=np.array(rates, kind), weights=np.array(weights or rates, kind), decay=kind(decay),
    )  # fmt: skip
    return ends, None if weights is None else total


def _check_labels(labels: Tensor, outputs: int) -> None:
    """Refuse labels that no output has: the kernel does not look."""
    low, high = map(int, labels.aminmax()) if labels.numel() else (0, 0)
    if low < 0 or high >= outputs:
        raise problem(
            "the labels", f"whole numbers from {low} to {high}", f"0 to {outputs - 1}, one for each output",
            "classes counted from 1, a mark for no label, or a model with fewer outputs than classes",
            "number the classes from 0, or give the model an output for each",
        )  # fmt: skip


def _filled(part: Tensor, width: int) -> Tensor:
    """(M, B) as (M, width): more examples of share 0, which are left out."""
    return part if part.shape[1] == width else torch.nn.functional.pad(part, (0, width - part.shape[1]))


def _with_ones(V: Tensor, share: Tensor) -> Tensor:
    """Room for inputs (M, B, F + 1), the last of which is 1."""
    X = V.new_empty(*share.shape, V.shape[1])
    X[..., -1] = 1
    return X


def _copy_rows(rows: Tensor, where: Tensor, to: Tensor) -> None:
    """Those rows, as numbers."""
    if rows.dtype == to.dtype:
        torch.index_select(rows, 0, where.reshape(-1), out=to)
    else:
        to.copy_(pixels(rows.index_select(0, where.reshape(-1)), to.dtype))


def _add(to: Tensor, other: Tensor | None, factor: float) -> None:
    """Plus factor times the other."""
    if other is not None and factor != 0:
        to.add_(other, alpha=factor)
