"""The stationary law against long runs, exact solutions, closed formulas, and operators formed in full."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surrogate import ProblemError, Quadratics, Surrogate, Theta, exact, moments
from tests.surrogate.test_moments import SCHEMES, close, examples, population


def second_moment_of_outputs(A_z, owner, gamma, steps, batch, heard):
    """E of Q (x) Q, (d^2, d^2), for Theta.sum by Kronecker powers: Q = (I - M_K ... M_1)/gamma, one sampled client."""
    d, total, eye = A_z.shape[1], 0, np.eye(A_z.shape[1])
    for i, weight in enumerate(heard):
        A = A_z[owner == i]
        step = [eye - gamma * a for a in A]
        mean = sum(step) / len(A)
        pair = sum(np.kron(s, s) for s in step) / len(A) / batch + (1 - 1 / batch) * np.kron(mean, mean)
        end, end_pair = np.linalg.matrix_power(mean, steps), np.linalg.matrix_power(pair, steps)
        total = total + weight * (np.eye(d * d) - np.kron(end, eye) - np.kron(eye, end) + end_pair)
    return total / gamma**2


@pytest.mark.parametrize("d", [1, 2, 3, 5])
@pytest.mark.parametrize("batch", [1, 3])
def test_radius_and_largest_eta_of_the_operator_in_full(d, batch):
    """Against the d^2 x d^2 matrix of a round: its spectral radius, and that it passes 1 exactly at largest_eta."""
    A_z, c_z, owner = examples(d=d, seed=d)
    clients, gamma, theta = Quadratics.from_examples(A_z, c_z, owner), 1.2, Theta.sum(3)
    G = second_moment_of_outputs(A_z, owner, gamma, 3, batch, [1 / 3] * 3)
    J, eye = Surrogate(clients, gamma, theta).jacobian, np.eye(d)

    def radius(eta):
        full = np.eye(d * d) - eta * (np.kron(J, eye) + np.kron(eye, J)) + eta**2 * G
        return np.abs(np.linalg.eigvals(full)).max()

    law = moments.stationary(clients, gamma, 0.3, theta, batch, 1)
    assert law.radius == pytest.approx(radius(0.3), rel=1e-11)
    assert radius(law.largest_eta) == pytest.approx(1, rel=1e-11)
    below = moments.stationary(clients, gamma, 0.99 * law.largest_eta, theta, batch, 1)
    assert below.radius == pytest.approx(radius(0.99 * law.largest_eta), rel=1e-11) and below.radius < 1
    with pytest.raises(ProblemError, match=f"below {law.largest_eta:.6g}"[:-1]):
        moments.stationary(clients, gamma, 1.01 * law.largest_eta, theta, batch, 1)


@given(
    seed=st.integers(0, 10**6),
    d=st.integers(1, 6),
    scheme=st.sampled_from(SCHEMES),
    batch=st.sampled_from([None, 1, 3]),
)
def test_it_is_where_the_trajectory_ends(seed, d, scheme, batch):
    """A round started from the stationary law ends in it, and the mean is the surrogate's minimizer."""
    clients, theta = population(d=d, seed=seed), Theta([1, 0.5, 2])
    law = moments.stationary(clients, 0.8, 0.2, theta, batch, *scheme)
    assert close(law.mean, Surrogate(clients, 0.8, theta).minimizer, 1e-10)
    q = moments.update(clients, law.mean, 0.8, theta, batch, *scheme, covariance=law.covariance)
    J, S = Surrogate(clients, 0.8, theta).jacobian, law.covariance
    assert np.abs(0.2 * q.covariance - (J @ S + S @ J)).max() <= 1e-13 * max(1, np.abs(S).max())
    assert np.linalg.eigvalsh(S).min() >= -1e-14 * np.abs(S).max() and law.radius < 1


@pytest.mark.parametrize("clients_per_round, sampling", SCHEMES)
@pytest.mark.parametrize("batch", [None, 2])
def test_long_runs_arrive(clients_per_round, sampling, batch):
    clients, theta = population(d=3), Theta.sum(2)
    law = moments.stationary(clients, 0.5, 0.4, theta, batch, clients_per_round, sampling)
    T = int(70 / -np.log(law.radius)) + 1  # the mean contracts by the root of the radius, at worst
    m = moments.trajectory(clients, np.ones(3), T, 0.5, 0.4, theta, batch, clients_per_round, sampling)
    assert close(m.mean[-1], law.mean) and close(m.covariance[-1], law.covariance)
    assert m.squared_distance(clients.minimizer)[-1] == pytest.approx(
        law.squared_distance(clients.minimizer), rel=1e-11
    )


