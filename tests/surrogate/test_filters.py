"""The scalar filters keep their digits: against mpmath at 60 digits, and over rings against themselves."""

from __future__ import annotations

from fractions import Fraction as F

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from surrogate import filters

EPS = float(np.finfo(float).eps)
mp = mpmath.mp.clone()
mp.dps = 60

COUNTS = st.sampled_from([1, 2, 3, 7, 100, 101, 10**4, 10**6 - 1, 10**6])
POINTS = st.one_of(  # z = gamma * lambda: tiny, near 1, near 2, beyond, negative (an indefinite client)
    st.floats(0, 3),
    st.floats(-320, 0.5).map(lambda e: 10.0**e),
    st.floats(-16, -1).map(lambda e: 1 - 10.0**e),
    st.floats(-15, -1).map(lambda e: 1 + 10.0**e),
    st.floats(-15, -1).map(lambda e: 2 - 10.0**e),
    st.floats(-15, -1).map(lambda e: 2 + 10.0**e),
    st.floats(-17, 1).map(lambda e: -(10.0**e)),
    st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 1e10, 5e-324]),
)


def power(z, n):
    return (1 - mp.mpf(z)) ** n


def geometric(z, n):
    return mp.mpf(n) if z == 0 else (1 - power_deep(z, n)) / mp.mpf(z)


def power_deep(z, n):
    """(1 - z)^n with enough digits that 1 - it keeps 60, however small z is."""
    with mp.workdps(700):
        return (1 - mp.mpf(z)) ** n


def minus_one(z, n):
    with mp.workdps(700):
        return power_deep(z, n) - 1


def deficit(z, n):
    with mp.workdps(1400):
        return mp.mpf(0) if z == 0 else (1 - (1 - mp.mpf(z)) ** n) / mp.mpf(z) - n


def check(value, truth, z, n, size=None):
    """Error at most 8 eps (1 + |n log|1 - z||) |truth|: the condition of the power itself; overflow only where due."""
    log = abs(n * mp.log(abs(1 - mp.mpf(z)))) if z != 1 else mp.mpf(0)
    if abs(truth) > 1.7e308:
        assert not np.isfinite(value) or abs(value) > 1e307
        return
    assert np.isfinite(value)
    assert abs(mp.mpf(float(value)) - truth) <= 8 * EPS * (1 + log) * (size or abs(truth)) + mp.mpf(10) ** -307


@given(POINTS, COUNTS)
@example(1.0, 10**6)
@example(2.0, 10**6 - 1)
def test_power(z, n):
    """(1 - z)^n."""
    check(filters.power(np.array([z]), n)[0], power(z, n), z, n)


@given(POINTS, COUNTS)
@example(1e-300, 10**6)
@example(2.0, 10**6)
def test_power_minus_one(z, n):
    """(1 - z)^n - 1, also where it nearly vanishes: z -> 0, and z -> 2 with n even."""
    check(filters.power_minus_one(np.array([z]), n)[0], minus_one(z, n), z, n)


@given(POINTS, COUNTS)
def test_geometric(z, n):
    """sum_{k<n} (1 - z)^k."""
    check(filters.geometric(np.array([z]), n)[0], geometric(z, n), z, n)


@given(POINTS, COUNTS)
@example(1.7, 1)
@example(-3.3, 1)
@example(2e-6, 10**6)
@example(3.0, 3)  # 1 + r + r^2 = 3 has the second root r = -2
def test_geometric_deficit(z, n):
    """sum_{k<n} ((1 - z)^k - 1): relative to itself up to z = 2; beyond, where terms alternate, to its two parts."""
    value, truth = filters.geometric_deficit(np.array([z]), n)[0], deficit(z, n)
    check(value, truth, z, n, None if z <= 2 or n == 1 else n + abs(geometric(z, n)))


def secant(filter_, a, b, n):
    with mp.workdps(1500):
        a, b = mp.mpf(a), mp.mpf(b)
        b = b + mp.mpf(10) ** -300 if a == b else b
        return (filter_(a, n) - filter_(b, n)) / (a - b)


NEAR = st.one_of(st.just(0.0), st.floats(-17, 0).map(lambda e: 10.0**e))


@given(st.floats(-17, 0).map(lambda e: 10.0**e), NEAR, st.sampled_from([1, 2, 3, 7, 100, 10**4, 10**6]))
@example(1e-6, 1e-7, 10**6)
@example(1.0, 0.0, 7)
def test_secants(a, gap, n):
    """(f(a) - f(b)) / (a - b) for a, b in [0, 1], however close, to a few roundings a doubling."""
    b = max(0.0, a - gap * a)
    slack = 64 * EPS * (1 + np.log2(n)) * (1 + n * min(a, 1e-3))  # exp of -n log1p(-z) rounds by its exponent
    for computed, filter_ in ((filters.power_secant, minus_one), (filters.geometric_secant, deficit)):
        for x, y in ((a, b), (b, a)):
            truth = secant(filter_, x, y, n)
            value = mp.mpf(float(computed(np.array(x), np.array(y), n)))
            assert abs(value - truth) <= slack * abs(truth) + mp.mpf(10) ** -300
    if n <= 100:  # beyond 1 signs alternate: right relative to the sum of the moduli
        z = 1 + 2 * a
        for computed, filter_ in ((filters.power_secant, minus_one), (filters.geometric_secant, deficit)):
            value, truth = mp.mpf(float(computed(np.array(z), np.array(b), n))), secant(filter_, z, b, n)
            assert abs(value - truth) <= 64 * EPS * n**2 * (1 + 2 * a) ** n + slack * abs(truth)


@pytest.mark.parametrize("n", [1, 2, 7])
def test_arrays_keep_their_shape_and_no_steps_are_no_change(n):
    z = np.linspace(-1, 3, 12).reshape(3, 4)
    for filter_ in (filters.power, filters.power_minus_one, filters.geometric, filters.geometric_deficit):
        assert filter_(z, n).shape == (3, 4)
        assert (filter_(z, n)[1] == filter_(z[1], n)).all()
    assert (filters.power(z, 0) == 1).all() and (filters.power_minus_one(z, 0) == 0).all()
    assert (filters.geometric(z, 1) == 1).all() and (filters.geometric_deficit(z, 1) == 0).all()


@given(st.fractions(-3, 3, max_denominator=20), st.integers(1, 40))
def test_ring_filters_in_fractions(r, n):
    """r^n and sum_{k<n} r^k against the plain loop; r = 1 included (no division)."""
    assert filters.ring_power(r, n, F(1)) == r**n and filters.ring_power(r, 0, F(1)) == 1
    assert filters.ring_geometric(r, n, F(1)) == sum((r**k for k in range(n)), F(0))


@given(st.integers(1, 30))
def test_ring_filters_of_matrices(n):
    """The same on matrices that do not commute with anything else around."""

    class Matrix:
        def __init__(self, entries):
            self.entries = np.array(entries, dtype=object)

        def __add__(self, other):
            return Matrix(self.entries + other.entries)

        def __mul__(self, other):
            return Matrix(self.entries @ other.entries)

    R = [[F(1, 2), F(1)], [F(-1), F(2, 3)]]
    one = np.array([[F(1), F(0)], [F(0), F(1)]], dtype=object)
    power, total = one, one * 0
    for _ in range(n):
        total, power = total + power, power @ np.array(R, dtype=object)
    assert (filters.ring_geometric(Matrix(R), n, Matrix(one)).entries == total).all()
    assert (filters.ring_power(Matrix(R), n, Matrix(one)).entries == power).all()
