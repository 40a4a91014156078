"""`shared_out(work, count)`: parts of a count to the threads that torch computes with."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any

import torch

__all__ = ["shared_out"]

_PART = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def shared_out(work: Callable[[int, int], object], count: int) -> None:
    """``work(first, last)``, which lets go of Python's lock, for parts of range(count) that do not need one another.

    Threads of our own would have no core: for some milliseconds after each of torch's operations its threads wait for
    the next one without letting go. So they are asked to do this, too; where they are another library's, nobody is.
    """
    threads = max(1, min(torch.get_num_threads(), count))
    if threads == 1:
        work(0, count)
        return
    ends = [count * part // threads for part in range(threads + 1)]
    parts, errors = list(pairwise(ends)), list[BaseException]()
    subnormal = _subnormal()  # a setting of each thread

    def some(_: object = None) -> None:
        before = _subnormal()
        try:
            torch.set_flush_denormal(not subnormal)
            while not errors:  # all of them, if nobody else came
                try:
                    part = parts.pop()
                except IndexError:
                    break
                work(*part)
        except BaseException as error:  # ctypes would print it and go on
            errors.append(error)
        finally:
            torch.set_flush_denormal(not before)

    parallel = _parallel()
    if parallel is None:
        some()
    else:
        parallel(_PART(some), None, threads, 0)
    if errors:
        raise errors[0]


def _subnormal() -> bool:
    """Whether this thread computes with numbers next to 0."""
    return sys.float_info.min / 2 != 0


@cache
def _parallel() -> Any:
    """GNU OpenMP's, if that is what torch has loaded for all."""
    try:
        found = ctypes.CDLL(None).GOMP_parallel if sys.platform.startswith("linux") else None
    except AttributeError:
        return None
    if found is not None:
        found.argtypes, found.restype = (_PART, ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint), None
    return found
