"""Checks of exact input: the errors of surrogate.kit.checks, decided in rationals."""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat, fmpq_poly

from surrogate.exact.spectra import definite, real_roots, semidefinite
from surrogate.kit.errors import problem
from surrogate.numbers.balls import balls
from surrogate.numbers.matrices import array, frozen, matrix
from surrogate.numbers.types import ExactArray as Exact

__all__ = ["convex", "positive_definite", "rates", "symmetric", "vector", "weights"]


def symmetric(value: Any, name: str, shape: str = "(n, d, d)") -> Exact:
    """(n, d, d), each exactly symmetric."""
    A = array(value, name, 3, shape)
    if A.shape[1] != A.shape[2]:
        raise problem(
            name,
            f"of shape {A.shape}",
            "shape (n, d, d) with n, d >= 1",
            "matrices that are not square",
            "pass one d x d matrix a client",
        )
    for i, j, k in np.argwhere(A.transpose(0, 2, 1) != A):
        raise problem(
            f"{name}[{i}]",
            f"not symmetric: entry [{j},{k}] = {A[i, j, k]} but [{k},{j}] = {A[i, k, j]}",
            "a symmetric matrix (a Hessian), exactly",
            "a typing slip, or floats that carry rounding",
            f"pass ({name}[{i}] + {name}[{i}].T) / 2 if only the quadratic form is meant",
        )
    return A


def convex(A: Exact, name: str) -> list[fmpq_poly]:
    """The characteristic polynomials, all of whose roots must be >= 0."""
    polynomials = [matrix(a).charpoly() for a in A]
    for i, p in enumerate(polynomials):
        if not semidefinite(p):
            least = real_roots(p)[0]
            raise problem(
                f"{name}[{i}]",
                f"indefinite: its smallest eigenvalue is {_short(least)}",
                "a positive semidefinite matrix",
                "a client whose loss is not convex, or a sign slip",
                f"mend client {i}, or add a ridge of at least {_short(-least)}",
            )
    return polynomials


def positive_definite(P: Any, name: str, n: int, d: int) -> Exact:
    """(d, d) or (n, d, d) as (n, d, d), each symmetric positive definite."""
    stack = np.array(P, dtype=object)
    stack = symmetric(stack[None] if stack.ndim == 2 else stack, name, "(d, d) or (n, d, d)")
    if stack.shape[0] not in (1, n) or stack.shape[1] != d:
        raise problem(
            name,
            f"of shape {np.shape(P)}",
            f"({d}, {d}) or ({n}, {d}, {d})",
            "preconditioners for another problem",
            "pass one matrix for all clients, or one a client",
        )
    for i, M in enumerate(stack):
        p = matrix(M).charpoly()
        if not definite(p):
            raise problem(
                f"{name}[{i}]",
                f"not positive definite: its smallest eigenvalue is {_short(real_roots(p)[0])}",
                "a symmetric positive definite matrix",
                "a preconditioner of accumulated gradients before any gradient came",
                "add the accumulator's starting value (epsilon > 0)",
            )
    return frozen(np.array(np.broadcast_to(stack, (n, d, d))))


def vectors(value: Any, name: str, A: Exact) -> Exact:
    """One vector a client, (n, d)."""
    v = array(value, name, 2, "(n, d)")
    if v.shape != A.shape[:2]:
        raise problem(
            name,
            f"of shape {v.shape}",
            f"{A.shape[:2]} to go with the {len(A)} matrices of size {A.shape[1]}",
            "a client missing from one of the two, or a transposed array",
            f"pass one vector of length {A.shape[1]} a client",
        )
    return v


def vector(value: Any, name: str, d: int) -> Exact:
    """A point of R^d."""
    x = array(value, name, 1, f"({d},)")
    if len(x) != d:
        raise problem(
            name, f"of length {len(x)}", f"length {d}", "a point of another problem", "one number a coordinate"
        )
    return x


def weights(value: Any, n: int) -> Exact:
    """n rationals >= 0 of sum 1: exactly, or within 1e-9 where floats are among them (then divided by their sum)."""
    if value is None:
        value = [fmpq(1, n)] * n
    w = array(value, "weights", 1, f"({n},)")
    if len(w) != n:
        raise problem("weights", f"of length {len(w)}", f"length {n}", "a client without a weight", "one a client")
    for i, share in enumerate(w):
        if share < 0:
            raise problem(
                f"weights[{i}]", share, "a weight >= 0", "a sign slip", "weights are probabilities of clients"
            )
    total = sum(w)
    rounded = any(isinstance(v, (float, np.floating)) for v in value)
    if total != 1 and not (rounded and abs(total - 1) < fmpq(1, 10**9)):
        raise problem(
            "weights",
            f"sum {total}",
            "sum 1, exactly",
            "counts of examples in the place of shares, or decimals that do not add up",
            "pass fractions as strings ('1/3'), or weights / weights.sum()",
        )
    return frozen(w / total)


def rates(value: Any, name: str, n: int, strict: bool = False) -> Exact:
    """A rate >= 0 (> 0): one for all clients, or n of them."""
    alone = isinstance(value, str) or np.ndim(value) == 0
    given = array([value] if alone else value, name, 1, f"one number, or {n} (one a client)")
    if len(given) not in (1, n):
        raise problem(
            name,
            f"of shape {given.shape}",
            f"one number, or {n} (one a client)",
            "a list for another number of clients",
            "pass one a client",
        )
    for i, rate in enumerate(given):
        if rate < 0 or (strict and rate == 0):
            raise problem(
                name if alone else f"{name}[{i}]",
                rate,
                f"a number {'>' if strict else '>='} 0",
                "a sign slip, or a rate on a log scale",
                "gamma = 0 keeps clients still: use a positive rate, or the limit (Preconditioned.limit)"
                if strict
                else "pass a rate >= 0",
            )
    return frozen(np.array(np.broadcast_to(given, (n,))))


def solve(M: fmpq_mat, right: fmpq_mat, what: str, cause: str, fix: str) -> fmpq_mat:
    """M^-1 right, with an error in words where M is singular."""
    try:
        return M.solve(right)
    except ZeroDivisionError:
        raise problem(what, "singular (its determinant is exactly 0)", "an invertible matrix", cause, fix) from None


def _short(value: Any) -> str:
    return str(value) if isinstance(value, fmpq) and len(str(value)) < 40 else f"{float(balls(value).mid()):.6g}"
