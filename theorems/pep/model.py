"""Semidefinite programs over Gram matrices of points and gradients of quadratic clients, in rationals (stdlib alone).

A problem has basis vectors, of unknown dimension, and everything in it is a *form*: a linear function of their inner
products. A client is a symmetric matrix A with mu I <= A <= L I, known by its action on some vectors. Write A as
(L + mu)/2 + (L - mu)/2 B, so that |B| <= 1. Vectors X and Y come as Y = B X from one such B exactly if X'Y is
symmetric and X'X - Y'Y positive semidefinite: B = H (X'H)^+ H' - I with H = X + Y does it (Bousselmi, Hendrickx,
Glineur, "Interpolation conditions for linear operators and applications to performance estimation problems").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Generic, TypeVar

__all__ = ["Client", "Form", "Problem", "Vector", "dot", "square"]

Key = TypeVar("Key")


@dataclass(frozen=True)
class Combination(Generic[Key]):
    """sum of coefficients times keys."""

    terms: Mapping[Key, Fraction]

    def __add__(self, other: Combination[Key]) -> Combination[Key]:
        terms = dict(self.terms)
        for key, value in other.terms.items():
            terms[key] = terms.get(key, Fraction(0)) + value
        return Combination(terms)

    def __sub__(self, other: Combination[Key]) -> Combination[Key]:
        return self + other * -1

    def __mul__(self, factor: Fraction | int) -> Combination[Key]:
        return Combination({key: value * factor for key, value in self.terms.items() if value and factor})

    __rmul__ = __mul__


Vector = Combination[int]  # of basis vectors
Form = Combination[tuple[int, int]]  # of inner products of basis vectors i <= j


def dot(x: Vector, y: Vector) -> Form:
    """The inner product.

    >>> x = Combination({0: Fraction(1), 1: Fraction(2)})
    >>> dict(dot(x, x).terms) == {(0, 0): 1, (0, 1): 4, (1, 1): 4}
    True
    """
    terms: dict[tuple[int, int], Fraction] = {}
    for i, a in x.terms.items():
        for j, b in y.terms.items():
            key = (min(i, j), max(i, j))
            terms[key] = terms.get(key, Fraction(0)) + a * b
    return Combination(terms)


def square(x: Vector) -> Form:
    """The squared norm."""
    return dot(x, x)


@dataclass
class Problem:
    """max ``objective``, ``budget`` <= 1, forms ``zeros`` = 0, vectors ``vanishing`` = 0; what each client asks for."""

    size: int = 0
    objective: Form = field(default_factory=lambda: Combination({}))
    budget: Form = field(default_factory=lambda: Combination({}))
    zeros: list[Form] = field(default_factory=list)
    vanishing: list[Vector] = field(default_factory=list)
    clients: list[Client] = field(default_factory=list)

    def vector(self) -> Vector:
        """A further basis vector."""
        self.size += 1
        return Combination({self.size - 1: Fraction(1)})

    def client(self, mu: Fraction, L: Fraction) -> Client:
        """A further client, mu I <= A <= L I."""
        self.clients.append(Client(self, (L + mu) / 2, (L - mu) / 2))
        return self.clients[-1]

    def vanish(self) -> list[Form]:
        """All forms that are 0."""
        return [*self.zeros, *(form for client in self.clients for form in client.symmetric())]

    def orthogonal(self, x: Vector, others: Iterable[Vector]) -> None:
        """x is orthogonal to the others."""
        self.zeros.extend(dot(x, other) for other in others)


@dataclass
class Client:
    """A symmetric matrix A = middle + half B with |B| <= 1, known by vectors x and B x."""

    problem: Problem
    middle: Fraction
    half: Fraction
    pairs: list[tuple[Vector, Vector]] = field(default_factory=list)

    def krylov(self, x: Vector, steps: int) -> list[Vector]:
        """T_k(B) x, k = 0, ..., steps, Chebyshev's T_k: they stay apart where iterates of gradient descent do not."""
        chain = [x] + [self.problem.vector() for _ in range(steps)]
        self.pairs.append((chain[0], chain[1]))
        self.pairs.extend((chain[k], Fraction(1, 2) * (chain[k - 1] + chain[k + 1])) for k in range(1, steps))
        return chain

    def sent(self, chain: Sequence[Vector], gamma: Fraction, theta: Sequence[Fraction]) -> Vector:
        """sum_k theta_k (I - gamma A)^(k-1) A x, what the client sends from c + x; ``chain``: `krylov` of x."""
        local, result = [Fraction(1)], Combination[int]({})
        for weight in theta:
            gradient = self._applied(local)
            for a, each in zip(gradient, chain, strict=False):
                result = result + weight * a * each
            local = [a - gamma * b for a, b in zip([*local, Fraction(0)], gradient, strict=True)]
        return result

    def _applied(self, p: list[Fraction]) -> list[Fraction]:
        """Chebyshev coefficients of (middle + half b) p(b)."""
        result = [self.middle * a for a in p] + [Fraction(0)]
        for k, a in enumerate(p):
            result[k + 1] += self.half * a / (1 if k == 0 else 2)
            if k:
                result[k - 1] += self.half * a / 2
        return result

    def symmetric(self) -> list[Form]:
        """Forms that vanish: x' B y - y' B x."""
        pairs = self.pairs
        return [dot(pairs[j][0], b) - dot(pairs[j][1], x) for k, (x, b) in enumerate(pairs) for j in range(k)]

    def contraction(self) -> list[list[Form]]:
        """The matrix of forms x'y - (B x)'(B y), which is positive semidefinite."""
        return [[dot(x, y) - dot(a, b) for y, b in self.pairs] for x, a in self.pairs]
