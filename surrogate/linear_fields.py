"""What stateless local methods do on quadratics, in any arithmetic: linear fields, their zeros, and their speed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar, Generic, Literal, NamedTuple

import numpy as np

from surrogate._types import Given, Matrices, Matrix, Point, Weights
from surrogate.clients import Bound, Clients, Value
from surrogate.kit import checks
from surrogate.kit.errors import ProblemError, problem
from surrogate.linear import Linear
from surrogate.theta import Theta

__all__ = ["Contraction", "LinearField", "LocalUpdate", "PreconditionedSteps", "thetas"]

# The likely cause of an error, and what to do about it
_LEFT_OUT = ("a client left out", "one matrix a client")
_NO_THETA = ("a step count in the place of a Theta", "use Theta.sum(K), Theta.last(K), Theta.maml(K) or Theta([...])")


class Contraction(NamedTuple, Generic[Bound]):
    """How one round shrinks the distance to rest: ``norm`` = ||I - eta J||, ``radius`` = its spectral radius.

    Of exact fields both are balls."""

    norm: Bound
    radius: Bound


class LinearField(ABC, Generic[Value, Bound]):
    """``F(x) = sum_i w_i D_i A_i (x - c_i) = J (x - x~)``."""

    clients: Clients[Value, Bound]
    kind: ClassVar[type]  # of its clients

    def __init__(self, clients: Clients[Value, Bound], distortion: Given) -> None:
        self.clients = checks.clients(clients, self.kind)
        D = self._linear.array(distortion, "distortion", 3, "(n, d, d)")
        if D.shape != clients.A.shape:
            raise problem("distortion", f"of shape {D.shape}", f"{clients.A.shape}", *_LEFT_OUT)
        self._given = D

    @property
    def _linear(self) -> Linear:
        return self.clients.linear

    @cached_property
    def distortion(self) -> Matrices:
        """D_i, (n, d, d)."""
        return self._given

    @cached_property
    def client_jacobians(self) -> Matrices:
        """D_i A_i, (n, d, d): what client i's answer does to a change of x."""
        return self._linear.products(self.distortion, self.clients.A)

    @cached_property
    def jacobian(self) -> Matrix:
        """J = sum_i w_i D_i A_i, (d, d)."""
        return np.asarray(np.tensordot(self.clients.weights, self.client_jacobians, 1))

    @property
    def _reference(self) -> int:
        """The client r whose D_r is taken off all D_i in the bias."""
        return 0

    @property
    def _unit(self) -> float:
        """A power of two that ``_bias`` is given in, for what would underflow."""
        return 1

    @cached_property
    def _bias(self) -> Point:
        """F(x*) = sum_i w_i D_i A_i (x* - c_i), through differences of the D_i: the residuals sum to 0."""
        difference = self.distortion - self.distortion[self._reference]
        return np.asarray(np.einsum("i,ijk,ik->j", self.clients.weights, difference, self.clients.residuals))

    @cached_property
    def displacement(self) -> Point:
        """x~ - x* (d,) = -J^-1 F(x*), right even where it is far below the rounding of x~ itself."""
        self._check_jacobian()
        try:
            return self._solved()
        except ZeroDivisionError:
            raise self._singular("(its determinant is exactly 0)") from None

    def _solved(self) -> Point:
        """-J^-1 F(x*)."""
        return np.asarray(-self._linear.solve(self.jacobian / self._unit, self._bias))

    def _check_jacobian(self) -> None:
        """Refuse a J that is singular up to rounding."""

    def _singular(self, how: str) -> ProblemError:
        return problem(
            f"the averaged Hessian of {self._name()}",
            f"singular {how}",
            "an invertible matrix sum_i w_i D_i A_i",
            self._singular_cause(),
            "lower gamma below 1/L, where every client's part is positive",
        )

    @cached_property
    def resting_point(self) -> Point:
        """x~ (d,), where the field vanishes and the server rests."""
        return np.asarray(self.clients.minimizer + self.displacement)

    def gradient(self, x: Given) -> Point:
        """F(x) = sum_i w_i D_i (A_i x - b_i)."""
        x = self._linear.vector(x, "x", self.clients.d)
        return np.asarray(self.jacobian @ (x - self.clients.minimizer) + self._unit * self._bias)

    def client_gradient(self, i: int, x: Given) -> Point:
        """What client i answers at x: D_i (A_i x - b_i)."""
        gradient = self.clients.client_gradient(i, x)  # refuses an i that is no client's
        return np.asarray(self.distortion[i] @ gradient)

    def has_loss(self, metric: Literal["euclidean", "any"] = "euclidean") -> bool:
        """Is the field the gradient of a loss: in the Euclidean metric (J symmetric), or in any (a real eigenbasis)?

        ``any``: G J is symmetric for some positive definite G exactly when J has a real eigenbasis. In float64 this is
        decided up to rounding; ``surrogate.exact`` decides it.
        """
        if metric not in ("euclidean", "any"):
            raise problem("metric", repr(metric), "'euclidean' or 'any'", "a slip of the pen", "use one of the two")
        return self._is_symmetric() or (metric == "any" and self._has_real_eigenbasis())

    @abstractmethod
    def _is_symmetric(self) -> bool:
        """Is J symmetric?"""

    @abstractmethod
    def _has_real_eigenbasis(self) -> bool:
        """Has J a real eigenbasis?"""

    @abstractmethod
    def contraction(self, eta: Given = 1) -> Contraction[Bound]:
        """Norm and spectral radius of the round map I - ``eta`` J; below 1 the server converges to rest."""

    @property
    @abstractmethod
    def best_eta(self) -> Bound:
        """The server rate with the smallest spectral radius of I - eta J."""

    @property
    @abstractmethod
    def ill_behaved(self) -> tuple[int, ...]:
        """Clients whose own part x^T D_i A_i x is not positive (OLR section 4: the average may still look healthy)."""

    def _name(self) -> str:
        return type(self).__name__

    def _singular_cause(self) -> str:
        return "distortions that cancel between clients"

    def __repr__(self) -> str:
        return f"{self._linear.prefix}{self._name()}(n={self.clients.n}, d={self.clients.d})"


