"""LocalUpdate on quadratics in rationals: the surrogate loss that it descends (OLR section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from flint import arb, fmpq, fmpq_mat

from surrogate.exact import checks
from surrogate.exact.fields import Field
from surrogate.exact.quadratics import Quadratics
from surrogate.exact.spectra import definite, identity, real_roots
from surrogate.kit import checks as _checks
from surrogate.local_update import thetas
from surrogate.numbers.balls import balls, working
from surrogate.numbers.matrices import Ring, column
from surrogate.numbers.types import ExactArray as Exact
from surrogate.theta import Theta

__all__ = ["Surrogate"]


class Surrogate(Field):
    r"""``f~(x) = sum_i w_i 1/2 (x - c_i)^T Q_i A_i (x - c_i)`` with ``Q_i = sum_k theta_k (I - gamma A_i)^(k-1)``.

    ``gamma``: a rational >= 0 or one a client; or a name, such as "gamma", for a variable: then what comes back is
    :class:`surrogate.exact.Symbolic`, whose minimizer is a vector of rational functions.

    >>> clients = Quadratics([[[1]], [[2]]], [[1], ["1/2"]])
    >>> s = Surrogate(clients, "1/2", Theta.sum(2))
    >>> s.minimizer[0], s.displacement[0], s.hessian[0, 0], s.ill_behaved
    (5/7, 1/21, 7/4, ())
    >>> Surrogate(clients, "gamma", Theta.sum(2)).minimizer[0]
    (4 - 3*gamma)/(6 - 5*gamma)
    """

    def __new__(cls, clients: Quadratics, gamma: Any, theta: Theta | Sequence[Theta]) -> Any:
        from surrogate.exact import symbolic

        if cls is Surrogate and symbolic.is_variable(gamma):
            return symbolic.Symbolic(clients, str(gamma), theta)
        return super().__new__(cls)

    def __init__(self, clients: Quadratics, gamma: Any, theta: Theta | Sequence[Theta]) -> None:
        self.clients: Quadratics = _checks.clients(clients, Quadratics)
        self.gamma = checks.rates(gamma, "gamma", clients.n)
        self.theta = thetas(theta, clients.n)

    def _distort(self) -> list[fmpq_mat]:
        """Q_i, by repeated squaring."""
        one = identity(self.clients.d)
        cases = zip(self.clients._matrices, self.gamma, self.theta, strict=True)
        return [theta.ring(Ring(one - A * gamma), Ring(one)).value for A, gamma, theta in cases]

    @property
    def minimizer(self) -> Exact:
        """argmin f~ (the resting point; a saddle where f~ is indefinite)."""
        return self.resting_point

    @property
    def hessian(self) -> Exact:
        """sum_i w_i Q_i A_i (d, d)."""
        return self.jacobian

    @cached_property
    def _polynomial(self) -> Any:
        return self._J.charpoly()

    @property
    def smoothness(self) -> Any:
        """L~, the largest eigenvalue of the surrogate's Hessian."""
        return balls(real_roots(self._polynomial)[-1])

    @property
    def strong_convexity(self) -> Any:
        """mu~, the smallest eigenvalue of the surrogate's Hessian; negative where f~ is a saddle."""
        return balls(real_roots(self._polynomial)[0])

    @property
    def condition_number(self) -> arb:
        """L~ / mu~; infinite where f~ is not strongly convex, which is decided exactly."""
        if not definite(self._polynomial):
            return arb.pos_inf()
        with working():
            return arb(self.smoothness / self.strong_convexity)

    def value(self, x: Any) -> fmpq:
        """f~(x) (OLR (10))."""
        return sum((w * self.client_value(i, x) for i, w in enumerate(self.clients.weights)), fmpq(0))

    def client_value(self, i: int, x: Any) -> fmpq:
        """f~_i(x) = 1/2 (x - c_i)^T Q_i A_i (x - c_i) (OLR (9))."""
        i = _checks.client(i, self.clients.n)
        step = column(checks.vector(x, "x", self.clients.d) - self.clients.c[i])
        return (step.transpose() * self._parts[i] * step)[0, 0] / 2

    def _name(self) -> str:
        thetas = set(self.theta)
        theta = repr(self.theta[0]) if len(thetas) == 1 else f"{len(thetas)} different thetas"
        gamma = f"{self.gamma[0]}" if len({str(g) for g in self.gamma}) == 1 else f"{len(self.gamma)} rates"
        return f"Surrogate(gamma={gamma}, theta={theta})"

    def _singular_cause(self) -> str:
        bad = ", ".join(map(str, self.ill_behaved)) or "none alone"
        return f"local steps that overshoot, so that clients cancel (ill-behaved clients: {bad})"
