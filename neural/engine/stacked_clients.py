"""Several clients stacked into one: vectors are (M, D), single numbers (M, 1), a row a client."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.func import functional_call

from neural.engine.conv_patches import with_patches
from neural.engine.draws import Batches
from neural.engine.graph_cache import GraphCache
from neural.engine.objective import Objective
from neural.engine.steps import in_place, plain
from neural.tasks.by_hand import Linear, Minibatches

__all__ = ["Models", "StackedClients", "rows_of"]

_NUMPY = {torch.float32: np.float32, torch.float64: np.float64}
Placed = tuple[Tensor, Tensor | None, Tensor]  # positions, labels where they are looked up, shares; (M, B) each


def rows_of(parts: Sequence[Any]) -> tuple[Any, Any]:
    """Positions of different lengths as one matrix (M, B), and the share of each in its row's mean.

    A short row is filled up with its first position, at share 0: an example that exists, so that no loss is NaN.
    """
    lengths = {len(part) for part in parts}
    if len(lengths) == 1:
        (width,) = lengths
        return np.concatenate(parts).reshape(len(parts), width), np.full((len(parts), width), 1 / width)
    width = max(lengths)
    filled = np.stack([np.concatenate([part, np.full(width - len(part), part[0])]) for part in parts])
    sizes = np.array([len(part) for part in parts])[:, None]
    return filled, (np.arange(width) < sizes) / sizes


def rows_at(values: Tensor, where: Tensor, into: Tensor | None = None) -> Tensor:
    """Rows of ``values`` in the shape of ``where``; in the place of ``into`` if that has as many."""
    if into is not None and into.shape[: where.ndim] == where.shape:
        torch.index_select(values, 0, where.reshape(-1), out=into.view(-1, *values.shape[1:]))
        return into
    return values.index_select(0, where.reshape(-1)).view(*where.shape, *values.shape[1:])


class Models:
    """Losses of M models at once, on minibatches of their own, and gradients by their parameters, (M, ...) each.

    ``losses(parameters, x, y, share, keys)``: (M,), sum_b share_b loss_b of each.
    """

    def __init__(self, objective: Objective) -> None:
        module = objective.flat.module
        self.twice = partial(_losses, objective, module)  # what can be differentiated twice
        self.losses = self.twice
        if objective.device.type == "cpu":
            self.losses = partial(_losses, objective, with_patches(module))
        self.cached = GraphCache(self.gradient, torch.compile if objective.settings.compile else None)

    def gradient(self, parameters: Sequence[Tensor], *examples: Tensor | None) -> Sequence[Tensor]:
        """One row depends on one row, so the gradient of the sum of all losses holds that of each."""
        at = [part.detach().requires_grad_() for part in parameters]
        return torch.autograd.grad(self.losses(at, *examples).sum(), at, allow_unused=True, materialize_grads=True)


def _losses(
    objective: Objective, module: nn.Module, parameters: Sequence[Tensor], x: Any, y: Any, share: Any, keys: Any
) -> Tensor:
    def one(parts: Sequence[Tensor], x: Tensor, y: Tensor, share: Tensor, keys: Tensor | None) -> Tensor:
        named = dict(zip(objective.flat.names, parts, strict=True))

        def outputs(x: Tensor, keys: Tensor | None) -> Any:
            return functional_call(module, named, (x, keys) if objective.task.random else (x,))

        return (share * objective.losses_of(outputs, x, y, keys)).sum()

    dims = (0, 0, 0, 0, None if keys is None else 0)
    return torch.vmap(one, in_dims=dims)(list(parameters), x, y, share, keys)


class StackedClients:
    """``clients(y, k)``: the gradients of each client's k-th minibatch, (M, D), at y: (M, D), or one point (D,)."""

    def __init__(
        self, objective: Objective, ids: Sequence[int], batches: Sequence[Batches], models: Models | None = None
    ) -> None:
        self.objective, self.ids, self.batches = objective, ids, batches
        self.models = Models(objective) if models is None else models
        dealt = [b.owned for b in batches]
        self.examples = [objective.indices(i) if p is None else p for i, p in zip(ids, dealt, strict=True)]
        by_hand = objective.task.by_hand
        self.by_hand = None if objective.settings.amp and isinstance(by_hand, Linear) else by_hand  # which is float32
        self.width = 0 if self.by_hand is not None else self._width()
        self._last: tuple[Any, Any] = (None, None)
        self._planned: list[Placed] = []
        if objective.task.closed_form:
            self.prox = self._prox

    def __call__(self, y: Tensor, k: int) -> Tensor:
        """Weight decay included."""
        return self._decayed(y, self._gradients(self._each(y), *self._minibatch(k)))

    def descend(
        self, x: Tensor, rates: Sequence[Any], correction: Tensor | None, weights: Sequence[Any] | None
    ) -> tuple[Tensor, Tensor | None] | None:
        """See `surrogate.methods.Client`."""
        by_hand, decay = self.by_hand, self.objective.decay
        if not plain(rates, weights) or self.objective.task.closed_form:
            return None
        y = self._each(x)
        if isinstance(by_hand, Linear) and not self.objective.needs_keys():
            return by_hand.descend(
                y, rates, self.objective.data.x, self._batches(len(rates)), decay, correction, weights
            )
        self._plan(len(rates))
        at = [part.clone(memory_format=torch.contiguous_format) for part in self._parts(y)]
        fixed = (
            None
            if correction is None
            else [part.expand_as(own) for part, own in zip(self._parts(self._each(correction)), at, strict=True)]
        )
        total = in_place(at, lambda k: self._by_parameters(at, *self._minibatch(k)), rates, decay, fixed, weights)
        return _joined(at), None if total is None else _joined(total)

    def _by_parameters(self, at: Sequence[Tensor], *examples: Any) -> Sequence[Any]:
        """By cached graphs for whole minibatches: the widths of others change from round to round."""
        whole = examples[2].shape[1] == self.width
        return (self.models.cached if whole else self.models.gradient)(at, *examples)

    def _parts(self, vectors: Tensor) -> list[Tensor]:
        """Views of vectors (M, D), shaped as the parameters, (M, ...)."""
        flat = self.objective.flat
        return [
            p.unflatten(1, s) if s else p[:, 0]
            for p, s in zip(vectors.split(flat.sizes, dim=1), flat.shapes, strict=True)
        ]

    def hvp(self, y: Tensor, v: Tensor, k: int) -> Tensor:
        """The Hessians of the k-th minibatches' losses times v, row by row."""
        at = self._each(y).detach().requires_grad_()
        (first,) = torch.autograd.grad(
            self.models.twice(self._parts(at), *self._minibatch(k)).sum(), at, create_graph=True
        )
        (found,) = torch.autograd.grad(first, at, grad_outputs=self._each(v))
        return self._decayed(v, found)

    def full(self, y: Tensor) -> Tensor:
        """The gradients over all data of each."""
        each = self._each(y)
        return self._decayed(y, torch.stack([self._gradients(each, *piece) for piece in self._pieces()]).sum(dim=0))

    def loss(self, y: Tensor) -> Tensor:
        """The mean losses over all data of each, (M, 1)."""
        with torch.no_grad():
            each = self._parts(self._each(y))
            return torch.stack([self.models.losses(each, *piece) for piece in self._pieces()]).sum(dim=0)[:, None]

    def batch_loss(self, y: Tensor, k: int) -> Tensor:
        """The mean losses of the k-th minibatches, (M, 1)."""
        with torch.no_grad():
            return self.models.losses(self._parts(self._each(y)), *self._minibatch(k))[:, None]

    def _each(self, y: Tensor) -> Tensor:
        return y if y.ndim == 2 else y.expand(len(self.ids), -1)

    def _decayed(self, y: Tensor, gradients: Tensor) -> Tensor:
        return self.objective.decayed(gradients, y)

    def _gradients(self, vectors: Tensor, x: Tensor, y: Tensor, share: Tensor, keys: Tensor | None) -> Tensor:
        if self.by_hand is not None and keys is None:
            return self.by_hand(vectors, x, y, share)
        found = self._by_parameters([part.contiguous() for part in self._parts(vectors)], x, y, share, keys)
        return _joined([part if torch.is_tensor(part) else torch.bmm(*part) for part in found])

    def _minibatch(self, k: int) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
        key = -1 if self.batches[0].all else k
        if self._last[0] != key:  # kept: losses and gradients of one minibatch, and full batches again and again
            where, y, share = self._filled(*self._labelled(k))
            before = None if self._last[1] is None else self._last[1][0]  # is forgotten now: its memory serves again
            self._last = key, (rows_at(self.objective.data.x, where, before), y, share)
        x, y, share = self._last[1]
        if not self.objective.needs_keys():
            return x, y, share, None
        keys = np.stack([batch.keys(k, share.shape[1]) for batch in self.batches])
        return x, y, share, self.objective.placed(keys)

    def _width(self) -> int:
        """Of a whole minibatch: of all clients' the same, so that gradients are traced once."""
        dealt = self.batches[0].owned is not None
        return min(self.batches[0].nominal, max(map(len, self.examples)) if dealt else self.objective.largest)

    def _filled(self, where: Tensor, y: Tensor, share: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """As wide as whole minibatches, by the first example at share 0."""
        short = self.width - share.shape[1]
        if short <= 0:
            return where, y, share
        filled = (torch.cat([part, part[:, :1].expand(-1, short, *part.shape[2:])], dim=1) for part in (where, y))
        where, y = filled
        return where, y, torch.nn.functional.pad(share, (0, short))

    def _labelled(self, k: int) -> tuple[Tensor, Tensor, Tensor]:
        """Where the k-th minibatches are, their labels, and shares, on the device."""
        where, y, share = self._planned[k] if k < len(self._planned) else self._placed(self._positions(k))
        return where, rows_at(self.objective.data.y, where) if y is None else y, share

    def _positions(self, k: int) -> list[Any]:
        """Where the k-th minibatches are, one array a client."""
        return [part[batch[k]] for part, batch in zip(self.examples, self.batches, strict=True)]

    def _placed(self, parts: Sequence[Any]) -> Placed:
        """Positions, no labels yet, and shares, on the device."""
        index, share = rows_of(parts)
        return self.objective.placed(index), None, self._numbers(share)

    def _numbers(self, array: Any) -> Tensor:
        return self.objective.placed(array.astype(_NUMPY[self.objective.task.dtype]))

    def _batches(self, steps: int) -> Minibatches | Iterator[tuple[Tensor, Tensor, Tensor]]:
        """Those of that many steps: at once where the labels are numbers, which take no room."""
        if self.batches[0].all:
            where, y, share = self._labelled(0)
            return Minibatches(where[None], y[None], share[None], [0] * steps)
        if steps == 0 or self.objective.data.y.ndim > 1:
            return map(self._labelled, range(steps))
        where, share, _ = self._all_steps(steps)
        return Minibatches(where, rows_at(self.objective.data.y, where), share, range(steps))

    def _all_steps(self, steps: int) -> tuple[Tensor, Tensor, list[int]]:
        """Positions of that many steps and shares, (steps, M, B), and how many of the B each step has at the most."""
        whole = [batch.whole(steps, part) for part, batch in zip(self.examples, self.batches, strict=True)]
        if all(part is not None and part.shape == whole[0].shape for part in whole):
            index = np.stack(whole, axis=1)
            share = self._numbers(np.full(index.shape, 1 / index.shape[2]))
            return self.objective.placed(index), share, [index.shape[2]] * steps
        firsts = [batch.first(steps, part) for part, batch in zip(self.examples, self.batches, strict=True)]
        each = list(zip(*firsts, strict=True))
        where, _, share = self._placed([part for parts in each for part in parts])
        shape = steps, len(self.ids)
        return where.unflatten(0, shape), share.unflatten(0, shape), [max(map(len, parts)) for parts in each]

    def _plan(self, steps: int) -> None:
        """Minibatches of that many steps placed at once: step by step takes as long as to look up their x."""
        if self.batches[0].all or steps <= max(1, len(self._planned)):
            return
        where, share, widths = self._all_steps(steps)
        y = self.objective.data.y
        labels = rows_at(y, where) if y.ndim == 1 else [None] * steps
        self._planned = [
            (w, of, s) if width == w.shape[1] else (w[:, :width], None if of is None else of[:, :width], s[:, :width])
            for w, of, s, width in zip(where, labels, share, widths, strict=True)
        ]

    def _pieces(self) -> Any:
        """All examples of each, in pieces; clients that have no more give their first one at share 0."""
        width = max(1, self.objective.settings.chunk // len(self.ids))
        sizes = [len(part) for part in self.examples]
        for start in range(0, max(sizes), width):
            parts = [part[start : start + width] for part in self.examples]
            filled = [part if len(part) else own[:1] for part, own in zip(parts, self.examples, strict=True)]
            index, share = rows_of(filled)
            share = share * np.array([[len(part) / size] for part, size in zip(parts, sizes, strict=True)])
            yield *self.objective.data.at(self.objective.placed(index)), self._numbers(share), None

    def _prox(self, x: Tensor, mu: Any) -> Tensor:
        """The minimisers of f_i(y) + w/2 ||y||^2 + mu/2 ||y - x||^2, by formula."""
        form, data, decay = self.objective.task.closed_form, self.objective.data, self.objective.decay
        assert form is not None
        each = zip(self._each(x), self.examples, strict=True)
        return torch.stack([form.proximal(at, mu, decay, *data.at(self.objective.placed(part))) for at, part in each])


def _joined(parts: Sequence[Tensor]) -> Tensor:
    """As (M, D)."""
    return torch.cat([part.reshape(len(part), -1) for part in parts], dim=1)
