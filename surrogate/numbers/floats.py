"""float64: single numbers, vectors, and batches in leading axes, through numpy and LAPACK."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from surrogate import filters
from surrogate._types import Array
from surrogate.numbers import errors
from surrogate.numbers.protocol import Kind
from surrogate.theta import Theta

__all__ = ["FLOATS", "Floats"]


class Floats(Kind):
    """In batches what overflows or does not exist becomes nan."""

    exact = False

    def number(self, x: Any) -> Any:
        return np.asarray(x, dtype=float) if np.ndim(x) else float(x)

    def decimal(self, x: float) -> float:
        return float(x)

    def array(self, value: Any, name: str) -> Array:
        return np.asarray(value, dtype=float)

    def sqrt(self, x: Any) -> Any:
        return np.sqrt(x)

    def exp(self, x: Any) -> Any:
        return np.exp(x)

    def abs(self, x: Any) -> Any:
        return np.abs(x)

    def sign(self, x: Any) -> Any:
        return np.sign(x)

    def maximum(self, x: Any, y: Any) -> Any:
        return max(x, y) if type(x) is float and type(y) is float else np.maximum(x, y)

    def log(self, x: Any) -> Any:
        return math.log(x) if type(x) is float else np.log(x)

    def root(self, x: Any) -> Any:
        """As ``sqrt``; a single number must have one."""
        if type(x) is not float:
            return np.sqrt(x)
        if x < 0:
            raise errors.negative(x)
        return math.sqrt(x)

    def power(self, x: Any, n: int) -> Array:
        return np.asarray(np.asarray(x, dtype=float) ** n)

    def geometric(self, z: Any, n: int) -> Any:
        """Without cancellation, as ``geometric_deficit``, ``filter`` and ``deficit``: see ``surrogate.filters``."""
        return _plain(filters.geometric(np.asarray(z, dtype=float), n))

    def geometric_deficit(self, z: Any, n: int) -> Any:
        return _plain(filters.geometric_deficit(np.asarray(z, dtype=float), n))

    def filter(self, z: Any, theta: Theta) -> Any:
        return _plain(theta.filter(z))

    def deficit(self, z: Any, theta: Theta) -> Any:
        return _plain(theta.deficit(z))

    def solve(self, A: Array, b: Array) -> Array:
        """nan where a matrix of the batch is singular."""
        if A.shape[-1] == 1:
            return np.asarray(b / A[..., 0])
        singular = np.asarray(np.abs(np.linalg.det(A)) < 1e-300)
        safe = np.where(singular[..., None, None], np.eye(A.shape[-1]), A)
        return np.where(singular[..., None], np.nan, np.linalg.solve(safe, b[..., None])[..., 0])

    def system(self, A: Array, B: Array) -> Array:
        try:
            return np.asarray(np.linalg.solve(A, B), dtype=float)
        except np.linalg.LinAlgError:
            raise errors.singular(A) from None

    def eigenvalues(self, S: Array) -> Array:
        """nan where a matrix of the batch is not finite."""
        if S.shape[-1] == 1:
            return S[..., 0]
        bad = np.asarray(~np.isfinite(S).all(axis=(-1, -2)))
        values = np.linalg.eigvalsh(np.where(bad[..., None, None], 0.0, S))
        return np.where(bad[..., None], np.nan, values)


FLOATS = Floats()


def _plain(value: Array) -> Any:
    """Arrays stay arrays; a single number becomes a float."""
    return float(value) if np.ndim(value) == 0 else value
