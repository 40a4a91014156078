"""Quadratics: what is known by construction, useless restatements, and every refusal."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surrogate import ProblemError, Quadratics
from tests.helpers.surrogate import populations as pop
from tests.helpers.surrogate.rounding import EPS

ONE = [[[1.0]], [[2.0]]]


@given(pop.spectral(max_d=8, least=4))
def test_spectra_built_in_come_out(p):
    """A_i = R diag(l) R^T: spectra ascending, A_i = V diag(l) V^T, mu and L."""
    clients = p.floats()
    truth = np.array(p.spectra, dtype=float)
    assert np.abs(clients.spectra - truth).max() <= 16 * p.d * EPS * clients.L
    V, spectra = clients.frames, clients.spectra
    rebuilt = (V * spectra[:, None, :]) @ V.transpose(0, 2, 1)
    assert np.allclose(rebuilt, clients.A, rtol=0, atol=32 * p.d * EPS * clients.L)
    assert clients.mu == pytest.approx(truth.min(), abs=16 * p.d * EPS * clients.L)
    assert abs(clients.L - truth.max()) <= 32 * p.d * EPS * clients.L


@given(pop.general())
def test_spread_of_hessians_and_minimizers(p):
    """sigma_A^2 and sigma_c^2 are means of squares under the weights; both vanish for equal clients."""
    clients = p.floats()
    w = clients.weights
    gaps = [np.abs(np.linalg.eigvalsh(A - clients.hessian)).max() ** 2 for A in clients.A]
    assert clients.sigma_A == pytest.approx(math.sqrt(w @ gaps), rel=1e-9, abs=1e-12 * clients.L)
    square = float(p.weights @ ((p.c - p.weights @ p.c) ** 2).sum(axis=1))
    assert clients.sigma_c**2 == pytest.approx(square, rel=1e-12, abs=1e-28)
    equal = Quadratics(clients.A[:1].repeat(3, 0), clients.c[:1].repeat(3, 0))
    assert equal.sigma_A <= 8 * EPS * equal.L and equal.sigma_c == 0
    assert np.abs(equal.residuals).max() <= 64 * EPS * p.d * equal.L * (1 + np.abs(equal.c).max())


@given(pop.general())
def test_minimizer_minimizes(p):
    """The gradient vanishes at x*, residuals sum to 0, and f grows by the Hessian's form around it."""
    clients = p.floats()
    x = clients.minimizer
    scale = clients.L * (1 + np.abs(clients.c).max())
    assert (clients.gradient(x) == 0).all()
    assert np.abs(clients.weights @ clients.residuals).max() <= 64 * p.d * EPS * scale
    each = np.array([clients.client_gradient(i, x) for i in range(p.n)])
    assert np.abs(each - clients.residuals).max() <= 1e-12 * scale * np.linalg.cond(clients.hessian)
    h = np.linspace(1, 2, p.d)
    growth = clients.value(x + h) + clients.value(x - h) - 2 * clients.value(x)
    assert growth == pytest.approx(h @ clients.hessian @ h, rel=1e-6, abs=1e-9 * scale)
    assert clients.value(x) == pytest.approx(clients.weights @ [clients.client_value(i, x) for i in range(p.n)])


@given(st.data())
def test_useless_restatements_change_nothing(data):
    """Rotated, permuted, split and shifted populations have the rotated, same, same and shifted minimizer."""
    p = data.draw(pop.general(max_d=5))
    x = p.floats().minimizer
    slack = 1e-13 * np.linalg.cond(p.floats().hessian) * (1 + np.abs(p.floats().c).max()) * p.d
    R = data.draw(pop.rotations(p.d))
    v = data.draw(pop.whole((p.d,)))
    order = data.draw(st.permutations(range(p.n)))
    turned = p.rotated(R).floats()
    assert np.abs(turned.minimizer - R.astype(float) @ x).max() <= slack
    assert abs(turned.L - p.floats().L) <= 1e-12 * turned.L and abs(turned.sigma_c - p.floats().sigma_c) <= 1e-12 * (
        1 + turned.sigma_c
    )
    shuffled, split = p.permuted(order).floats(), p.split(data.draw(st.integers(0, p.n - 1))).floats()
    for same in (shuffled, split):
        assert np.abs(same.minimizer - x).max() <= slack
        assert same.sigma_A == pytest.approx(p.floats().sigma_A, rel=1e-9, abs=1e-12)
        assert same.sigma_c == pytest.approx(p.floats().sigma_c, rel=1e-12, abs=1e-14)
    assert np.abs(p.shifted(v).floats().minimizer - x - v.astype(float)).max() <= slack * (1 + np.abs(v).max())


