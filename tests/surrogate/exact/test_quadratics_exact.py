"""exact.Quadratics: rationals as given, decisions without rounding, balls around what is irrational."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction as F

import numpy as np
import pytest
import sympy
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from surrogate import ProblemError, Quadratics, exact
from tests.helpers.surrogate import exact_brute as brute
from tests.helpers.surrogate import populations as pop
from tests.surrogate.exact.test_fields_exact import as_fractions


@given(pop.general(max_n=4, max_d=5))
def test_minimizer_and_gradients_match_gauss(p):
    """x* solves sum w A (x - c) = 0; residuals are the client gradients there; everything in Fractions."""
    clients = p.exact()
    mean = brute.mean_answer(p, lambda i, x: brute.times(p.A[i], brute.add(x, p.c[i], F(-1))))
    point, H = brute.rest(mean, p.d)
    assert as_fractions(clients.minimizer) == point
    assert as_fractions(clients.hessian) == [v for row in H for v in row]
    gradients = [brute.times(p.A[i], brute.add(point, p.c[i], F(-1))) for i in range(p.n)]
    assert as_fractions(clients.residuals) == [v for g in gradients for v in g]
    assert as_fractions(clients.mean_minimizer) == list(p.weights @ p.c)
    centre = p.weights @ p.c
    assert as_fractions([clients.sigma_c_squared]) == [sum(p.weights * ((p.c - centre) ** 2).sum(axis=1))]
    assert as_fractions(clients.gradient([1] * p.d)) == mean([F(1)] * p.d)
    x = np.array([F(1)] * p.d)
    values = [(x - c) @ A @ (x - c) / 2 for A, c in zip(p.A, p.c, strict=True)]
    assert as_fractions([clients.value([1] * p.d), clients.client_value(0, x)]) == [p.weights @ values, values[0]]


@given(pop.spectral(max_n=3, max_d=5, least=6))
def test_spectra_built_in_come_out_as_the_rationals_they_are(p):
    """A = R diag(l) R^T with rational l: the roots of the characteristic polynomial are recognised."""
    clients = p.exact()
    assert tuple(tuple(as_fractions(values)) for values in clients.spectra) == p.spectra
    mu, L = min(v[0] for v in p.spectra), max(v[-1] for v in p.spectra)
    assert (clients.mu - exact.balls(mu)).contains(0) and (clients.L - exact.balls(L)).contains(0)
    assert clients.mu.rel_accuracy_bits() > 100


@given(pop.general(max_n=3, max_d=4))
def test_the_balls_contain_the_truth(p):
    """mu, L, sigma_A, sigma_c are narrow balls around what numpy gives; sigma_c squared is the rational."""
    clients, near = p.exact(), p.floats()
    for name in ("mu", "L", "sigma_A", "sigma_c"):
        ball = getattr(clients, name)
        assert isinstance(ball, arb) and ball.rad() <= 1e-30 * (1 + abs(ball))
        assert abs(float(ball.mid()) - getattr(near, name)) <= 1e-7 * (1 + near.L)
    assert (clients.sigma_c**2 - exact.balls(clients.sigma_c_squared)).contains(0)


@given(st.data())
def test_linear_and_least_squares_restate_the_same_problem(data):
    """from_linear with b = A c, and from_examples with one example a client, are the clients themselves."""
    p = data.draw(pop.general(max_n=3, max_d=4))
    clients = p.exact()
    again = exact.Quadratics.from_linear(p.A, clients.b, p.weights)
    assert (again.minimizer == clients.minimizer).all() and (again.residuals == clients.residuals).all()
    for i in range(p.n):  # of all minimizers, the one of least norm
        assert not any(as_fractions(again.client_gradient(i, again.c[i])))
        assert sum(v * v for v in again.c[i]) <= sum(v * v for v in clients.c[i])
    examples = exact.Quadratics.from_examples(p.A, p.c, np.arange(p.n))
    uniform = exact.Quadratics(p.A, p.c)
    assert (examples.minimizer == uniform.minimizer).all() and (examples.A == uniform.A).all()


@given(st.data())
def test_least_squares_solves_the_normal_equations(data):
    """mean over clients of mean over rows of x (x . u - y) vanishes at the minimizer."""
    d, m = data.draw(st.integers(1, 3)), data.draw(st.integers(4, 7))
    X, y = data.draw(pop.whole((m, d))), data.draw(pop.whole((m,)))
    X[:d] = np.eye(d, dtype=int)  # determines every unknown
    owner = np.array([0, 1, *(data.draw(st.integers(0, 1)) for _ in range(m - 2))])
    u = as_fractions(exact.Quadratics.least_squares(X, y, owner).minimizer)
    total = [F(0)] * d
    for i in (0, 1):
        rows = np.flatnonzero(owner == i)
        for z in rows:
            slope = sum((a * b for a, b in zip(X[z], u, strict=True)), F(0)) - y[z]
            total = brute.add(total, X[z], F(slope) / len(rows))
    assert not any(total)


def test_entries_of_every_kind_are_the_same_number():
    """Strings, Fractions, Decimals, sympy, flint and exact floats; 0.1 is the binary fraction that it is."""
    for half in ("1/2", "0.5", F(1, 2), Decimal("0.5"), sympy.Rational(1, 2), fmpq(1, 2), 0.5, np.float64(0.5)):
        assert exact.Quadratics([[[1]], [[2]]], [[1], [half]]).minimizer[0] == fmpq(2, 3)
    assert exact.rational(0.1) == fmpq(3602879701896397, 36028797018963968) != exact.rational("0.1")
    assert exact.rational(np.int64(3)) == 3


@given(pop.general(max_n=3, max_d=4))
def test_floats_and_back(p):
    """from_float keeps every float; to_float returns them; the arrays are read-only."""
    near = p.floats()
    clients = exact.Quadratics.from_float(near)
    back = clients.to_float()
    assert (back.A == near.A).all() and (back.c == near.c).all() and np.abs(back.weights - near.weights).max() < 1e-16
    linear = Quadratics.from_linear(near.A, near.b, near.weights)
    assert (exact.Quadratics.from_float(linear).to_float().b == linear.b).all()
    examples = Quadratics.from_examples(near.A, near.c, np.zeros(p.n, int))
    kept = exact.Quadratics.from_float(examples).to_float().examples
    assert (kept.A == near.A).all() and (kept.c == near.c).all()
    for a in (clients.A, clients.b, clients.c, clients.weights, clients.hessian, clients.minimizer):
        with pytest.raises(ValueError, match="read-only"):
            a.flat[0] = 0


def test_rounding_that_makes_a_singular_float_client_indefinite_is_refused():
    """A row of 0.3 and 0.7 in floats: x x^T is rounded; from its data the client is exactly singular."""
    X, y, owner = np.array([[0.3, 0.7], [1.0, 0.0], [0.0, 1.0]]), np.array([1.0, 2.0, 3.0]), np.array([0, 1, 1])
    near = Quadratics.least_squares(X, y, owner)
    with pytest.raises(ProblemError, match=r"A_z\[0\] is indefinite: its smallest eigenvalue is -.*e-"):
        exact.Quadratics.from_float(near)
    true = exact.Quadratics.least_squares(X, y, owner)
    assert true.mu == 0 and abs(float(true.minimizer[0].p) / float(true.minimizer[0].q) - near.minimizer[0]) < 1e-14


def test_bad_input_names_the_client_and_the_value():
    one = [[[1]], [[2]]]
    cases = [
        (lambda: exact.Quadratics([[[1, "1/3"], [0, 1]]], [[0, 0]]), r"A\[0\] is not symmetric: entry \[0,1\] = 1/3"),
        (
            lambda: exact.Quadratics([[[1]], [["-1/1000000000000000000000"]]], [[0], [0]]),
            r"A\[1\] is indefinite.*-1/10",
        ),
        (lambda: exact.Quadratics([[[1, 2], [2, 1]]], [[0, 0]]), r"A\[0\] is indefinite.*eigenvalue is -1\b"),
        (lambda: exact.Quadratics([[[1, 1], [1, 1]]], [[0, 0]]), "averaged Hessian .* is singular"),
        (lambda: exact.Quadratics(one, [[1], [float("nan")]]), r"c\[1, 0\] is nan.*client 1"),
        (lambda: exact.Quadratics(one, [[1], ["x"]]), r"c\[1, 0\] is 'x'"),
        (lambda: exact.Quadratics(one, [[1], ["1/0"]]), r"c\[1, 0\] is '1/0'"),
        (lambda: exact.Quadratics(one, [[1]]), r"c is of shape \(1, 1\)"),
        (lambda: exact.Quadratics([[[1, 2]]], [[1]]), r"A is of shape \(1, 1, 2\)"),
        (lambda: exact.Quadratics([], []), "A is of shape"),
        (lambda: exact.Quadratics(one, [[1], [2]], ["3/2", "-1/2"]), r"weights\[1\] is -1/2"),
        (lambda: exact.Quadratics(one, [[1], [2]], ["1/2", "1/3"]), "weights is sum 5/6"),
        (lambda: exact.Quadratics(one, [[1], [2]], [1]), "weights is of length 1"),
        (lambda: exact.Quadratics.from_examples(one, [[1], [2]], [0, 2]), "client 1 is without an example"),
        (lambda: exact.Quadratics.from_examples(one, [[1], [2]], [0, 2**63 - 1]), "client 1 is without an example"),
        (lambda: exact.Quadratics.least_squares([[1], [2]], [1], [0, 0]), "y is of length 1"),
        (
            lambda: exact.Quadratics.from_linear([[[0]], [[1]]], [[1], [0]]).c,
            "client 0 is without a minimizer",
        ),
    ]
    for make, message in cases:
        with pytest.raises(ProblemError, match=f"(?s){message}") as caught:
            make()
        assert "What to do:" in str(caught.value)
    thirds = exact.Quadratics(one, [[1], [2]], [1 / 3, 2 / 3])  # floats: divided by their exact sum
    assert sum(thirds.weights) == 1
