"""Scalar filters of a client's spectrum, without cancellation, and the same filters over any ring.

A local method multiplies the component of the gradient along an eigenvector of eigenvalue ``lambda`` by a polynomial in
``r = 1 - z``, ``z = gamma lambda``. Written in ``z`` the powers keep their digits as ``z -> 0``
(``r^n - 1 = expm1(n log1p(-z))``); past ``z = 1`` the base is negative and the sign is carried apart.
The ``ring_*`` functions use ``+`` and ``*`` alone: they take rationals, balls, matrices, symbols.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

import numpy as np

from surrogate._types import Array

__all__ = [
    "geometric",
    "geometric_deficit",
    "geometric_secant",
    "power",
    "power_minus_one",
    "power_secant",
    "ring_geometric",
    "ring_power",
]


class Element(Protocol):
    """An element of a ring: it adds and multiplies."""

    def __add__(self, other: Any, /) -> Any: ...
    def __mul__(self, other: Any, /) -> Any: ...


R = TypeVar("R", bound=Element)

_VANISHED = 1e-60  # a power so small that it leaves no trace in a sum that starts with 1
_SERIES_TERMS = 24  # |n z| <= 1: term j is below 1/(j+1)!, 24 terms are far below one rounding


def _log_modulus(z: Array) -> Array:
    """log |1 - z| to full relative accuracy near z = 0 and near z = 2 (where |1 - z| = 1 again)."""
    with np.errstate(divide="ignore"):
        return np.log1p(np.where(z < 1, -z, z - 2))


def power(z: Array, n: int) -> Array:
    """(1 - z)^n for any real z and whole n >= 0.

    >>> power(np.array([0.0, 0.5, 3.0]), 3).tolist()
    [1.0, 0.125, -8.0]
    """
    if n == 0:
        return np.ones_like(z)
    sign = np.where(z > 1, -1.0, 1.0) if n % 2 else 1.0
    with np.errstate(over="ignore"):
        modulus = np.asarray(np.exp(n * _log_modulus(z)))
        np.power(np.abs(1 - z), n, out=modulus, where=np.abs(z) >= 0.5)
    return np.asarray(sign * modulus, dtype=float)


def power_minus_one(z: Array, n: int) -> Array:
    """(1 - z)^n - 1, right to the last digits as z -> 0 (where it tends to -n z)."""
    if n == 0:
        return np.zeros_like(z)
    with np.errstate(over="ignore"):
        positive_base = np.expm1(n * _log_modulus(z))  # |1 - z|^n - 1
    return np.where((z > 1) & (n % 2 == 1), -2.0 - positive_base, positive_base)


def geometric(z: Array, n: int) -> Array:
    """sum_{k<n} (1 - z)^k = (1 - (1 - z)^n) / z, with value n at z = 0.

    >>> geometric(np.array([0.0, 1e-300, 1.0]), 4).tolist()
    [4.0, 4.0, 1.0]
    """
    if n == 1:  # exactly 1: one local step changes nothing, not even by a rounding
        return np.ones_like(z)
    safe = np.where(z == 0, 1.0, z)
    with np.errstate(over="ignore"):
        return np.where(z == 0, float(n), -power_minus_one(z, n) / safe)


def geometric_deficit(z: Array, n: int) -> Array:
    """sum_{k<n} ((1 - z)^k - 1) = geometric(z, n) - n, without cancellation.

    For |n z| <= 1 the binomial series sum_{j>=2} C(n, j) (-z)^(j-1), whose terms shrink like 1/(j+1)!; else directly.
    """
    if n == 1:
        return np.zeros_like(z)
    with np.errstate(invalid="ignore"):
        direct = geometric(z, n) - n
    small = np.where(np.abs(n * z) <= 1, z, 0.0)
    term = -small * (n * (n - 1) / 2)
    total = term.copy()
    for j in range(1, min(_SERIES_TERMS, n)):
        term = term * (-small * ((n - 1 - j) / (j + 2)))
        total += term
    return np.where(np.abs(n * z) <= 1, total, direct)


@np.errstate(over="ignore", invalid="ignore")
def power_secant(a: Array, b: Array, n: int) -> Array:
    """((1 - a)^n - (1 - b)^n) / (a - b) = -sum_{j<n} r_a^j r_b^(n-1-j), also where a = b: no difference is formed.

    By doubling, from (f g)[a,b] = f[a,b] g(b) + f(a) g[a,b]; up to z = 1 all terms have one sign and nothing cancels.
    """
    secant: Array = np.full(np.broadcast_shapes(np.shape(a), np.shape(b)), -1.0 if n else 0.0)  # of r^1
    m = 1
    for bit in bin(n)[3:]:
        secant *= power(a, m) + power(b, m)
        m *= 2
        if bit == "1":
            secant = secant * (1 - b) - power(a, m)
            m += 1
    return secant


@np.errstate(over="ignore", invalid="ignore")
def geometric_secant(a: Array, b: Array, n: int) -> Array:
    """(geometric(a, n) - geometric(b, n)) / (a - b), by doubling S_{2m} = S_m + r^m S_m, also where a = b.

    Once all r^m (m > 1) have vanished nothing changes any more: what is left to add has the size of r^(m-1).
    """
    secant = np.zeros(np.broadcast_shapes(np.shape(a), np.shape(b)))  # of S_1
    step = secant - 1.0  # of r^1
    m = 1
    for bit in bin(n)[3:]:
        r_a, r_b = power(a, m), power(b, m)
        if m > 1 and max(np.abs(r_a).max(initial=0), np.abs(r_b).max(initial=0)) < _VANISHED:
            break
        secant *= 1 + r_a
        secant += step * geometric(b, m)
        step *= r_a + r_b
        m *= 2
        if bit == "1":
            secant = secant + step
            step = step * (1 - b) - power(a, m)
            m += 1
    return secant


def ring_power(r: R, n: int, one: R) -> R:
    """r^n by repeated squaring, for anything that multiplies."""
    result, base = one, r
    while n:
        if n & 1:
            result = result * base
        n >>= 1
        if n:
            base = base * base
    return result


def ring_geometric(r: R, n: int, one: R) -> R:
    """sum_{k<n} r^k by doubling, S_{2m} = S_m + r^m S_m: no division, log2(n) products.

    >>> from fractions import Fraction
    >>> ring_geometric(Fraction(1, 2), 3, Fraction(1))
    Fraction(7, 4)
    """
    total, r_m = one, r  # S_1 and r^1
    for bit in bin(n)[3:]:
        total = total + r_m * total
        r_m = r_m * r_m
        if bit == "1":
            total = total + r_m
            r_m = r_m * r
    return total
