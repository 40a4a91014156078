"""The few functions beyond + - * / that methods need, for tensors: one client ``[D]``, or a row a client ``[M, D]``."""

from __future__ import annotations

from typing import Any

import torch

from surrogate.methods.ops import Ops

__all__ = ["TORCH"]


def _maximum(a: Any, b: Any) -> Any:
    """The larger one, entry by entry; either may be a number."""
    if not torch.is_tensor(b):
        return torch.clamp(a, min=b)
    return torch.maximum(a, b) if torch.is_tensor(a) else torch.clamp(b, min=a)


def _norm(v: torch.Tensor) -> torch.Tensor:
    return torch.linalg.vector_norm(v, dim=-1, keepdim=True)


TORCH = Ops(torch.sqrt, _maximum, torch.sign, _norm)
