"""Surrogate: LocalUpdate played step by step rests where it says; its bounds, edges and refusals."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surrogate import Preconditioned, ProblemError, Quadratics, Surrogate, Theta, exact, filters, toys
from tests.helpers.surrogate import populations as pop
from tests.helpers.surrogate.rounding import EPS

POPULATIONS = st.one_of(pop.general(), pop.spectral(max_d=8, least=2))


def tame(p):
    """Rates with gamma L < 1."""
    near = 1 / float(p.bound)
    return st.sampled_from([0.0, 2.0**-60, 1e-3 * near, near / 2, near * (1 - 2.0**-20)])


def played(clients, x, gamma, theta, i):
    """Algorithm 2 on client i."""
    y, sent = x.copy(), np.zeros_like(x)
    for weight in theta.weights:
        g = clients.client_gradient(i, y)
        sent, y = sent + float(weight) * g, y - gamma * g
    return sent


@given(st.data())
def test_the_played_rounds_are_the_field(data):
    """sum w (sum theta_k g_k) along gradient descent is F(x), client by client, for K = 1, 2, 7, 100."""
    p = data.draw(POPULATIONS)
    clients, gamma, theta = p.floats(), data.draw(tame(p)), data.draw(pop.thetas())
    s, x = Surrogate(clients, gamma, theta), np.linspace(-2, 1, p.d)
    sent = np.array([played(clients, x, gamma, theta, i) for i in range(p.n)])
    scale = float(theta.total) * clients.L * (3 + np.abs(clients.c).max()) * p.d * theta.steps
    assert np.abs(s.client_gradient(0, x) - sent[0]).max() <= 64 * EPS * scale
    slack = 64 * EPS * scale * np.linalg.cond(clients.hessian)
    assert np.abs(s.gradient(x) - clients.weights @ sent).max() <= slack
    if theta.kind == "sum":  # q >= 1; a high power of 1 - gamma l may leave floats altogether
        assert np.abs(s.gradient(s.minimizer)).max() <= slack * (1 + s.condition_number)


@given(st.data())
def test_distortions_are_positive_where_gamma_L_is_below_one(data):
    """0 < q(gamma l) <= total for every eigenvalue (OLR section 5): no client ill-behaved, f~ strongly convex."""
    p = data.draw(POPULATIONS)
    clients, gamma, theta = p.floats(), data.draw(tame(p)), data.draw(pop.thetas(most=7))
    s = Surrogate(clients, gamma, theta)
    spectra = np.linalg.eigvalsh(s.distortion)
    least = float(theta.filter(np.array([gamma * clients.L]))[0])
    slack = 64 * EPS * float(theta.total) * p.d
    assert spectra.max() <= float(theta.total) + slack and spectra.min() >= least - slack
    if least > 1e3 * slack:
        assert s.ill_behaved == () and s.strong_convexity > 0
        assert s.condition_number == pytest.approx(s.smoothness / s.strong_convexity)
        assert (s.minimizer == s.resting_point).all()
    assert s.smoothness <= float(theta.total) * clients.L + slack * clients.L
    assert (s.hessian == s.jacobian).all() and s.has_loss()
    assert np.abs(s.distortion - s.distortion.transpose(0, 2, 1)).max() <= slack


@given(st.data())
def test_no_displacement_where_theory_says_none(data):
    """K = 1, gamma = 0, one client, equal Hessians, equal minimizers: x~ = x*."""
    p = data.draw(pop.general(max_d=6))
    clients, gamma = p.floats(), float(p.bound) ** -1 / 2
    condition = np.linalg.cond(clients.hessian)
    assert (Surrogate(clients, 3 * gamma, Theta.sum(1)).displacement == 0).all()
    assert (Surrogate(clients, 3 * gamma, Theta([5])).displacement == 0).all()
    assert (Surrogate(clients, 0.0, Theta.sum(100)).displacement == 0).all()
    alone = Quadratics(clients.A[:1], clients.c[:1])
    assert (Surrogate(alone, gamma, Theta.sum(7)).displacement == 0).all()
    same = Quadratics(clients.A[:1].repeat(p.n, 0), clients.c, clients.weights)
    assert (Surrogate(same, gamma, Theta.sum(7)).displacement == 0).all()
    meet = Quadratics(clients.A, clients.c[:1].repeat(p.n, 0), clients.weights)
    assert np.abs(Surrogate(meet, gamma, Theta.sum(7)).displacement).max() <= 64 * EPS * EPS * condition**2


@given(st.data())
def test_many_steps_lead_to_the_mean_minimizer(data):
    """OLR Lemma 15: definite clients, K -> infinity, gamma L < 1: x~ -> sum w c_i, exponentially."""
    p = data.draw(pop.spectral(max_d=6))
    clients = p.floats()
    gamma = 0.9 / clients.L
    K = int(np.ceil(40 / (gamma * clients.mu)))
    s = Surrogate(clients, gamma, Theta.sum(K))
    assert np.abs(s.minimizer - clients.mean_minimizer).max() <= 1e-11 * (1 + np.abs(clients.c).max()) * p.d
    far = Surrogate(clients, gamma, Theta.sum(10**6))
    assert np.abs(far.minimizer - clients.mean_minimizer).max() <= 1e-11 * (1 + np.abs(clients.c).max()) * p.d
    assert far.condition_number == pytest.approx(1, abs=1e-11)


@given(st.data())
def test_small_rates_move_the_minimizer_linearly(data):
    """x~ - x* = gamma / 2 (K - 1) H^-1 sum w A_i g_i + O(gamma^2), from q(z) = K - z K (K - 1) / 2."""
    p = data.draw(pop.general(max_d=6))
    clients, K = p.floats(), data.draw(st.sampled_from([2, 7, 100]))
    gamma = 2.0**-60
    slope = np.linalg.solve(clients.hessian, np.einsum("i,ijk,ik->j", clients.weights, clients.A, clients.residuals))
    moved = Surrogate(clients, gamma, Theta.sum(K)).displacement
    size = clients.L**2 * (1 + np.abs(clients.c).max()) / np.linalg.eigvalsh(clients.hessian)[0]
    assert np.abs(moved / gamma - (K - 1) / 2 * slope).max() <= 1e-12 * K * p.d * size * np.linalg.cond(clients.hessian)


@given(st.data())
def test_useless_restatements(data):
    """Rotate, permute, split in two, shift the origin: the displacement rotates, and else stays."""
    p = data.draw(pop.general(max_n=4, max_d=5))
    clients, gamma, theta = p.floats(), data.draw(tame(p)), data.draw(pop.thetas(most=7))
    s = Surrogate(clients, gamma, theta)
    R, v = data.draw(pop.rotations(p.d)), data.draw(pop.whole((p.d,)))
    least = float(theta.filter(np.array([gamma * clients.L]))[0]) / float(theta.total)
    if theta.kind != "sum" and least < 1e-3:  # filters with no floor may nearly lose a direction
        gamma = gamma / 2
        s = Surrogate(clients, gamma, theta)
    slack = 1e-12 * (1 + np.abs(clients.c).max()) * (np.linalg.cond(clients.hessian) * s.condition_number)
    for again, change in (
        (p.rotated(R), lambda x: R.astype(float) @ x),
        (p.permuted(data.draw(st.permutations(range(p.n)))), lambda x: x),
        (p.split(data.draw(st.integers(0, p.n - 1))), lambda x: x),
        (p.shifted(v), lambda x: x),
    ):
        t = Surrogate(again.floats(), gamma, theta)
        assert np.abs(t.displacement - change(s.displacement)).max() <= slack
        assert t.smoothness == pytest.approx(s.smoothness, rel=1e-11)
    doubled = Theta([2 * w for w in theta.weights])
    assert np.abs(Surrogate(clients, gamma, doubled).displacement - s.displacement).max() <= slack


@given(st.data())
def test_values_are_those_of_a_quadratic_around_rest(data):
    """f~(x) - f~(x~) = 1/2 (x - x~)^T H~ (x - x~), and f~ is the weighted mean of the f~_i."""
    p = data.draw(POPULATIONS)
    clients, gamma, theta = p.floats(), data.draw(tame(p)), Theta.sum(data.draw(pop.steps()))
    s, x = Surrogate(clients, gamma, theta), np.ones(p.d)
    step = x - s.minimizer
    scale = s.smoothness * (2 + np.abs(clients.c).max() + np.abs(s.minimizer).max()) ** 2 * p.d
    rise = s.value(x) - s.value(s.minimizer)
    assert abs(rise - step @ s.hessian @ step / 2) <= 1e-12 * scale * np.linalg.cond(clients.hessian)
    each = [s.client_value(i, x) for i in range(p.n)]
    assert s.value(x) == pytest.approx(clients.weights @ each, rel=1e-12)
    assert each[0] == pytest.approx((x - clients.c[0]) @ s.client_jacobians[0] @ (x - clients.c[0]) / 2, rel=1e-9)


@given(st.data())
def test_rates_and_thetas_of_each_client(data):
    """A list of equal rates and thetas is the one; different ones are the played rounds' field."""
    p = data.draw(pop.general(max_d=5))
    clients = p.floats()
    gammas, thetas = [data.draw(tame(p)) for _ in range(p.n)], [data.draw(pop.thetas(most=7)) for _ in range(p.n)]
    s, x = Surrogate(clients, gammas, thetas), np.ones(p.d)
    sent = np.array([played(clients, x, gammas[i], thetas[i], i) for i in range(p.n)])
    scale = max(float(t.total) for t in thetas) * clients.L * (3 + np.abs(clients.c).max()) * p.d
    assert np.abs(s.gradient(x) - clients.weights @ sent).max() <= 1e-12 * scale * np.linalg.cond(clients.hessian)
    one = Surrogate(clients, gammas[0], thetas[0])
    listed = Surrogate(clients, gammas[:1] * p.n, thetas[:1] * p.n)
    assert (one.distortion == listed.distortion).all()
    try:
        displacement = one.displacement
    except ProblemError:  # clients that overshoot may cancel in the average
        with pytest.raises(ProblemError, match="singular"):
            _ = listed.displacement
    else:
        assert (displacement == listed.displacement).all()


