"""Exact fields equal, as fractions, what playing the local steps one by one gives."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surrogate import ProblemError, Theta, exact
from surrogate.exact.linear import FMPQ
from tests.helpers.surrogate import exact_brute as brute
from tests.helpers.surrogate import populations as pop


def as_fractions(a):
    return [F(int(q.p), int(q.q)) for q in np.asarray(a, dtype=object).flat]


def check_rest(field, population, answer):
    """``field`` rests where the mean of the played answers vanishes, and moves like it elsewhere."""
    d = population.d
    mean = brute.mean_answer(population, answer)
    point, J = brute.rest(mean, d)
    assert as_fractions(field.jacobian) == [v for row in J for v in row]
    assert as_fractions(field.gradient([F(1, 3)] * d)) == mean([F(1, 3)] * d)
    assert as_fractions(field.client_gradient(0, [1] * d)) == answer(0, [F(1)] * d)
    if point is None:
        with pytest.raises(ProblemError, match=r"averaged Hessian .* singular .*determinant is exactly 0"):
            _ = field.resting_point
        return
    star = as_fractions(field.clients.minimizer)
    assert as_fractions(field.resting_point) == point
    assert as_fractions(field.displacement) == brute.add(point, star, F(-1))
    assert not any(as_fractions(field.gradient(point)))


@given(st.data())
def test_surrogate_rests_where_the_played_rounds_rest(data):
    """Q_i = sum_k theta_k (I - gamma A_i)^(k-1), from K gradient steps in Fractions."""
    p = data.draw(pop.general(max_n=3, max_d=4))
    gamma, theta = data.draw(pop.rates(p)), data.draw(pop.thetas(most=7))
    s = exact.Surrogate(p.exact(), gamma, theta)
    check_rest(s, p, lambda i, x: brute.local_update(p.A[i], p.c[i], x, gamma, theta.weights))


@given(st.data())
def test_surrogate_with_rates_and_thetas_of_each_client(data):
    """The same with another gamma_i and Theta_i for each client."""
    p = data.draw(pop.general(max_n=3, max_d=3))
    gammas, thetas = [data.draw(pop.rates(p)) for _ in range(p.n)], [data.draw(pop.thetas(most=7)) for _ in range(p.n)]
    s = exact.Surrogate(p.exact(), gammas, thetas)
    check_rest(s, p, lambda i, x: brute.local_update(p.A[i], p.c[i], x, gammas[i], thetas[i].weights))


@given(st.data(), st.booleans())
def test_preconditioned_rests_where_the_played_rounds_rest(data, corrected):
    """D_i from ``steps_i`` preconditioned steps; the correction divides by gamma_i steps_i P_i."""
    p = data.draw(pop.general(max_n=3, max_d=3))
    gammas = [F(data.draw(st.integers(1, 5)), 8) for _ in range(p.n)]
    steps = [data.draw(st.sampled_from([1, 2, 5])) for _ in range(p.n)]
    P = [data.draw(pop.definite(p.d)) for _ in range(p.n)]

    def answer(i, x):
        sent = brute.preconditioned(p.A[i], p.c[i], x, gammas[i], steps[i], P[i])
        return brute.solve(P[i] * gammas[i] * steps[i], sent) if corrected else sent

    check_rest(exact.Preconditioned(p.exact(), gammas, steps, P, corrected), p, answer)


@given(st.data())
def test_limit_is_approached_at_first_order(data):
    """Preconditioned.limit: the resting point at gamma t tends to it linearly in t, and is exact where corrected."""
    p = data.draw(pop.general(max_n=3, max_d=3))
    steps = [data.draw(st.sampled_from([1, 2, 5])) for _ in range(p.n)]
    P = [data.draw(pop.definite(p.d)) for _ in range(p.n)]
    clients = p.exact()
    limit = exact.Preconditioned(clients, 1, steps, P).limit

    def gap(t):
        return np.array(exact.Preconditioned(clients, t, steps, P).resting_point - limit, dtype=object)

    near, nearer = gap(F(1, 10**9)), gap(F(1, 10**10))
    slack = exact.rational("1e-14")  # the second order, 1e-18 times a constant
    assert all(abs(b) <= abs(a) / 9 + slack for a, b in zip(near, nearer, strict=True))
    assert list(exact.Preconditioned(clients, 1, steps, P, corrected=True).limit) == list(clients.minimizer)


@given(st.data())
def test_value_has_the_field_as_gradient(data):
    """f~(x + h) - f~(x - h) = 2 h^T F(x), exactly for a quadratic; f~ is the weighted mean of the clients' parts."""
    p = data.draw(pop.general(max_n=3, max_d=4))
    s = exact.Surrogate(p.exact(), data.draw(pop.rates(p)), data.draw(pop.thetas(most=7)))
    x, h = data.draw(pop.whole((p.d,))), data.draw(pop.whole((p.d,)))
    difference = s.value(x + h) - s.value(x - h)
    assert difference == 2 * sum(exact.rational(a) * b for a, b in zip(h, s.gradient(x), strict=True))
    assert s.value(x) == sum(w * s.client_value(i, x) for i, w in enumerate(s.clients.weights))