class LocalUpdate(LinearField[Value, Bound]):
    """``f~(x) = sum_i w_i 1/2 (x - c_i)^T Q_i A_i (x - c_i)`` with ``Q_i = sum_k theta_k (I - gamma A_i)^(k-1)``."""

    def __init__(self, clients: Clients[Value, Bound], gamma: Given, theta: Theta | Sequence[Theta]) -> None:
        self.clients = checks.clients(clients, self.kind)
        self.gamma: Weights = self._linear.rates(gamma, "gamma", clients.n)
        self.theta = thetas(theta, clients.n)

    @property
    def minimizer(self) -> Point:
        """argmin f~ (the resting point; a saddle where f~ is indefinite)."""
        return self.resting_point

    @property
    def hessian(self) -> Matrix:
        """sum_i w_i Q_i A_i (d, d)."""
        return self.jacobian

    def value(self, x: Given) -> Value:
        """f~(x) (OLR (10))."""
        values = [self.client_value(i, x) for i in range(self.clients.n)]
        value: Value = self._linear.number(self.clients.weights @ values)
        return value

    def client_value(self, i: int, x: Given) -> Value:
        """f~_i(x) = 1/2 (x - c_i)^T Q_i A_i (x - c_i) of client ``i`` (OLR (9), its square mended)."""
        i, x = checks.client(i, self.clients.n), self._linear.vector(x, "x", self.clients.d)
        value: Value = self._linear.half_square(x - self.clients.c[i], self.client_jacobians[i])
        return value

    def _name(self) -> str:
        theta = repr(self.theta[0]) if len(set(self.theta)) == 1 else f"{len(set(self.theta))} different thetas"
        gamma = f"{self.gamma[0] if self._linear.exact else format(self.gamma[0], '.6g')}"
        rates = gamma if (self.gamma == self.gamma[0]).all() else f"{len(self.gamma)} rates"
        return f"Surrogate(gamma={rates}, theta={theta})"

    def _singular_cause(self) -> str:
        bad = ", ".join(map(str, self.ill_behaved)) or "none alone"
        return f"local steps that overshoot, so that clients cancel (ill-behaved clients: {bad})"


class PreconditionedSteps(LinearField[Value, Bound]):
    """``D_i = gamma_i sum_{k < steps_i} (I - gamma_i P_i A_i)^k P_i``; corrected: ``(gamma_i steps_i P_i)^-1 D_i``."""

    def __init__(
        self, clients: Clients[Value, Bound], gamma: Given, steps: Given, P: Given, corrected: bool = False
    ) -> None:
        self.clients = checks.clients(clients, self.kind)
        self.gamma: Weights = self._linear.rates(gamma, "gamma", clients.n, strict=True)
        self.steps = tuple(checks.whole_steps(steps, "steps", clients.n))
        self.P: Matrices = self._linear.preconditioners(P, clients.n, clients.d)
        self.corrected = bool(corrected)

    @cached_property
    def _scales(self) -> Matrices:
        """N_i = gamma_i steps_i P_i, to which D_i tends where it is not corrected."""
        return np.asarray((self.gamma * np.array(self.steps))[:, None, None] * self.P)

    @cached_property
    def limit(self) -> Point:
        """The rest as all gamma -> 0 in their ratios: (sum w N_i A_i)^-1 sum w N_i b_i (LA (8)); x* if corrected."""
        if self.corrected:
            return self.clients.minimizer
        return self._field(self._scales / (self.gamma.max() * max(self.steps))).resting_point

    @abstractmethod
    def _field(self, distortion: Matrices) -> LinearField[Value, Bound]:
        """The field with other distortions."""

    def _name(self) -> str:
        return f"Preconditioned({'corrected' if self.corrected else 'uncorrected'})"


def thetas(theta: Theta | Sequence[Theta], n: int) -> tuple[Theta, ...]:
    """One Theta for all clients, or one a client, as a tuple of n."""
    listed = (theta,) * n if isinstance(theta, Theta) else tuple(theta) if isinstance(theta, Sequence) else ()
    if len(listed) != n or not all(isinstance(t, Theta) for t in listed):
        raise problem("theta", repr(theta), f"a Theta, or {n} of them (one a client)", *_NO_THETA)
    return listed