def test_residuals_keep_their_digits_far_from_the_origin():
    """Clients 1e-9 apart at distance 1e6: residuals right to 9 digits relative to themselves."""
    offsets = np.array([[0.0, 1.0], [2.0, -1.0], [1.0, 3.0]]) * 2.0**-30
    A = [np.diag([1.0, 2.0]), np.array([[2.0, 1.0], [1.0, 2.0]]), np.eye(2)]
    near, far = Quadratics(A, offsets), Quadratics(A, offsets + 2.0**20)
    assert np.abs(far.residuals - near.residuals).max() <= 1e-12 * np.abs(near.residuals).max()
    assert far.sigma_c == pytest.approx(near.sigma_c, rel=1e-12)


@given(pop.general(max_d=5))
def test_linear_terms_say_the_same(p):
    """from_linear(A, A c): the same minimizer and gradients; c of least norm among the client's minimizers."""
    clients = p.floats()
    linear = Quadratics.from_linear(clients.A, clients.b, clients.weights)
    slack = 1e-12 * np.linalg.cond(clients.hessian) * (1 + np.abs(clients.c).max()) * (1 + clients.L)
    assert np.abs(linear.minimizer - clients.minimizer).max() <= slack
    assert np.abs(linear.residuals - clients.residuals).max() <= slack * clients.L
    assert (linear.client_gradient(0, np.ones(p.d)) == clients.client_gradient(0, np.ones(p.d))).all()
    truth = p.exact()
    least_norm = type(truth).from_linear(truth.A, truth.b, truth.weights).c
    weakest = [min((x for x in s if x > 1e-9), default=1.0) for s in clients.spectra]
    worst = 1e-11 * clients.L / min(weakest) * (1 + np.abs(clients.c).max())
    assert np.abs(linear.c - np.vectorize(lambda q: int(q.p) / int(q.q))(least_norm)).max() <= worst


@given(st.data())
def test_least_squares(data):
    """The mean over clients of their mean squares: lstsq with rows weighted 1/m_i; examples are kept."""
    d, m = data.draw(st.integers(1, 8)), data.draw(st.integers(9, 14))
    X = np.concatenate([np.eye(d), data.draw(pop.whole((m - d, d))).astype(float)])
    y = data.draw(pop.whole((m,))).astype(float)
    owner = np.array([0, 1, *(data.draw(st.integers(0, 1)) for _ in range(m - 2))])
    clients = Quadratics.least_squares(X, y, owner)
    share = 1 / np.sqrt(np.bincount(owner)[owner])
    truth = np.linalg.lstsq(X * share[:, None], y * share, rcond=None)[0]
    assert np.abs(clients.minimizer - truth).max() <= 1e-10 * np.linalg.cond(clients.hessian)
    u = np.ones(d)
    slope = X[owner == 0].T @ (X[owner == 0] @ u - y[owner == 0]) / (owner == 0).sum()
    assert np.allclose(clients.client_gradient(0, u), slope, atol=1e-12 * (1 + np.abs(y).max()) * (1 + clients.L))
    assert clients.examples.A.shape == (m, d, d) and (clients.examples.owner == owner).all()
    assert (clients.weights == 0.5).all()


def test_examples_average():
    """Client 0 averages two examples, client 1 has one; equal to the clients written out."""
    A_z, c_z = np.array([np.eye(2), np.diag([3.0, 0.0]), 2 * np.eye(2)]), np.array([[1.0, 0], [0, 5.0], [1.0, 1.0]])
    clients = Quadratics.from_examples(A_z, c_z, [0, 0, 1])
    assert clients.A[0].tolist() == [[2, 0], [0, 0.5]] and clients.b[0].tolist() == [0.5, 0]
    assert clients.c[0].tolist() == pytest.approx([0.25, 0]) and clients.examples is not None
    assert "3 examples" in repr(clients) and "n=2, d=2" in repr(clients)


@pytest.mark.parametrize("scale", [1e-300, 1e-170, 1e150, 1e300])
def test_spreads_of_huge_and_tiny_clients(scale):
    """sigma_A scales with A and sigma_c with c, where the squares of both leave float64."""
    c = np.array([[1.0], [0.5]])
    assert Quadratics(scale * np.array(ONE), c).sigma_A == pytest.approx(scale / 2, rel=1e-15)
    assert Quadratics(ONE, scale * c).sigma_c == pytest.approx(scale / 4, rel=1e-15)


