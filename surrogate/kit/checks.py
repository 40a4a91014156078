"""Checks of what callers pass in, whatever the arithmetic; those of numbers and arrays are in surrogate.linear."""

from __future__ import annotations

import os
from numbers import Real
from typing import Any

import numpy as np

from surrogate.kit.errors import problem, shortened

__all__ = ["client", "clients", "memory", "some_clients", "whole", "whole_steps"]

MOST_MEMORY = 10 * 2**30  # bytes that clients may take while they are built; less where the machine has less

# The likely cause of an error, and what to do about it
_NO_CLIENTS = ("a matrix, or a method's name, in the place of the clients", "build them with surrogate.Quadratics")
_COUNTED_FROM_1 = ("clients counted from 1, or those of another problem", "clients are numbered from 0")
_NO_STEP = ("a client that takes no step", "drop the client, or give it one step")


def clients(value: object, kind: type) -> Any:
    """Clients of the arithmetic that computes with them: float64 or rationals."""
    if isinstance(value, kind):
        return value
    exact = kind.__module__.startswith("surrogate.exact")
    module = "surrogate.exact" if exact else "surrogate"
    raise problem(
        "clients",
        shortened(value),
        f"{module}.Quadratics",
        "Quadratics of surrogate and of surrogate.exact mixed, or a matrix in the place of the clients",
        f"build them with {module}.Quadratics, or call the same name of {'surrogate' if exact else 'surrogate.exact'}",
    )


def some_clients(value: object) -> Any:
    """Clients of either arithmetic, recognised by their fields: flint is not imported here."""
    if hasattr(value, "A") and hasattr(value, "weights"):
        return value
    raise problem("clients", shortened(value), "Quadratics of surrogate or of surrogate.exact", *_NO_CLIENTS)


def client(i: object, n: int) -> int:
    """The number of a client, 0..n-1."""
    if isinstance(i, bool) or not isinstance(i, (int, np.integer)) or not 0 <= i < n:
        raise problem("the client", shortened(i), f"a whole number from 0 to {n - 1}", *_COUNTED_FROM_1)
    return int(i)


def whole(value: object, name: str, least: int, expected: str, cause: str, fix: str) -> int:
    """A whole number >= ``least``; True and 2.0 are none."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise problem(name, repr(value), expected, cause, fix)
    return int(value)


def memory(what: str, bytes_: float) -> None:
    """Refuse ``what`` where building it would take more memory than there may be; nothing is allocated before."""
    most = min(MOST_MEMORY, _physical())
    if bytes_ > most:
        raise problem(
            "the size", f"{what}, about {bytes_ / 2**30:,.3g} GiB of memory", f"at most {most / 2**30:.3g} GiB",
            "a digit too many", "ask for fewer clients or dimensions",
        )  # fmt: skip


def _physical() -> float:
    """Bytes of memory that this machine has; infinity where it does not say."""
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, OSError, ValueError):
        return float("inf")


def whole_steps(value: object, name: str, n: int) -> list[int]:
    """Local steps: one whole number >= 1 for all clients, or n of them."""
    steps = np.atleast_1d(np.asarray(value, dtype=object))
    if steps.ndim != 1 or len(steps) not in (1, n):
        raise problem(
            name,
            f"{len(steps)} numbers" if steps.ndim == 1 else f"of shape {steps.shape}",
            f"one whole number, or {n} (one a client)",
            "steps of the wrong length",
            f"give one step count a client, {n} in all",
        )
    for i, k in enumerate(steps.tolist()):
        if isinstance(k, bool) or not isinstance(k, Real) or not float(k).is_integer() or float(k) < 1:
            raise problem(name if len(steps) == 1 else f"{name}[{i}]", shortened(k), "a whole number >= 1", *_NO_STEP)
    return [int(k) for k in np.broadcast_to(steps, (n,)).tolist()]