def test_ten_thousand_steps_in_one_dimension_are_exact():
    """d = 1, K = 10^4: Q = (1 - (1 - gamma a)^K) / (gamma a), against Python's own integers."""
    clients = exact.Quadratics([[[1]], [["2/3"]]], [[1], [0]])
    s = exact.Surrogate(clients, "1/7", Theta.sum(10**4))
    for i, a in enumerate((F(1), F(2, 3))):
        Q = s.distortion[i, 0, 0]
        assert F(int(Q.p), int(Q.q)) == (1 - (1 - a / 7) ** 10**4) / (a / 7)


def test_decisions_are_exact():
    """has_loss, ill_behaved, condition_number and best_eta where floats cannot tell."""
    clients = exact.Quadratics([[[1, 0], [0, 1]]], [[0, 0]])
    tiny = F(1, 10**40)
    jordan = exact.Field(clients, [[[1, 1], [0, 1]]])
    split = exact.Field(clients, [[[1, 1], [0, 1 + tiny]]])
    turning = exact.Field(clients, [[[1, -tiny], [tiny, 1]]])
    assert [f.has_loss("any") for f in (jordan, split, turning)] == [False, True, False]
    assert [f.has_loss() for f in (jordan, split, turning, exact.Field(clients, [[[1, 1], [1, 3]]]))] == [0, 0, 0, 1]
    edge = exact.Quadratics([[[1]], [[1]]], [[0], [1]])
    at = [exact.Surrogate(edge, [2 - t, 1], Theta.sum(2)) for t in (tiny, F(0), -tiny)]
    assert [s.ill_behaved for s in at] == [(), (0,), (0,)]
    saddle = exact.Surrogate(exact.Quadratics([[[2, 0], [0, 1]]], [[0, 0]]), 1, Theta.sum(2))
    assert saddle.condition_number > 10**300 and saddle.strong_convexity == 0


def test_best_eta_of_known_spectra():
    """2 / (m + M) for a real spectrum; Re l / |l|^2 for a single conjugate pair; refused where a real part is <= 0."""
    clients = exact.Quadratics([[[1, 0], [0, 1]]], [[0, 0]])
    real = exact.Field(clients, [[[1, 5], [0, 3]]])
    pair = exact.Field(clients, [[[1, -2], [2, 1]]])
    assert real.best_eta.contains(exact.rational("1/2")) and pair.best_eta.overlaps(exact.balls("1/5"))
    assert real.best_eta.rel_accuracy_bits() >= 64 and pair.best_eta.rel_accuracy_bits() >= 64
    for bad in ([[0, -1], [1, 0]], [[1, 0], [0, -1]]):
        with pytest.raises(ProblemError, match="not positive stable"):
            _ = exact.Field(clients, [bad]).best_eta