def test_two_clients_of_olr_beyond_the_rates_that_behave():
    """Theta_{1:2}: (4 - 3 g) / (6 - 5 g) up to 6/5 and beyond; client 1 ill-behaved from g = 1; a saddle from 6/5."""
    clients, _ = pop.toy()
    for g in (0.1, 0.5, 0.99, 1.0, 1.1, 1.19, 1.21, 1.5, 3.0):
        s = Surrogate(clients, g, Theta.sum(2))
        assert s.minimizer[0] == pytest.approx((4 - 3 * g) / (6 - 5 * g), rel=1e-12)
        assert s.displacement[0] == pytest.approx(g / (3 * (6 - 5 * g)), rel=1e-12)
        assert s.ill_behaved == (() if g < 1 else (1,) if g < 2 else (0, 1))
        assert (s.strong_convexity > 0) == (g < 1.2) and np.isinf(s.condition_number) == (g > 1.2)
    with pytest.raises(ProblemError, match=r"(?s)averaged Hessian .*gamma=1\.2.* singular .*ill-behaved clients: 1\)"):
        _ = Surrogate(clients, 1.2, Theta.sum(2)).minimizer


def test_a_million_steps_are_right():
    """d = 1: Q_i A_i = (1 - (1 - gamma a)^K) / gamma, in closed form."""
    clients, _ = pop.toy()
    K = 10**6
    for gamma in (1e-9, 1e-6, 1e-3, 0.4):
        s = Surrogate(clients, gamma, Theta.sum(K))
        h = np.array([-np.expm1(K * np.log1p(-gamma * a)) / gamma for a in (1.0, 2.0)])
        assert s.minimizer[0] == pytest.approx((h[0] * 1 + h[1] * 0.5) / h.sum(), rel=1e-14)
        assert s.hessian[0, 0] == pytest.approx(h.mean(), rel=1e-13)


