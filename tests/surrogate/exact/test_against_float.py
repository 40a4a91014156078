"""float64 against the exact core: errors within bounds that scale with the condition, at every edge."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surrogate import Field, Preconditioned, ProblemError, Quadratics, Surrogate, Theta, exact
from tests.helpers.surrogate import populations as pop
from tests.helpers.surrogate import rounding
from tests.helpers.surrogate.rounding import EPS, floats

POPULATIONS = st.one_of(pop.general(), pop.spectral(least=3), pop.spectral(max_n=2, least=10))


def both(p):
    """The float clients and the exact ones with the same binary fractions."""
    near = p.floats()
    return near, exact.Quadratics.from_float(near)


def agree(near, field, steps, deficits, terms=0.0):
    """Resting points agree within the bound; a refusal by floats is justified by the condition."""
    try:
        point, displacement = near.resting_point, near.displacement
    except ProblemError:
        assert rounding.field_condition(field, terms) > 1e12
        return
    assert rounding.field_condition(field) < 1e17
    bound = rounding.displacement_bound(field, steps, deficits)
    assert np.abs(displacement - floats(field.displacement)).max() <= bound
    total = bound + rounding.minimizer_bound(field.clients) + EPS * np.abs(point).max()
    assert np.abs(point - floats(field.resting_point)).max() <= total


@given(POPULATIONS)
def test_quadratics(p):
    """Minimizer, residuals, gradients and values."""
    near, true = both(p)
    bound = rounding.minimizer_bound(true)
    L = near.L + EPS
    assert np.abs(near.minimizer - floats(true.minimizer)).max() <= bound
    assert np.abs(near.residuals - floats(true.residuals)).max() <= rounding.residual_bound(true)
    assert np.abs(near.mean_minimizer - floats(true.mean_minimizer)).max() <= 4 * EPS * np.abs(near.c).max()
    x = np.ones(p.d)
    reach = 1 + np.abs(near.c).max()
    assert (
        np.abs(near.client_gradient(0, x) - floats(true.client_gradient(0, x))).max() <= 16 * p.d**2 * EPS * L * reach
    )
    assert abs(near.value(x) - float(floats(true.value(x)))) <= 16 * p.d**3 * EPS * L * reach**2
    assert np.abs(near.gradient(x) - floats(true.gradient(x))).max() <= 8 * p.d * L * (bound + p.d * EPS * reach)


@given(st.data())
def test_surrogates(data):
    """Every rate from 0 to beyond 2/L, K up to 100, singular and equal clients, conditions up to 1e10."""
    p = data.draw(POPULATIONS)
    near, true = both(p)
    gamma, theta = float(data.draw(pop.rates(p))), data.draw(pop.thetas())
    s, t = Surrogate(near, gamma, theta), exact.Surrogate(true, gamma, theta)
    r = int(
        np.argmax(near.weights * near.spectra[:, -1])
    )  # Q_i - Q_r is formed as the slope of the filter times gamma (A_i - A_r)
    slope = np.abs(theta.secant(gamma * near.spectra, gamma * near.spectra)).max()
    size = float(theta.total) * rounding.sizes(true, true.A)  # of the first terms of the sum over k
    agree(s, t, theta.steps, slope * gamma * rounding.sizes(true, true.A - true.A[r]), size)
    size = max(np.abs(floats(t.distortion)).max(), float(theta.total))
    assert np.abs(s.distortion - floats(t.distortion)).max() <= 16 * p.d * theta.steps * EPS * size
    size = max(np.linalg.norm(floats(t.client_jacobians), axis=(1, 2)).max(), float(theta.total) * near.L)
    slack = 16 * p.d * theta.steps * EPS * size
    assert np.abs(s.jacobian - floats(t.jacobian)).max() <= slack
    for name in ("smoothness", "strong_convexity"):
        assert abs(getattr(s, name) - float(getattr(t, name).mid())) <= p.d * slack
    contraction, truth = s.contraction(0.7), t.contraction(0.7)
    for k in (0, 1):
        assert abs(contraction[k] - float(truth[k].mid())) <= p.d * slack + 16 * p.d * EPS * (1 + size)


@given(st.data(), st.booleans())
def test_preconditioned(data, corrected):
    """D_i with P of each client, corrected or not."""
    p = data.draw(pop.general(max_n=4, max_d=5))
    near, true = both(p)
    gammas = [data.draw(st.sampled_from([2.0**-50, 1 / 64, 1 / 4, 1.0])) for _ in range(p.n)]
    steps = [data.draw(st.sampled_from([1, 2, 7])) for _ in range(p.n)]
    P = np.stack([data.draw(pop.definite(p.d)) for _ in range(p.n)])
    f = Preconditioned(near, gammas, steps, P.astype(float), corrected)
    t = exact.Preconditioned(true, gammas, steps, P, corrected)
    skew = max(np.linalg.cond(M.astype(float)) for M in P)
    # Its first term: the others may cancel it.
    first = 1 / np.array(steps) if corrected else np.array(gammas) * np.abs(f.P).max(axis=(1, 2))
    largest = np.maximum(np.abs(floats(t.distortion)).max(axis=(1, 2)), first)
    gap = np.abs(f.distortion - floats(t.distortion)).max(axis=(1, 2))
    assert (gap <= 64 * p.d * max(steps) * EPS * skew * largest).all()
    agree(f, t, 64 * max(steps) * skew, rounding.sizes(true, t.distortion))


def relative(near, field):
    """Relative error of the displacement, in the largest component."""
    true = floats(field.displacement)
    return np.abs(near.displacement - true).max() / np.abs(true).max(), np.abs(true).max()


def three_clients(rng, d):
    factors = rng.integers(-4, 5, (3, d, d)) / 4
    return factors @ factors.transpose(0, 2, 1) + np.eye(d) / 4, rng.integers(-8, 9, (3, d)) / 8


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("K", [2, 7, 100])
def test_a_displacement_of_1e_15_keeps_nine_digits(seed, K):
    """... because gamma is tiny, because the c_i are nearly equal, or because the A_i are: with x* itself of size 1."""
    rng = np.random.default_rng(seed)
    A, c = three_clients(rng, 4)
    L = np.linalg.norm(A, 2, axis=(1, 2)).max()
    close = 1 + rng.integers(-9, 10, (3, 4)) * 2.0**-52
    tweak = rng.integers(-9, 10, (3, 4, 4)) * 2.0**-49
    near_A = A[:1] + tweak + tweak.transpose(0, 2, 1)
    problems = [(A, c, 1e-15 / K), (A, close, 1 / (2 * L)), (near_A, c, 1 / (2 * L * K))]
    for hessians, minimizers, gamma in problems:
        clients = Quadratics(hessians, minimizers)
        for theta in (Theta.sum(K), Theta.last(K), Theta([1, 2, 1])):
            s = Surrogate(clients, gamma, theta)
            t = exact.Surrogate(exact.Quadratics.from_float(clients), gamma, theta)
            error, size = relative(s, t)
            assert size < 3e-13 and error < 1e-9


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("corrected", [False, True])
def test_preconditioned_displacements_of_1e_15_keep_nine_digits(seed, corrected):
    """... for tiny rates where corrected, clients nearly equal in A and P, minimizers nearly equal."""
    rng = np.random.default_rng(seed)
    A, c = three_clients(rng, 4)
    P = three_clients(rng, 4)[0]
    tweak = rng.integers(-9, 10, (2, 3, 4, 4)) * 2.0**-49
    tweak = tweak + tweak.transpose(0, 1, 3, 2)
    close = 1 + rng.integers(-9, 10, (3, 4)) * 2.0**-52
    gamma = 0.5 / np.linalg.norm(P @ A, 2, axis=(1, 2)).max()
    problems = [(A[:1] + tweak[0], c, gamma, P[:1] + tweak[1]), (A, close, gamma, P)]
    if corrected:
        problems.append((A, c, 1e-16, P))
    for hessians, minimizers, rate, shapes in problems:
        clients = Quadratics(hessians, minimizers)
        true = exact.Quadratics.from_float(clients)
        for steps in (2, 50) if rate == gamma else ([2, 7, 3], 5):
            f = Preconditioned(clients, rate, steps, shapes, corrected)
            error, size = relative(f, exact.Preconditioned(true, rate, steps, shapes, corrected))
            assert size < 1e-12 and error < 1e-9


def test_displacement_among_clients_with_rates_of_their_own():
    """Different gamma_i and Theta_i, tiny rates."""
    clients = Quadratics(*three_clients(np.random.default_rng(1), 4))
    gammas, thetas = [1e-15, 2e-15, 3e-15], [Theta.sum(3), Theta.last(3), Theta.sum(2)]
    # Different totals are a displacement of order 1; equal totals leave the 1e-15.
    for used in (thetas, [Theta.sum(3), Theta([1, 2]), Theta([0, 0, 3])]):
        s = Surrogate(clients, gammas, used)
        t = exact.Surrogate(exact.Quadratics.from_float(clients), gammas, used)
        assert relative(s, t)[0] < 1e-9


def test_steps_of_one_client_that_would_diverge_on_another():
    """gamma_i = 1 / L_i far apart, and step counts far apart: q_i overflows at the other's Hessian; all is right."""
    clients = Quadratics([np.diag([0.01, 0.005]), np.diag([10.0, 20.0])], [[1.0, 2.0], [-1.0, 0.5]])
    true = exact.Quadratics.from_float(clients)
    for gammas, steps in (([64.0, 1 / 32], [1000, 1000]), ([64.0, 1 / 16], [2000, 3]), ([1.0, 1 / 8], [2000, 1])):
        thetas = [Theta.sum(K) for K in steps]
        assert relative(Surrogate(clients, gammas, thetas), exact.Surrogate(true, gammas, thetas))[0] < 1e-11
        for corrected in (False, True):
            near, field = (
                kind(c, gammas, steps, np.eye(2), corrected)
                for kind, c in ((Preconditioned, clients), (exact.Preconditioned, true))
            )
            assert relative(near, field)[0] < 1e-11
    edge = Surrogate(clients, 3 / 20, Theta.sum(1020))  # (1 - 3)^1020 = 2^1020 fits, its slope does not
    with pytest.raises(ProblemError, match=r"its terms of size 3.*e.307"):
        _ = edge.displacement


