"""Linear algebra, and checks of input, over one kind of number: float64 here, rationals in surrogate.exact.linear."""

from __future__ import annotations

from typing import Any

import numpy as np

from surrogate._types import Array, Given, Matrices, Matrix, Point, Vectors, Weights
from surrogate.kit.errors import ProblemError, problem, shortened

__all__ = ["FLOAT64", "Linear"]

# The likely cause of an error, and what to do about it
_NO_NUMBERS = (
    "text, ragged rows, complex or masked entries in the array",
    "check that all rows have the same length; for fractions use surrogate.exact",
)
_NO_AXIS = "a missing client axis (one client needs A[None]) or a scalar where a matrix is wanted"
_WORDS = "a name or a fraction in words where a float is wanted"
_HUGE = ("units in which curvature and distance are both huge", "measure x, or the losses, in larger units")
_OTHER_POINT = ("a point of another problem", "pass one number a coordinate")
_TRANSPOSED = "a client missing from one of the two, or a transposed array"
_NOT_SQUARE = ("matrices that are not square, or no clients", "pass one d x d matrix a client")
_OTHER_P = ("preconditioners for another problem", "pass one matrix for all clients, or one a client")
_EARLY_P = (
    "a preconditioner of accumulated gradients before any gradient came",
    "add the accumulator's starting value (epsilon > 0)",
)
_OTHER_NUMBER = ("a list for another number of clients", "pass one a client")
_STILL = "gamma = 0 keeps clients still: use a positive rate, or the limit (Preconditioned.limit)"