def test_many_steps_cost_calls_a_theta_not_a_client(monkeypatch):
    """A secant takes as many calls as K has digits: clients that share theta share them."""
    calls = []
    monkeypatch.setattr(filters, "power", lambda z, n, power=filters.power: calls.append(n) or power(z, n))

    def count(n):
        clients = toys.random_population(seed=1, n=n, d=3)
        calls.clear()
        _ = Surrogate(clients, 1e-7, Theta.sum(10**6)).displacement
        _ = Preconditioned(clients, 1e-7, 10**6, np.eye(3)).displacement
        return len(calls)

    assert count(40) == count(2)


def test_bad_input_is_refused_in_words():
    clients, _ = pop.toy()
    cases = [
        (lambda: Surrogate(clients, -0.1, Theta.sum(1)), r"gamma is -0\.1, expected a finite number >= 0"),
        (lambda: Surrogate(clients, [0.1, -0.1], Theta.sum(1)), r"gamma\[1\] is -0\.1"),
        (lambda: Surrogate(clients, np.nan, Theta.sum(1)), "gamma is nan"),
        (lambda: Surrogate(clients, [0.1] * 3, Theta.sum(1)), r"gamma is of shape \(3,\).*one number, or 2"),
        (lambda: Surrogate(clients, "gamma", Theta.sum(1)), r"gamma is 'gamma'.*surrogate\.exact"),
        (lambda: Surrogate(clients, None, Theta.sum(1)), "gamma is None"),
        (lambda: Surrogate(clients, 0.1, 3), r"theta is 3, expected a Theta, or 2 of them"),
        (lambda: Surrogate(clients, 0.1, [Theta.sum(1)]), "theta is "),
        (lambda: Surrogate(clients, 3.0, Theta.sum(10**4)).minimizer, "client 0 is infinite.*gamma below 2 for this"),
        (
            lambda: Surrogate(clients, 1.5, Theta.sum(10**4)).minimizer,
            r"client 1 is infinite.*= 3 > 2.*below 1 for this",
        ),
        (lambda: Surrogate(clients, 0.1, Theta.sum(2)).value([1.0, 2.0]), "x is of length 2"),
        (lambda: Surrogate(clients, 0.1, Theta([1e308, 1e308])).minimizer, "client 0 is infinite.*weights theta"),
        (lambda: Surrogate(clients, 0.1, Theta.sum(2)).client_value(2, [1.0]), "the client is 2"),
        (lambda: Surrogate(clients, 0.1, Theta.sum(2)).value([1e200]), "the value at x is beyond float64"),
        (lambda: Surrogate(toys.two_clients(exact=True), 0.1, Theta.sum(2)), r"clients is .*surrogate\.Quadratics"),
        (lambda: exact.Surrogate(clients, "1/2", Theta.sum(2)), r"clients is .*expected surrogate\.exact\.Quadratics"),
        (lambda: exact.Surrogate(clients, "gamma", Theta.sum(2)), r"clients is .*surrogate\.exact\.Quadratics"),
        (lambda: exact.Preconditioned(clients, "1/2", 2, [[1]]), r"clients is .*surrogate\.exact\.Quadratics"),
        (lambda: exact.Field(clients, [[[1]], [[1]]]), r"clients is .*surrogate\.exact\.Quadratics"),
    ]
    for make, message in cases:
        with pytest.raises(ProblemError, match=f"(?s){message}") as caught:
            make()
        assert "What to do:" in str(caught.value)
    assert (
        repr(Surrogate(clients, float(F(1, 4)), Theta.sum(2))) == "Surrogate(gamma=0.25, theta=Theta.sum(2))(n=2, d=1)"
    )


