"""The loss of a task as a function of a flat vector and some examples, its gradient and its Hessian products."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from neural.engine.settings import Settings
from neural.flat import Flat
from neural.tasks.by_hand import Linear
from neural.tasks.task import Task
from surrogate.kit.errors import problem

__all__ = ["Objective", "fresh_module"]

Outputs = Callable[[Tensor, Tensor | None], Tensor]


def fresh_module(task: Task, seed: int) -> torch.nn.Module:
    """The task's model with the parameters that ``seed`` draws, whatever was drawn before."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return task.model().to(task.dtype)


class Examples(NamedTuple):
    """A task's examples on one device."""

    x: Tensor
    y: Tensor
    test_x: Tensor
    test_y: Tensor

    def at(self, where: Tensor) -> tuple[Tensor, Tensor]:
        """x and y of the training examples at these positions, in the shape of ``where``."""
        if where.ndim == 1:
            return self.x.index_select(0, where), self.y.index_select(0, where)
        flat = where.reshape(-1)
        x, y = (part.index_select(0, flat).view(*where.shape, *part.shape[1:]) for part in (self.x, self.y))
        return x, y


class Objective:
    """Per-example losses of ``task`` at a vector (D,), on one device."""

    def __init__(self, task: Task, settings: Settings, device: torch.device) -> None:
        _check(settings, device)
        self.task, self.settings, self.device = task, settings, device
        self.flat = Flat(fresh_module(task, settings.seed), settings.channels_last)  # only its structure is used
        if isinstance(task.by_hand, Linear):
            task.by_hand.check(self.flat.shapes)
        self.data = Examples(*(getattr(task.data, name).to(device) for name in Examples._fields))
        # Draws stay on the CPU. Copies: the memory of a tensor moves when it is shared with other processes.
        self._order, self._offsets = (part.numpy().copy() for part in (task.data.order, task.data.offsets))
        self.largest = int(np.diff(self._offsets).max())  # examples of a client
        self.decay = settings.weight_decay
        self._gradient = torch.compile(self._plain_gradient) if settings.compile else self._plain_gradient

    def start(self) -> Tensor:
        """The vector that training starts from."""
        return self.flat.vector().to(self.device)

    def indices(self, i: int) -> Any:
        """Where client i's examples are, a numpy array."""
        return self._order[self._offsets[i] : self._offsets[i + 1]]

    def tests(self, which: Any = None) -> tuple[Tensor, Tensor]:
        """x and y of the test examples, or of those at these positions, a numpy array."""
        x, y = self.data.test_x, self.data.test_y
        if which is None:
            return x, y
        where = self.placed(which)
        return x.index_select(0, where), y.index_select(0, where)

    def placed(self, array: Any) -> Tensor:
        """A numpy array on the device, without waiting for it."""
        return torch.from_numpy(np.ascontiguousarray(array)).to(self.device, non_blocking=True)

    def mixed(self) -> AbstractContextManager[Any]:
        """Autocast, where the settings say so."""
        if self.settings.amp:
            return torch.autocast(self.device.type, dtype=torch.bfloat16)
        return nullcontext()

    def outputs(self, vector: Tensor, x: Tensor, keys: Tensor | None = None) -> Tensor:
        """The model's outputs, with dropout drawn from ``keys`` where there are keys."""
        outputs: Tensor = self.flat.call(vector, x, keys) if self.task.random else self.flat.call(vector, x)
        return outputs

    def losses(self, vector: Tensor, x: Tensor, y: Tensor, keys: Tensor | None = None) -> Tensor:
        """(B,): one loss an example, in training where ``keys`` are given."""
        return self.losses_of(lambda x, keys: self.outputs(vector, x, keys), x, y, keys)

    def losses_of(self, outputs_of: Outputs, x: Tensor, y: Tensor, keys: Tensor | None = None) -> Tensor:
        """The same for outputs that are computed in another way."""
        x = self.augmented(x, keys)
        with self.mixed():
            outputs = outputs_of(x, keys)
        return self.task.loss(outputs.float() if self.settings.amp else outputs, y)

    def augmented(self, x: Tensor, keys: Tensor | None) -> Tensor:
        """Examples as training sees them, where ``keys`` are given."""
        return x if keys is None or self.task.augment is None else self.task.augment(x, keys)

    def gradient(self, vector: Tensor, x: Tensor, y: Tensor, keys: Tensor | None = None) -> Tensor:
        """Of the mean loss, plus the weight decay's share, (D,)."""
        return self.decayed(self._gradient(vector, x, y, keys), vector)

    def decayed(self, gradient: Tensor, vector: Tensor) -> Tensor:
        """gradient + w vector."""
        return gradient if self.decay == 0 else gradient + self.decay * vector

    def _plain_gradient(self, vector: Tensor, x: Tensor, y: Tensor, keys: Tensor | None) -> Tensor:
        if self.task.closed_form:
            return self.task.closed_form.gradient(vector, x, y)
        at = vector.detach().requires_grad_()
        (gradient,) = torch.autograd.grad(self.losses(at, x, y, keys).mean(), at)
        return gradient

    def product(self, vector: Tensor, direction: Tensor, x: Tensor, y: Tensor, keys: Tensor | None = None) -> Tensor:
        """The Hessian of the mean loss (weight decay included) times ``direction``, (D,)."""
        at = vector.detach().requires_grad_()
        (first,) = torch.autograd.grad(self.losses(at, x, y, keys).mean(), at, create_graph=True)
        (found,) = torch.autograd.grad(first, at, grad_outputs=direction)
        return self.decayed(found, direction)

    def pieces(self, index: Tensor) -> Iterator[tuple[Tensor, Tensor, float]]:
        """Examples in pieces small enough to be evaluated at once: x, y, share of all."""
        for piece in torch.split(index, self.settings.chunk):
            yield *self.data.at(piece), len(piece) / len(index)

    def needs_keys(self) -> bool:
        """Whether training draws anything besides minibatches."""
        return self.task.random or self.task.augment is not None


def _check(settings: Settings, device: torch.device) -> None:
    for name, what in (("amp", "mixed precision"), ("compile", "torch.compile")):
        if getattr(settings, name) and device.type != "cuda":
            raise problem(
                f"{name} on {device}", "True", "a CUDA device",
                f"{what} asked for where it is slower, or another device than was meant",
                f'leave {name} out, or pass device="cuda"',
            )  # fmt: skip
