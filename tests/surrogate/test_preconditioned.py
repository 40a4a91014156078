"""Preconditioned: played steps, the correction, the limit of small rates, and the two of LA's special cases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surrogate import Preconditioned, ProblemError, Quadratics, Surrogate, Theta, exact, toys
from tests.helpers.surrogate import populations as pop
from tests.helpers.surrogate.rounding import EPS


@st.composite
def preconditioned(draw, max_n=4, max_d=8, corrected=None):
    """Definite P_i of each client, rates with gamma_i P_i A_i below 1 and beyond."""
    p = draw(pop.general(max_n=max_n, max_d=max_d))
    P = np.stack([draw(pop.definite(p.d)) for _ in range(p.n)]).astype(float)
    top = max(np.linalg.norm(M @ A.astype(float), 2) for M, A in zip(P, p.A, strict=True)) + 1
    gammas = [draw(st.sampled_from([2.0**-60, 1e-3, 0.5, 1.0, 1.5])) / top for _ in range(p.n)]
    steps = [draw(st.sampled_from([1, 2, 7])) for _ in range(p.n)]
    kind = draw(st.booleans()) if corrected is None else corrected
    return p, Preconditioned(p.floats(), gammas, steps, P, kind)


def played(f, x, i):
    y = x.copy()
    for _ in range(f.steps[i]):
        y = y - f.gamma[i] * f.P[i] @ f.clients.client_gradient(i, y)
    sent = x - y
    return np.linalg.solve(f.gamma[i] * f.steps[i] * f.P[i], sent) if f.corrected else sent


@given(preconditioned())
def test_the_played_rounds_are_the_field(drawn):
    """x minus the client's result (times N_i^-1 where corrected) is D_i (A_i x - b_i)."""
    p, f = drawn
    x = np.linspace(-1, 1, p.d)
    for i in range(p.n):
        gradient = np.abs(f.clients.client_gradient(i, x)).max()
        size = np.abs(x).max() + f.gamma[i] * np.abs(f.P[i]).max() * p.d * gradient
        skew = np.linalg.cond(f.P[i]) * p.d
        slack = 64 * EPS * f.steps[i] * skew * size
        if f.corrected:  # x - y, divided by N_i
            slack *= np.linalg.norm(np.linalg.inv(f.gamma[i] * f.steps[i] * f.P[i]), 2)
        slack += (
            64 * EPS * skew * np.abs(f.distortion[i]).max() * f.clients.L * (1 + np.abs(f.clients.c[i]).max()) * p.d
        )
        assert np.abs(f.client_gradient(i, x) - played(f, x, i)).max() <= slack


@given(preconditioned(corrected=False))
def test_jacobians_are_what_the_steps_leave_out(drawn):
    """D_i A_i = I - (I - gamma_i P_i A_i)^steps_i, and D_i = D_i^T."""
    p, f = drawn
    for i in range(p.n):
        M = f.gamma[i] * f.P[i] @ f.clients.A[i]
        left = np.eye(p.d) - np.linalg.matrix_power(np.eye(p.d) - M, f.steps[i])
        assert np.abs(f.client_jacobians[i] - left).max() <= 1e-12 * p.d * np.linalg.cond(f.P[i])
        assert np.abs(f.distortion[i] - f.distortion[i].T).max() <= 1e-13 * np.abs(f.distortion[i]).max() * p.d


@given(preconditioned(max_d=5))
def test_small_rates_lead_to_the_limit(drawn):
    """gamma -> 0 in fixed ratios: x~ -> limit, linearly; the limit is that of N_i A_i, or x* where corrected."""
    p, f = drawn
    clients = f.clients
    weights = clients.weights * f.gamma * np.array(f.steps) if not f.corrected else clients.weights
    P = f.P if not f.corrected else np.broadcast_to(np.eye(p.d), f.P.shape)
    J = np.einsum("i,ijk,ikl->jl", weights, P, clients.A)
    condition = np.linalg.cond(J)
    if condition < 1e10:
        truth = np.linalg.solve(J, np.einsum("i,ijk,ik->j", weights, P, clients.b))
        size = condition * (1 + np.abs(clients.c).max()) * np.linalg.cond(clients.hessian)
        assert np.abs(f.limit - truth).max() <= 1e-12 * p.d * size
        tiny = Preconditioned(clients, f.gamma * 2.0**-70, f.steps, f.P, f.corrected)
        assert np.abs(tiny.resting_point - f.limit).max() <= 1e-12 * p.d * size * max(map(np.linalg.cond, f.P))
    if f.corrected:
        assert (f.limit == clients.minimizer).all()


