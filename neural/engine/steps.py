"""Plain gradient steps taken in place: most methods spend their time there, and copies of the model cost as much as it.

`surrogate.methods.local.descend` asks a client for them, and takes them itself where the client declines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any

import torch
from torch import Tensor

__all__ = ["in_place", "plain"]

Parts = list[Tensor]  # a vector by the model's parameters


def plain(rates: Sequence[Any], weights: Sequence[Any] | None) -> bool:
    """Whether all are ordinary numbers: tensors would have to be read, which waits for the device."""
    return all(isinstance(number, Real) for number in (*rates, *(weights or ())))


def in_place(
    at: Parts,
    gradient: Callable[[int], Sequence[Any]],
    rates: Sequence[float],
    decay: float,
    correction: Parts | None,
    weights: Sequence[Any] | None,
) -> Parts | None:
    """Move ``at`` by y <- (1 - gamma w) y - gamma (g_k + c), and return sum_k theta_k (g_k + w y_k + c).

    ``gradient(k)``: of the k-th minibatch at ``at`` as it is now; factors (A, B) may stand for products A B. The answer
    is None without ``weights``.
    """
    total = None if weights is None else [torch.zeros_like(part, requires_grad=False) for part in at]
    for k, rate in enumerate(rates):
        found = gradient(k)
        with torch.no_grad():
            if total is not None and weights is not None and weights[k] != 0:
                _add(total, float(weights[k]), (1.0, found), (decay, at), (1.0, correction))
            if decay != 0:
                torch._foreach_mul_(at, 1 - rate * decay)
            _add(at, -rate, (1.0, found), (1.0, correction))
    return total


def _add(to: Parts, factor: float, *terms: tuple[float, Sequence[Any] | None]) -> None:
    """``to`` plus factor times the terms, each a share and its parts: tensors, or pairs (A, B) in place of A B."""
    for share, term in terms:
        if term is None or share == 0:
            continue
        whole = [(own, part) for own, part in zip(to, term, strict=True) if torch.is_tensor(part)]
        for own, part in zip(to, term, strict=True):
            if isinstance(part, tuple):
                (own.addmm_ if own.ndim == 2 else own.baddbmm_)(*part, alpha=factor * share)
        if whole:
            torch._foreach_add_(*map(list, zip(*whole, strict=True)), alpha=factor * share)