@given(st.data())
def test_best_eta_beats_other_rates(data):
    """The certified radius at the middle of best_eta is not certainly larger than at any other rate."""
    p = data.draw(pop.general(max_n=2, max_d=3, min_n=2))
    D = [data.draw(pop.definite(p.d)) for _ in range(p.n)]
    field = exact.Field(p.exact(), D)
    try:
        eta = field.best_eta
    except ProblemError:
        reals = np.linalg.eigvals(
            np.array([float(q.p) / float(q.q) for q in field.jacobian.flat]).reshape(p.d, p.d)
        ).real
        assert reals.min() < 1e-9
        return
    middle = F(float(eta.mid()))
    best = field.contraction(middle).radius
    for factor in (F(9, 10), F(99, 100), F(101, 100), F(11, 10)):
        assert exact.less(field.contraction(middle * factor).radius + 1e-15, best) is not True


def test_bad_input_names_what_is_wrong():
    clients = exact.Quadratics([[[1]], [[2]]], [[1], ["1/2"]])
    cases = [
        (lambda: exact.Field(clients, [[[1]]]), r"distortion is of shape \(1, 1, 1\)"),
        (lambda: exact.Surrogate(clients, -1, Theta.sum(1)), r"gamma is -1, expected a number >= 0"),
        (lambda: exact.Surrogate(clients, [1, "-1/3"], Theta.sum(1)), r"gamma\[1\] is -1/3"),
        (lambda: exact.Surrogate(clients, [1, 1, 1], Theta.sum(1)), r"gamma is of shape \(3,\)"),
        (lambda: exact.Surrogate(clients, float("nan"), Theta.sum(1)), r"gamma\[0\] is nan"),
        (lambda: exact.Surrogate(clients, 1, 3), "theta is 3"),
        (lambda: exact.Preconditioned(clients, 0, 1, [[1]]), r"gamma is 0, expected a number > 0"),
        (lambda: exact.Preconditioned(clients, 1, [1, 2, 3], [[1]]), "steps of the wrong length"),
        (lambda: exact.Preconditioned(clients, 1, 0, [[1]]), "steps is 0"),
        (lambda: exact.Preconditioned(clients, 1, 1, [[[1]], [[-1]]]), r"P\[1\] is not positive definite.* -1"),
        (lambda: exact.Preconditioned(clients, 1, 1, [[1, 0], [0, 1]]), r"P is of shape \(2, 2\)"),
        (lambda: exact.Surrogate(clients, "6/5", Theta.sum(2)).minimizer, r"singular .*\n.*\n.*lower gamma"),
        (lambda: exact.Field(clients, [[[1]], [[1]]]).has_loss("all"), "metric is 'all'"),
        (lambda: clients.value([1, 2]), "x is of length 2"),
    ]
    for make, message in cases:
        with pytest.raises(ProblemError, match=f"(?s){message}") as caught:
            make()
        assert "What to do:" in str(caught.value)


def test_no_client_goes_through_an_array(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a field rests and which clients are ill-behaved is found in flint's matrices (`bench exact.fields`)."""
    clients = exact.Quadratics([[[2, 1], [1, 2]], [[1, 0], [0, 3]]], [[1, 0], [0, 1]])
    field, shown = exact.Surrogate(clients, "1/4", Theta.sum(3)), exact.Surrogate(clients, "1/4", Theta.sum(3))
    assert clients.residuals.shape == (2, 2)  # of the clients, once for all fields
    monkeypatch.setattr(type(clients.linear), "products", None)
    assert (field.displacement == -FMPQ.solve(shown.jacobian, shown._bias)).all() and field.ill_behaved == ()
    assert "client_jacobians" not in vars(field) and "distortion" not in vars(field)
