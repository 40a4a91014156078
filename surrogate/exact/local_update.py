"""LocalUpdate on quadratics in rationals: the surrogate loss that it descends (OLR section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from flint import arb, fmpq, fmpq_mat

from surrogate._types import Given, Matrices
from surrogate.exact.fields import Field
from surrogate.exact.quadratics import Quadratics
from surrogate.exact.spectra import definite, identity, real_roots
from surrogate.linear_fields import LocalUpdate
from surrogate.numbers.balls import balls, working
from surrogate.numbers.matrices import Ring, stack
from surrogate.theta import Theta

__all__ = ["Surrogate"]


class Surrogate(LocalUpdate[fmpq, arb], Field):
    r"""``f~(x) = sum_i w_i 1/2 (x - c_i)^T Q_i A_i (x - c_i)`` with ``Q_i = sum_k theta_k (I - gamma A_i)^(k-1)``.

    ``clients``: of surrogate.exact. ``gamma``: a rational >= 0 or one a client; or a name, such as "gamma", for a
    variable: then what comes back is :class:`surrogate.exact.Symbolic`, whose minimizer is a vector of rational
    functions. ``theta``: a `Theta`, or one a client.

    >>> clients = Quadratics([[[1]], [[2]]], [[1], ["1/2"]])
    >>> s = Surrogate(clients, "1/2", Theta.sum(2))
    >>> s.minimizer[0], s.displacement[0], s.hessian[0, 0], s.ill_behaved
    (5/7, 1/21, 7/4, ())
    >>> Surrogate(clients, "gamma", Theta.sum(2)).minimizer[0]
    (4 - 3*gamma)/(6 - 5*gamma)
    """

    def __new__(cls, clients: Quadratics, gamma: Given, theta: Theta | Sequence[Theta]) -> Any:
        from surrogate.exact import symbolic

        if cls is Surrogate and symbolic.is_variable(gamma):
            return symbolic.Symbolic(clients, str(gamma), theta)
        return super().__new__(cls)

    @cached_property
    def distortion(self) -> Matrices:
        """Q_i, (n, d, d)."""
        return stack(self._distortions)

    @cached_property
    def _distortions(self) -> list[fmpq_mat]:
        """By repeated squaring."""
        one = identity(self.clients.d)
        cases = zip(self.clients.matrices, self.gamma, self.theta, strict=True)
        return [theta.ring(Ring(one - A * gamma), Ring(one)).value for A, gamma, theta in cases]

    @property
    def smoothness(self) -> arb:
        """L~, the largest eigenvalue of the surrogate's Hessian."""
        return arb(balls(real_roots(self._polynomial)[-1]))

    @property
    def strong_convexity(self) -> arb:
        """mu~, the smallest eigenvalue of the surrogate's Hessian; negative where f~ is a saddle."""
        return arb(balls(real_roots(self._polynomial)[0]))

    @property
    def condition_number(self) -> arb:
        """L~ / mu~; infinite where f~ is not strongly convex, which is decided exactly."""
        if not definite(self._polynomial):
            return arb.pos_inf()
        with working():
            return arb(self.smoothness / self.strong_convexity)
