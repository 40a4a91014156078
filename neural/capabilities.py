"""What a task, a layer or a loss tells engines beyond what it computes: engines look for these, never for a class."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol, runtime_checkable

from torch import Tensor, nn

__all__ = ["ClosedForm", "FactorTaker", "HasFactors", "HasKernel", "one_by_one"]


class ClosedForm(NamedTuple):
    """Formulas for a client's loss where autograd is not needed; ``Task.closed_form``.

    ``gradient(vector, x, y)``: of the mean loss over examples, (D,). ``proximal(at, mu, decay, x, y)``: the minimiser z
    of the mean loss plus decay/2 ||z||^2 + mu/2 ||z - at||^2. Clients of such tasks are functions, not sets of
    examples: these are not dealt out anew, nor split into minibatches that the task does not ask for.
    """

    gradient: Callable[[Tensor, Tensor, Tensor], Tensor]
    proximal: Callable[[Tensor, float, float, Tensor, Tensor], Tensor]


class FactorTaker(Protocol):
    """Takes a gradient as a pair of factors (A, B) instead of their product (`neural.engine.factors`)."""

    def put(self, matrix: Tensor, A: Tensor, B: Tensor) -> None:
        """One more share A B of the matrix's gradient."""


@runtime_checkable
class HasFactors(Protocol):
    """A layer whose backward pass hands the gradient of a matrix to ``gradient_factors``, where that is not None."""

    gradient_factors: FactorTaker | None


@runtime_checkable
class HasKernel(Protocol):
    """A layer with a compiled kernel, whose outputs can be differentiated once."""

    def use_kernel(self) -> None:
        """Train by the kernel from now on."""


def one_by_one(module: nn.Module) -> bool:
    """Whether a layer says, by an attribute ``one_by_one``, that a CPU trains several of it faster one by one."""
    return any(getattr(part, "one_by_one", False) for part in module.modules())
