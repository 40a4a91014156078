"""Field: any distortions; rest, loss, contraction and best rate against independent routes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surrogate import Field, ProblemError, Quadratics
from tests.helpers.surrogate import populations as pop
from tests.helpers.surrogate.rounding import EPS


def diagonal(*values):
    """One client with Hessian I whose distortion is the Jacobian."""
    d = len(values[0]) if np.ndim(values[0]) else len(values)
    J = np.array(values, dtype=float) if np.ndim(values[0]) else np.diag(values)
    return Field(Quadratics(np.eye(d)[None], np.zeros((1, d))), J[None])


@st.composite
def fields(draw, max_d=8):
    """Positive definite D_i: J is invertible wherever all A_i are."""
    p = draw(pop.spectral(max_n=4, max_d=max_d, least=1))
    D = np.stack([draw(pop.definite(p.d)) for _ in range(p.n)]).astype(float)
    return p, Field(p.floats(), D)


@given(fields())
def test_the_field_is_the_clients_answers_averaged(drawn):
    """F(x) = sum w D_i (A_i x - b_i), J its Jacobian, D_i A_i the clients'."""
    p, f = drawn
    clients, x = f.clients, np.linspace(-1, 2, p.d)
    answers = [f.distortion[i] @ (clients.A[i] @ x - clients.b[i]) for i in range(p.n)]
    scale = np.abs(f.distortion).max() * clients.L * (3 + np.abs(clients.c).max()) * p.d
    assert np.abs(f.client_gradient(0, x) - answers[0]).max() <= 64 * EPS * scale
    slack = 1e-13 * scale * np.linalg.cond(clients.hessian)
    assert np.abs(f.gradient(x) - clients.weights @ answers).max() <= slack
    step = f.gradient(x + np.eye(p.d)[0]) - f.gradient(x)
    assert np.abs(step - f.jacobian[:, 0]).max() <= 2 * slack
    assert np.abs(f.jacobian - np.einsum("i,ijk->jk", clients.weights, f.client_jacobians)).max() <= 64 * EPS * scale


@given(fields(max_d=5))
def test_rest_is_where_rounds_end(drawn):
    """The gradient vanishes at rest, and the server's own steps arrive there if their radius is below 1."""
    p, f = drawn
    try:
        x, eta = f.resting_point, f.best_eta
    except ProblemError as error:  # averages of D_i A_i need not be positive stable
        assert "positive stable" in str(error) or "singular" in str(error)
        assert np.linalg.eigvals(f.jacobian).real.min() <= 1e-9 * np.abs(f.jacobian).max()
        return
    scale = np.abs(f.jacobian).max() * (1 + np.abs(x).max()) * np.linalg.cond(f.clients.hessian)
    assert np.abs(f.gradient(x)).max() <= 1e-12 * p.d * scale
    assert np.abs(x - f.clients.minimizer - f.displacement).max() <= 4 * EPS * (1 + np.abs(x).max())
    radius = f.contraction(eta).radius
    assert radius < 1
    y, rounds = np.zeros(p.d), min(3000, int(np.ceil(np.log(1e-14) / np.log(max(radius, 1e-3)))))
    start = y - x
    for _ in range(rounds):
        y = y - eta * f.gradient(y)
    size = 1e-9 + np.linalg.norm(np.linalg.matrix_power(np.eye(p.d) - eta * f.jacobian, rounds), 2)
    assert np.linalg.norm(y - x) <= 2 * size * (np.linalg.norm(start) + 1) * np.linalg.cond(f.clients.hessian)


@given(fields(), st.floats(0.01, 3))
def test_contraction_is_norm_and_radius(drawn, eta):
    """radius <= norm; the norm bounds a round; ||M^64||^(1/64) is between the two."""
    _, f = drawn
    M = np.eye(f.clients.d) - eta * f.jacobian
    norm, radius = f.contraction(eta)
    assert radius <= norm * (1 + 1e-9) + 1e-12
    assert norm == pytest.approx(np.sqrt(np.linalg.eigvalsh(M.T @ M).max()), rel=1e-9)
    assert np.linalg.norm(np.linalg.matrix_power(M, 64), 2) ** (1 / 64) >= radius * (1 - 1e-6) - 1e-9