def test_one_client_and_read_only_arrays():
    clients = Quadratics([[[2.0]]], [[3.0]], [1.0])
    assert clients.minimizer[0] == clients.mean_minimizer[0] == 3 and clients.sigma_A == clients.sigma_c == 0
    for a in (clients.A, clients.b, clients.c, clients.weights, clients.hessian, clients.minimizer, clients.spectra):
        with pytest.raises(ValueError, match="read-only"):
            a[...] = 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: Quadratics([[[1, 2], [0, 1]]], [[0, 0]]),
            r"A\[0\] is not symmetric: entry \[0,1\] = 2 but \[1,0\] = 0",
        ),
        (lambda: Quadratics([[[1.0]], [[-0.5]]], [[0], [0]]), r"A\[1\] is indefinite.* -0\.5.*mend client 1.*0\.5"),
        (lambda: Quadratics([[[1.0]], [[np.nan]]], [[0], [0]]), r"A\[1, 0, 0\] is nan.*client 1"),
        (lambda: Quadratics(ONE, [[0], [np.inf]]), r"c\[1, 0\] is inf.*client 1"),
        (lambda: Quadratics([[1.0]], [[0]]), r"A is of shape \(1, 1\), expected shape \(n, d, d\)"),
        (lambda: Quadratics([[[1.0, 2.0]]], [[0]]), r"A is of shape \(1, 1, 2\)"),
        (lambda: Quadratics(np.zeros((0, 1, 1)), np.zeros((0, 1))), "no clients"),
        (lambda: Quadratics([[["a"]]], [[0]]), r"A is list .*'a'.*surrogate\.exact"),
        (lambda: Quadratics([[[1.0], [1.0, 2.0]]], [[0]]), "ragged rows"),
        (lambda: Quadratics(ONE, [[0]]), r"c is of shape \(1, 1\), expected \(2, 1\)"),
        (lambda: Quadratics.from_linear(ONE, [[0]]), r"b is of shape \(1, 1\)"),
        (lambda: Quadratics(ONE, [[0], [1]], [0.5]), "weights is of length 1, expected length 2"),
        (lambda: Quadratics(ONE, [[0], [1]], [1.5, -0.5]), r"weights\[1\] is -0\.5"),
        (lambda: Quadratics(ONE, [[0], [1]], [1, 1]), r"weights is sum 2, expected sum 1.*weights / weights\.sum\(\)"),
        (lambda: Quadratics(ONE, [[0], [1]], [1, np.nan]), r"weights\[1\] is nan"),
        (lambda: Quadratics([np.ones((2, 2))], [[0, 0]]), "averaged Hessian .* is singular.*small ridge"),
        (lambda: Quadratics([[[0.0]]], [[0]]), "averaged Hessian"),
        (lambda: Quadratics([[[1.0]], [[0.0]]], [[0], [0]], [0, 1]), "averaged Hessian"),
        (lambda: Quadratics.from_examples(ONE, [[0], [1]], [0, 2]), "client 1 is without an example.*renumber"),
        (lambda: Quadratics.from_examples(ONE, [[0], [1]], [0, 10**9]), "client 1 is without an example"),
        (lambda: Quadratics.from_examples(ONE, [[0], [1]], [0, 2**63 - 1]), "client 1 is without an example"),
        (lambda: Quadratics.from_examples(ONE, [[0], [1]], [0]), r"client is int64 of shape \(1,\), expected 2 whole"),
        (lambda: Quadratics.from_examples(ONE, [[0], [1]], ["a", "b"]), "names instead of numbers"),
        (lambda: Quadratics.from_examples(ONE, [[0], [1]], [0, -1]), "client is .*expected 2 whole numbers >= 0"),
        (lambda: Quadratics.from_examples([[[3.0]], [[-1.0]]], [[0], [1]], [0, 0]), r"A_z\[1\] is indefinite"),
        (lambda: Quadratics.least_squares([[1.0], [2.0]], [1.0], [0, 0]), "y is of length 1, expected length 2"),
        (
            lambda: Quadratics.from_linear([[[0.0]], [[1.0]]], [[1], [0]]).c,
            "client 0 is without a minimizer .*has 1 out",
        ),
        (lambda: Quadratics(np.array(ONE) + 1j, [[0], [1]]), r"A is ndarray .*complex"),
        (lambda: Quadratics(np.ma.masked_equal(ONE, 2.0), [[0], [1]]), r"A is MaskedArray .*masked"),
        (lambda: Quadratics([[[10**400]]], [[0]]), "A is list .*real numbers"),
        (lambda: Quadratics(1e200 * np.array(ONE), [[1e200], [0]]), "A_i c_i is beyond float64.*larger units"),
        (lambda: Quadratics(ONE, [[1.7e308], [-1.7e308]]), "A_i c_i is beyond float64"),
        (lambda: Quadratics(ONE, [[1e200], [0]]).value([0]), "the value at x is beyond float64"),
        (lambda: Quadratics(ONE, [[0], [1]]).client_value(2, [0]), "the client is 2, expected .* from 0 to 1"),
        (lambda: Quadratics(ONE, [[0], [1]]).client_gradient(-1, [0]), "the client is -1"),
        (lambda: Quadratics(ONE, [[0], [1]]).value([1, 2]), "x is of length 2, expected length 1"),
        (lambda: Quadratics(ONE, [[0], [1]]).gradient([np.nan]), r"x\[0\] is nan"),
    ],
)
def test_bad_input_is_refused_in_words(make, message):
    """Which client, which value, and what to do."""
    with pytest.raises(ProblemError, match=f"(?s){message}") as caught:
        make()
    assert "Likely cause:" in str(caught.value) and "What to do:" in str(caught.value)
