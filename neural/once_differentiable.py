"""`once_differentiable` for compiled backward passes, with our error when create_graph=True."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import torch

from surrogate.kit.errors import problem

__all__ = ["once_differentiable"]


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """As `torch.autograd.function.once_differentiable`, whose own error torch.autograd.grad leaves out of its graph."""
    plain = torch.autograd.function.once_differentiable(backward)

    @wraps(backward)
    def checked(ctx: Any, *gradients: Any) -> Any:
        if torch.is_grad_enabled():
            raise problem(
                "the gradient of a compiled layer", "computed with create_graph=True",
                "gradients that are not differentiated again", "a model that needs second derivatives",
                'take engine="sequential"',
            )  # fmt: skip
        return plain(ctx, *gradients)

    return checked
