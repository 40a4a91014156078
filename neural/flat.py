"""A module's parameters as one flat vector, which is what methods move."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.func import functional_call

from surrogate.kit.errors import problem

__all__ = ["Flat"]


class Flat:
    """``call(vector, x)`` is the module's outputs with its parameters read from ``vector`` (D,).

    ``layers``: a slice of the vector for each parameter tensor. Modules with buffers (batch norm) are refused, for
    what they carry along is neither sent nor averaged; so is nn.Dropout, which draws from torch's own generator.
    """

    def __init__(self, module: nn.Module, channels_last: bool = False) -> None:
        _check(module)
        self.module, self.channels_last = module, channels_last
        self.names = [name for name, _ in module.named_parameters()]
        self.shapes = [parameter.shape for parameter in module.parameters()]
        self.sizes = [shape.numel() for shape in self.shapes]
        ends = [sum(self.sizes[: k + 1]) for k in range(len(self.sizes))]
        self.layers = [slice(end - size, end) for end, size in zip(ends, self.sizes, strict=True)]
        self.D = sum(self.sizes)

    def vector(self) -> Tensor:
        """The parameters as they are in the module, (D,)."""
        return torch.cat([parameter.detach().reshape(-1) for parameter in self.module.parameters()])

    def parameters(self, vector: Tensor) -> dict[str, Tensor]:
        """Name -> parameter, views of ``vector``; copies where another layout is asked for (``channels_last``)."""
        parts = torch.split(vector, self.sizes)
        return {n: self._laid_out(p.view(s)) for n, p, s in zip(self.names, parts, self.shapes, strict=True)}

    def call(self, vector: Tensor, x: Tensor, *more: Any) -> Any:
        """The outputs for inputs x."""
        return functional_call(self.module, self.parameters(vector), (self._laid_out(x), *more))

    def load(self, vector: Tensor) -> nn.Module:
        """The module itself, with these parameters written into it."""
        with torch.no_grad():
            for parameter, value in zip(self.module.parameters(), self.parameters(vector).values(), strict=True):
                parameter.copy_(value)
        return self.module

    def _laid_out(self, tensor: Tensor) -> Tensor:
        if self.channels_last and tensor.ndim == 4 and tensor.is_floating_point():
            return tensor.contiguous(memory_format=torch.channels_last)
        return tensor


def _check(module: nn.Module) -> None:
    if buffers := [name for name, _ in module.named_buffers()]:
        raise problem(
            f"the module {type(module).__name__}",
            f"one with buffers ({', '.join(buffers[:4])})",
            "parameters only",
            "batch normalisation, whose running means clients do not send",
            "use group normalisation, or register_buffer nothing",
        )
    for name, part in module.named_modules():
        if getattr(part, "p", getattr(part, "dropout", 0)) and "Dropout" in type(part).__name__:
            raise problem(
                f"the layer {name} of {type(module).__name__}",
                type(part).__name__,
                "dropout drawn from keys",
                "torch's dropout, which depends on the order in which clients are visited",
                "draw the mask with neural.noise.uniform(keys, shape) and set random=True in the task",
            )
    if not list(module.parameters()):
        raise problem(
            f"the module {type(module).__name__}",
            "without parameters",
            "something to train",
            "an empty model",
            "add a layer",
        )