class Linear:
    """float64; a subclass overrides what another arithmetic does differently, and the checks decide accordingly."""

    exact = False
    prefix = ""  # of a repr
    asymmetry = 1e-12  # of a symmetric matrix, relative to its largest entry: what rounding leaves, not a typing slip

    def array(self, value: Given, name: str, ndim: int, shape: str) -> Matrices:
        """A finite copy of ``value`` as an array with ``ndim`` axes, described in errors as ``shape``."""
        try:
            result = _floats(value)
        except (TypeError, ValueError, OverflowError):
            got = f"{type(value).__name__} {shortened(value)}"
            raise problem(name, got, f"real numbers of shape {shape}", *_NO_NUMBERS) from None
        if result.ndim != ndim:
            raise problem(name, f"of shape {result.shape}", f"shape {shape}", _NO_AXIS, f"reshape to {shape}")
        bad = np.argwhere(~np.isfinite(result))
        if len(bad):
            where = tuple(int(k) for k in bad[0])
            cause, fix = "an overflow or a missing value upstream", f"mend or drop the client {where[0]}"
            raise problem(f"{name}{list(where)}", float(result[where]), "a finite number", cause, fix)
        return result

    def listed(self, value: Given, name: str, expected: str) -> Weights:
        """A rate, or a list of rates, as an array."""
        try:
            if value is not None:
                return np.atleast_1d(_floats(value))
        except (TypeError, ValueError, OverflowError):
            pass
        fix = f"pass a number; surrogate.exact takes strings like '1/3', and a name for a variable {name}"
        raise problem(name, shortened(value), expected, _WORDS, fix)

    def solve(self, M: Matrix, right: Matrices) -> Matrices:
        """M^-1 right, for a vector, a matrix or a stack of matrices; ZeroDivisionError of a singular rational one."""
        return np.asarray(np.linalg.solve(M, right))

    def products(self, A: Matrices, B: Matrices) -> Matrices:
        """A_i B_i, (n, d, d)."""
        return np.asarray(A @ B)

    def apply(self, A: Matrices, v: Vectors) -> Vectors:
        """A_i v_i, (n, d)."""
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(np.einsum("ijk,ik->ij", A, v))

    def means(self, owner: Weights, values: Matrices) -> Matrices:
        """The mean of the values of each owner 0..n-1."""
        share = (owner == np.arange(owner.max() + 1)[:, None]) / np.bincount(owner)[:, None]  # (n, m)
        return np.asarray(share @ values if values.ndim == 2 else np.einsum("iz,zjk->ijk", share, values))

    def indefinite(self, P: Matrices) -> tuple[int, Any] | None:
        """The first matrix that is not positive definite, and its smallest eigenvalue."""
        least, most = np.linalg.eigvalsh(P)[:, [0, -1]].T
        bad = np.flatnonzero(least <= P.shape[1] * np.finfo(float).eps * most)
        return (int(bad[0]), float(least[bad[0]])) if len(bad) else None

    def is_one(self, total: Any, given: Given) -> bool:
        """Do the given weights sum to 1?"""
        return bool(abs(total - 1) <= 1e-9)

    def text(self, number: Any) -> str:
        """All digits of a number."""
        return f"{number:.17g}"

    def short(self, number: Any) -> str:
        """A few digits of a number."""
        return f"{number:.6g}"

    def number(self, x: Any) -> Any:
        """A scalar result, as it is returned."""
        return float(x)

    def finite(self, values: Matrices) -> Any:
        """Which of the values are numbers, entry by entry."""
        return np.isfinite(values)

    def within_range(self, what: str, *values: Any) -> None:
        """Refuse results that have overflowed."""
        if not all(np.all(self.finite(v)) for v in values):
            raise problem(what, "beyond float64", "numbers below 1e308", *_HUGE)

    def half_square(self, step: Point, M: Matrix) -> Any:
        """1/2 step^T M step."""
        with np.errstate(over="ignore", invalid="ignore"):
            value = step @ M @ step / 2
        self.within_range("the value at x", value)
        return self.number(value)

    def vector(self, value: Given, name: str, d: int) -> Point:
        """A point of R^d."""
        x = self.array(value, name, 1, f"({d},)")
        if len(x) != d:
            raise problem(name, f"of length {len(x)}", f"length {d}", *_OTHER_POINT)
        return x

    def vectors(self, value: Given, name: str, A: Matrices, shape: str = "(n, d)") -> Vectors:
        """(n, d), one vector for each matrix of A (n, d, d)."""
        v = self.array(value, name, 2, shape)
        if v.shape != A.shape[:2]:
            expected = f"{A.shape[:2]} to go with the {len(A)} matrices of size {A.shape[1]}"
            fix = f"pass one vector of length {A.shape[1]} a client"
            raise problem(name, f"of shape {v.shape}", expected, _TRANSPOSED, fix)
        return v

    def symmetric(self, value: Given, name: str, shape: str = "(n, d, d)") -> Matrices:
        """(n, d, d) with every A_i symmetric, up to rounding in float64; returned as symmetric as can be."""
        return self.symmetrised(self.array(value, name, 3, shape), name)

    def symmetrised(self, A: Matrices, name: str) -> Matrices:
        """(A + A^T) / 2, where that changes no more than rounding."""
        if A.shape[1] != A.shape[2] or 0 in A.shape:
            raise problem(name, f"of shape {A.shape}", "shape (n, d, d) with n, d >= 1", *_NOT_SQUARE)
        if not (A == A.transpose(0, 2, 1)).all():
            self._check_asymmetry(A, name)
        return A if self.exact else np.asarray((A + A.transpose(0, 2, 1)) / 2)

    def _check_asymmetry(self, A: Matrices, name: str) -> None:
        gap, size = (np.abs(part).max(axis=(1, 2)) for part in (A - A.transpose(0, 2, 1), A))
        i = int(np.argmax(gap - self.asymmetry * size))
        if gap[i] <= self.asymmetry * size[i]:
            return
        j, k = (int(v) for v in np.unravel_index(np.argmax(np.abs(A[i] - A[i].T)), A.shape[1:]))
        raise problem(
            f"{name}[{i}]",
            f"not symmetric: entry [{j},{k}] = {self.text(A[i, j, k])} but [{k},{j}] = {self.text(A[i, k, j])}",
            "a symmetric matrix (a Hessian)" + ", exactly" * self.exact,
            "a typing slip, or "
            + ("floats that carry rounding" if self.exact else "a Jacobian of something that is no gradient"),
            f"pass ({name}[{i}] + {name}[{i}].T) / 2 if only the quadratic form is meant",
        )

    def not_convex(self, name: str, i: int, least: Any) -> ProblemError:
        """The error of a client with the eigenvalue ``least`` < 0."""
        return problem(
            f"{name}[{i}]",
            f"indefinite: its smallest eigenvalue is {self.short(least)}",
            "a positive semidefinite matrix",
            "a client whose loss is not convex, or a sign slip",
            f"mend client {i}, or add a ridge of at least {self.short(-least)}",
        )

    def preconditioners(self, value: Given, n: int, d: int) -> Matrices:
        """P (d, d) or (n, d, d) as (n, d, d), each symmetric positive definite."""
        shape = np.array(value, dtype=object).shape
        stack = self.array([value] if len(shape) == 2 else value, "P", 3, "(d, d) or (n, d, d)")
        if stack.shape[0] not in (1, n) or stack.shape[1:] != (d, d):
            raise problem("P", f"of shape {shape}", f"({d}, {d}) or ({n}, {d}, {d})", *_OTHER_P)
        stack = self.symmetrised(stack, "P")
        bad = self.indefinite(stack)
        if bad is not None:
            got = f"not positive definite: its smallest eigenvalue is {self.short(bad[1])}"
            raise problem(f"P[{bad[0]}]", got, "a symmetric positive definite matrix", *_EARLY_P)
        return np.array(np.broadcast_to(stack, (n, d, d)))

    def weights(self, value: Given, n: int) -> Weights:
        """Client weights: n numbers >= 0 that sum to 1, up to rounding where floats are among them; 1/n left out."""
        if value is None:
            return np.asarray(self.array([1] * n, "weights", 1, f"({n},)") / n)
        w = self.array(value, "weights", 1, f"({n},)")
        if len(w) != n:
            raise problem("weights", f"of length {len(w)}", f"length {n}", "a client without a weight", "one a client")
        i = int(np.argmin(w))
        if w[i] < 0:
            raise problem(f"weights[{i}]", w[i], "a weight >= 0", "a sign slip", "weights are probabilities of clients")
        total = w.sum()
        if not self.is_one(total, value):
            raise problem(
                "weights",
                f"sum {total if self.exact else format(total, '.12g')}",
                "sum 1" + ", exactly" * self.exact,
                "counts of examples in the place of shares" + ", or decimals that do not add up" * self.exact,
                "pass " + "fractions as strings ('1/3'), or " * self.exact + "weights / weights.sum()",
            )
        return np.asarray(w / total)

    def rates(self, value: Given, name: str, n: int, strict: bool = False) -> Weights:
        """A rate >= 0 (``strict``: > 0), one for all clients or n of them, as n."""
        expected = f"one number, or {n} (one a client)"
        given = self.listed(value, name, expected)
        if given.ndim != 1 or len(given) not in (1, n):
            raise problem(name, f"of shape {given.shape}", expected, *_OTHER_NUMBER)
        bad = ~self.finite(given) | (given < 0) | (strict & (given == 0))
        if bad.any():
            i = int(np.argmax(bad))
            which = name if np.array(value, dtype=object).ndim == 0 else f"{name}[{i}]"
            expected = f"a {'number' if self.exact else 'finite number'} {'>' if strict else '>='} 0"
            fix = _STILL if strict else "pass a rate >= 0"
            raise problem(which, given[i], expected, "a sign slip, or a rate on a log scale", fix)
        return np.array(np.broadcast_to(given, (n,)))


def _floats(value: Given) -> Array:
    """A float64 copy; complex and masked entries are refused, for numpy would drop what makes them so."""
    given = np.asarray(value)
    if given.dtype.kind == "c" or np.ma.is_masked(value):
        raise TypeError
    return np.array(given, dtype=float)


FLOAT64 = Linear()