def rational_clients(d=2):
    A_z = [[[1, "1/2"], ["1/2", 1]], [[2, 0], [0, "1/2"]], [["1/2", 0], [0, 1]], [[1, -1], [-1, 3]]]
    c_z = [[1, 0], [0, 1], [-1, 2], ["1/2", 1]]
    return exact.Quadratics.from_examples([[r[:d] for r in A[:d]] for A in A_z], [c[:d] for c in c_z], [0, 0, 1, 1])


@pytest.mark.parametrize("scheme", [(1, 2), (None, 1), (2, None)])
def test_rational_clients_settle_exactly(scheme):
    """In rationals E q = 0 and eta Cov q = J S + S J hold to the last digit, and float64 agrees to 1e-14."""
    clients, theta, gamma, eta = rational_clients(), Theta([1, 2]), "1/4", "1/2"
    law = moments.stationary(clients, gamma, eta, theta, *scheme)
    q = moments.update(clients, law.mean, gamma, theta, *scheme, covariance=law.covariance)
    J, S = exact.Surrogate(clients, gamma, theta).jacobian, law.covariance
    assert not q.mean.any() and (q.covariance / 2 == J @ S + S @ J).all() and S.any()
    rounded = moments.stationary(clients.to_float(), 0.25, 0.5, theta, *scheme)
    assert close(rounded.mean, law.mean.astype(float), 1e-14)
    assert close(rounded.covariance, S.astype(float), 1e-14)
    assert rounded.largest_eta == pytest.approx(law.largest_eta, rel=1e-13)
    assert rounded.radius == pytest.approx(law.radius, rel=1e-13)
    assert float(law.squared_distance([1, "1/3"])) == pytest.approx(rounded.squared_distance([1, 1 / 3]), rel=1e-13)


def test_rational_clients_without_a_server_rate():
    with pytest.raises(ProblemError, match="eta is 0"):
        moments.stationary(rational_clients(), "1/4", 0, Theta.sum(1), 1)


def test_rational_clients_decide_stability_exactly():
    """d = 1, K = 1, all clients: stable for eta < 2 E a / E a^2 to any number of digits, and not at that eta."""
    clients = rational_clients(d=1)  # a = 1, 2 and 1/2, 1: clients at 3/2 and 3/4, each with weight 1/2
    second = F(1, 4) * (F(5, 2) + F(5, 8)) + F(1, 2) * F(3, 2) * F(3, 4)
    largest = 2 * F(9, 8) / second
    assert moments.stationary(clients, 1, largest - F(1, 10**30), Theta.sum(1), 1).covariance[0, 0] > 0
    for eta in (largest, largest + F(1, 10**30), 100):
        with pytest.raises(ProblemError, match="contracts"):
            moments.stationary(clients, 1, eta, Theta.sum(1), 1)
    assert moments.stationary(clients, 1, 1, Theta.sum(1), 1).largest_eta == pytest.approx(float(largest), rel=1e-14)


@pytest.mark.parametrize("eta", [0.9, 1e-3, 1e-12])
@pytest.mark.parametrize("gamma", [0.5, 1e-9])
def test_scalar_formula(eta, gamma):
    """d = 1, K = 2, A_z = 1 + delta_z: Var = eta E(q - Eq)^2 / (2 J - eta E Q^2), to 1e-13 however small the rates."""
    a, c = np.array([0.75, 1.25]), np.array([1.0, -1.0])
    clients = Quadratics.from_examples(a[:, None, None], c[:, None], [0, 0])
    law = moments.stationary(clients, gamma, eta, Theta.sum(2), 1)
    # outcome (y, z): q = g_y + g_z, g_y = a_y (x - c_y), g_z = a_z (x - gamma g_y - c_z) = Q x - k
    examples = list(zip(a, c, strict=True))
    Q = np.array([[ay + az - gamma * az * ay for az in a] for ay in a])
    k = np.array([[ay * cy + az * (cz - gamma * ay * cy) for az, cz in examples] for ay, cy in examples])
    rest = k.mean() / Q.mean()
    want = eta * np.mean((Q * rest - k) ** 2) / (2 * Q.mean() - eta * np.mean(Q**2))
    assert law.mean[0] == pytest.approx(rest, rel=1e-13)
    assert law.covariance[0, 0] == pytest.approx(want, rel=1e-13)
    assert law.largest_eta == pytest.approx(2 * Q.mean() / np.mean(Q**2), rel=1e-13)


