"""Slopes that cannot be differentiated again, said where they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import torch

from surrogate.kit.errors import problem

__all__ = ["once"]


def once(backward: Callable[..., Any]) -> Callable[..., Any]:
    """As `torch.autograd.function.once_differentiable`, whose own error torch.autograd.grad leaves out of its graph."""
    plain = torch.autograd.function.once_differentiable(backward)

    @wraps(backward)
    def asked(ctx: Any, *slopes: Any) -> Any:
        if torch.is_grad_enabled():
            raise problem(
                "the slopes of a compiled layer", "asked for with create_graph=True",
                "slopes that nobody differentiates", "a model that looks for second derivatives",
                'take engine="sequential"',
            )  # fmt: skip
        return plain(ctx, *slopes)

    return asked
