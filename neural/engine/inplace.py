"""One client after another, as in the reference engine, but on a copy of the module that is made to be fast."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from neural.engine.client import TorchClient, shown
from neural.engine.dense import Factors, with_factors
from neural.engine.draws import Draws, Visit
from neural.engine.objective import Objective
from neural.engine.pooled import with_kept_slopes
from neural.engine.recurrent import with_own_steps
from neural.engine.sequential import Sequential
from neural.engine.settings import Settings
from neural.engine.steps import in_place, plain
from neural.tasks.losses import SLOPES, token_accuracy, token_cross_entropy
from neural.tasks.models.bags import BagLogistic
from neural.tasks.models.lstm import LanguageModel
from neural.tasks.quadratic import QuadraticTask
from neural.tasks.scores import Scores
from neural.tasks.task import Task

__all__ = ["InPlace", "Loaded"]

WORDS = 512  # of 90, the few numbers of their scores take less time than the calls that spare them


class Loaded:
    """The objective's module with the parameters that the steps move, in the layout that its kernels like best."""

    def __init__(self, objective: Objective) -> None:
        self.objective = objective
        self.factors = Factors()
        self.module = with_factors(copy.deepcopy(objective.flat.module), self.factors).to(objective.device)
        self.module.requires_grad_(True)  # all of the vector is trained
        with_own_steps(with_kept_slopes(self.module))
        for part in self.module.modules():
            if isinstance(part, BagLogistic):
                part.factors = self.factors
        self.images = any(isinstance(part, nn.Conv2d) for part in self.module.modules())
        if self.images:
            self.module.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.parameters = list(self.module.parameters())
        known = (slopes for loss, slopes in SLOPES.items() if loss is objective.task.loss)
        self.slopes = None if objective.settings.amp else next(known, None)
        self.scored = (
            self.slopes is not None
            and objective.device.type == "cpu"
            and _scored(objective.task, objective.flat.module)
        )

    def load(self, vector: Tensor) -> None:
        """Start from here."""
        with torch.no_grad():
            for parameter, value in zip(self.parameters, self.parts(vector), strict=True):
                parameter.copy_(value)

    def parts(self, vector: Tensor) -> list[Tensor]:
        """Views of a vector, shaped as the parameters: as in its memory, whatever layout the objective's module has."""
        flat = self.objective.flat
        return [part.view(shape) for part, shape in zip(vector.split(flat.sizes), flat.shapes, strict=True)]

    def gradient(
        self, x: Tensor, y: Tensor, keys: Tensor | None, factored: bool = False, step: float | None = None
    ) -> Sequence[Any]:
        """Of the mean loss, by parameters: pairs (A, B) for A B of bags of words and, ``factored``, large matrices.

        ``step``: minus the rate of the step that is all it is for; None stands for a matrix that has taken it.
        """
        self.factors.begin(factored, step)
        loss = self._loss(x, y, keys)
        with self.factors.asked():
            found = torch.autograd.grad(loss, self.parameters, allow_unused=True)
        return [self.factors.take(p, g) for p, g in zip(self.parameters, found, strict=True)]

    def _loss(self, x: Tensor, y: Tensor, keys: Tensor | None) -> Tensor:
        """The mean loss, or a number that has its slopes."""
        if self.slopes is None:
            return self.objective.losses_of(self.outputs, x, y, keys).mean()
        outputs = self.outputs(self.objective.augmented(x, keys), keys)
        slopes = self.slopes(outputs if isinstance(outputs, Scores) else outputs.detach(), y)
        if isinstance(outputs, Scores) and slopes is not None:
            return _known(slopes, outputs.rows, outputs.weight, outputs.bias)
        return self.objective.task.loss(outputs, y).mean() if slopes is None else _known([slopes], outputs)

    def outputs(self, x: Tensor, keys: Tensor | None) -> Any:
        """The module's."""
        if self.scored:
            return self.module.scores(x)
        x = x.contiguous(memory_format=torch.channels_last) if self.images and x.ndim == 4 else x
        return self.module(x, keys) if self.objective.task.random else self.module(x)


class _Known(torch.autograd.Function):
    """Nothing, but for its slopes: to be told them, torch.autograd.grad loads 35 MB of sympy."""

    @staticmethod
    def forward(ctx: Any, slopes: Sequence[Tensor], *at: Tensor) -> Tensor:
        ctx.slopes = slopes
        return at[0].new_zeros(())

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, one: Tensor) -> tuple[Tensor | None, ...]:
        return None, *ctx.slopes


def _known(slopes: Sequence[Tensor], *at: Tensor) -> Tensor:
    """A number with these slopes in ``at``."""
    found: Tensor = _Known.apply(slopes, *at)
    return found


class Stepping(TorchClient):
    """A client that takes plain steps in place."""

    def __init__(self, loaded: Loaded, i: int, batches: Any) -> None:
        super().__init__(loaded.objective, i, batches)
        self.loaded = loaded

    def descend(
        self, x: Tensor, rates: Sequence[Any], correction: Tensor | None, weights: Sequence[Any] | None
    ) -> tuple[Tensor, Tensor | None] | None:
        """See `surrogate.methods.Client`."""
        if not plain(rates, weights) or self.objective.settings.compile:  # the gradient of a vector is what is compiled
            return None
        loaded, y = self.loaded, x.clone()
        alone = weights is None and self.objective.decay == 0  # with weights, gradients are added to their sum, too
        with shown(loaded, y, moving=True):
            total = in_place(
                loaded.parameters,
                lambda k: loaded.gradient(*self._minibatch(k), weights is None, -rates[k] if alone else None),
                rates,
                self.objective.decay,
                None if correction is None else loaded.parts(correction),
                weights,
            )
        return y, None if total is None else torch.cat([part.reshape(-1) for part in total])


def _scored(task: Task, module: nn.Module) -> bool:
    """Whether outputs are many, and all that looks at them can do without writing them (`neural.tasks.scores`)."""
    if type(module) is not LanguageModel or type(module.out) is not nn.Linear or module.out.bias is None:
        return False
    hooks = "_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks"
    parts = module, module.out
    changed = any(getattr(part, name) for part in parts for name in hooks) or any("forward" in vars(p) for p in parts)
    looks = {getattr(metric, "func", metric) for metric in task.metrics.values()}
    known = task.loss is token_cross_entropy and looks <= {token_accuracy}
    return known and not changed and module.out.out_features >= WORDS


class InPlace(Sequential):
    """The sequential engine with clients that step in place; the same answers, to rounding."""

    name = "inplace"

    def __init__(self, task: Task, settings: Settings, device: torch.device, draws: Draws) -> None:
        super().__init__(task, settings, device, draws)
        self.loaded = None if isinstance(task, QuadraticTask) else Loaded(self.objective)

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