@given(st.data())
def test_the_correction_of_tiny_rates_keeps_its_digits(data):
    """Corrected displacements vanish linearly: at gamma 2^-60 they are 2^-20 times those at 2^-40."""
    p = data.draw(pop.spectral(max_n=3, max_d=4, min_d=1))
    P = np.stack([data.draw(pop.definite(p.d)) for _ in range(p.n)]).astype(float)
    clients, steps = p.floats(), data.draw(st.sampled_from([2, 7]))
    at = [Preconditioned(clients, 2.0**-e, steps, P, corrected=True).displacement for e in (40, 60)]
    scale = max(np.abs(at[0]).max(), 2.0**-40 * EPS * (1 + np.abs(clients.residuals).max()))
    skew = max(map(np.linalg.cond, P)) * np.linalg.cond(clients.hessian)
    assert np.abs(at[1] * 2.0**20 - at[0]).max() <= 1e-9 * scale * skew + 2.0**-40 * 1e-12 * skew


@given(st.data())
def test_identity_preconditioners_are_local_update(data):
    """P = I: D_i = gamma Q_i of Theta.sum(steps), the same resting point, and corrected divides by gamma steps."""
    p = data.draw(pop.general(max_d=6))
    clients, K = p.floats(), data.draw(st.sampled_from([1, 2, 7, 100]))
    gamma = float(p.bound) ** -1 / 2
    s = Surrogate(clients, gamma, Theta.sum(K))
    for corrected, scale in ((False, gamma), (True, 1 / K)):
        f = Preconditioned(clients, gamma, K, np.eye(p.d), corrected)
        assert np.abs(f.distortion - scale * s.distortion).max() <= 64 * EPS * p.d * scale * K
        slack = 1e-12 * np.linalg.cond(clients.hessian) ** 2 * (1 + np.abs(clients.c).max()) * K
        assert np.abs(f.displacement - s.displacement).max() <= slack


@given(st.data())
def test_a_shared_preconditioner_is_a_change_of_coordinates(data):
    """P = R R^T for all: the resting point is R u~, u~ that of LocalUpdate on the clients R^T A_i R, R^-1 c_i."""
    p = data.draw(pop.general(max_d=5))
    P = data.draw(pop.definite(p.d)).astype(float)
    R = np.linalg.cholesky(P)
    clients = p.floats()
    gamma = 0.5 / np.linalg.norm(P @ clients.A, 2, axis=(1, 2)).max() if clients.L else 0.5
    changed = Quadratics(R.T @ clients.A @ R, np.linalg.solve(R, clients.c.T).T, clients.weights)
    u = Surrogate(changed, gamma, Theta.sum(7)).minimizer
    f = Preconditioned(clients, gamma, 7, P)
    slack = 1e-11 * np.linalg.cond(P) * np.linalg.cond(clients.hessian) ** 2 * (1 + np.abs(clients.c).max())
    assert np.abs(f.resting_point - R @ u).max() <= slack
    assert f.has_loss("any")


