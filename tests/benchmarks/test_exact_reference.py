"""The reference routes are right: they agree with the code under test where both are exact, and see errors."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from benchmarks import exact_reference as reference
from surrogate import exact, moments
from surrogate.local_update import Surrogate
from surrogate.quadratics import Quadratics
from surrogate.theta import Theta


def test_the_population_attains_mu_and_L():
    A, c = reference.population(4, 6, 0.01, 2.0, seed=3)
    spectra = np.linalg.eigvalsh(A)
    np.testing.assert_allclose([spectra[:, 0], spectra[:, -1]], [[0.01] * 4, [2.0] * 4], rtol=1e-12)
    assert c.shape == (4, 6) and (A.transpose(0, 2, 1) == A).all()


@pytest.mark.parametrize("K", [1, 2, 7, 100])
def test_matrix_powers_give_the_surrogate(K):
    A, c = reference.population(3, 5, 0.1, 1.0)
    s = Surrogate(Quadratics(A, c), 0.7, Theta.sum(K))
    x, hessian = reference.minimizer(A, c, 0.7, K)
    np.testing.assert_allclose(x, s.minimizer, rtol=1e-11)
    np.testing.assert_allclose(hessian, s.hessian, rtol=0, atol=1e-12)


@pytest.mark.parametrize("size", [1e-3, 1e-9, 1e-14])
def test_the_error_of_a_point_moved_by_a_known_amount_is_that_amount(size):
    """Also far below what doubles could see of the field itself."""
    A, c = reference.population(3, 4, 0.1, 1.0)
    x, _ = reference.minimizer(A, c, 0.5, 6)
    moved = x + size * np.linalg.norm(x) * np.eye(4)[1]
    at_rest = reference.solution_error(A, c, 0.5, 6, x)
    found = reference.solution_error(A, c, 0.5, 6, moved)
    assert at_rest < 1e-14
    assert abs(found - size) <= 2 * at_rest + 1e-3 * size


@pytest.mark.parametrize("batch, K, eta", [(1, 3, 0.4), (2, 4, 0.1)])
def test_kronecker_operators_give_the_moments(batch, K, eta):
    A_z, c_z, owner = reference.examples(3, 2, 2, seed=4)
    clients = Quadratics.from_examples(A_z, c_z, owner)
    mean, covariance = reference.kronecker_moments(A_z, c_z, owner, np.array([2.0, -1.0]), 3, 0.3, eta, K, batch)
    m = moments.trajectory(clients, [2.0, -1.0], 3, 0.3, eta, Theta.sum(K), batch=batch)
    np.testing.assert_allclose(m.mean[-1], mean, rtol=0, atol=1e-13)
    np.testing.assert_allclose(m.covariance[-1], covariance, rtol=0, atol=1e-13)
    assert np.linalg.eigvalsh(covariance).min() > 1e-4  # minibatches do scatter here


def test_sympy_gives_the_symbolic_minimizer():
    A, c = reference.whole_numbers(3, 2, seed=1)
    numerators, denominator = reference.symbolic_minimizer(A, c, 3)
    ours = exact.Surrogate(exact.Quadratics(A, c), "gamma", Theta.sum(3))
    gamma = Fraction(1, 7)
    bottom = denominator.evaluate(0, gamma)
    theirs = [row[0].evaluate(0, gamma) / bottom for row in numerators.to_dense().to_list()]
    at = ours.at("1/7").minimizer
    assert [Fraction(int(v.numerator), int(v.denominator)) for v in theirs] == [
        Fraction(int(v.p), int(v.q)) for v in at
    ]


def test_sums_in_flint_give_the_displacement():
    A, c = reference.whole_numbers(3, 2, seed=1)
    clients, D = exact.Quadratics(A, c), [[[i + 1, 1], [0, 1]] for i in range(3)]
    plain = reference.exact_displacement(clients.matrices, c, D, clients.minimizer)
    assert list(exact.Field(clients, D).displacement) == list(plain.entries())
