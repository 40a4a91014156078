"""One formula, several kinds of numbers: float batches to search with, balls to decide with, traces to certify with.

A statement's sides are written once against this interface. Arrays carry the batch in their leading axes; a single
exact instance has none. Eigenvalues and solves of exact numbers go through closed forms for d <= 2 (where minimal
counterexamples live); float batches of any d go through LAPACK.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from surrogate.kit.errors import problem

__all__ = ["Floats", "Numbers", "Scalars", "balls", "eye"]


class Numbers(Protocol):
    """What formulas may use beyond + - * / ** and comparisons of whole numbers."""

    exact: bool

    def sqrt(self, x: Any) -> Any: ...
    def exp(self, x: Any) -> Any: ...
    def log(self, x: Any) -> Any: ...
    def abs(self, x: Any) -> Any: ...
    def maximum(self, x: Any, y: Any) -> Any: ...
    def power(self, x: Any, n: int) -> Any: ...
    def number(self, x: Any) -> Any: ...
    def solve(self, A: Any, b: Any) -> Any: ...
    def eigenvalues(self, S: Any) -> Any: ...


class _Derived:
    """What follows from the primitives, for every kind of number."""

    def norm(self: Any, v: Any) -> Any:
        """Euclidean norm over the last axis."""
        return self.abs(v[..., 0]) if v.shape[-1] == 1 else self.sqrt((v * v).sum(axis=-1))

    def opnorm(self: Any, M: Any) -> Any:
        """Operator norm of (..., d, d): for d = 1 the modulus, else sqrt of the largest eigenvalue of M^T M."""
        if M.shape[-1] == 1:
            return self.abs(M[..., 0, 0])
        return self.sqrt(self.eigenvalues(np.swapaxes(M, -1, -2) @ M)[..., -1])

    def minimum(self: Any, x: Any, y: Any) -> Any:
        return -self.maximum(-x, -y)

    def largest(self: Any, x: Any, axes: int = 1) -> Any:
        """Maximum over the last axes."""
        return _fold(self.maximum, x, axes)

    def smallest(self: Any, x: Any, axes: int = 1) -> Any:
        """Minimum over the last axes."""
        return _fold(self.minimum, x, axes)

    def geometric(self: Any, z: Any, n: int) -> Any:
        """sum_{k<n} (1 - z)^k, by doubling: no division, right at z = 0."""
        from surrogate.filters import ring_geometric

        return ring_geometric(1 - z, n, z * 0 + 1)

    def filter(self: Any, z: Any, theta: Any) -> Any:
        """sum_k theta_k (1 - z)^(k-1) for a ``surrogate.Theta``."""
        return theta.ring(1 - z, z * 0 + 1)

    def deficit(self: Any, z: Any, theta: Any) -> Any:
        """sum_k theta_k ((1 - z)^(k-1) - 1)."""
        return self.filter(z, theta) - theta.total


class Floats(_Derived):
    """Batches in float64; what overflows or does not exist becomes nan and is dropped by the search."""

    exact = False
    sqrt = staticmethod(np.sqrt)
    exp = staticmethod(np.exp)
    log = staticmethod(np.log)
    abs = staticmethod(np.abs)
    maximum = staticmethod(np.maximum)

    def geometric(self, z: Any, n: int) -> Any:
        from surrogate.filters import geometric

        return geometric(np.asarray(z, dtype=float), n)

    def filter(self, z: Any, theta: Any) -> Any:
        return theta.filter(z)

    def deficit(self, z: Any, theta: Any) -> Any:
        return theta.deficit(z)  # without cancellation

    def power(self, x: Any, n: int) -> Any:
        return np.asarray(x, dtype=float) ** n

    def number(self, x: Any) -> Any:
        return np.asarray(x, dtype=float) if np.ndim(x) else float(x)

    def solve(self, A: Any, b: Any) -> Any:
        if A.shape[-1] == 1:
            return b / A[..., 0]
        singular = np.abs(np.linalg.det(A)) < 1e-300
        safe = np.where(singular[..., None, None], np.eye(A.shape[-1]), A)
        return np.where(singular[..., None], np.nan, np.linalg.solve(safe, b[..., None])[..., 0])

    def eigenvalues(self, S: Any) -> Any:
        if S.shape[-1] == 1:
            return S[..., 0]
        bad = ~np.isfinite(S).all(axis=(-1, -2))
        values = np.linalg.eigvalsh(np.where(bad[..., None, None], 0.0, S))
        return np.where(bad[..., None], np.nan, values)


class Scalars(_Derived):
    """Exact or enclosing numbers in object arrays, from scalar functions: rationals, balls, traces."""

    exact = True

    def __init__(self, number: Callable[[Any], Any], functions: dict[str, Callable[..., Any]]) -> None:
        self.scalar = number
        self.sqrt, self.exp, self.log = (np.frompyfunc(functions[f], 1, 1) for f in ("sqrt", "exp", "log"))
        self.abs = np.frompyfunc(functions["abs"], 1, 1)
        self.maximum = np.frompyfunc(functions["maximum"], 2, 1)

    def number(self, x: Any) -> Any:
        """A rational (or array of rationals) in this arithmetic."""
        return np.frompyfunc(self.scalar, 1, 1)(x)

    def power(self, x: Any, n: int) -> Any:
        return x**n

    def solve(self, A: Any, b: Any) -> Any:
        d = A.shape[-1]
        if d == 1:
            return b / A[..., 0]
        if d == 2:
            det = A[..., 0, 0] * A[..., 1, 1] - A[..., 0, 1] * A[..., 1, 0]
            x = (A[..., 1, 1] * b[..., 0] - A[..., 0, 1] * b[..., 1]) / det
            y = (A[..., 0, 0] * b[..., 1] - A[..., 1, 0] * b[..., 0]) / det
            return np.stack([x, y], axis=-1)
        raise _too_large(d)

    def eigenvalues(self, S: Any) -> Any:
        """Ascending eigenvalues of a symmetric matrix: ((a + c) -+ sqrt((a - c)^2 + 4 b^2)) / 2 for d = 2."""
        d = S.shape[-1]
        if d == 1:
            return S[..., 0]
        if d == 2:
            mean, half = (S[..., 0, 0] + S[..., 1, 1]) / 2, (S[..., 0, 0] - S[..., 1, 1]) / 2
            root = self.sqrt(half * half + S[..., 0, 1] * S[..., 0, 1])
            return np.stack(np.broadcast_arrays(mean - root, mean + root), axis=-1)
        raise _too_large(d)


def balls(bits: int) -> Scalars:
    """Ball arithmetic at a precision; set it around the evaluation with ``flint.ctx.workprec(bits)``."""
    from flint import arb, fmpq

    def number(x: Any) -> Any:
        q = fmpq(x.numerator, x.denominator) if hasattr(x, "numerator") else x
        return arb(q)

    def root(x: Any) -> Any:
        """Of a ball around 0, of its nonnegative part (as ``verify`` does): a sum of squares may not look like one."""
        return x.sqrt() if x > 0 or x < 0 else x.nonnegative_part().sqrt()

    functions: dict[str, Callable[..., Any]] = {
        "sqrt": root,
        "exp": arb.exp,
        "log": arb.log,
        "abs": abs,
        "maximum": arb.max,
    }
    return Scalars(number, functions)


def eye(d: int) -> Any:
    """The identity as whole numbers, which every kind of number multiplies with."""
    return np.array([[int(i == j) for j in range(d)] for i in range(d)], dtype=object)


def _fold(pick: Callable[[Any, Any], Any], x: Any, axes: int) -> Any:
    for _ in range(axes):
        result = x[..., 0]
        for k in range(1, x.shape[-1]):
            result = pick(result, x[..., k])
        x = result
    return x


def _too_large(d: int) -> Exception:
    return problem(
        "the dimension of an exact instance",
        d,
        "1 or 2 (closed-form eigenvalues and solves)",
        "a counterexample that was not shrunk",
        "look for one in d = 2 or smaller",
    )
