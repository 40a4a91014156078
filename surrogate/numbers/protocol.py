"""The protocol that every kind of number follows: what formulas may use beyond ``+ - * /`` and whole powers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import numpy as np

from surrogate import filters
from surrogate._types import Layers, Numbers, Scalar, Vector
from surrogate.theta import Theta

__all__ = ["Kind"]

S = TypeVar("S", bound=Scalar)


class Kind(Protocol):
    """One kind of number. A kind defines the first half; the second half are formulas, the same for every kind.

    Functions are elementwise and take a single number or an array; arrays carry clients and batches in leading axes.
    ``exact``: results are exact or enclosures. A kind in which a result does not exist raises a ``ProblemError``.
    """

    exact: bool

    def number(self, x: object) -> Any:
        """A rational (an int, a Fraction, fmpq) or an array of rationals, as numbers of this kind."""

    def decimal(self, x: float) -> Any:
        """A setting that is printed as a decimal: 0.9 is 9/10, not the binary fraction next to it."""

    def array(self, value: object, name: str) -> Any:
        """``value`` as an array of this kind of number; ``name`` is for the error where that cannot be."""

    def sqrt(self, x: S) -> S:
        """The square root, a number of this kind."""

    def exp(self, x: S) -> S:
        """The exponential."""

    def log(self, x: S) -> S:
        """The natural logarithm."""

    def abs(self, x: S) -> S:
        """The modulus."""

    def sign(self, x: S) -> S:
        """-1, 0 or 1."""

    def maximum(self, x: S, y: S) -> S:
        """The larger one; of balls whose order is open, a ball that holds the larger one."""

    def solve(self, A: Numbers, b: Numbers) -> Any:
        """A^-1 b, A (..., d, d) and b (..., d)."""

    def system(self, A: Numbers, B: Numbers) -> Any:
        """A^-1 B for one matrix A (d, d), and B (d,) or (d, m); a ``ProblemError`` where A is singular."""

    def eigenvalues(self, S: Numbers) -> Any:
        """Ascending eigenvalues (..., d) of symmetric S (..., d, d)."""

    def irrational(self, name: str, x: Scalar) -> Scalar:
        """The function ``name`` ("sqrt", "log", "exp") of x; of a rational, in the kind that holds its results."""
        value: Scalar = getattr(self, name)(x)
        return value

    def root(self, x: Scalar) -> Scalar:
        """The square root; of a rational that is no square, in the kind that holds it."""
        return self.irrational("sqrt", x)

    def power(self, x: Scalar, n: int) -> Any:
        """x^n."""
        return x**n

    def minimum(self, x: S, y: S) -> S:
        """The smaller one."""
        smaller: S = -self.maximum(-x, -y)
        return smaller

    def largest(self, x: Any, axes: int = 1) -> Any:
        """The maximum over the last axes."""
        return _folded(self.maximum, x, axes)

    def smallest(self, x: Any, axes: int = 1) -> Any:
        """The minimum over the last axes."""
        return _folded(self.minimum, x, axes)

    def length(self, v: Numbers) -> Any:
        """The Euclidean norm over the last axis."""
        return self.norm(v, keepdims=False)

    def norm(self, v: Numbers, keepdims: bool = True) -> Any:
        """The same with the last axis kept, as methods want it: ``v / ops.norm(v)`` is a direction."""
        if v.shape[-1] == 1:
            return self.abs(v if keepdims else v[..., 0])
        return self.sqrt((v * v).sum(axis=-1, keepdims=keepdims))

    def opnorm(self, M: Numbers) -> Any:
        """The operator norm of (..., d, d): the modulus for d = 1, else sqrt of the largest eigenvalue of M^T M."""
        if M.shape[-1] == 1:
            return self.abs(M[..., 0, 0])
        return self.sqrt(self.eigenvalues(np.swapaxes(M, -1, -2) @ M)[..., -1])

    def geometric(self, z: Scalar, n: int) -> Any:
        """sum_{k<n} (1 - z)^k, by doubling: no division, right at z = 0."""
        return filters.ring_geometric(1 - z, n, z * 0 + 1)

    def geometric_deficit(self, z: Scalar, n: int) -> Any:
        """geometric(z, n) - n."""
        return self.geometric(z, n) - n

    def filter(self, z: Scalar, theta: Theta) -> Any:
        """sum_k theta_k (1 - z)^(k-1)."""
        r, one = 1 - z, z * 0 + 1
        if theta.kind != "weights":
            return theta.ring(r, one)
        total = one * self.number(theta.given[-1])
        for weight in reversed(theta.given[:-1]):  # Horner
            total = total * r + one * self.number(weight)
        return total

    def deficit(self, z: Scalar, theta: Theta) -> Any:
        """sum_k theta_k ((1 - z)^(k-1) - 1)."""
        return self.filter(z, theta) - self.number(theta.total)

    def moved(self, y: Vector, rate: Scalar, P: Scalar, m: Scalar) -> Vector:
        """y - rate P m."""
        step: Vector = y - rate * (m if isinstance(P, int) and P == 1 else P * m)
        return step

    def mixed(self, beta: Scalar, old: S, new: S) -> S:
        """beta old + (1 - beta) new."""
        mean: S = beta * old + (1 - beta) * new
        return mean

    def with_square(self, v: Vector, g: Vector) -> Vector:
        """v + g^2."""
        return v + g * g

    def mixed_with_square(self, beta: Scalar, v: Vector, g: Vector) -> Vector:
        """beta v + (1 - beta) g^2."""
        mean: Vector = beta * v + (1 - beta) * (g * g)
        return mean

    def inverse_root(self, v: Vector, eps: Scalar) -> Vector:
        """1 / (sqrt(v) + eps)."""
        root: Vector = 1 / (self.sqrt(v) + eps)
        return root

    def lengths(self, y: Vector, r: Vector, layers: Layers) -> Vector:
        """||y_l|| / ||r_l|| in the places of each layer l, 0 elsewhere; a place in several layers has their sum."""
        result = 0 * r
        for layer in layers:
            ratio = self.norm(y[..., layer]) / self.norm(r[..., layer])
            result[..., layer] = result[..., layer] + ratio
        return result


def _folded(pick: Callable[[Any, Any], Any], x: Any, axes: int) -> Any:
    for _ in range(axes):
        result = x[..., 0]
        for k in range(1, x.shape[-1]):
            result = pick(result, x[..., k])
        x = result
    return x
