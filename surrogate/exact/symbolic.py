"""LocalUpdate with gamma a variable: distortion, Hessian, minimizer and displacement as functions of gamma."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import count
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat, fmpq_poly

from surrogate._types import ExactArray as Exact
from surrogate.exact.local_update import Surrogate
from surrogate.exact.quadratics import Quadratics
from surrogate.exact.ratio import Ratio
from surrogate.exact.spectra import identity, real_roots
from surrogate.kit import checks as _checks
from surrogate.kit.errors import problem
from surrogate.linear_fields import thetas
from surrogate.numbers.matrices import Ring, column, frozen
from surrogate.theta import Theta

__all__ = ["Symbolic", "is_variable"]

Polynomial = list[fmpq_mat]  # matrix coefficients of 1, gamma, gamma^2, ...


class Symbolic:
    r"""The surrogate of LocalUpdate(gamma, Theta) for a variable gamma, the same for all clients.

    ``clients``: of surrogate.exact; ``gamma``: the variable's name; ``theta``: a `Theta`, or one a client.

    Filters are polynomials ``q(z) = sum_k theta_k (1 - z)^(k-1) = sum_j q_j z^j``; ``Q_i = sum_j q_j gamma^j A_i^j``.
    The displacement ``-H(gamma)^-1 F(gamma)`` is a quotient of polynomials of degree at most d (K - 1) (Cramer's rule):
    solved in rationals at d (K - 1) + 1 values of gamma, interpolated, and checked at one more value.

    >>> clients = Quadratics([[[1]], [[2]]], [[1], ["1/2"]])
    >>> s = Symbolic(clients, "g", Theta.sum(2))
    >>> s.minimizer[0], s.displacement[0], s.hessian[0, 0], s.singular_at, s.at("1/2").minimizer[0]
    ((4 - 3*g)/(6 - 5*g), g/(18 - 15*g), (6 - 5*g)/2, [6/5], 5/7)
    """

    def __init__(self, clients: Quadratics, gamma: str, theta: Theta | Sequence[Theta]) -> None:
        self.clients: Quadratics = _checks.clients(clients, Quadratics)
        self.gamma = gamma
        self.theta = thetas(theta, clients.n)

    def at(self, gamma: Any) -> Surrogate:
        """The surrogate at the rational rate ``gamma``, for what needs a number (contraction, has_loss, value, ...)."""
        surrogate: Surrogate = Surrogate(self.clients, gamma, self.theta)
        return surrogate

    @cached_property
    def _filters(self) -> list[fmpq_poly]:
        """q_i(z) as polynomials in z = gamma * eigenvalue."""
        r, one = Ring(fmpq_poly([1, -1])), Ring(fmpq_poly([1]))
        made = {theta: theta.ring(r, one).value for theta in set(self.theta)}
        return [made[theta] for theta in self.theta]

    @cached_property
    def _D(self) -> list[Polynomial]:
        result = []
        for A, q in zip(self.clients.matrices, self._filters, strict=True):
            power, coefficients = identity(self.clients.d), []
            for c in q.coeffs():
                coefficients.append(power * c)
                power = power * A
            result.append(coefficients)
        return result

    def _average(self, factors: list[fmpq_mat]) -> Polynomial:
        """sum_i w_i D_i(gamma) M_i."""
        length = max(len(D) for D in self._D)
        shape = factors[0].nrows(), factors[0].ncols()
        total = [fmpq_mat(*shape) for _ in range(length)]
        for w, D, M in zip(self.clients.weights, self._D, factors, strict=True):
            weighted = M * w
            for j, coefficient in enumerate(D):
                total[j] = total[j] + coefficient * weighted
        return total

    @cached_property
    def _H(self) -> Polynomial:
        return self._average(self.clients.matrices)

    @cached_property
    def _F(self) -> Polynomial:
        """F(x*) as a polynomial: the bias."""
        return self._average([column(g) for g in self.clients.residuals])

    @cached_property
    def _solution(self) -> tuple[list[fmpq_poly], fmpq_poly]:
        """adj(H) (-F) and det H, by values at small whole numbers; where H is singular another number is taken."""
        d = self.clients.d
        degree = d * (max(len(self._H), len(self._F)) - 1)
        points: list[fmpq] = []
        singular = 0
        rows: list[list[fmpq]] = []  # values of the d numerators and of the determinant
        for point in _whole_numbers():
            H = _evaluate(self._H, point)
            determinant = H.det()
            if determinant == 0:
                singular += 1
                if singular > degree:  # more roots than the degree admits: the determinant is the polynomial 0
                    raise problem(
                        "the averaged Hessian",
                        f"singular for every {self.gamma}",
                        "a Hessian that is invertible for some rate",
                        "signed theta that cancel between clients",
                        "change a theta",
                    )
                continue
            y = H.solve(-_evaluate(self._F, point))
            if len(points) > degree:
                break
            points.append(point)
            rows.append([v * determinant for v in y.entries()] + [determinant])
        polynomials = _interpolate(points, rows)
        bottom = polynomials.pop()
        if any(p(point) / bottom(point) != v for p, v in zip(polynomials, y.entries(), strict=True)):
            raise ArithmeticError("interpolation disagrees with a fresh value: a degree bound is wrong")
        return polynomials, bottom

    @cached_property
    def displacement(self) -> Exact:
        """x~(gamma) - x* (d,): Ratios that vanish at gamma = 0."""
        tops, bottom = self._solution
        return _array([Ratio(top, bottom, self.gamma) for top in tops])

    @cached_property
    def minimizer(self) -> Exact:
        """x~(gamma) (d,), Ratios."""
        return _array([y + x for y, x in zip(self.displacement, self.clients.minimizer, strict=True)])

    @property
    def resting_point(self) -> Exact:
        return self.minimizer

    @cached_property
    def distortion(self) -> Exact:
        """Q_i(gamma) (n, d, d), polynomials as Ratios."""
        return frozen(np.stack([self._written(D) for D in self._D]))

    @cached_property
    def hessian(self) -> Exact:
        """sum_i w_i Q_i A_i (d, d), polynomials as Ratios."""
        return self._written(self._H)

    @property
    def jacobian(self) -> Exact:
        return self.hessian

    @cached_property
    def singular_at(self) -> list[Any]:
        """The rates gamma > 0 where the averaged Hessian is singular, ascending: fmpq where rational, else arb.

        The Hessian is definite at gamma = 0 (where total theta > 0), hence definite up to the first of them.
        """
        determinant = self._solution[1]
        squarefree = determinant // determinant.gcd(determinant.derivative())
        return [root for root in real_roots(squarefree) if root > 0]

    def _written(self, coefficients: Polynomial) -> Exact:
        d = self.clients.d
        one = fmpq_poly([1])
        entries = [
            Ratio(fmpq_poly([c[j, k] for c in coefficients]), one, self.gamma) for j in range(d) for k in range(d)
        ]
        return frozen(_array(entries).reshape(d, d))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not hasattr(Surrogate, name):
            raise AttributeError(f"'Symbolic' object has no attribute {name!r}")
        raise problem(
            name,
            f"asked of a surrogate with the variable {self.gamma}",
            "a rational gamma",
            "a question whose answer is no rational function of gamma",
            f"ask it at a rate: .at('1/2').{name}",
        )

    def __repr__(self) -> str:
        return f"exact.Symbolic(n={self.clients.n}, d={self.clients.d}, gamma={self.gamma})"


def is_variable(gamma: Any) -> bool:
    """A name like "gamma" (not a number like "1/3"), or a sympy Symbol."""
    return str(gamma).isidentifier() and (isinstance(gamma, str) or bool(getattr(gamma, "is_Symbol", False)))


def _whole_numbers() -> Iterator[fmpq]:
    """0, 1, -1, 2, -2, ...: small values keep the rationals short."""
    yield fmpq(0)
    for k in count(1):
        yield fmpq(k)
        yield fmpq(-k)


def _evaluate(coefficients: Polynomial, point: fmpq) -> fmpq_mat:
    total = coefficients[-1]
    for c in reversed(coefficients[:-1]):
        total = total * point + c
    return total


def _interpolate(points: list[fmpq], rows: list[list[fmpq]]) -> list[fmpq_poly]:
    """The polynomials through ``rows[k]`` at ``points[k]``, one a column: Newton's divided differences, then Horner."""
    table = fmpq_mat(rows).tolist()
    for level in range(1, len(points)):
        for k in range(len(points) - 1, level - 1, -1):
            inverse = 1 / (points[k] - points[k - level])
            table[k] = [(a - b) * inverse for a, b in zip(table[k], table[k - 1], strict=True)]
    result = [fmpq_poly([c]) for c in table[-1]]
    for point, row in zip(reversed(points[:-1]), reversed(table[:-1]), strict=True):
        factor = fmpq_poly([-point, 1])
        result = [p * factor + c for p, c in zip(result, row, strict=True)]
    return result


def _array(entries: list[Any]) -> Exact:
    result = np.empty(len(entries), dtype=object)
    result[:] = entries
    return frozen(result)