@pytest.mark.parametrize("exponent", [2, 6, 10])
def test_conditioned_to_1e10(exponent):
    """Two clients flat along different axes: errors grow like the condition times eps, no faster."""
    flat = 10.0**-exponent
    clients = Quadratics([np.diag([1, flat, 1]), np.diag([flat, 2 * flat, 0.5])], [[1, 0, 2], [0, 1, -1.5]])
    for K in (1, 2, 100):
        s = Surrogate(clients, 0.9, Theta.sum(K))
        t = exact.Surrogate(exact.Quadratics.from_float(clients), 0.9, Theta.sum(K))
        assert np.abs(s.minimizer - floats(t.minimizer)).max() <= 64 * EPS / flat
        assert s.condition_number == pytest.approx(float(t.condition_number.mid()), rel=64 * EPS / flat)


@pytest.mark.parametrize("K", [100, 1000])
@pytest.mark.parametrize("rows", [1, 3])
def test_singular_clients_and_many_steps(K, rows):
    """Flat directions keep a filter of K, curved ones 1 / (gamma l): errors grow like K eps, no faster."""
    rng = np.random.default_rng(rows)
    X = rng.integers(-4, 5, (8, rows, 5)) / 4
    clients = Quadratics(X.transpose(0, 2, 1) @ X, rng.integers(-8, 9, (8, 5)) / 8)
    assert clients.mu < 1e-15
    true, gamma = exact.Quadratics.from_float(clients), 0.75 / clients.L
    for fields in (
        (Surrogate(clients, gamma, Theta.sum(K)), exact.Surrogate(true, gamma, Theta.sum(K))),
        (Preconditioned(clients, gamma, K, np.eye(5)), exact.Preconditioned(true, gamma, K, np.eye(5))),
    ):
        near, field = fields
        error = np.abs(near.displacement - floats(field.displacement)).max()
        assert error <= 16 * K * EPS * np.linalg.cond(near.jacobian) * np.abs(clients.c).max()


