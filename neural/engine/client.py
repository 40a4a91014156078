"""One client in one round, as a method sees it."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch
from torch import Tensor

from neural.engine.draws import Batches
from neural.engine.objective import Objective, Outputs

__all__ = ["TorchClient"]


class TorchClient:
    """``client(y, k)``: the flat gradient of the k-th minibatch at y. Vectors are (D,), single numbers (1,)."""

    def __init__(self, objective: Objective, i: int, batches: Batches) -> None:
        self.objective, self.i, self.batches = objective, i, batches
        self.examples = objective.indices(i) if batches.owned is None else batches.owned
        self._whole: tuple[Tensor, Tensor] | None = None
        if objective.task.closed_form:
            self.prox = self._prox

    def __call__(self, y: Tensor, k: int) -> Tensor:
        """The gradient of minibatch k, weight decay included."""
        return self.objective.decayed(self._gradient(y, *self._minibatch(k)), y)

    def hvp(self, y: Tensor, v: Tensor, k: int) -> Tensor:
        """The Hessian of minibatch k's loss at y times v, dropout and augmentation as in ``client(y, k)``."""
        return self.objective.product(y, v, *self._minibatch(k))

    def full(self, y: Tensor) -> Tensor:
        """The gradient over all the client's data, without dropout or augmentation."""
        plain = [share * self._gradient(y, x, t, None) for x, t, share in self._pieces()]
        return self.objective.decayed(torch.stack(plain).sum(dim=0) if len(plain) > 1 else plain[0], y)

    def _gradient(self, vector: Tensor, x: Tensor, y: Tensor, keys: Tensor | None) -> Tensor:
        """Of the mean loss, without weight decay."""
        gradient: Tensor = self.objective._gradient(vector, x, y, keys)
        return gradient

    def loss(self, y: Tensor) -> Tensor:
        """The mean loss over all the client's data, without weight decay, (1,)."""
        with torch.no_grad():
            outputs = self._model(y)
            pieces = [share * self.objective.losses_of(outputs, x, t).mean() for x, t, share in self._pieces()]
            return torch.stack(pieces).sum(dim=0, keepdim=True)

    def batch_loss(self, y: Tensor, k: int) -> Tensor:
        """The mean loss of minibatch k, (1,)."""
        with torch.no_grad():
            return self.objective.losses_of(self._model(y), *self._minibatch(k)).mean().reshape(1)

    def _model(self, vector: Tensor) -> Outputs:
        """The model's outputs at this vector, until the next call of anything else."""
        return partial(self.objective.outputs, vector)

    def _pieces(self) -> Any:
        return self.objective.pieces(self.objective.placed(self.examples))

    def _minibatch(self, k: int) -> tuple[Tensor, Tensor, Tensor | None]:
        x, y = self._examples(k)
        if not self.objective.needs_keys():
            return x, y, None
        return x, y, self.objective.placed(self.batches.keys(k, len(x)))

    def _examples(self, k: int) -> tuple[Tensor, Tensor]:
        data = self.objective.data
        if self.batches.all:
            if self._whole is None:
                index = self.objective.placed(self.examples)
                self._whole = data.at(index)
            return self._whole
        index = self.objective.placed(self.examples[self.batches[k]])
        return data.at(index)

    def _prox(self, x: Tensor, mu: Any) -> Tensor:
        """The minimiser of f(y) + w/2 ||y||^2 + mu/2 ||y - x||^2, by formula."""
        assert self.objective.task.closed_form is not None
        examples = self.objective.data.at(self.objective.placed(self.examples))
        return self.objective.task.closed_form.proximal(x, mu, self.objective.decay, *examples)