@given(fields(max_d=6), st.floats(0.2, 3))
def test_best_eta_is_best(drawn, factor):
    """No other rate has a smaller spectral radius."""
    _, f = drawn
    try:
        eta = f.best_eta
    except ProblemError:
        assert np.linalg.eigvals(f.jacobian).real.min() <= 1e-9
        return
    best = f.contraction(eta).radius
    for other in (eta * factor, eta * 1.001, eta * 0.999):
        assert f.contraction(other).radius >= best - 1e-12


def test_best_eta_of_known_spectra():
    """2 / (m + M) for real spectra; 1 / m for a multiple of the identity; Re l / |l|^2 for a conjugate pair."""
    assert diagonal(1.0, 2.0, 3.0).best_eta == pytest.approx(0.5)
    assert diagonal(4.0, 4.0).best_eta == pytest.approx(0.25)
    assert diagonal([1.0, -2.0], [2.0, 1.0]).best_eta == pytest.approx(0.2)
    assert diagonal([1.0, 7.0], [0.0, 3.0]).best_eta == pytest.approx(0.5)
    for bad in (diagonal(1.0, -1.0), diagonal([0.0, -1.0], [1.0, 0.0])):
        with pytest.raises(ProblemError, match=r"(?s)not positive stable .*real part .*lower gamma"):
            _ = bad.best_eta


@pytest.mark.parametrize("scale", [1e-300, 1e-170, 1e170, 1e300])
def test_best_eta_of_huge_and_tiny_fields(scale):
    """2 / (m + M) where the squares of the eigenvalues leave float64."""
    assert diagonal(1e-3 * scale, 3e-3 * scale).best_eta == pytest.approx(500 / scale, rel=1e-14)


def test_loss_in_which_metric():
    """Symmetric J: a Euclidean loss; real eigenbasis: a loss in some metric; a rotation or a Jordan block: none."""
    cases = {
        "symmetric": (diagonal([2.0, 1.0], [1.0, 2.0]), True, True),
        "triangular": (diagonal([1.0, 5.0], [0.0, 3.0]), False, True),
        "rotation": (diagonal([1.0, -1.0], [1.0, 1.0]), False, False),
        "jordan": (diagonal([1.0, 1.0], [0.0, 1.0]), False, False),
    }
    for field, euclidean, anywhere in cases.values():
        assert (field.has_loss(), field.has_loss("euclidean"), field.has_loss("any")) == (
            euclidean,
            euclidean,
            anywhere,
        )
    with pytest.raises(ProblemError, match="metric is 'all', expected 'euclidean' or 'any'"):
        cases["jordan"][0].has_loss("all")


@given(st.data())
def test_conjugating_keeps_the_loss_in_some_metric(data):
    """T diag T^-1 has a real eigenbasis, whatever T; the answer does not depend on the scale of the field."""
    d = data.draw(st.integers(2, 5))
    T = data.draw(pop.rotations(d)).astype(float) @ (
        np.triu(data.draw(pop.whole((d, d), 1)).astype(float), 1) + np.eye(d)
    )
    spectrum = np.array(data.draw(st.lists(st.integers(1, 5), min_size=d, max_size=d)), dtype=float)
    J = T @ np.diag(spectrum) @ np.linalg.inv(T)
    assert diagonal(*J).has_loss("any") and diagonal(*(1e-9 * J)).has_loss("any")