def test_ten_thousand_and_a_million_steps():
    """d = 1: floats at K = 10^4 against exact powers, and at 10^6 against the limit, the mean of the c_i."""
    near, true = pop.toy()
    for gamma in (F(1, 2**20), F(1, 2**10), F(1, 2), F(1)):
        s, t = (
            Surrogate(near, float(gamma), Theta.sum(10**4)),
            exact.Surrogate(true, gamma, Theta.sum(10**4)),
        )
        assert s.displacement[0] == pytest.approx(float(floats(t.displacement)[0]), rel=1e-12)
    assert Surrogate(near, 0.01, Theta.sum(10**6)).minimizer[0] == pytest.approx(0.75, abs=1e-15)


@given(st.data())
def test_general_fields(data):
    """Any distortions: rest, has_loss and the edge of ill-behaved clients."""
    p = data.draw(pop.general(max_n=3, max_d=5))
    near, true = both(p)
    D = np.stack([data.draw(pop.whole((p.d, p.d), 2)) for _ in range(p.n)])
    f, t = Field(near, D.astype(float)), exact.Field(true, D)
    agree(f, t, 1, rounding.sizes(true, t.distortion))
    assert f.has_loss() == t.has_loss() or np.ptp(near.weights) > 0  # rounded weights may break an exact symmetry
