"""Worst cases: solve, reconstruct a population that attains them, compute it anew in rationals, certify the bound."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from surrogate import exact
from surrogate.kit.errors import problem as error
from surrogate.theta import Theta
from theorems.pep import quantities
from theorems.pep.certificate import Certificate, check, slack
from theorems.pep.model import Problem, Vector
from theorems.pep.solve import Array, Solution, floats, solve

__all__ = ["WorstCase", "contraction", "displacement", "distance"]

Number = int | float | str | Fraction
_DIGITS = 10**9  # of what is rounded to rationals


@dataclass(frozen=True)
class WorstCase:
    """The largest value of a quantity, for sigma_c = 1, over all populations: any clients, weights and dimension.

    ``value``: what the solver finds. ``line``: the largest value of two clients in d = 1 with Hessians mu and L, which
    for FedAvg is as large; None for a contraction.
    """

    quantity: str
    numbers: dict[str, Fraction]
    theta: Theta
    value: float
    line: float | None
    problem: Problem
    solution: Solution

    @property
    def dimension(self) -> int:
        """The dimension of the population found: the rank of its Gram matrix."""
        return len(self._vectors)

    @cached_property
    def _vectors(self) -> Array:
        """The basis vectors (d, size), those that clients share first in the coordinates."""
        values, axes = np.linalg.eigh(self.solution.gram)
        keep = values > 1e-6 * values[-1]
        V = np.sqrt(values[keep])[:, None] * axes[:, keep].T
        return np.asarray(np.linalg.svd(V[:, :2])[0].T @ V)

    @cached_property
    def clients(self) -> exact.Quadratics:
        """Two mirrored clients with equal weights, in rationals, that come close to the value."""
        V, (client,) = self._vectors, self.problem.clients
        one, X = np.eye(len(V)), self._columns([x for x, _ in client.pairs])
        H = X + self._columns([y for _, y in client.pairs])  # (B + I) X
        values, axes = np.linalg.eigh(H @ np.linalg.pinv(X.T @ H + H.T @ X, rcond=1e-7) @ H.T * 2 - one)
        B = (axes * values.clip(-1, 1) * (1 - 1e-7)) @ axes.T
        A = float(client.middle) * one + float(client.half) * B
        shared = V[:, :2] / np.linalg.norm(V[:, :2], axis=0).clip(1e-12)
        flip = np.where(np.arange(len(V)) < np.linalg.matrix_rank(shared, tol=1e-3), 1, -1)
        c = V[:, 2] * (self.quantity != "contraction")
        return exact.Quadratics(_rounded(np.stack([A, flip[:, None] * A * flip])), _rounded(np.stack([c, flip * c])))

    def _columns(self, vectors: list[Vector]) -> Array:
        coefficients = [[float(v.terms.get(i, 0)) for v in vectors] for i in range(self.problem.size)]
        return np.asarray(self._vectors @ np.array(coefficients))

    @cached_property
    def squared(self) -> Fraction:
        """The square of the quantity, divided by sigma_c^2, for `clients`, by the exact core: a rational."""
        at = self.numbers
        if self.quantity == "contraction":
            e = np.array([_fmpq(v) for v in _rounded(self._vectors[:, 0])])
            moved = e - _fmpq(at["eta"]) * (exact.Surrogate(self.clients, at["gamma"], self.theta).jacobian @ e)
            return _fraction((moved @ moved) / (e @ e))
        rates = [at[name] for name in ("low", "high", "gamma") if name in at]
        rests = [exact.Surrogate(self.clients, rate, self.theta).displacement for rate in rates]
        moved = rests[-1] - rests[0] if len(rests) == 2 else rests[0]
        return _fraction((moved @ moved) / self.clients.sigma_c_squared)

    @property
    def attained(self) -> float:
        """The root of `squared`."""
        return math.sqrt(self.squared)

    def certificate(self, margin: float = 1e-5) -> Certificate:
        """A proof that no population exceeds a bound just above the value, for `theorems.pep.check`.

        ``margin``: how far the dual solution keeps from the boundary, so that it can be rounded.
        """
        p, found = self.problem, solve(self.problem, margin)
        factors = []
        for multiplier in found.contractions:
            values, axes = np.linalg.eigh(multiplier)
            factors.append(_rounded(axes * np.sqrt(values.clip(0))))
        bound = Fraction(round(found.budget * _DIGITS), _DIGITS)
        forms = p.vanish()
        rest = floats(slack(p, bound, factors, [Fraction(0)] * len(forms)), p.size)
        rows = np.stack([floats(form, p.size).ravel() for form in forms], 1)
        multipliers = _rounded(np.linalg.lstsq(rows, (rest - found.slack).ravel(), rcond=1e-12)[0])
        certificate: Certificate = {
            "quantity": self.quantity,
            "numbers": {name: str(value) for name, value in self.numbers.items()},
            "theta": [str(weight) for weight in self.theta.weights],
            "bound": str(bound * self.numbers.get("unit", Fraction(1)) ** 2),
            "factors": [[[str(v) for v in row] for row in factor] for factor in factors],
            "multipliers": [str(v) for v in multipliers],
        }
        check(certificate)
        return certificate


def displacement(mu: Number, gamma: Number, theta: Theta | int, L: Number = 1) -> WorstCase:
    """The worst distance of a resting point from x*, for sigma_c = 1.

    ``mu``, ``L``: bounds on the clients' Hessians. ``gamma``: client rate. ``theta``: a `Theta`, or the number of local
    steps.

    >>> worst = displacement("1/10", "1/2", 2)
    >>> round(worst.value, 4), worst.dimension, round(worst.attained, 4), round(worst.line, 4)
    (0.2623, 2, 0.2623, 0.2623)
    """
    numbers = _numbers(mu=mu, L=L, gamma=gamma)
    return _worst("displacement", numbers, theta, (Fraction(0), numbers["gamma"]))


def distance(mu: Number, low: Number, high: Number, theta: Theta | int, L: Number = 1) -> WorstCase:
    """The worst distance between the resting points at two client rates, for sigma_c = 1.

    ``low``, ``high``: the client rates. The rest: as in `displacement`.

    >>> round(distance("1/10", "1/4", "1/2", 3).value, 4)
    0.2281
    """
    numbers = _numbers(mu=mu, L=L, low=low, high=high)
    return _worst("distance", numbers, theta, (numbers["low"], numbers["high"]))


def contraction(mu: Number, gamma: Number, theta: Theta | int, eta: Number, L: Number = 1) -> WorstCase:
    """The worst |x+ - x~| / |x - x~| of a round; ``eta``: server rate. The rest: as in `displacement`.

    >>> round(contraction("1/10", "1/2", 2, "1/2").value, 4)
    0.9025
    """
    return _worst("contraction", _numbers(mu=mu, L=L, gamma=gamma, eta=eta), theta, None)


def _worst(
    quantity: str, numbers: dict[str, Fraction], theta: Theta | int, rates: tuple[Fraction, Fraction] | None
) -> WorstCase:
    theta = theta if isinstance(theta, Theta) else Theta.sum(theta)
    line = None if rates is None else _line(numbers["mu"], numbers["L"], rates, theta)
    if line is not None:
        numbers["unit"] = Fraction(line).limit_denominator(_DIGITS) or Fraction(1)
    problem = getattr(quantities, quantity)(theta=[Fraction(weight) for weight in theta.weights], **numbers)
    solution = solve(problem)
    value = float(numbers.get("unit", 1)) * float(np.sqrt(max(solution.value, 0)))
    return WorstCase(quantity, numbers, theta, value, line, problem, solution)


def _line(mu: Fraction, L: Fraction, rates: tuple[Fraction, Fraction], theta: Theta) -> float:
    """max over t of t (1 + t^2) |a - b| / ((1 + a t^2) (1 + b t^2)), condition numbers a and b at the two rates.

    Two clients in d = 1 with Hessians L and mu and weights t^2 : 1; at s = t^2 a cubic vanishes.
    """
    spectrum = np.array([float(mu), float(L)])
    a, b = (float(phi[1] / phi[0]) for phi in (spectrum * theta.filter(float(rate) * spectrum) for rate in rates))
    s = np.array([root.real for root in np.roots([a * b, 3 * a * b - a - b, a + b - 3, -1]) if root.real > 0])
    return float(np.max(np.sqrt(s) * (1 + s) * abs(a - b) / ((1 + a * s) * (1 + b * s))))


def _numbers(**given: Number) -> dict[str, Fraction]:
    """Rationals; 0 < mu < L, rates >= 0."""
    numbers = {name: Fraction(value) for name, value in given.items()}
    if not 0 < numbers["mu"] < numbers["L"]:
        expected, cause = f"a number between 0 and L = {given['L']}", "the two exchanged, or clients that are all alike"
        raise error("mu", given["mu"], expected, cause, "pass 0 < mu < L")
    for name, value in numbers.items():
        if value < 0:
            raise error(name, given[name], "a rate >= 0", "a sign slip", f"pass {name} >= 0")
    return numbers


def _rounded(values: NDArray[Any]) -> Any:
    """Nested lists of rationals."""
    if np.ndim(values):
        return [_rounded(each) for each in values]
    return Fraction(round(float(values) * _DIGITS), _DIGITS)


def _fmpq(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def _fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))
