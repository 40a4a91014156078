"""Vectors of a model come and go at every local step: keep their memory instead of returning it to the system."""

from __future__ import annotations

import ctypes
import sys
from functools import cache

__all__ = ["keep_freed_memory"]

_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD = -1, -2, -3  # of mallopt(3)
_LARGE = 1 << 30


@cache
def keep_freed_memory() -> bool:
    """Ask glibc to keep what is freed; False where the C library is another one.

    By default it maps and unmaps blocks of more than 128 KiB, or trims its heap, so that every step of a model of a
    megabyte pays for fresh pages: a third of the time of batched logistic regression.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except AttributeError:  # musl
        return False
    return all(mallopt(option, _LARGE) == 1 for option in (_MMAP_THRESHOLD, _TRIM_THRESHOLD)) and bool(
        mallopt(_TOP_PAD, _LARGE >> 4)
    )
