"""Random client populations for hypothesis, built (never rejected) from whole numbers, so that floats hold them.

A Population is in Fractions and knows how to restate itself uselessly: rotated, permuted, split, shifted. ``general``
clients are A_i = F_i^T F_i / 4 with few or many rows, so singular ones come up; client 0 gets an identity on top, so
the average is definite. ``spectral`` ones have a rational spectrum in a rational eigenbasis: mu and L are known.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction as F

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from surrogate import Quadratics, Theta, exact

TINY = F(1, 2**60)


@dataclass(frozen=True)
class Population:
    A: np.ndarray  # (n, d, d) of Fractions
    c: np.ndarray  # (n, d)
    weights: np.ndarray  # (n,)
    spectra: tuple[tuple[F, ...], ...] | None = None  # where known, (n, d) ascending

    @property
    def n(self):
        return len(self.A)

    @property
    def d(self):
        return self.A.shape[1]

    def floats(self) -> Quadratics:
        return Quadratics(self.A.astype(float), self.c.astype(float), self.weights.astype(float))

    def exact(self) -> exact.Quadratics:
        return exact.Quadratics(self.A, self.c, self.weights)

    @property
    def bound(self) -> F:
        """A bound on every eigenvalue: the largest row sum of moduli."""
        return max(max(abs(row).sum() for row in A) for A in self.A)

    def rotated(self, R) -> Population:
        return replace(self, A=np.stack([R @ A @ R.T for A in self.A]), c=self.c @ R.T)

    def permuted(self, order) -> Population:
        return replace(self, A=self.A[order], c=self.c[order], weights=self.weights[order], spectra=None)

    def split(self, i) -> Population:
        """Client i as two clients that share its weight one to two."""
        w = self.weights.copy()
        w[i] = w[i] / 3
        again = [*range(self.n), i]
        return Population(self.A[again], self.c[again], np.append(w, 2 * w[i]))

    def shifted(self, v) -> Population:
        return replace(self, c=self.c + v)


def fractions(a) -> np.ndarray:
    """The same array with Fractions for entries."""
    result = np.empty(np.shape(a), dtype=object)
    for where, value in np.ndenumerate(np.asarray(a, dtype=object)):
        result[where] = F(value) if not isinstance(value, np.integer) else F(int(value))
    return result


def whole(shape, size=3):
    return hnp.arrays(np.int64, shape, elements=st.integers(-size, size), fill=st.nothing()).map(fractions)


@st.composite
def shares(draw, n):
    counts = draw(st.lists(st.integers(1, 4), min_size=n, max_size=n))
    return fractions([F(k, sum(counts)) for k in counts])


@st.composite
def general(draw, max_n=5, max_d=8, min_n=1):
    n, d = draw(st.integers(min_n, max_n)), draw(st.integers(1, max_d))
    kind = draw(st.sampled_from(["general", "equal clients", "equal hessians", "equal minimizers"]))
    A, c = [], []
    for i in range(n):
        rows = draw(st.integers(0, d))
        factor = draw(whole((rows, d)))
        A.append((factor.T @ factor if rows else fractions(np.zeros((d, d), int))) / 4)
        if i == 0 or kind in ("equal clients", "equal hessians"):
            A[i] = A[0] if i else A[0] + fractions(np.eye(d, dtype=int)) * draw(st.sampled_from([F(1, 4), F(1), F(3)]))
        c.append(c[0] if i and kind in ("equal clients", "equal minimizers") else draw(whole((d,), 16)) / 8)
    return Population(np.stack(A), np.stack(c), draw(shares(n)))


@st.composite
def rotations(draw, d):
    """Rational orthogonal (d, d): a chain of plane rotations by (1 - t^2, 2 t) / (1 + t^2)."""
    R = fractions(np.eye(d, dtype=int))
    for k in range(d - 1):
        t = F(draw(st.integers(-4, 4)), 4)
        cos, sin = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
        plane = fractions(np.eye(d, dtype=int))
        plane[k, k], plane[k, k + 1], plane[k + 1, k], plane[k + 1, k + 1] = cos, -sin, sin, cos
        R = plane @ R
    return R


@st.composite
def spectral(draw, max_n=4, max_d=6, least=0, min_d=1):
    """Spectra between 10^-least and 2, in rational eigenbases (the float copies are rounded)."""
    n, d = draw(st.integers(1, max_n)), draw(st.integers(min_d, max_d))
    A, spectra = [], []
    for _ in range(n):
        values = sorted(F(draw(st.integers(1, 8)), 4 * 10 ** draw(st.integers(0, least))) for _ in range(d))
        R = draw(rotations(d))
        A.append((R * np.array(values, dtype=object)) @ R.T)
        spectra.append(tuple(values))
    return Population(np.stack(A), draw(whole((n, d), 16)) / 8, draw(shares(n)), tuple(spectra))


@st.composite
def definite(draw, d):
    """A symmetric positive definite matrix of whole quarters."""
    factor = draw(whole((d, d), 2))
    return (factor.T @ factor + fractions(np.eye(d, dtype=int))) / 4


def rates(population: Population):
    """gamma: 0, tiny, at the edge, at an eigenvalue's inverse, and beyond 1/L (exact binary fractions)."""
    near = F(1 / float(population.bound))
    return st.sampled_from([F(0), TINY, F(1, 1024), near / 2, near, 2 * near, 3 * near])


def steps():
    return st.sampled_from([1, 2, 7, 100])


@st.composite
def thetas(draw, most=100):
    kind = draw(st.sampled_from(["sum", "last", "maml", "weights"]))
    if kind == "weights":
        weights = draw(st.lists(st.integers(0, 3), min_size=1, max_size=6))
        return Theta([*weights, draw(st.integers(1, 3))])
    return getattr(Theta, kind)(draw(st.sampled_from([K for K in (1, 2, 7, 100) if most >= K])))


def toy() -> tuple[Quadratics, exact.Quadratics]:
    """The two clients of OLR section 4."""
    A, c = [[[F(1)]], [[F(2)]]], [[F(1)], [F(1, 2)]]
    return Quadratics(np.array(A, dtype=float), np.array(c, dtype=float)), exact.Quadratics(A, c)
