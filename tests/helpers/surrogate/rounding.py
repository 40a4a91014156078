"""How far float64 may be from the truth: first-order bounds, which scale with the condition numbers of each problem."""

from __future__ import annotations

import numpy as np

from surrogate import exact

EPS = float(np.finfo(float).eps)


def floats(a):
    """Nearest floats of an array of fmpq."""
    values = [int(q.p) / int(q.q) for q in np.asarray(a, dtype=object).flat]
    return np.array(values).reshape(np.shape(a))


def spread(clients: exact.Quadratics) -> float:
    """How far apart the client minimizers are."""
    c = clients.c
    return float(np.abs(floats(c - c[len(c) // 2])).max())


def condition(clients: exact.Quadratics) -> float:
    """||H^-1|| sum_i w_i ||A_i||."""
    H = floats(clients.hessian)
    return float(np.linalg.norm(np.linalg.inv(H), 2) * sizes(clients, clients.A))


def sizes(clients: exact.Quadratics, matrices) -> float:
    """sum_i w_i ||M_i||."""
    return float(floats(clients.weights) @ np.linalg.norm(floats(matrices), axis=(1, 2)))


def minimizer_bound(clients: exact.Quadratics) -> float:
    """x* = origin + H^-1 sum w A_i (c_i - origin): rounding of the first, conditioned rounding of the second."""
    size = float(np.abs(floats(clients.c)).max())
    return 8 * clients.d * EPS * (size + condition(clients) * (spread(clients) + EPS * size))


def residual_bound(clients: exact.Quadratics) -> float:
    """Every entry of A_i (x* - c_i)."""
    A = max(np.linalg.norm(floats(clients.A), axis=(1, 2)))
    return 16 * clients.d * EPS * A * condition(clients) * spread(clients)


def field_condition(field: exact.Field, terms: float = 0.0) -> float:
    """||J^-1|| sum_i w_i ||D_i A_i||, or the size of ``terms`` that cancel in the D_i; infinite where J is singular."""
    J = floats(field.jacobian)
    least = np.linalg.norm(J, -2)
    return float(max(sizes(field.clients, field.client_jacobians), terms) / least) if least else np.inf


def displacement_bound(field: exact.Field, steps: float, deficits: float) -> float:
    """-J^-1 sum w (D_i - reference) g_i: each factor rounds; powers of K steps multiply roundings of eigenvalues by K.

    ``deficits``: the size of sum w ||D_i - reference|| as it is formed; tiny differences must keep their digits.
    """
    clients = field.clients
    J = floats(field.jacobian)
    inverse = float(np.linalg.norm(np.linalg.inv(J), 2))
    gradients = float(np.abs(floats(clients.residuals)).max())
    own = float(np.abs(floats(field.displacement)).max())
    rounding = 8 * clients.d * steps * EPS
    bias = deficits * (rounding * gradients + residual_bound(clients))
    return inverse * bias + rounding * field_condition(field) * own
