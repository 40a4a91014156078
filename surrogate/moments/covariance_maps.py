"""Linear maps of covariances, applied and never formed: their spectral radius, and linear systems in them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.sparse.linalg import LinearOperator, eigs, gmres

from surrogate._types import Array

__all__ = ["Map", "lyapunov", "radius", "solve"]

Map = Callable[[Array], Array]  # of symmetric (d, d) matrices, linear
_EPS = float(np.finfo(float).eps)


def lyapunov(spectrum: Array, frame: Array) -> Map:
    """C^-1: the X with J X + X J = N."""
    return lambda N: np.asarray(frame @ ((frame.T @ N @ frame) / (spectrum[:, None] + spectrum)) @ frame.T)


def _pack(S: Array) -> Array:
    """A symmetric matrix as a vector of d (d + 1)/2 numbers with the same norm."""
    rows, columns = np.triu_indices(len(S))
    return np.asarray(S[rows, columns] * np.where(rows == columns, 1.0, np.sqrt(2)))


def _unpack(v: Array, d: int) -> Array:
    rows, columns = np.triu_indices(d)
    S = np.zeros((d, d))
    S[rows, columns] = S[columns, rows] = v / np.where(rows == columns, 1.0, np.sqrt(2))
    return S


def _operator(apply: Map, d: int) -> LinearOperator:
    size = d * (d + 1) // 2
    return LinearOperator((size, size), matvec=lambda v: _pack(apply(_unpack(np.ravel(v), d))), dtype=float)


def radius(apply: Map, d: int) -> float:
    """Spectral radius of a map that keeps covariances covariances, by Arnoldi from the identity."""
    operator = _operator(apply, d)
    if d <= 2:  # Arnoldi wants more than three dimensions
        columns = [operator.matvec(e) for e in np.eye(operator.shape[0])]
        return float(np.abs(np.linalg.eigvals(np.array(columns).T)).max())
    start = _pack(np.eye(d))
    if not operator.matvec(start).any():
        return 0.0
    values = eigs(operator, k=1, which="LM", v0=start, tol=1e-13, maxiter=100 * d, return_eigenvectors=False)
    return float(np.abs(values[0]))


def solve(apply: Map, target: Array) -> Array:
    """The S with apply(S) = target: GMRES, and what rounding left of the residual once more."""
    d = len(target)
    operator, b = _operator(apply, d), _pack(target)
    total = np.zeros_like(b)
    for _ in range(3):
        residual = b - operator.matvec(total)
        scale = np.linalg.norm(residual)
        if scale <= 4 * _EPS * np.linalg.norm(b):
            break
        correction, _ = gmres(operator, residual / scale, rtol=1e-13, atol=0.0, restart=min(len(b), 60), maxiter=50)
        total = total + scale * correction
    return _unpack(total, d)