@pytest.mark.parametrize("gamma", [1e-12, 1e-6, 0.3, 0.999, 1.4])
@pytest.mark.parametrize("theta", [Theta.sum(10), Theta.sum(10**6), Theta.last(7), Theta.maml(10**6), Theta([1, 0, 2])])
def test_the_cheap_route_to_the_bias_is_taken_only_where_it_is_as_good(monkeypatch, theta, gamma):
    """Forced through differences of the Q_i, the same bias to 1e-12; and two near-equal clients do go that way."""
    clients = toys.random_population(3, n=6, d=5, mu=0.01, L=1.0)
    quick = Surrogate(clients, gamma, theta)
    cheap = quick._plain_bias
    monkeypatch.setattr("surrogate.local_update._KEPT", np.nan)
    slow = Surrogate(clients, gamma, theta)
    assert slow._plain_bias is None
    if cheap is not None and np.isfinite(slow._bias).all():
        assert np.abs(cheap - slow._bias).max() <= 1e-12 * np.abs(cheap).max()
    monkeypatch.undo()
    assert cheap is not None or theta.kind != "sum"
    near = Quadratics([clients.A[0], clients.A[0] * (1 + 2.0**-40)], clients.c[:2])
    assert Surrogate(near, min(gamma, 0.9), Theta.sum(10))._plain_bias is None


def test_distortions_near_the_end_of_float64_warn_of_nothing():
    """K local steps at gamma l = 4 grow like 3^K: their squares overflow, they do not; a client dominates."""
    s = Surrogate(toys.plane(), 4.0, Theta.sum(620))
    assert np.abs(s.distortion).max() > 1e290
    assert np.isfinite(s.displacement).all()
