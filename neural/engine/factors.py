"""Gradients of large matrices as pairs of factors (A, B) instead of A B, which a step adds as it is multiplied."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

__all__ = ["Factors"]


class Factors:
    """The factors that a model's backward pass hands in, by matrix (`neural.tasks.models.bags` does)."""

    def __init__(self) -> None:
        self._pairs: dict[int, tuple[Tensor, Tensor]] = {}

    def begin(self) -> None:
        """A new gradient, without what is left of one that an error ended half-way."""
        self._pairs.clear()

    def put(self, matrix: Tensor, A: Tensor, B: Tensor) -> None:
        """One more share of the matrix's gradient: A B + A' B' = (A A') (B; B')."""
        if id(matrix) in self._pairs:
            before = self._pairs[id(matrix)]
            A, B = torch.cat([before[0], A], dim=1), torch.cat([before[1], B])
        self._pairs[id(matrix)] = A, B

    def take(self, matrix: Tensor, rest: Tensor | None) -> Any:
        """All of the matrix's gradient, once. ``rest``: what autograd computed besides, None for nothing."""
        pair = self._pairs.pop(id(matrix), None)
        if pair is None:
            return torch.zeros_like(matrix, requires_grad=False) if rest is None else rest
        return pair if rest is None else torch.addmm(rest, *pair)
