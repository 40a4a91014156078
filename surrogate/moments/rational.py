r"""The stationary law in rationals: one linear system in the d (d + 1)/2 entries of the covariance.

Whether the second moment contracts is decided exactly, for eta > 0: with ``W(X) = J X + X J - eta G(X)`` the map
S -> S - eta W(S) keeps covariances covariances, so its radius is below 1 if and only if the X with W(X) = I exists and
is positive definite (X is then eta times the sum of all powers of the map, applied to I; conversely X proves decay).
"""

from __future__ import annotations

import numpy as np

from surrogate._types import Numbers, Scalar
from surrogate.kit.errors import ProblemError, problem
from surrogate.moments.round_law import RoundLaw
from surrogate.numbers import RATIONALS, solve
from surrogate.numbers.matrices import matrix

__all__ = ["settled"]


def settled(law: RoundLaw, eta: Scalar) -> tuple[Numbers, Numbers]:
    """Mean (as an offset from the origin) and covariance at rest, exactly."""
    d, J, G = law.clients.d, law.jacobian, law.homogeneous
    nowhere = law.clients.zeros(d)
    columns = []
    for j, k in zip(*np.triu_indices(d), strict=True):
        E = law.clients.zeros(d, d)
        E[j, k] = E[k, j] = E[j, k] + 1
        columns.append(_entries(J @ E + E @ J - eta * G.covariance(nowhere, E)))
    try:
        z = solve(J, -law.at_origin)
        noise = eta * law.covariance(z, law.clients.zeros(d, d))
        right = np.array([_entries(noise), _entries(np.eye(d, dtype=object))], dtype=object)
        solved = solve(np.array(columns, dtype=object).T, right.T)
    except ProblemError:  # singular
        _refuse(eta)
    S, X = (_symmetric(solution, d) for solution in solved.T)
    if not all(matrix(RATIONALS.array(X[:k, :k], "X")).det() > 0 for k in range(1, d + 1)):
        _refuse(eta)
    return z, S


def _refuse(eta: Scalar) -> None:
    raise problem(
        "eta",
        eta,
        "a server rate for which the second moment of x_t contracts (decided exactly: it does not)",
        "eta too large (or 0), or gamma so large that D_i turns a direction around",
        "lower eta: largest_eta of the same clients in float64 says how far",
    )


def _entries(S: Numbers) -> list[Scalar]:
    return list(S[np.triu_indices(len(S))])


def _symmetric(entries: Numbers, d: int) -> Numbers:
    S = np.empty((d, d), dtype=object)
    rows, columns = np.triu_indices(d)
    S[rows, columns] = S[columns, rows] = entries
    return S
