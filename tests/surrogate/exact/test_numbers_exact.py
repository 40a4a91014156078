"""Balls never guess: three-valued comparison, precision, and methods that run on balls; roots that are certain."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction as F
from pathlib import Path

import flint
import numpy as np
import pytest
from flint import arb, fmpq, fmpq_mat, fmpq_poly
from hypothesis import given
from hypothesis import strategies as st

from surrogate import Theta, exact
from surrogate.exact import spectra
from surrogate.numbers import matrices
from tests.helpers.surrogate import populations as pop


def test_overlapping_balls_are_not_compared():
    assert exact.less(1, "3/2") is True and exact.less("3/2", "3/2") is False
    assert exact.less(arb(2).sqrt(), "3/2") is True and exact.less("3/2", arb(2).sqrt()) is False
    assert exact.less(arb(1, 0.5), 1) is None and exact.less(1, arb(1, 0.5)) is None


def test_precision_narrows_and_is_restored():
    clients = exact.Quadratics([[[2, 1], [1, 1]]], [[0, 0]])
    before = flint.ctx.prec
    with exact.precision(1000):
        narrow = clients.L
    assert flint.ctx.prec == before and narrow.rad() < arb(10) ** -250 and clients.L.rad() > arb(10) ** -250
    assert clients.L.overlaps(narrow)


def test_bad_numbers_are_refused():
    for bad in (None, object(), 1j, float("inf"), "one"):
        with pytest.raises((TypeError, ValueError, OverflowError)):
            exact.rational(bad)


@given(st.data())
def test_a_round_in_balls_contains_the_round_in_rationals(data):
    """Gradient steps, played on balls with + and * alone, contain the exact field."""
    p = data.draw(pop.general(max_n=2, max_d=3))
    clients, gamma = p.exact(), data.draw(pop.rates(p))
    A, b, w = (exact.balls(a) for a in (clients.A, clients.b, clients.weights))
    x = exact.balls([F(1, 3)] * p.d)
    total = 0 * x
    for i in range(p.n):
        y, sent = x, 0 * x
        for _ in range(5):
            g = A[i] @ y - b[i]
            sent, y = sent + g, y - exact.balls(gamma) * g
        total = total + w[i] * sent
    truth = exact.Surrogate(clients, gamma, Theta.sum(5)).gradient([F(1, 3)] * p.d)
    assert all((t - exact.balls(q)).contains(0) for t, q in zip(total, truth, strict=True))


def symmetric(p):
    return matrices.matrix(np.vectorize(exact.rational)(p.A[0]))


@given(pop.spectral(max_n=1, max_d=6, least=8))
def test_definiteness_is_decided_by_signs(p):
    """Shifting by the smallest eigenvalue makes the matrix singular; a little further, indefinite."""
    M, least = symmetric(p), fmpq(p.spectra[0][0].numerator, p.spectra[0][0].denominator)
    one = spectra.identity(p.d)
    shifts = [(least * fmpq(999999, 1000000), True, True), (least, True, False), (least * 2, False, False)]
    for shift, semidefinite, definite in shifts:
        q = (M - one * shift).charpoly()
        assert (spectra.semidefinite(q), spectra.definite(q)) == (semidefinite, definite)


@given(st.data())
def test_norms_and_radii_of_general_matrices(data):
    """||M||^2 is an eigenvalue of M^T M, numpy agrees, and the radius is at most the norm."""
    d = data.draw(st.integers(1, 5))
    M = data.draw(pop.whole((d, d)))
    m = matrices.matrix(np.vectorize(exact.rational)(M))
    norm, radius = spectra.operator_norm(m), spectra.radius(m)
    assert abs(float(norm.mid()) - np.linalg.norm(M.astype(float), 2)) < 1e-12 * (1 + float(norm.mid()))
    assert exact.less(norm, radius) is not True
    values = np.abs(np.linalg.eigvals(M.astype(float))).max()
    assert abs(float(radius.mid()) - values) < 2e-2  # numpy splits a defective eigenvalue by eps^(1/d)
    assert norm.rad() < 1e-25 and radius.rad() < 1e-25


def test_multiple_and_complex_roots():
    """(x - 1)^3 (x^2 + 1)(x^2 - 2): multiplicity kept, rationals recognised, complex roots told apart."""
    x = fmpq_poly([0, 1])
    p = (x - 1) ** 3 * (x**2 + 1) * (x**2 - 2)
    roots = spectra.real_roots(p)
    assert len(roots) == 5 and roots[1:4] == [1, 1, 1] and isinstance(roots[1], fmpq)
    assert (roots[4] ** 2 - 2).contains(0) and (roots[0] + roots[4]).contains(0)
    assert len(spectra.complex_roots(p)) == 5


@pytest.mark.parametrize(
    ("roots", "stable"),
    [
        ([1, 2], True),
        ([0, 1], False),
        ([-1, 2], False),
        ([fmpq(1, 10**60), 1], True),
        ([fmpq(-1, 10**60), 1], False),
    ],
)
def test_positive_stability_of_real_roots(roots, stable):
    x = fmpq_poly([0, 1])
    p = (x - roots[0]) * (x - roots[1])
    assert spectra.positive_stable(p) is stable
    assert spectra.positive_stable(p * (x**2 - 2 * x + 5)) is stable  # roots 1 +- 2i
    assert spectra.positive_stable(p * (x**2 + 5)) is False  # on the axis
    tiny = fmpq(1, 10**50)
    assert spectra.positive_stable(p * (x**2 - tiny * x + 5)) is stable  # a hair to the right of it


def test_best_rate_where_a_real_root_and_a_pair_have_the_same_modulus():
    """Roots 5 and 3 +- 4i: |l|^2 = 25 twice; Re 3 decides, eta = 3/25. And 3 equal moduli do not hang."""
    x = fmpq_poly([0, 1])
    eta = spectra.best_rate((x - 5) * (x**2 - 6 * x + 25), "test")
    assert (eta - arb(3) / 25).contains(0) and eta.rel_accuracy_bits() >= 64
    both = spectra.best_rate((x**2 - 8 * x + 25) * (x**2 - 6 * x + 25), "test")
    assert (both - arb(3) / 25).contains(0)


def test_diagonalisable_is_decided():
    nearly = [[1, 1], [0, 1 + F(1, 10**30)]]
    for entries, answer in (
        ([[1, 1], [0, 1]], False),
        (nearly, True),
        ([[0, -1], [1, 0]], False),
        ([[2, 0], [0, 2]], True),
    ):
        m = fmpq_mat([[exact.rational(v) for v in row] for row in entries])
        assert spectra.real_diagonalisable(m) is answer


def test_the_float_core_does_without_flint():
    """A fresh interpreter that computes in floats has loaded neither flint nor sympy nor surrogate.exact."""
    program = (
        "import sys; from surrogate import Field, Preconditioned, Quadratics, Surrogate, Theta\n"
        "clients = Quadratics([[[1.0]], [[2.0]]], [[1.0], [0.5]])\n"
        "Surrogate(clients, 0.5, Theta.sum(2)).minimizer, Preconditioned(clients, 0.5, 2, [[1.0]]).resting_point\n"
        "assert not {'flint', 'sympy', 'surrogate.exact'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=Path(__file__).parents[3])
