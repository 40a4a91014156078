"""The engine "inplace": one client after another, by a fast copy of the module and steps taken in place."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from neural.capabilities import HasFactors, HasKernel
from neural.engine.client import TorchClient
from neural.engine.draws import Draws, Visit
from neural.engine.factors import Factors
from neural.engine.loop import Sequential
from neural.engine.objective import Objective, Outputs
from neural.engine.settings import Settings
from neural.engine.steps import in_place, plain
from neural.tasks import softmax_scores
from neural.tasks.task import Task

__all__ = ["FastModule", "FastSequential"]


class FastModule:
    """A copy of the objective's module whose parameters the steps move: with the compiled kernels that its layers have,
    images with channels last, and scores that are never all written (`softmax_scores`).
    """

    def __init__(self, objective: Objective) -> None:
        self.objective = objective
        self.factors = Factors()
        self.module: Any = copy.deepcopy(objective.flat.module).to(objective.device)
        self.module.requires_grad_(True)  # all of the vector is trained
        for part in self.module.modules():
            if isinstance(part, HasKernel):
                part.use_kernel()
            if isinstance(part, HasFactors):
                part.gradient_factors = self.factors
        self.images = any(isinstance(part, nn.Conv2d) for part in self.module.modules())
        if self.images:
            self.module.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.parameters: list[Tensor] = list(self.module.parameters())
        looks_at_outputs = (objective.task.loss, *objective.task.metrics.values())
        plain = objective.device.type == "cpu" and not objective.settings.amp
        self.scored = plain and softmax_scores.usable(objective.flat.module, looks_at_outputs)

    def load(self, vector: Tensor) -> None:
        """Start from here."""
        with torch.no_grad():
            for parameter, value in zip(self.parameters, self.parts(vector), strict=True):
                parameter.copy_(value)

    def parts(self, vector: Tensor) -> list[Tensor]:
        """Views of a vector, shaped as the parameters: as in its memory, whatever layout the objective's module has."""
        flat = self.objective.flat
        return [part.view(shape) for part, shape in zip(vector.split(flat.sizes), flat.shapes, strict=True)]

    def gradient(self, x: Tensor, y: Tensor, keys: Tensor | None) -> Sequence[Any]:
        """The gradient of the mean loss, by parameters; pairs of factors (A, B) for products A B (`Factors`)."""
        self.factors.begin()
        loss = self.objective.losses_of(self.outputs, x, y, keys).mean()
        gradients = torch.autograd.grad(loss, self.parameters, allow_unused=True)
        return [self.factors.take(p, g) for p, g in zip(self.parameters, gradients, strict=True)]

    def outputs(self, x: Tensor, keys: Tensor | None) -> Any:
        """The module's."""
        if self.scored:
            return self.module.scores(x)
        x = x.contiguous(memory_format=torch.channels_last) if self.images and x.ndim == 4 else x
        return self.module(x, keys) if self.objective.task.random else self.module(x)


class Stepping(TorchClient):
    """A client that takes plain steps in place."""

    def __init__(self, loaded: FastModule, i: int, batches: Any) -> None:
        super().__init__(loaded.objective, i, batches)
        self.loaded = loaded

    def _gradient(self, vector: Tensor, x: Tensor, y: Tensor, keys: Tensor | None) -> Tensor:
        if self.objective.settings.compile:  # the gradient of a vector is what is compiled
            return super()._gradient(vector, x, y, keys)
        self.loaded.load(vector)
        return _flat(self.loaded, self.loaded.gradient(x, y, keys), vector)

    def _model(self, vector: Tensor) -> Outputs:
        if self.objective.settings.compile:
            return super()._model(vector)
        self.loaded.load(vector)
        return self.loaded.outputs

    def descend(
        self, x: Tensor, rates: Sequence[Any], correction: Tensor | None, weights: Sequence[Any] | None
    ) -> tuple[Tensor, Tensor | None] | None:
        """See `surrogate.methods.Client`."""
        if not plain(rates, weights) or self.objective.settings.compile:  # the gradient of a vector is what is compiled
            return None
        loaded = self.loaded
        loaded.load(x)
        total = in_place(
            loaded.parameters,
            lambda k: loaded.gradient(*self._minibatch(k)),
            rates,
            self.objective.decay,
            None if correction is None else loaded.parts(correction),
            weights,
        )
        end = torch.cat([part.detach().reshape(-1) for part in loaded.parameters])
        return end, None if total is None else torch.cat([part.reshape(-1) for part in total])


def _flat(loaded: FastModule, parts: Sequence[Any], like: Tensor) -> Tensor:
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


class FastSequential(Sequential):
    """The sequential engine with clients that step in place; the same answers, to rounding."""

    name = "inplace"

    def __init__(self, task: Task, settings: Settings, device: torch.device, draws: Draws) -> None:
        super().__init__(task, settings, device, draws)
        self.loaded = None if task.closed_form else FastModule(self.objective)

    def client(self, visit: Visit, t: int) -> TorchClient:
        """A client with its minibatches of round t."""
        if self.loaded is None:
            return super().client(visit, t)
        return Stepping(self.loaded, visit.client, self.draws.batches(t, visit))

    def outputs(self, x: Tensor) -> Callable[[Tensor], Tensor]:
        """The model with parameters x, for inputs to evaluate: until the next call of anything else."""
        if self.loaded is None:
            return super().outputs(x)
        self.loaded.load(x)
        return partial(self.loaded.outputs, keys=None)