@given(preconditioned(max_n=3, max_d=4), st.data())
def test_useless_restatements(drawn, data):
    """Permute, split, shift, rotate: the answers F(x) stay, or turn with the clients."""
    p, f = drawn
    R, v = data.draw(pop.rotations(p.d)), data.draw(pop.whole((p.d,))).astype(float)
    order, i = data.draw(st.permutations(range(p.n))), data.draw(st.integers(0, p.n - 1))
    again, Rf = [*range(p.n), i], R.astype(float)
    steps, x = np.array(f.steps), np.ones(p.d)
    turned = Rf @ f.P @ Rf.T
    restated = [
        (p.permuted(order), order, f.P, x, lambda g: g),
        (p.split(i), again, f.P, x, lambda g: g),
        (p.shifted(data.draw(st.just(v)).astype(int)), range(p.n), f.P, x + v, lambda g: g),
        (p.rotated(R), range(p.n), (turned + turned.transpose(0, 2, 1)) / 2, Rf @ x, lambda g: Rf @ g),
    ]
    for q, which, P, at, change in restated:
        which = list(which)
        t = Preconditioned(q.floats(), f.gamma[which], steps[which], P[which], f.corrected)
        size = np.abs(f.distortion).max() * f.clients.L * (3 + np.abs(f.clients.c).max()) * p.d**2
        slack = 1e-12 * size * max(map(np.linalg.cond, f.P)) * np.linalg.cond(f.clients.hessian)
        assert np.abs(t.gradient(at) - change(f.gradient(x))).max() <= slack


def test_a_client_without_curvature_leaves_no_trace():
    """A_1 = 0 with most of the weight and of the rate: x~ = c_0, however small the rate of client 0 is."""
    clients = Quadratics([np.diag([1.0, 1.25]), np.zeros((2, 2))], [[0.0, 0.0], [0.0, 0.375]], [1 / 3, 2 / 3])
    f = Preconditioned(clients, [2.0**-60, 1.0], 1, np.eye(2))
    assert np.abs(f.limit).max() <= EPS and np.abs(f.displacement).max() <= EPS


def test_a_million_steps_and_equal_clients():
    """steps = 10^6 send each client to its minimizer: the mean of the c_i; equal clients are not displaced at all."""
    clients, _ = pop.toy()
    f = Preconditioned(clients, 0.4, 10**6, [[1.0]])
    assert f.resting_point[0] == pytest.approx(0.75, rel=1e-14)
    P = [np.diag([1.0, 2.0]), np.array([[2.0, 1.0], [1.0, 2.0]])]
    same = Quadratics([np.diag([1.0, 0.5])] * 2, [[1.0, 3.0]] * 2)
    assert (Preconditioned(same, 0.1, 5, P).displacement == 0).all()
    alone = Preconditioned(Quadratics([np.diag([1.0, 0.5])], [[1.0, 3.0]]), 0.1, 5, P[1])
    assert (alone.displacement == 0).all() and alone.limit.tolist() == [1.0, 3.0]


@pytest.mark.parametrize("h", [1e-3, 1e-8, 1e-15, 1e-40])
def test_rates_in_inverse_proportion_to_the_steps_keep_their_digits(h):
    """gamma_i steps_i = h for all: D_i - D_r is of second order in h, while its terms are of first order."""
    floats = toys.plane()
    rates, steps, P = [h, h / 2, h / 4], [1, 2, 4], [[1.0, 0.25], [0.25, 0.5]]
    truth = exact.Preconditioned(exact.Quadratics(floats.A, floats.c), rates, steps, P).displacement
    found = Preconditioned(floats, rates, steps, P).displacement
    assert found == pytest.approx([float(v) for v in truth], rel=1e-12, abs=0)


