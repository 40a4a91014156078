"""The three kinds of elements obey one algebra, and the formulas in it agree with the rest of the core."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surrogate import Preconditioned, Quadratics, Surrogate, Theta, dictionary, exact
from surrogate.dictionary import algebra, forms
from surrogate.dictionary.rings import FloatRing, ring_of
from surrogate.dictionary.settings import settings_for
from tests.helpers.surrogate.dictionary_cases import EVERY, common, label
from tests.helpers.surrogate.dictionary_populations import fixed, floats, populations

CLIENTS = fixed()


def _polynomial(A: Any, a: Any, b: Any) -> Any:
    """Something with every operation in it."""
    return ((1 - a * A) * (A + b) - A / 3).power(3) + 2 * (1 - A).geometric(5) - (A + 2).inverse() * A


@given(populations(), st.fractions(0, 2, max_denominator=8), st.fractions(1, 2, max_denominator=8))
def test_three_kinds_one_value(clients: exact.Quadratics, a: F, b: F) -> None:
    """Spectral, dense and rational elements hold the same matrix; floats hold it as constant + rest, too."""
    rational, real = ring_of(clients), ring_of(clients.to_float())
    for i in range(clients.n):
        right = floats(np.array(_polynomial(rational.curvature(i), *map(rational.number, (a, b))).value.tolist()))
        for dense in (False, True):
            found = real.dense(i, _polynomial(real.element(i, dense), float(a), float(b)))
            assert np.abs(found.value - right).max() < 1e-11
            assert np.abs(found.constant * np.eye(clients.d) + found.rest - right).max() < 1e-11


@given(populations(), st.lists(st.fractions(F(1, 4), 3, max_denominator=8), min_size=3, max_size=3))
def test_diagonal_constants(clients: exact.Quadratics, p: list[F]) -> None:
    """A frozen preconditioner is a constant, and what is made of it holds the matrix that rationals hold."""

    def made(A: Any, P: Any) -> Any:
        return P * (1 - A * P / 4) + 2 - P * (A + P * 3).inverse() * (A - P)

    rational, real, p = ring_of(clients), ring_of(clients.to_float()), p[: clients.d]
    for i in range(clients.n):
        right = floats(np.array(made(rational.element(i, True), rational.diagonal(p)).value.tolist()))
        found = made(real.element(i, True), real.diagonal(p))
        assert np.abs(found.value - right).max() < 1e-11
        assert np.abs(np.diag(found.constant) + found.rest - right).max() < 1e-11
        flat = np.array([float(q + 2 + F(1, 3) * q) for q in p])
        np.testing.assert_allclose(found.constant, flat, rtol=1e-14)


@pytest.mark.parametrize("z", [1e-300, 1e-20, 1e-9, 0.3, 0.9999999, 1.0, 1.5])
def test_rests_keep_their_digits(z: float) -> None:
    """(1 - z)^n - 1, its sums and inverses, against fractions, at sizes where value - constant has no digit left."""
    r = 1 - algebra.Spectral(0.0, np.array([z]), np.array([z]))
    base, n = F(1) - F(z), 7
    total = sum(base**k for k in range(n))
    for found, right, constant in (
        (r.power(n), base**n, 1),
        (r.geometric(n), total, n),
        ((2 * r).power(n), (2 * base) ** n, 2**n),  # constant other than 1: by squaring
        ((2 * r).geometric(n), sum((2 * base) ** k for k in range(n)), 2**n - 1),
        (r.geometric(n).inverse(), 1 / total, F(1, n)),
        (algebra.block_power([[r, r * 0], [r * 0, r]], n)[1][1], base**n, 1),
    ):
        assert found.constant == pytest.approx(float(constant), rel=1e-15)
        assert found.rest[0] == pytest.approx(float(right - constant), rel=1e-13, abs=0)
        assert found.value[0] == pytest.approx(float(right), rel=1e-13, abs=1e-15)


def test_numbers_of_numpy_come_from_either_side() -> None:
    """np.float64 on the left must not turn an element into an array of elements."""
    A = ring_of(CLIENTS.to_float()).curvature(0)
    assert type(np.float64(2) * A) is algebra.Spectral and type(np.float64(1) - A) is algebra.Spectral


@given(populations(), st.sampled_from([Theta.sum(1), Theta.sum(4), Theta.last(3), Theta([1, 0, "1/2"])]))
def test_local_update_is_the_surrogate(clients: exact.Quadratics, theta: Theta) -> None:
    """The dictionary's LocalUpdate against Surrogate: displacement, resting point, distortions."""
    settings = {"gamma": F(1, 3), "theta": theta}
    right = exact.Surrogate(clients, F(1, 3), theta)
    assert (dictionary.resting_point("local-update", clients, **settings) == right.resting_point).all()
    assert (dictionary.field("local-update", clients, **settings).distortion == right.distortion).all()
    inexact = clients.to_float()
    found = dictionary.field("local-update", inexact, gamma=1 / 3, theta=theta)
    core = Surrogate(inexact, 1 / 3, theta)
    assert np.abs(found.distortion - core.distortion).max() < 1e-14
    assert np.abs(found.displacement - core.displacement).max() < 1e-13


