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

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from surrogate._types import Array, Given, Numbers, QuadraticClients, Scalar
from surrogate.kit.errors import problem
from surrogate.moments import inputs
from surrogate.moments.covariance_maps import Map, lyapunov, radius, solve
from surrogate.moments.population import Population
from surrogate.moments.round_law import RoundLaw
from surrogate.theta import Theta

__all__ = ["Stationary", "stationary"]

_EPS = float(np.finfo(float).eps)


@dataclass(frozen=True, eq=False)
class Stationary:
    """The stationary law: ``mean`` (d,), held as ``origin`` plus ``offset``, and ``covariance`` (d, d).

    ``largest_eta``: below it the second moment contracts, above not. ``second_moment``: a round's map of covariances.
    """

    origin: Numbers
    offset: Numbers
    covariance: Numbers
    largest_eta: float
    second_moment: Map

    @property
    def mean(self) -> Numbers:
        """E x, (d,)."""
        return np.asarray(self.origin + self.offset)

    def squared_distance(self, y: Given) -> Scalar:
        """E ||x - y||^2."""
        gap = self.offset - inputs.point(self.origin, y, "y")
        square: Scalar = np.trace(self.covariance) + gap @ gap
        return square

    @cached_property
    def radius(self) -> float:
        """Spectral radius of the map of covariances S -> S - eta (J S + S J) + eta^2 G(S): the rate of a round."""
        return radius(self.second_moment, len(self.offset))


def stationary(
    clients: QuadraticClients | Population,
    gamma: Given,
    eta: float,
    theta: Theta | Sequence[Theta],
    batch: int | None = None,
    clients_per_round: int | None = None,
    sampling: str = "iid",
) -> Stationary:
    r"""Mean (d,) and covariance (d, d) of x_t as t -> oo, for constant rates.

    ``clients``, ``theta``, ``batch``, ``clients_per_round``, ``sampling``: as in `moments.trajectory`. ``gamma``: one
    client rate, or one a client; ``eta``: the server rate. If the second moment diverges, the error names its radius
    and the largest eta with which it does not. The cost is a few dozen rounds of `trajectory`. For clients from
    `surrogate.exact` mean and covariance are rationals, and so is the decision; largest_eta and radius, irrational in
    general, are floats.

    >>> from surrogate import Quadratics, Theta
    >>> coin = Quadratics.from_examples([[[1.0]], [[1.0]]], [[-1.0], [1.0]], [0, 0])
    >>> s = stationary(coin, gamma=0.5, eta=0.5, theta=Theta.sum(1), batch=1)     # variance eta / (2 - eta)
    >>> s.mean.tolist(), round(float(s.covariance[0, 0]), 14), s.largest_eta, s.radius
    ([0.0], 0.33333333333333, 2.0, 0.25)
    """
    pop = Population.of(clients)
    gammas = inputs.rates(pop, gamma, "gamma", f"one number, or {pop.n} (one a client)", [(), (pop.n,)])
    step = inputs.rates(pop, eta, "eta", "one number", [()])[()]
    law = inputs.round_law(pop, gammas, theta, batch, clients_per_round, sampling)
    if not pop.is_exact:
        return _settle(law, float(step))
    from surrogate.moments.rational import settled

    z, S = settled(law, step)
    largest, second_moment, _ = _stability(law.in_floats(), float(step))
    return Stationary(pop.origin, z, S, largest, second_moment)


def _settle(law: RoundLaw, eta: float) -> Stationary:
    d = law.clients.d
    largest, second_moment, invert = _stability(law, eta)
    if not eta < largest:
        _diverges(eta, largest, radius(second_moment, d))
    z = -np.linalg.solve(law.jacobian, law.at_origin)
    at_rest = law.covariance(z, np.zeros((d, d)))
    covariance = solve(lambda S: S - eta * invert(_linear(law, S)), eta * invert(at_rest))
    return Stationary(law.clients.origin, z, covariance, largest, second_moment)


def _stability(law: RoundLaw, eta: float) -> tuple[float, Map, Map]:
    """The largest eta, a round's map of covariances at this eta, and C^-1."""
    d = law.clients.d
    with np.errstate(over="ignore", invalid="ignore"):
        J, G = law.jacobian, _linear(law, np.eye(d))
    inputs.finite("the second moment of q_t", J, G)
    spectrum, frame = np.linalg.eigh(J)
    _mean_settles(spectrum, eta)
    invert = lyapunov(spectrum, frame)

    def second_moment(S: Array) -> Array:
        return S - eta * (J @ S + S @ J) + eta**2 * _linear(law, S)

    return 1 / radius(lambda S: invert(_linear(law, S)), d), second_moment, invert


def _linear(law: RoundLaw, S: Array) -> Array:
    """G(S): second moment of the linear part of q."""
    return law.homogeneous.covariance(np.zeros(len(S)), S)


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
