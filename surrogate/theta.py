"""Theta: how a client weighs the gradients of its local steps (OLR section 2.1, equations 3, 4 and 8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import Any, Literal

import numpy as np

from surrogate import filters
from surrogate._types import Array
from surrogate.filters import R
from surrogate.kit.errors import problem

__all__ = ["Theta"]

# The likely cause of an error, and what to do about it
_LOOPING = (
    "a loop over single steps where the closed form would do",
    "use theta.filter(z), which costs the same for every K",
)
_ONE_NUMBER = ("one number where a list is wanted", "use Theta.sum(K) for K equal weights, or Theta([...])")
_SLIP = ("a slip in the list", "correct it")

Weight = int | float | Fraction

_MOST_WEIGHTS = 10_000_000
_MOST_STEPS = 10**100  # whose square is still a float64


@dataclass(frozen=True, init=False)
class Theta:
    r"""Weights theta_1, theta_2, ... of the local gradients; a client sends ``sum_k theta_k g_k``.

    On a quadratic with Hessian ``A`` the client's distortion is the filter ``Q = sum_k theta_k (I - gamma A)^(k-1)``.

    - ``Theta.sum(K)``: (1, ..., 1), FedAvg and Reptile. ``Theta.last(K)``: (0, ..., 0, 1), FOMAML.
    - ``Theta.maml(K)``: ``Theta.last(2 K + 1)``, MAML with K steps of gradient descent (OLR Theorem 4).
    - ``Theta([...])``: any weights >= 0, not all 0; ``signed=True`` admits negative ones.

    >>> Theta.sum(3).total, Theta.last(3).steps, Theta.maml(2).steps, Theta([1, 0, "1/2"]).total
    (3, 3, 5, Fraction(3, 2))
    """

    kind: Literal["sum", "last", "weights"]
    steps: int
    given: tuple[Weight, ...]

    def __init__(self, weights: Iterable[Weight | str], *, signed: bool = False) -> None:
        """``weights``: numbers, or strings like "1/3"; trailing zeros are dropped, so that ``steps`` is K(Theta)."""
        listed = _listed(weights)
        values = _trimmed([_number(w, k) for k, w in enumerate(listed, start=1)])
        if not values:
            raise problem(
                "theta",
                f"[{', '.join(map(str, listed))}]" if listed else "empty",
                "at least one weight that is not 0 (Assumption 1: K(Theta) > 0)",
                "an empty list, or clients that send nothing",
                "use Theta.sum(K), Theta.last(K), or give a weight",
            )
        for k, value in enumerate(values, start=1):
            if value < 0 and not signed:
                raise problem(
                    f"theta_{k}",
                    value,
                    "a weight >= 0",
                    "a sign slip, or weights that mean to subtract gradients",
                    "correct it, or in Python pass Theta([...], signed=True) if a negative weight is meant",
                )
        self._set("weights", len(values), tuple(values))

    def _set(self, kind: str, steps: int, given: tuple[Weight, ...]) -> None:
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "steps", steps)
        object.__setattr__(self, "given", given)

    @classmethod
    def _named(cls, kind: str, steps: int) -> Theta:
        theta = object.__new__(cls)
        theta._set(kind, steps, ())
        return theta

    @classmethod
    def sum(cls, K: int) -> Theta:
        """Theta_{1:K} = (1, ..., 1), K ones: FedAvg, Reptile, Local SGD, Lookahead."""
        return cls._named("sum", _whole(K, "K", 1))

    @classmethod
    def last(cls, K: int) -> Theta:
        """Theta_K = (0, ..., 0, 1), the last of K gradients: FOMAML; Theta.last(1) is minibatch SGD."""
        return cls._named("last", _whole(K, "K", 1))

    @classmethod
    def maml(cls, K: int) -> Theta:
        """Theta_{2K+1}: MAML after K steps of gradient descent (OLR Theorem 4)."""
        return cls._named("last", 2 * _whole(K, "K", 0) + 1)

    @property
    def total(self) -> Weight:
        """sum_k theta_k, exact when the weights are."""
        if self.kind == "weights":
            return sum(self.given)
        return self.steps if self.kind == "sum" else 1

    @property
    def steepest(self) -> float:
        """sum_k |theta_k| (k - 1): no derivative of the filter is larger for 0 <= z <= 2, where |1 - z| <= 1."""
        if self.kind == "weights":
            sizes: list[Weight] = [weight if weight >= 0 else -weight for weight in self.given]
            return float(sum(size * k for k, size in enumerate(sizes)))
        return float(self.steps - 1) * (self.steps / 2 if self.kind == "sum" else 1.0)

    @property
    def weights(self) -> tuple[Weight, ...]:
        """(theta_1, ..., theta_K) written out."""
        if self.kind == "weights":
            return self.given
        if self.steps > _MOST_WEIGHTS:
            raise problem("K", self.steps, f"at most {_MOST_WEIGHTS} to write the weights out", *_LOOPING)
        ones: tuple[Weight, ...] = (1,) * self.steps
        return ones if self.kind == "sum" else (0,) * (self.steps - 1) + (1,)

    @np.errstate(over="ignore", invalid="ignore")
    def filter(self, z: Array) -> Array:
        """sum_k theta_k (1 - z)^(k-1) at z = gamma * eigenvalue, any real z; K = 10^6 costs what K = 10 costs."""
        z = np.asarray(z, dtype=float)
        if self.kind == "sum":
            return filters.geometric(z, self.steps)
        if self.kind == "last":
            return filters.power(z, self.steps - 1)
        return sum((float(t) * filters.power(z, k) for k, t in enumerate(self.given) if t), np.zeros_like(z))

    @np.errstate(over="ignore", invalid="ignore")
    def deficit(self, z: Array) -> Array:
        """filter(z) - total = sum_k theta_k ((1 - z)^(k-1) - 1), to full relative accuracy as z -> 0."""
        z = np.asarray(z, dtype=float)
        if self.kind == "sum":
            return filters.geometric_deficit(z, self.steps)
        if self.kind == "last":
            return filters.power_minus_one(z, self.steps - 1)
        terms = (float(t) * filters.power_minus_one(z, k) for k, t in enumerate(self.given) if t)
        return sum(terms, np.zeros_like(z))

    @np.errstate(over="ignore", invalid="ignore")
    def secant(self, a: Array, b: Array) -> Array:
        """(filter(a) - filter(b)) / (a - b), the derivative where a = b, without cancellation; a and b broadcast."""
        a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
        if self.kind == "sum":
            return filters.geometric_secant(a, b, self.steps)
        if self.kind == "last":
            return filters.power_secant(a, b, self.steps - 1)
        value = np.full_like(a, float(self.given[-1]))  # Horner for the value at a and the secant
        secant = np.zeros(np.broadcast_shapes(a.shape, b.shape))
        for weight in reversed(self.given[:-1]):
            secant = secant * (1 - b) - value
            value = value * (1 - a) + float(weight)
        return secant

    def ring(self, r: R, one: R) -> R:
        """sum_k theta_k r^(k-1) with + and * alone: r a rational, a ball, a matrix, a symbol; ``one`` its unit."""
        if self.kind == "sum":
            return filters.ring_geometric(r, self.steps, one)
        if self.kind == "last":
            return filters.ring_power(r, self.steps - 1, one)
        total: R = one * self.given[-1]
        for weight in reversed(self.given[:-1]):  # Horner
            total = total * r + one * weight
        return total

    def __repr__(self) -> str:
        if self.kind == "weights":
            return f"Theta([{', '.join(map(str, self.given))}])"
        return f"Theta.{self.kind}({self.steps})"


def each(thetas: Sequence[Theta], evaluate: Callable[[Theta, Array], Array], z: Array) -> Array:
    """evaluate(theta_i, z_i) for the rows of z (n, m), in one call for all rows of one theta."""
    values = np.empty_like(z)
    for theta in set(thetas):
        rows = [i for i, other in enumerate(thetas) if other == theta]
        values[rows] = evaluate(theta, z[rows])
    return values


def _listed(weights: Iterable[Weight | str]) -> list[Weight | str]:
    if isinstance(weights, (str, bytes)) or not isinstance(weights, Iterable):
        raise problem("theta", repr(weights), "a list of weights", *_ONE_NUMBER)
    return list(weights)


def _trimmed(values: list[Weight]) -> list[Weight]:
    while values and values[-1] == 0:
        values.pop()
    return values


def _number(value: Any, k: int) -> Weight:
    """A finite number: strings and flint's fmpq become Fractions, whole numbers and Fractions stay, the rest floats."""
    try:
        number: Any = Fraction(value) if isinstance(value, str) else value
        if type(number).__name__ == "fmpq":  # recognised by name: flint is not imported here
            number = Fraction(int(number.p), int(number.q))
        if not np.isfinite(float(number)):
            raise ValueError
        if not isinstance(number, Rational):
            number = float(number)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise problem(f"theta_{k}", repr(value), "a finite number, or a string like '1/3'", *_SLIP) from None
    return int(value) if isinstance(value, np.integer) else number


def _whole(K: object, name: str, least: int) -> int:
    if isinstance(K, bool) or not isinstance(K, (int, np.integer)) or not least <= K <= _MOST_STEPS:
        raise problem(
            name,
            repr(K) if not isinstance(K, int) or K <= _MOST_STEPS else "beyond 10^100",
            f"a whole number >= {least}",
            "no local step at all, or a rate in the place of a step count",
            f"give at least {least}; K = 1 is one gradient, and changes nothing about the resting point",
        )
    return int(K)
