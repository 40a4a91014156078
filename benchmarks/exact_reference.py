"""The plain routes that the exact core is measured against: what one writes down first, with numpy alone."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]

__all__ = ["client_term", "minimizer", "population", "solution_error"]


def population(n: int, d: int, mu: float, L: float, seed: int = 0) -> tuple[Array, Array]:
    """n clients with random frames and log-uniform eigenvalues in [mu, L], both attained; normal minimizers."""
    rng = np.random.default_rng(seed)
    frames = np.linalg.qr(rng.normal(size=(n, d, d)))[0]
    spectra = np.exp(rng.uniform(np.log(mu), np.log(L), size=(n, d)))
    spectra[:, 0], spectra[:, -1] = mu, L
    A = (frames * spectra[:, None, :]) @ frames.transpose(0, 2, 1)
    return (A + A.transpose(0, 2, 1)) / 2, rng.normal(size=(n, d))


def client_term(A: Array, c: Array, gamma: float, K: int) -> tuple[Array, Array]:
    """Q A and Q A c of one client, from Q A = sum_{k<K} (I - gamma A)^k A = (I - (I - gamma A)^K) / gamma."""
    eye = np.eye(len(A))
    hessian = (eye - np.linalg.matrix_power(eye - gamma * A, K)) / gamma
    return hessian, hessian @ c


def minimizer(A: Array, c: Array, gamma: float, K: int) -> tuple[Array, Array]:
    """The surrogate's minimizer, client by client, and its averaged Hessian; uniform weights."""
    total, force = np.zeros_like(A[0]), np.zeros_like(c[0])
    for A_i, c_i in zip(A, c, strict=True):
        hessian, linear = client_term(A_i, c_i, gamma, K)
        total += hessian
        force += linear
    return np.linalg.solve(total, force), total / len(A)


def solution_error(A: Array, c: Array, gamma: float, K: int, x: Array) -> float:
    """||x - x~|| / ||x||, by running the clients' K local steps from x in extended precision.

    The sum of gradients a client sends is F(x) = J (x - x~), so J^-1 F(x) is the error of x. F in long doubles leaves
    1e-19 of rounding; J in doubles is right to many digits more than an error needs.
    """
    A_long, c_long = A.astype(np.longdouble), c.astype(np.longdouble)
    local = np.broadcast_to(x.astype(np.longdouble), c.shape).copy()
    start = local.copy()
    for _ in range(K):
        local -= np.longdouble(gamma) * np.einsum("ijk,ik->ij", A_long, local - c_long)
    field = (start - local).mean(axis=0) / np.longdouble(gamma)
    _, hessian = minimizer(A, c, gamma, K)
    return float(np.linalg.norm(np.linalg.solve(hessian, field.astype(float))) / np.linalg.norm(x))