def test_ill_behaved_clients_are_named():
    """x^T D_i A_i x <= 0 somewhere: named, a client of no curvature at all is not blamed for it."""
    A = [np.eye(2), np.eye(2), np.diag([1.0, 0.0]), np.zeros((2, 2))]
    D = [np.eye(2), np.diag([1.0, -1e-3]), np.eye(2), np.eye(2)]
    f = Field(Quadratics(A, np.zeros((4, 2))), D)
    assert f.ill_behaved == (1,)
    turned = Field(Quadratics(A[2:3] + A[:1], np.zeros((2, 2))), [np.diag([-1.0, 1.0]), np.eye(2)])
    assert turned.ill_behaved == (0,)


@given(st.data())
def test_useless_restatements(data):
    """Permuting or splitting clients keeps rest and Jacobian; shifting shifts; rotating rotates."""
    p = data.draw(pop.spectral(max_n=3, max_d=4, least=1))
    D = np.stack([data.draw(pop.definite(p.d)) for _ in range(p.n)])
    f = Field(p.floats(), D.astype(float))
    least = np.linalg.norm(f.jacobian, -2)
    slack = 1e-11 * (1 + np.abs(f.jacobian).max()) ** 2 * np.linalg.cond(f.clients.hessian) ** 2
    order, i = data.draw(st.permutations(range(p.n))), data.draw(st.integers(0, p.n - 1))
    R, v = data.draw(pop.rotations(p.d)), data.draw(pop.whole((p.d,)))
    Rf = R.astype(float)
    restated = [
        (Field(p.permuted(order).floats(), D[order].astype(float)), lambda x: x),
        (Field(p.split(i).floats(), D[[*range(p.n), i]].astype(float)), lambda x: x),
        (Field(p.shifted(v).floats(), D.astype(float)), lambda x: x + v.astype(float)),
        (Field(p.rotated(R).floats(), np.stack([R @ M @ R.T for M in D]).astype(float)), lambda x: Rf @ x),
    ]
    if least * 1e6 < np.abs(f.jacobian).max():  # nearly singular: only the answers themselves can be compared
        restated = []
    for again, change in restated:
        assert np.abs(again.resting_point - change(f.resting_point)).max() <= slack / least**2
        assert again.contraction(0.5).norm == pytest.approx(f.contraction(0.5).norm, rel=1e-9, abs=1e-9)
    x = np.ones(p.d)
    assert (
        np.abs(Field(p.split(i).floats(), D[[*range(p.n), i]].astype(float)).gradient(x) - f.gradient(x)).max() <= slack
    )


def test_bad_input_is_refused_in_words():
    clients = Quadratics([[[1.0]], [[2.0]]], [[0.0], [1.0]])
    cases = [
        (lambda: Field(clients, [[[1.0]]]), r"distortion is of shape \(1, 1, 1\), expected \(2, 1, 1\)"),
        (lambda: Field(clients, [[[1.0]], [[np.nan]]]), r"distortion\[1, 0, 0\] is nan.*client 1"),
        (lambda: Field(clients, [1.0, 2.0]), r"distortion is of shape \(2,\)"),
        (lambda: Field(clients, [[[2.0]], [[-1.0]]]).resting_point, "averaged Hessian of Field is singular.*cancel"),
        (lambda: Field([[[1.0]], [[2.0]]], [[[1.0]], [[1.0]]]), r"clients is \[\[.*expected surrogate\.Quadratics"),
        (lambda: Field(clients, [[[1.0]], [[1.0]]]).contraction(float("nan")), "eta is nan"),
        (lambda: Field(clients, [[[1.0]], [[1.0]]]).contraction(-1), "eta is -1"),
        (lambda: Field(clients, [[[1.0]], [[1.0]]]).client_gradient(2, [0.0]), "the client is 2"),
        (lambda: Field(clients, [[[1.0]], [[1.0]]]).gradient([1.0, 2.0]), "x is of length 2, expected length 1"),
    ]
    for make, message in cases:
        with pytest.raises(ProblemError, match=f"(?s){message}") as caught:
            make()
        assert "What to do:" in str(caught.value)
    assert repr(Field(clients, [[[1.0]], [[1.0]]])) == "Field(n=2, d=1)"
