r"""The stationary law: where the iterates settle, and how far they keep scattering there.

The mean rests where ``J z + j = 0``. About it the covariance obeys ``S = S - eta (J S + S J) + eta^2 (G(S) + N0)``:
G is the second moment of the linear part of q (it maps covariances to covariances), N0 the covariance of q at rest.
With the Lyapunov map ``C(S) = J S + S J``, positively invertible for J > 0, this reads

    (I - eta T) S = eta C^-1 N0,        T = C^-1 G,

and since C^-1 and G keep the cone of covariances, the second moment contracts for exactly ``0 < eta < 1/radius(T)``
(I - eta T has a positive inverse there, and only there). C^-1 costs one eigendecomposition of J; T is applied, never
formed, and GMRES and Arnoldi see packed symmetric matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse.linalg import LinearOperator, eigs, gmres

from surrogate._types import Array
from surrogate.errors import problem
from surrogate.moments import inputs
from surrogate.moments.population import Population
from surrogate.moments.round_law import RoundLaw
from surrogate.theta import Theta

__all__ = ["Stationary", "stationary"]

Map = Callable[[Array], Array]  # of symmetric (d, d) matrices
_EPS = float(np.finfo(float).eps)


@dataclass(frozen=True, eq=False)
class Stationary:
    """``mean`` (d,), ``covariance`` (d, d); ``largest_eta``: below it the second moment contracts, above not."""

    origin: Array
    offset: Array  # (d,): mean - origin
    covariance: Array
    largest_eta: float
    _second_moment: Map

    @property
    def mean(self) -> Array:
        """E x, (d,)."""
        return np.asarray(self.origin + self.offset)

    def squared_distance(self, y: Any) -> float:
        """E ||x - y||^2."""
        gap = self.offset - (np.asarray(y, dtype=float) - self.origin)
        return float(np.trace(self.covariance) + gap @ gap)

    @cached_property
    def radius(self) -> float:
        """Spectral radius of the map of covariances S -> S - eta (J S + S J) + eta^2 G(S): the rate of a round."""
        return _radius(self._second_moment, len(self.offset))


def stationary(
    clients: Any,
    gamma: Any,
    eta: float,
    theta: Theta | Sequence[Theta],
    batch: int | None = None,
    clients_per_round: int | None = None,
    sampling: str = "iid",
) -> Stationary:
    r"""Mean and covariance of x_t as t -> oo, for constant rates; arguments as in `moments.trajectory`.

    ``gamma``: one rate, or one a client. If the second moment diverges, the error names its radius and the largest eta
    with which it does not. Clients in float64; the cost is a few dozen rounds of `trajectory`.

    >>> from surrogate import Quadratics, Theta
    >>> coin = Quadratics.from_examples([[[1.0]], [[1.0]]], [[-1.0], [1.0]], [0, 0])
    >>> s = stationary(coin, gamma=0.5, eta=0.5, theta=Theta.sum(1), batch=1)     # variance eta / (2 - eta)
    >>> s.mean.tolist(), round(float(s.covariance[0, 0]), 14), s.largest_eta, s.radius
    ([0.0], 0.33333333333333, 2.0, 0.25)
    """
    pop = Population.of(clients)
    if pop.is_exact:
        raise problem(
            "clients",
            "in exact rationals",
            "float64 clients",
            "the stationary law of an exact population",
            "use Quadratics",
        )
    gammas = inputs.rates(pop, gamma, "gamma", f"one number, or {pop.n} (one a client)", [(), (pop.n,)])
    step = float(inputs.rates(pop, eta, "eta", "one number", [()]))
    law = inputs.round_law(pop, gammas, theta, batch, clients_per_round, sampling)
    spectrum, frame = np.linalg.eigh(law.jacobian)
    _mean_settles(spectrum, step)
    solve = _lyapunov(spectrum, frame)
    largest = 1 / _radius(lambda S: solve(_linear(law, S)), pop.d)

    def second_moment(S: Array) -> Array:
        C = law.jacobian @ S
        return S - step * (C + C.T) + step**2 * _linear(law, S)

    if not step < largest:
        _diverges(step, largest, _radius(second_moment, pop.d))
    z = -frame @ ((law.at_origin @ frame) / spectrum)
    at_rest = law.covariance(z, np.zeros((pop.d, pop.d)))
    covariance = _solve(lambda S: S - step * solve(_linear(law, S)), step * solve(at_rest))
    return Stationary(pop.origin, z, covariance, largest, second_moment)


def _linear(law: RoundLaw, S: Array) -> Array:
    """G(S): second moment of the linear part of q."""
    return law.homogeneous.covariance(np.zeros(len(S)), S)


def _lyapunov(spectrum: Array, frame: Array) -> Map:
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


def _radius(apply: Map, d: int) -> float:
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


def _solve(apply: Map, target: Array) -> Array:
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


def _mean_settles(spectrum: Array, eta: float) -> None:
    if eta == 0:
        raise problem(
            "eta", 0, "a rate > 0", "a server that never moves", "x_t = x_0 for ever: ask for moments.trajectory"
        )
    least, most = float(spectrum[0]), float(spectrum[-1])
    if least <= len(spectrum) * _EPS * max(most, 0.0):
        raise problem(
            "the Jacobian sum_i v_i D_i A_i of the mean",
            f"not positive definite (eigenvalues from {least:.6g} to {most:.6g})",
            "eigenvalues > 0: else no server rate makes the mean settle",
            "gamma so large that D_i turns a direction around (gamma L < 1 rules that out for theta >= 0), "
            "or clients that no draw covers",
            "lower gamma",
        )


def _diverges(eta: float, largest: float, radius: float) -> None:
    raise problem(
        "eta",
        eta,
        f"a server rate below {largest:.12g} (the largest with which the second moment of x_t settles)",
        f"a round multiplies the covariance of x_t by up to {radius:.6g}: it diverges, even where the mean does not",
        "lower eta; more clients a round or larger batches raise the largest one",
    )