def test_interpolating_clients_settle_exactly():
    """Equal c: no noise at rest, so no covariance, yet random A_z bound eta more tightly than the mean does."""
    A_z, _, owner = examples(d=3)
    clients = Quadratics.from_examples(A_z, np.full((12, 3), 7.0), owner)
    law = moments.stationary(clients, 0.5, 0.2, Theta.sum(3), 1, 1)
    assert close(law.mean, np.full(3, 7.0), 1e-14) and np.abs(law.covariance).max() <= 1e-28
    calm = moments.stationary(clients, 0.5, 0.2, Theta.sum(3))
    top = np.linalg.eigvalsh(Surrogate(clients, 0.5, Theta.sum(3)).jacobian)[-1]
    assert calm.largest_eta == pytest.approx(2 / top, rel=1e-12) and not calm.covariance.any()
    assert law.largest_eta < calm.largest_eta
    assert calm.radius == pytest.approx(Surrogate(clients, 0.5, Theta.sum(3)).contraction(0.2).radius ** 2, rel=1e-12)


@pytest.mark.parametrize("rotated", [False, True])
def test_ill_conditioned_clients(rotated):
    """Eigenvalues from 1e-8 to 1: every entry to 1e-10 where the input holds it, else to 1e-9 of the largest.

    (Rotated, the entries of Cov q between slow directions are below the rounding of its largest entry.)
    """
    spectrum = np.logspace(-8, 0, 6)
    R = np.linalg.qr(np.random.default_rng(3).normal(size=(6, 6)))[0] if rotated else np.eye(6)
    clients = Quadratics(np.stack([(R * spectrum) @ R.T] * 2), np.array([np.ones(6), -np.ones(6)]))
    law = moments.stationary(clients, 0.5, 0.3, Theta.sum(2), None, 1)
    J, c = spectrum * (2 - 0.5 * spectrum), R.T @ np.ones(6)
    want = 0.3 * np.outer(J * c, J * c) / (J[:, None] + J - 0.3 * np.outer(J, J))
    tolerance = dict(rtol=0, atol=1e-9 * np.abs(want).max()) if rotated else dict(rtol=1e-10, atol=0)
    assert np.allclose(R.T @ law.covariance @ R, want, **tolerance)
    assert 1 - law.radius == pytest.approx(1 - (1 - 0.3 * J[0]) ** 2, rel=1e-6)


def test_many_clients_and_dimensions():
    """50 clients, d = 30, least squares with 10 rows a client: a fixed point to 1e-13 of its size."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(500, 30)) / np.sqrt(30)
    y = X @ rng.normal(size=30) + 0.3 * rng.normal(size=500)
    clients = Quadratics.least_squares(X, y, np.repeat(np.arange(50), 10))
    law = moments.stationary(clients, 0.2, 0.5, Theta.sum(3), 2, 5, "uniform")
    q = moments.update(clients, law.mean, 0.2, Theta.sum(3), 2, 5, "uniform", covariance=law.covariance)
    J, S = Surrogate(clients, 0.2, Theta.sum(3)).jacobian, law.covariance
    assert np.abs(0.5 * q.covariance - (J @ S + S @ J)).max() <= 1e-13 * np.abs(S).max()


@pytest.mark.parametrize(
    "change, words",
    [
        (dict(eta=0.0), "moments.trajectory"),
        (dict(eta=[0.1, 0.2]), "one number"),
        (dict(eta=-0.1), "sign slip"),
        (dict(gamma=50.0, theta=Theta.sum(2)), "lower gamma"),
        (dict(eta=9.0), "diverges"),
    ],
)
def test_bad_input_is_named(change, words):
    settings = dict(clients=population(), gamma=0.5, eta=0.3, theta=Theta.sum(2), batch=1, clients_per_round=1)
    with pytest.raises(ProblemError, match=words):
        moments.stationary(**{**settings, **change})
