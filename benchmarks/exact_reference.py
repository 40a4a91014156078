"""The plain routes that the exact core is measured against: what one writes down first, with numpy alone."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]

__all__ = [
    "client_term",
    "exact_displacement",
    "examples",
    "kronecker_moments",
    "minimizer",
    "population",
    "solution_error",
    "symbolic_minimizer",
    "whole_numbers",
]


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


def examples(n: int, d: int, each: int, seed: int = 0) -> tuple[Array, Array, Any]:
    """n clients with ``each`` examples 1/2 (x - c_z)^T A_z (x - c_z), eigenvalues in [0.05, 1]: A_z, c_z and owners."""
    A_z, c_z = population(n * each, d, 0.05, 1.0, seed)
    return A_z, c_z, np.repeat(np.arange(n), each)


def kronecker_moments(
    A_z: Array, c_z: Array, owner: Any, x0: Array, rounds: int, gamma: float, eta: float, K: int, batch: int
) -> tuple[Array, Array]:
    """Mean and covariance of the last iterate of local SGD with minibatches, by operators on d^2 numbers written out.

    In X = (x, 1) a local step is linear, X+ = M X, and E X X^T becomes O vec(E X X^T) with the (d+1)^2 x (d+1)^2 matrix
    O = (1/B) mean_z (M_z kron M_z) + (1 - 1/B) (mean M kron mean M). The client answers (x - x_K) / gamma; given X the
    clients are independent, so that with G_i = (mean M)^K and G = (1 - eta/gamma) I + eta/gamma mean_i G_i

        S+ = G S G^T + (eta/gamma)^2 sum_i w_i^2 (O_i^K S - G_i S G_i^T).
    """
    d, n, share = len(x0), int(owner.max()) + 1, eta / gamma
    operators, maps = [], []
    for i in range(n):
        steps = np.zeros((int((owner == i).sum()), d + 1, d + 1))
        steps[:, :d, :d] = np.eye(d) - gamma * A_z[owner == i]
        steps[:, :d, d] = gamma * np.einsum("zjk,zk->zj", A_z[owner == i], c_z[owner == i])
        steps[:, d, d] = 1.0
        mean = steps.mean(axis=0)
        operator = (1 - 1 / batch) * np.kron(mean, mean)
        for M in steps:
            operator += np.kron(M, M) / (batch * len(steps))
        operators.append(operator)
        maps.append(np.linalg.matrix_power(mean, K))
    G = (1 - share) * np.eye(d + 1) + share * np.mean(maps, axis=0)
    S = np.outer(np.append(x0, 1.0), np.append(x0, 1.0))
    for _ in range(rounds):
        total = G @ S @ G.T
        for operator, G_i in zip(operators, maps, strict=True):
            after = S.ravel()
            for _ in range(K):
                after = operator @ after
            total += (share / n) ** 2 * (after.reshape(S.shape) - G_i @ S @ G_i.T)
        S = total
    return S[:d, d], S[:d, :d] - np.outer(S[:d, d], S[:d, d])


def whole_numbers(n: int, d: int, seed: int = 0) -> tuple[list[Any], list[Any]]:
    """n clients with small whole numbers: A_i = M^T M + I and c_i."""
    rng = np.random.default_rng(seed)
    M = rng.integers(-2, 3, size=(n, d, d))
    return (M.transpose(0, 2, 1) @ M + np.eye(d, dtype=int)).tolist(), rng.integers(-3, 4, size=(n, d)).tolist()


def exact_displacement(A: list[Any], c: list[Any], D: list[Any], x: Any) -> Any:
    """-(sum_i D_i A_i)^-1 sum_i D_i A_i (x* - c_i) for equal weights and flint's A_i; D_i, c_i and x* as entries."""
    from flint import fmpq_mat

    d = len(x)
    point, J, bias = fmpq_mat(d, 1, list(x)), fmpq_mat(d, d), fmpq_mat(d, 1)
    for A_i, c_i, D_i in zip(A, c, D, strict=True):
        part = fmpq_mat(d, d, [entry for row in D_i for entry in row]) * A_i
        J, bias = J + part, bias + part * (point - fmpq_mat(d, 1, list(c_i)))
    return -J.solve(bias)


def symbolic_minimizer(A: list[Any], c: list[Any], K: int) -> tuple[Any, Any]:
    """Numerators (d, 1) and the denominator of x~(gamma), by sympy's matrices over Q[gamma]."""
    from sympy import QQ, Matrix, Symbol
    from sympy.polys.matrices import DomainMatrix

    ring = QQ[Symbol("gamma")]
    d, gamma = len(A[0]), ring.gens[0]
    one, hessian, force = DomainMatrix.eye(d, ring), DomainMatrix.zeros((d, d), ring), DomainMatrix.zeros((d, 1), ring)
    for A_i, c_i in zip(A, c, strict=True):
        matrix = DomainMatrix.from_Matrix(Matrix(A_i)).convert_to(ring)
        step, power, Q = one - gamma * matrix, one, one
        for _ in range(K - 1):
            power = power * step
            Q = Q + power
        hessian = hessian + Q * matrix
        force = force + Q * matrix * DomainMatrix.from_Matrix(Matrix(c_i)).convert_to(ring)
    return hessian.solve_den(force)