def test_preconditioned_is_the_core_s() -> None:
    """Preconditioned clients and local correction against Preconditioned, each client with its rate and steps."""
    clients = CLIENTS.to_float()
    gamma, steps = [0.3, 0.5, 0.2], [3, 1, 4]
    P = np.array([[[1.0, 0.25], [0.25, 0.5]], [[0.5, 0.0], [0.0, 1.0]], [[0.75, -0.25], [-0.25, 0.5]]])
    core = Preconditioned(clients, gamma, steps, P)
    found = dictionary.field("preconditioned", clients, gamma=gamma, steps=steps, P=P)
    assert np.abs(found.distortion - core.distortion).max() < 1e-15
    assert np.abs(found.displacement - core.displacement).max() < 1e-14
    assert np.abs(dictionary.limit("preconditioned", clients, gamma=gamma, steps=steps, P=P) - core.limit).max() < 1e-14
    diagonal = np.array([[1.0, 0.5], [0.25, 0.5], [0.5, 0.75]])
    frozen = [np.tile(p, (k, 1)) for p, k in zip(diagonal, steps, strict=True)]
    corrected = Preconditioned(clients, gamma, steps, [np.diag(p) for p in diagonal], corrected=True)
    settings = {"gamma": gamma, "steps": steps, "frozen": frozen, "correction": "local"}
    assert np.abs(dictionary.displacement("local-adagrad", clients, **settings) - corrected.displacement).max() < 1e-14


def test_the_two_clients_of_outsized_section_4() -> None:
    """The closed formulas of the paper: x = (4 - 3 gamma) / (6 - 5 gamma), displaced by gamma / (3 (6 - 5 gamma))."""
    clients = exact.Quadratics([[[1]], [[2]]], [[1], ["1/2"]])
    for gamma in (F(1, 2), F(1, 7), F(1)):
        rest = dictionary.resting_point("fedavg", clients, gamma=gamma, steps=2)[0]
        assert F(int(rest.p), int(rest.q)) == (4 - 3 * gamma) / (6 - 5 * gamma)
        gap = dictionary.displacement("fedavg", clients, gamma=gamma, steps=2)[0]
        assert F(int(gap.p), int(gap.q)) == gamma / (3 * (6 - 5 * gamma))


@given(st.fractions(-2, 2, max_denominator=8), st.fractions(-2, 2, max_denominator=8), st.integers(1, 20))
def test_blends_of_powers(r: F, beta: F, n: int) -> None:
    """sum_k beta^(n-1-k) r^k as it is written, in rationals; beta = 1 is the geometric sum."""
    ring = ring_of(exact.Quadratics([[[abs(r) + 1]]], [[0]]))
    element = ring.matrix([[r]])
    found = forms.blended(element, ring.number(beta), n).value[0, 0]
    assert found == ring.number(sum(beta ** (n - 1 - k) * r**k for k in range(n)))
    assert forms.blended(element, ring.number(1), n).value == element.geometric(n).value


@pytest.mark.parametrize(("name", "case"), [each for each in EVERY if common(each[1])], ids=label)
def test_clients_taken_together_are_those_taken_one_by_one(name: str, case: dict[str, Any]) -> None:
    """Where settings are shared one element carries all clients: the same constants, rests and values."""
    clients = fixed(4, 3).to_float()
    chosen = settings_for(name, FloatRing(clients), case)
    assert chosen.shared()
    form = dictionary.entry(name).distortions
    for a, b in zip(form(FloatRing(clients, shared=True), chosen), form(FloatRing(clients), chosen), strict=True):
        assert a.constant == b.constant
        np.testing.assert_allclose(a.rest, b.rest, rtol=1e-13, atol=1e-15)
        np.testing.assert_allclose(a.value, b.value, rtol=1e-13, atol=1e-15)


def test_synced_momentum_by_hand() -> None:
    """One step of a heavy ball in one dimension: move = gamma, carry = gamma beta, store = 1, keep = beta."""
    ring = ring_of(Quadratics([[[0.5]]], [[1.0]]))
    r = forms.heavy_ball(ring.curvature(0), 0.25, 1, 0.5, 1.0)
    assert [float(part.value[0]) for part in (r.move, r.carry, r.store, r.keep)] == [0.25, 0.125, 1.0, 0.5]
    assert [float(part.value[0]) for part in forms.walked(ring.curvature(0), [0.25], 0.5, 1.0, g=1)] == [0.25, 1.0]
    parts = ring.parts(lambda i, A: forms.heavy_ball(A, 0.25, 1, 0.5, 1.0))
    assert float(forms.synced(ring, *parts)[0].value[0, 0]) == 0.25 + 0.125 * 2
