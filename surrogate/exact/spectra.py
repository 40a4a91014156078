"""Eigenvalues of rational matrices as balls that contain them for certain, and decisions about them without rounding.

Everything goes through the characteristic polynomial, whose roots flint isolates rigorously; multiple eigenvalues are
multiple roots, which its squarefree factors separate. Signs are read off coefficients, never off the middle of a ball.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import flint
from flint import acb, arb, fmpq, fmpq_mat, fmpq_poly

from surrogate.kit.errors import problem
from surrogate.numbers.balls import BALLS, balls, working

__all__ = [
    "best_rate",
    "definite",
    "identity",
    "largest",
    "operator_norm",
    "positive_stable",
    "radius",
    "real_diagonalisable",
    "real_roots",
    "semidefinite",
    "smallest",
]

_MOST_BITS = 1 << 14


def identity(d: int) -> fmpq_mat:
    return fmpq_mat(d, d, [int(j == k) for j in range(d) for k in range(d)])


def complex_roots(p: Any) -> list[tuple[acb, int]]:
    """Disjoint balls around the roots of p, with multiplicities; real roots have an imaginary part of exactly 0."""
    with working():
        return list(p.numer().complex_roots())


def real_roots(p: fmpq_poly) -> list[Any]:
    """The real roots ascending, with multiplicity: fmpq where rational, arb elsewhere."""
    found = [(root.real, times) for root, times in complex_roots(p) if root.imag.is_zero()]
    found.sort(key=lambda pair: pair[0].mid())  # isolated: disjoint balls are in the order of middles
    return [_rational_root(p, ball) for ball, times in found for _ in range(times)]


def _rational_root(p: fmpq_poly, ball: arb) -> Any:
    """A rational root of an integer polynomial, times the leading coefficient, is whole: at most one candidate."""
    lead = p.numer().leading_coefficient()
    with working():
        whole = (ball * lead).unique_fmpz()
    if whole is None:
        return ball
    candidate = fmpq(whole, lead)
    return candidate if p(candidate) == 0 else ball


def largest(values: list[Any]) -> arb:
    """A ball that contains the largest of the values, whichever it is."""
    with working():
        result: arb = reduce(lambda a, b: a.max(b), [balls(v) for v in values])
        return result


def smallest(values: list[Any]) -> arb:
    with working():
        result: arb = reduce(lambda a, b: a.min(b), [balls(v) for v in values])
        return result


def semidefinite(p: fmpq_poly) -> bool:
    """Are all roots of the (real-rooted, monic) characteristic polynomial >= 0? Exactly when its signs alternate.

    prod (x - l_i) has the coefficient (-1)^(d-k) e_(d-k)(l) at x^k; if all e_j >= 0, p has no root below 0.
    """
    d = p.degree()
    return all(p[k] * (-1) ** (d - k) >= 0 for k in range(d + 1))


def definite(p: fmpq_poly) -> bool:
    return p[0] != 0 and semidefinite(p)


def operator_norm(M: fmpq_mat, symmetric: bool = False) -> arb:
    """||M||: the largest |eigenvalue| where M is symmetric, else the root of the largest eigenvalue of M^T M."""
    with working():
        if symmetric:
            return largest([abs(balls(v)) for v in real_roots(M.charpoly())])
        root: arb = BALLS.sqrt(largest(real_roots((M.transpose() * M).charpoly())))
        return root


def radius(M: fmpq_mat) -> arb:
    """The spectral radius."""
    with working():
        return largest([abs(root) for root, _ in complex_roots(M.charpoly())])


def real_diagonalisable(M: fmpq_mat) -> bool:
    """Has M a real eigenbasis? Exactly when its minimal polynomial is squarefree with real roots only."""
    m = M.minpoly()
    if m.gcd(m.derivative()).degree() > 0:
        return False
    return all(root.imag.is_zero() for root, _ in complex_roots(m))


def positive_stable(p: fmpq_poly) -> bool:
    """Have all roots a real part > 0? Decided: roots on the imaginary axis are found by a gcd, the rest by precision.

    p(i y) = E(y) + i O(y) with real E, O; the axis carries a root exactly when gcd(E, O) has a real root.
    """
    signs = (1, 1, -1, -1)  # of i^k: real, imaginary, real, imaginary
    even = fmpq_poly([p[k] * signs[k % 4] if k % 2 == 0 else 0 for k in range(p.degree() + 1)])
    odd = fmpq_poly([p[k] * signs[k % 4] if k % 2 else 0 for k in range(p.degree() + 1)])
    common = even.gcd(odd)
    if any(root.imag.is_zero() for root, _ in complex_roots(common)):
        return False
    bits = flint.ctx.prec
    while True:  # no root on the axis: some precision tells the sides apart
        with working(bits) as bits:
            parts = [root.real for root, _ in complex_roots(p)]
        if all(part > 0 or part < 0 for part in parts):
            return all(part > 0 for part in parts)
        bits *= 2


def best_rate(p: fmpq_poly, name: str) -> arb:
    """The eta that makes the spectral radius of I - eta J smallest, p the characteristic polynomial of J.

    Each |1 - eta l|^2 = 1 - 2 eta Re l + eta^2 |l|^2 is a convex parabola in eta with its bottom at Re l / |l|^2. The
    largest of them is strictly convex; its bottom is a bottom of one, or a crossing, between the outermost bottoms.
    The answer covers every candidate that is not certainly worse than another one.
    """
    if not positive_stable(p):
        raise problem(
            f"the averaged Hessian of {name}",
            "not positive stable (an eigenvalue with real part <= 0)",
            "eigenvalues with positive real part",
            "clients whose local steps overshoot (gamma L >= 1)",
            "lower gamma; no server rate > 0 makes this field contract",
        )
    bits = flint.ctx.prec
    while True:
        with working(bits) as bits:
            eta = _best_candidate([(r.real, r.real**2 + r.imag**2) for r, _ in complex_roots(p) if not r.imag < 0])
            if bits >= _MOST_BITS or eta.rel_accuracy_bits() >= 64:
                return eta
        bits *= 2


def _best_candidate(roots: list[tuple[arb, arb]]) -> arb:
    """``roots``: (Re l, |l|^2) of one root of each conjugate pair."""
    bottoms = [real / square for real, square in roots]
    hull = reduce(lambda a, b: a.union(b), bottoms)
    candidates = list(bottoms)
    for k, (real, square) in enumerate(roots):
        for other_real, other_square in roots[:k]:
            gap, rise = square - other_square, 2 * (real - other_real)
            if gap.contains(0):
                # They cross at rise / gap, which may be anywhere beyond |rise| / |gap|.
                if not abs(rise).lower() > hull.upper() * abs(gap).upper():
                    candidates.append(hull)
            elif (rise / gap).overlaps(hull):
                candidates.append(rise / gap)
    worst = [largest([eta * (eta * square - 2 * real) for real, square in roots]) for eta in candidates]
    bound = reduce(lambda a, b: a.min(b), [w.upper() for w in worst])
    return reduce(lambda a, b: a.union(b), [e for e, w in zip(candidates, worst, strict=True) if not w > bound])
