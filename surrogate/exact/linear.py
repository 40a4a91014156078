"""Linear algebra, and checks of input, over rationals: every decision is exact."""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import fmpq

from surrogate._types import ExactArray as Exact
from surrogate._types import Given, Matrices, Matrix, Weights
from surrogate.exact.spectra import definite, real_roots
from surrogate.linear import Linear
from surrogate.numbers import RATIONALS, kind
from surrogate.numbers.balls import balls
from surrogate.numbers.matrices import array, matrix, stack, table

__all__ = ["FMPQ"]


class Rationals(Linear):
    """Arrays of fmpq, and flint where a matrix is solved with."""

    exact = True
    prefix = "exact."
    asymmetry = 0

    def array(self, value: Given, name: str, ndim: int, shape: str) -> Exact:
        return array(value, name, ndim, shape)

    def listed(self, value: Given, name: str, expected: str) -> Exact:
        single = np.array(value, dtype=object).ndim == 0
        return array([value] if single else value, name, 1, expected)

    def solve(self, M: Matrix, right: Matrices) -> Exact:
        if right.ndim == 1:
            return table(matrix(M).solve(matrix(right[:, None])))[:, 0]
        inverse = matrix(M).inv()
        return stack([inverse * matrix(B) for B in right])

    def products(self, A: Exact, B: Exact) -> Exact:
        return stack([matrix(a) * matrix(b) for a, b in zip(A, B, strict=True)])

    def apply(self, A: Exact, v: Exact) -> Exact:
        return self.products(A, v[..., None])[..., 0]

    def means(self, owner: Weights, values: Exact) -> Exact:
        groups = [values[owner == i] for i in range(int(owner.max()) + 1)]
        return np.stack([group.sum(axis=0) / len(group) for group in groups])

    def indefinite(self, P: Matrices) -> tuple[int, Any] | None:
        polynomials = (matrix(M).charpoly() for M in P)
        return next(((i, real_roots(p)[0]) for i, p in enumerate(polynomials) if not definite(p)), None)

    def is_one(self, total: fmpq, given: Given) -> bool:
        rounded = any(isinstance(v, (float, np.floating)) for v in np.array(given, dtype=object))
        return bool(total == 1 or (rounded and abs(total - 1) < fmpq(1, 10**9)))

    def text(self, number: Any) -> str:
        return str(number)

    def short(self, number: Any) -> str:
        text = str(number)
        return text if kind(number) is RATIONALS and len(text) < 40 else f"{float(balls(number).mid()):.6g}"

    def number(self, x: Any) -> Any:
        return x

    def finite(self, values: Matrices) -> Any:
        return np.ones(np.shape(values), dtype=bool)


FMPQ = Rationals()
