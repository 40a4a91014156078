"""Checks of what callers pass in, each with an error that names the client and the value."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from surrogate._types import Array
from surrogate.kit.errors import problem, shortened

__all__ = [
    "array",
    "client",
    "clients",
    "per_client",
    "some_clients",
    "symmetric",
    "vector",
    "weights",
    "whole",
    "whole_steps",
]

# The likely cause of an error, and what to do about it
_OTHER_PROBLEM = ("a point of another problem", "pass one number a coordinate")
_NO_CLIENTS = ("a matrix, or a method's name, in the place of the clients", "build them with surrogate.Quadratics")
_COUNTED_FROM_1 = ("clients counted from 1, or those of another problem", "clients are numbered from 0")
_NOT_SQUARE = ("matrices that are not square, or no clients", "pass one d x d matrix a client")
_COUNTS = ("counts of examples in the place of shares", "pass weights / weights.sum()")
_OTHER_NUMBER = ("a list for another number of clients", "pass one a client")
_NO_STEP = ("a client that takes no step", "drop the client, or give it one step")

SYMMETRY_SLACK = 1e-12  # of the largest entry: what rounding leaves of X^T X, not what a typing slip leaves


def array(value: Any, name: str, ndim: int, shape: str) -> Array:
    """``value`` as a finite float64 array with ``ndim`` axes, described in errors as ``shape``."""
    try:
        result = _floats(value)
    except (TypeError, ValueError, OverflowError):
        raise problem(
            name,
            f"{type(value).__name__} {shortened(value)}",
            f"real numbers of shape {shape}",
            "text, ragged rows, complex or masked entries in the array",
            "check that all rows have the same length; for fractions use surrogate.exact",
        ) from None
    if result.ndim != ndim:
        raise problem(
            name,
            f"of shape {result.shape}",
            f"shape {shape}",
            "a missing client axis (one client needs A[None]) or a scalar where a matrix is wanted",
            f"reshape to {shape}",
        )
    bad = np.argwhere(~np.isfinite(result))
    if len(bad):
        where = tuple(int(k) for k in bad[0])
        raise problem(
            f"{name}{list(where)}",
            float(result[where]),
            "a finite number",
            "an overflow or a missing value upstream",
            "mend or drop the client " + str(where[0]),
        )
    return result


def _floats(value: Any) -> Array:
    """A float64 copy; complex and masked entries are refused, for numpy would drop what makes them so."""
    given = np.asarray(value)
    if given.dtype.kind == "c" or np.ma.is_masked(value):
        raise TypeError
    return np.array(given, dtype=float)


def vector(value: Any, name: str, d: int) -> Array:
    """A point of R^d."""
    x = array(value, name, 1, f"({d},)")
    if x.shape != (d,):
        raise problem(name, f"of length {len(x)}", f"length {d}", *_OTHER_PROBLEM)
    return x


def clients(value: Any, kind: type) -> Any:
    """Clients of the arithmetic that is asked to compute with them: float64 or rationals."""
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


def some_clients(value: Any) -> Any:
    """Clients of either arithmetic, told by their fields: flint is not imported here."""
    if hasattr(value, "A") and hasattr(value, "weights"):
        return value
    raise problem("clients", shortened(value), "Quadratics of surrogate or of surrogate.exact", *_NO_CLIENTS)


def client(i: Any, n: int) -> int:
    """The number of a client, 0..n-1."""
    if isinstance(i, bool) or not isinstance(i, (int, np.integer)) or not 0 <= i < n:
        raise problem("the client", shortened(i), f"a whole number from 0 to {n - 1}", *_COUNTED_FROM_1)
    return int(i)


def symmetric(A: Array, name: str) -> Array:
    """A (n, d, d) with every A_i symmetric up to rounding; returns the symmetrised stack."""
    if A.shape[1] != A.shape[2] or A.shape[1] == 0 or A.shape[0] == 0:
        raise problem(name, f"of shape {A.shape}", "shape (n, d, d) with n, d >= 1", *_NOT_SQUARE)
    gap = np.abs(A - A.transpose(0, 2, 1)).max(axis=(1, 2))
    scale = np.abs(A).max(axis=(1, 2))
    worst = int(np.argmax(gap - SYMMETRY_SLACK * scale))
    if gap[worst] > SYMMETRY_SLACK * scale[worst]:
        j, k = (int(v) for v in np.unravel_index(np.argmax(np.abs(A[worst] - A[worst].T)), A.shape[1:]))
        raise problem(
            f"{name}[{worst}]",
            f"not symmetric: entry [{j},{k}] = {A[worst, j, k]:.17g} but [{k},{j}] = {A[worst, k, j]:.17g}",
            "a symmetric matrix (a Hessian)",
            "a typing slip, or a Jacobian of something that is no gradient",
            f"pass ({name}[{worst}] + {name}[{worst}].T) / 2 if only the quadratic form is meant",
        )
    return (A + A.transpose(0, 2, 1)) / 2


def weights(value: Any, n: int) -> Array:
    """Client weights: n numbers >= 0 that sum to 1."""
    if value is None:
        return np.full(n, 1.0 / n)
    w = array(value, "weights", 1, f"({n},)")
    if w.shape != (n,):
        raise problem("weights", f"of length {len(w)}", f"length {n}", "a client without a weight", "one a client")
    if w.min() < 0:
        i = int(np.argmin(w))
        raise problem(f"weights[{i}]", w[i], "a weight >= 0", "a sign slip", "weights are probabilities of clients")
    if abs(w.sum() - 1) > 1e-9:
        raise problem("weights", f"sum {w.sum():.12g}", "sum 1", *_COUNTS)
    return np.asarray(w / w.sum())


def per_client(value: Any, name: str, n: int, least: float = 0.0, strict: bool = False) -> Array:
    """A rate: one number for all clients, or n of them; ``strict`` refuses the bound itself."""
    try:
        rates = np.atleast_1d(_floats(value))
    except (TypeError, ValueError, OverflowError):
        rates = None
    if rates is None or value is None:
        raise problem(
            name,
            shortened(value),
            f"one number, or {n} (one a client)",
            "a name or a fraction in words where a float is wanted",
            f"pass a number; surrogate.exact takes strings like '1/3', and a name for a variable {name}",
        )
    if rates.ndim != 1 or len(rates) not in (1, n):
        raise problem(name, f"of shape {rates.shape}", f"one number, or {n} (one a client)", *_OTHER_NUMBER)
    rates = np.broadcast_to(rates, (n,)).copy()
    bad = ~np.isfinite(rates) | (rates < least) | (strict & (rates == least))
    if bad.any():
        i = int(np.argmax(bad))
        raise problem(
            name if np.ndim(value) == 0 else f"{name}[{i}]",
            rates[i],
            f"a finite number {'>' if strict else '>='} {least:g}",
            "a sign slip, or a rate on a log scale",
            "gamma = 0 keeps clients still: use a positive rate, or the limit (Preconditioned.limit)"
            if strict
            else "pass a rate >= 0",
        )
    return rates


def whole(value: object, name: str, least: int, expected: str, cause: str, fix: str) -> int:
    """A whole number >= ``least``; True and 2.0 are none."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise problem(name, repr(value), expected, cause, fix)
    return int(value)


def whole_steps(value: Any, name: str, n: int) -> list[int]:
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
