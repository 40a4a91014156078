"""Kinds whose arrays hold Python objects: elementwise from functions of one number, closed forms for d <= 2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from surrogate._types import ExactArray, Numbers
from surrogate.numbers import errors
from surrogate.numbers.protocol import Kind

__all__ = ["Scalars"]


def _elementwise(name: str, arguments: int) -> Callable[..., Any]:
    """The method that applies the method ``_name`` to every entry."""

    def applied(self: Any, *values: Any) -> Any:
        ufunc = vars(self)[name] = np.frompyfunc(getattr(self, f"_{name}"), arguments, 1)  # found first from now on
        return ufunc(*values)

    applied.__name__ = name
    return applied


class Scalars(Kind):
    """A subclass gives the functions of one number: ``_number``, ``_sqrt``, ``_exp``, ``_log``, ``_sign``, ..."""

    exact = True
    name = "these numbers"

    number = _elementwise("number", 1)
    sqrt = _elementwise("sqrt", 1)
    exp = _elementwise("exp", 1)
    log = _elementwise("log", 1)
    abs = _elementwise("abs", 1)
    sign = _elementwise("sign", 1)
    maximum = _elementwise("maximum", 2)

    def _number(self, x: Any) -> Any:
        return x

    def _sqrt(self, x: Any) -> Any:
        raise errors.no_function("sqrt", self.name)

    def _exp(self, x: Any) -> Any:
        raise errors.no_function("exp", self.name)

    def _log(self, x: Any) -> Any:
        raise errors.no_function("log", self.name)

    def _abs(self, x: Any) -> Any:
        return abs(x)

    def _sign(self, x: Any) -> Any:
        return int(x > 0) - int(x < 0)

    def _maximum(self, x: Any, y: Any) -> Any:
        return x if x >= y else y

    def decimal(self, x: float) -> Any:
        """Through the digits that Python prints."""
        from fractions import Fraction

        return self._number(Fraction(str(x)))

    def array(self, value: object, name: str) -> ExactArray:
        """Entry by entry; floats become the rationals that they are."""
        given = np.asarray(value, dtype=object)
        result = np.empty(given.shape, dtype=object)
        for where, entry in np.ndenumerate(given):
            result[where] = self._entry(entry, name)
        return result

    def _entry(self, value: object, name: str) -> Any:
        try:
            return self._number(value)
        except (TypeError, ValueError, OverflowError, ZeroDivisionError):
            raise errors.not_a_number(value, name, self.name) from None

    def solve(self, A: Numbers, b: Numbers) -> Numbers:
        """Cramer's rule for d <= 2."""
        d = A.shape[-1]
        if d == 1:
            return b / A[..., 0]
        if d == 2:
            det = A[..., 0, 0] * A[..., 1, 1] - A[..., 0, 1] * A[..., 1, 0]
            x = (A[..., 1, 1] * b[..., 0] - A[..., 0, 1] * b[..., 1]) / det
            y = (A[..., 0, 0] * b[..., 1] - A[..., 1, 0] * b[..., 0]) / det
            return np.stack([x, y], axis=-1)
        raise errors.too_large(d)

    def system(self, A: ExactArray, B: ExactArray) -> ExactArray:
        """By elimination."""
        M, Y, d = A.copy(), B.copy(), len(A)
        for k in range(d):
            pivot = next((row for row in range(k, d) if M[row, k] != 0), None)
            if pivot is None:
                raise errors.singular(A)
            M[[k, pivot]], Y[[k, pivot]] = M[[pivot, k]], Y[[pivot, k]]
            for row in range(k + 1, d):
                factor = M[row, k] / M[k, k]
                M[row, k:], Y[row] = M[row, k:] - factor * M[k, k:], Y[row] - factor * Y[k]
        for k in reversed(range(d)):
            for above in range(k + 1, d):
                Y[k] = Y[k] - M[k, above] * Y[above]
            Y[k] = Y[k] / M[k, k]
        return Y

    def eigenvalues(self, S: Numbers) -> Numbers:
        """((a + c) -+ sqrt((a - c)^2 + 4 b^2)) / 2 for d = 2."""
        d = S.shape[-1]
        if d == 1:
            return S[..., 0]
        if d == 2:
            mean, half = (S[..., 0, 0] + S[..., 1, 1]) / 2, (S[..., 0, 0] - S[..., 1, 1]) / 2
            root = self.sqrt(half * half + S[..., 0, 1] * S[..., 0, 1])
            return np.stack(np.broadcast_arrays(mean - root, mean + root), axis=-1)
        raise errors.too_large(d)
