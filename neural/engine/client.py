"""One client in one round, as a method sees it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import torch
from torch import Tensor

from neural.engine.draws import Batches
from neural.engine.objective import Objective, Outputs
from neural.tasks.quadratic import QuadraticTask

__all__ = ["TorchClient", "shown"]

LARGE = 1 << 18  # entries of a parameter that is not copied into the fast module: a megabyte


class TorchClient:
    """``client(y, k)``: the flat gradient of the k-th minibatch at y. Vectors are (D,), single numbers (1,).

    ``loaded``: the fast copy of the module that an engine may have (`neural.engine.inplace.Loaded`). Gradients by it
    take a fifth less time for small convolutional networks, whichever way a method then steps, and losses half.
    """

    loaded: Any = None

    def __init__(self, objective: Objective, i: int, batches: Batches) -> None:
        self.objective, self.i, self.batches = objective, i, batches
        self.examples = objective.indices(i) if batches.owned is None else batches.owned
        self._whole: tuple[Tensor, Tensor] | None = None
        if isinstance(objective.task, QuadraticTask):
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
        if self._slow():
            found: Tensor = self.objective._gradient(vector, x, y, keys)
            return found
        with shown(self.loaded, vector):
            return _flat(self.loaded, self.loaded.gradient(x, y, keys), vector)

    def loss(self, y: Tensor) -> Tensor:
        """The mean loss over all the client's data, without weight decay, (1,)."""
        with torch.no_grad(), self._model(y) as outputs:
            pieces = [share * self.objective.losses_of(outputs, x, t).mean() for x, t, share in self._pieces()]
            return torch.stack(pieces).sum(dim=0, keepdim=True)

    def batch_loss(self, y: Tensor, k: int) -> Tensor:
        """The mean loss of minibatch k, (1,)."""
        with torch.no_grad(), self._model(y) as outputs:
            return self.objective.losses_of(outputs, *self._minibatch(k)).mean().reshape(1)

    def _slow(self) -> bool:
        """Whether there is no fast module, or none that is wanted: the gradient of a vector is what is compiled."""
        return self.loaded is None or self.objective.settings.compile

    @contextmanager
    def _model(self, vector: Tensor) -> Iterator[Outputs]:
        """The model's outputs at this vector."""
        if self._slow():
            yield partial(self.objective.outputs, vector)
        else:
            with shown(self.loaded, vector):
                yield self.loaded.outputs

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
        """(A + (w + mu) I)^-1 (b + mu x), the minimiser of f(y) + w/2 ||y||^2 + mu/2 ||y - x||^2."""
        data = self.objective.data
        index = self.objective.placed(self.examples)
        A, b = (part.mean(dim=0) for part in data.at(index))
        ridge = torch.eye(len(A), dtype=x.dtype, device=x.device) * (self.objective.decay + mu)
        return torch.linalg.solve(A + ridge, b[:-1] + mu * x)


@contextmanager
def shown(loaded: Any, vector: Tensor, moving: bool = False) -> Iterator[None]:
    """The fast module at this vector. Large parameters show the vector itself for so long: a copy is a pass over it.

    ``moving``: the parameters are changed meanwhile, and the vector with them.
    """
    own, small = [], []
    with torch.no_grad():
        for parameter, value in zip(loaded.parameters, loaded.parts(vector), strict=True):
            if parameter.numel() >= LARGE and _alike(parameter, value):
                own.append((parameter, parameter.data))
                parameter.data = value
            else:
                small.append((parameter, value))
        if small:
            torch._foreach_copy_(*map(list, zip(*small, strict=True)))
    try:
        yield
        if small and moving:
            with torch.no_grad():
                torch._foreach_copy_(*map(list, zip(*((value, part) for part, value in small), strict=True)))
    finally:
        for parameter, data in own:
            parameter.data = data


def _alike(parameter: Tensor, value: Tensor) -> bool:
    """Whether they lie alike in a CPU's memory: on a GPU recurrent layers want theirs in one piece."""
    one_kind = parameter.dtype == value.dtype and parameter.device == value.device
    return one_kind and value.device.type == "cpu" and parameter.stride() == value.stride()


def _flat(loaded: Any, parts: Sequence[Any], like: Tensor) -> Tensor:
    """As one vector; what is in factors is multiplied right into its place."""
    if all(torch.is_tensor(part) for part in parts):
        return torch.cat([part.reshape(-1) for part in parts])
    vector = torch.zeros_like(like)
    for place, part in zip(loaded.parts(vector), parts, strict=True):
        if torch.is_tensor(part):
            place.copy_(part)
        else:
            place.addmm_(*part)
    return vector
