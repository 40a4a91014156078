"""Denormal numbers, below 1e-38 in float32, count as 0 while a client or a server works."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import torch

__all__ = ["flush_denormals"]


@contextmanager
def flush_denormals() -> Iterator[None]:
    """A processor takes some hundred times as long with them, such as an autoencoder's squared gradients under AdaGrad.

    Only this thread's arithmetic, and put back at the end.
    """
    before = sys.float_info.min / 2 == 0
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(before)
