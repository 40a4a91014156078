"""Rows of numbers, one by one in the sources and in vectors when compiled. They must not overlap."""

from __future__ import annotations

from neural.kernels.compiled import compiled

__all__ = ["added", "copied"]


@compiled
def copied(row, to):  # type: ignore[no-untyped-def]
    """As to[:] = row, which takes longer for short rows."""
    for j in range(len(to)):
        to[j] = row[j]


@compiled
def added(row, to):  # type: ignore[no-untyped-def]
    """As to += row."""
    for j in range(len(to)):
        to[j] += row[j]