def test_bad_input_is_refused_in_words():
    clients, _ = pop.toy()
    cases = [
        (lambda: Preconditioned(clients, 0.0, 1, [[1.0]]), r"gamma is 0\.0, expected a finite number > 0.*limit"),
        (lambda: Preconditioned(clients, [0.1, -0.2], 1, [[1.0]]), r"gamma\[1\] is -0\.2"),
        (lambda: Preconditioned(clients, 0.1, 0, [[1.0]]), "steps is 0, expected a whole number >= 1"),
        (lambda: Preconditioned(clients, 0.1, [1, 2.5], [[1.0]]), r"steps\[1\] is 2\.5"),
        (lambda: Preconditioned(clients, 0.1, np.nan, [[1.0]]), "steps is nan"),
        (lambda: Preconditioned(clients, 0.1, None, [[1.0]]), "steps is None"),
        (lambda: Preconditioned(clients, 0.1, "2", [[1.0]]), "steps is '2'"),
        (lambda: Preconditioned(clients, 0.1, True, [[1.0]]), "steps is True"),
        (
            lambda: Preconditioned(clients, 0.1, [1, 2, 3], [[1.0]]),
            "steps is 3 numbers.*steps of the wrong length.*2 in",
        ),
        (
            lambda: Preconditioned(clients, 0.1, 1, np.eye(2)),
            r"P is of shape \(2, 2\), expected \(1, 1\) or \(2, 1, 1\)",
        ),
        (lambda: Preconditioned(clients, 0.1, 1, [[[1.0]]] * 3), r"P is of shape \(3, 1, 1\)"),
        (lambda: Preconditioned(clients, 0.1, 1, [[[1.0]], [[-1.0]]]), r"P\[1\] is not positive definite.* -1"),
        (lambda: Preconditioned(clients, 0.1, 1, [[[1.0]], [[np.inf]]]), r"P\[1, 0, 0\] is inf"),
        (lambda: Preconditioned(clients, 0.1, 1, "P"), "P is "),
        (
            lambda: Preconditioned(clients, 5.0, 10**5, [[1.0]]).resting_point,
            "distortion of client 0 is infinite.*lower",
        ),
    ]
    for make, message in cases:
        with pytest.raises(ProblemError, match=f"(?s){message}") as caught:
            make()
        assert "What to do:" in str(caught.value)
    skew = Quadratics([np.eye(2)], [[0, 0]])
    with pytest.raises(ProblemError, match=r"P\[0\] is not symmetric: entry \[0,1\] = 1 but \[1,0\] = 0"):
        Preconditioned(skew, 0.1, 1, [[1.0, 1.0], [0.0, 1.0]])


@pytest.mark.parametrize("corrected", [False, True])
@pytest.mark.parametrize("gamma", [1e-8, 1e-150, 1e-155, 1e-200, 1e-300])
def test_displacements_of_tiny_rates_against_rationals(gamma, corrected):
    """D_i - D_r has the size of gamma^2, which no float holds below 1e-154; gamma_i steps_i agree up to rounding."""
    A = [[[1.0, 0.25], [0.25, 0.5]], [[0.5, 0.0], [0.0, 1.0]], [[0.25, -0.125], [-0.125, 1.0]]]
    P = [[[0.5, 0.0], [0.0, 1.0]], [[1.0, 0.5], [0.5, 1.0]], [[1.0, 0.0], [0.0, 0.25]]]
    clients = Quadratics(A, [[1.0, 0.0], [-2.0, 0.5], [0.5, 3.0]], [0.5, 0.25, 0.25])
    known = exact.Quadratics.from_float(clients)
    for rates, steps, own in (
        ([gamma] * 3, [5] * 3, P),
        ([gamma] * 3, [5] * 3, [P[1]] * 3),
        ([3 * gamma, gamma, 1.5 * gamma], [1, 3, 2], [P[1]] * 3),
        ([3 * gamma, gamma, 1.5 * gamma], [1, 3, 2], P),
    ):
        right = exact.Preconditioned(known, rates, steps, own, corrected).displacement
        right = np.array([float(v) for v in right])
        found = Preconditioned(clients, rates, steps, np.array(own), corrected).displacement
        assert np.abs(found - right).max() <= 1e-13 * np.abs(right).max()


@pytest.mark.parametrize("corrected", [False, True])
@pytest.mark.parametrize("gamma", [1e-3, 1e-8])
def test_steps_far_apart(gamma, corrected):
    """gamma_i K_i alike, K_i from 1 to 10^4: D_i - D_j has the size of gamma^2 K, its terms that of gamma^2 K_i K_j."""
    clients = Quadratics([[[1.0]], [[0.25]], [[0.5]]], [[1.0], [-2.0], [0.5]])
    rates, steps, P = [gamma, gamma / 2**7, gamma / 2**14], [1, 2**7, 2**14], [[1.0]]
    right = exact.Preconditioned(exact.Quadratics.from_float(clients), rates, steps, P, corrected).displacement[0]
    found = Preconditioned(clients, rates, steps, P, corrected).displacement[0]
    assert abs(float(exact.balls(found) / exact.balls(right)) - 1) < 1e-14
