"""`compiled(function)`: by numba, without Python's lock while it runs, and kept for the next process."""

from __future__ import annotations

import fcntl
import hashlib
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, wraps
from pathlib import Path
from typing import Any

import numba

from surrogate.kit.files import user_cache

__all__ = ["compiled", "folder"]

_OPTIONS: dict[str, Any] = {"fastmath": {"contract"}, "nogil": True, "error_model": "numpy"}  # a b + c rounded once
_TURN, _HELD = threading.RLock(), list[bool]()


def compiled(function: Callable[..., Any], sums: bool = False) -> Any:
    """Compiled at its first call with each kind of arguments, some seconds; read from a file by later processes.

    ``sums``: in whatever order is quickest.
    """
    options = _OPTIONS | ({"fastmath": {"contract", "reassoc"}} if sums else {})
    with _kept() as kept:
        try:
            made = numba.njit(cache=kept, **options)(function)
        except RuntimeError:  # a function that no file holds
            made = numba.njit(**options)(function)
    made.compile = _one_at_a_time(made.compile)
    return made


@cache
def folder() -> Path | None:
    """$XDG_CACHE_HOME or ~/.cache, in quadratic-surrogates/kernels, and there a folder for each state of the sources.

    numba looks at the time of a kernel's own file alone, not at those of what it calls. None if it cannot be written.
    """
    sources = sorted(Path(__file__).parent.glob("*.py"))
    state = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    try:
        where = user_cache("kernels") / state
        where.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=where):
            return where
    except (OSError, RuntimeError):  # or no home
        return None


@contextmanager
def _kept() -> Iterator[bool]:
    """Functions decorated meanwhile are kept there, or where the user said; numba asks then, and not again.

    Whether they are: else numba would turn to folders whose kernels it may not know to be old.
    """
    config: Any = numba.config
    before = config.CACHE_DIR
    config.CACHE_DIR = before or str(folder() or "")
    try:
        yield bool(config.CACHE_DIR)
    finally:
        config.CACHE_DIR = before


def _one_at_a_time(compile_: Callable[..., Any]) -> Callable[..., Any]:
    """One process after the other: two that compile a function for different numbers would take one file's name."""

    @wraps(compile_)
    def alone(*given: Any) -> Any:
        with _turn():
            return compile_(*given)

    return alone


@contextmanager
def _turn() -> Iterator[None]:
    """This process's, and in it this thread's; what a kernel calls is compiled in the kernel's own turn."""
    with _TURN, ExitStack() as stack:
        where = folder()
        if where is not None and not _HELD:
            with suppress(OSError):  # a folder that was removed since: no other process to wait for
                fcntl.flock(stack.enter_context(open(where / "lock", "w", encoding="utf-8")), fcntl.LOCK_EX)
        _HELD.append(True)
        try:
            yield
        finally:
            _HELD.pop()
