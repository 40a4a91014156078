"""`compiled(function)`: by numba, without Python's lock while it runs, and kept for the next process."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numba

__all__ = ["compiled", "folder"]

_OPTIONS = {"fastmath": {"contract"}, "nogil": True, "error_model": "numpy"}  # a * b + c may be rounded once


def compiled(function: Callable[..., Any]) -> Any:
    """Compiled at its first call with each kind of arguments, some seconds; read from a file by later processes."""
    with _kept_in(folder()) as kept:
        try:
            return numba.njit(cache=kept, **_OPTIONS)(function)
        except RuntimeError:  # a function that no file holds
            return numba.njit(**_OPTIONS)(function)


@cache
def folder() -> Path:
    """$XDG_CACHE_HOME or ~/.cache, in quadratic-surrogates/kernels, and there a folder for each state of the sources.

    numba looks at the time of a kernel's own file alone, not at those of what it calls.
    """
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    sources = sorted(Path(__file__).parent.glob("*.py"))
    state = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    return Path(base).expanduser() / "quadratic-surrogates" / "kernels" / state


@contextmanager
def _kept_in(where: Path) -> Iterator[bool]:
    """Functions decorated meanwhile are kept there, unless the user said where; numba asks then, and not again.

    Whether they can be: numba would turn to folders whose kernels it may not know to be old.
    """
    before = numba.config.CACHE_DIR
    try:
        (Path(before) if before else where).mkdir(parents=True, exist_ok=True)
    except OSError:
        yield False
        return
    numba.config.CACHE_DIR = before or str(where)
    try:
        yield True
    finally:
        numba.config.CACHE_DIR = before
