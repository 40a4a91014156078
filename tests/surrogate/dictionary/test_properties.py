"""What holds for every entry on any population: the routes agree, and useless changes of the problem change nothing."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from surrogate import Quadratics, dictionary, exact
from tests.helpers.surrogate.dictionary_cases import EVERY, common, label, linear
from tests.helpers.surrogate.dictionary_populations import fixed, floats, populations
from tests.surrogate.dictionary.test_round_maps import with_eta

EVERYWHERE = [(name, case) for name, case in EVERY if common(case)]
each = pytest.mark.parametrize("name, case", EVERYWHERE, ids=label)
CLIENTS = fixed()
LARGE = fixed(n=5, d=8)


@given(data=st.data())
@pytest.mark.parametrize("name", dictionary.methods())
def test_on_any_population(name: str, data: st.DataObject) -> None:
    """The field vanishes at rest, its weights have mean I, the probed round rests there, and float64 agrees."""
    _, case = data.draw(st.sampled_from([pair for pair in EVERY if pair[0] == name]), label="case")
    clients = data.draw(populations() if common(case) else populations(n=3, d=2), label="clients")
    rest, D = (f(name, clients, **case) for f in (dictionary.resting_point, dictionary.rest_weights))
    assert (sum(w * Di for w, Di in zip(clients.weights, D, strict=True)) == np.eye(clients.d, dtype=int)).all()
    field = sum(w * Di @ (A @ rest - b) for w, Di, A, b in zip(clients.weights, D, clients.A, clients.b, strict=True))
    assert not field.any()
    assert (rest - clients.minimizer == dictionary.displacement(name, clients, **case)).all()
    if linear(name, case):
        assert (dictionary.round_map(name, clients, **with_eta(name, case)).solve()["x"] == rest).all()
    inexact = clients.to_float()
    scale = 1 + np.abs(floats(clients.c)).max()
    condition = np.linalg.cond(floats(dictionary.field(name, clients, **case).jacobian))
    found = dictionary.displacement(name, inexact, **case)
    right = floats(dictionary.displacement(name, clients, **case))
    assert np.abs(found - right).max() <= 1e-14 * condition * scale
    assert np.abs(dictionary.rest_weights(name, inexact, **case) - floats(D)).max() <= 1e-12 * condition


@each
def test_eight_dimensions(name: str, case: dict[str, Any]) -> None:
    """Five clients in eight dimensions, float64 against rationals."""
    right = floats(dictionary.displacement(name, LARGE, **case))
    found = dictionary.displacement(name, LARGE.to_float(), **case)
    assert np.abs(found - right).max() < 1e-13


@each
def test_one_client_rests_at_its_minimizer(name: str, case: dict[str, Any]) -> None:
    """Exactly, and in float64 by a displacement of exactly 0."""
    alone = fixed(n=1)
    assert (dictionary.resting_point(name, alone, **case) == alone.c[0]).all()
    assert not dictionary.displacement(name, alone.to_float(), **case).any()


@each
def test_clients_with_one_hessian_rest_at_the_minimizer(name: str, case: dict[str, Any]) -> None:
    """Homogeneous in A, not in c: all distortions are one matrix."""
    alike = exact.Quadratics([CLIENTS.A[0]] * 3, CLIENTS.c, CLIENTS.weights)
    assert not dictionary.displacement(name, alike, **case).any()
    assert np.abs(dictionary.displacement(name, alike.to_float(), **case)).max() < 1e-15


@each
def test_equal_clients_are_one_client(name: str, case: dict[str, Any]) -> None:
    """Two copies of one client."""
    twice = exact.Quadratics([CLIENTS.A[0]] * 2, [CLIENTS.c[0]] * 2)
    assert (dictionary.resting_point(name, twice, **case) == CLIENTS.c[0]).all()


@each
def test_useless_changes_change_nothing(name: str, case: dict[str, Any]) -> None:
    """Clients in another order; one client split in two of half its weight; the origin elsewhere."""
    rest = dictionary.resting_point(name, CLIENTS, **case)
    A, c, w = CLIENTS.A, CLIENTS.c, CLIENTS.weights
    turned = exact.Quadratics(A[::-1], c[::-1], w[::-1])
    split = exact.Quadratics([*A, A[0]], [*c, c[0]], [w[0] / 3, *w[1:], 2 * w[0] / 3])
    assert (dictionary.resting_point(name, turned, **case) == rest).all()
    assert (dictionary.resting_point(name, split, **case) == rest).all()
    shift = np.array([F(7), F(-3)])
    moved = exact.Quadratics(A, [[v + s for v, s in zip(map(_fraction, row), shift, strict=True)] for row in c], w)
    assert [_fraction(v) for v in dictionary.resting_point(name, moved, **case)] == [
        _fraction(v) + s for v, s in zip(rest, shift, strict=True)
    ]


@pytest.mark.parametrize("name, case", EVERY, ids=label)
def test_only_products_of_rates_and_curvatures_count(name: str, case: dict[str, Any]) -> None:
    """gamma and A_i (and mu) in other units, their products the same: why rates of 1e-300 may be computed as 1."""
    rest, s = dictionary.resting_point(name, CLIENTS, **case), fmpq(3, 7)
    units = exact.Quadratics([a * s for a in CLIENTS.A], CLIENTS.c, CLIENTS.weights)
    scaled = dict(case)
    if "gamma" in case:
        rates = case["gamma"]
        scaled["gamma"] = [r / F(3, 7) for r in rates] if isinstance(rates, list) else rates / F(3, 7)
    if "mu" in case:
        scaled["mu"] = case["mu"] * F(3, 7)
    assert (dictionary.resting_point(name, units, **scaled) == rest).all()


@each
def test_rotation_rotates_the_resting_point(name: str, case: dict[str, Any]) -> None:
    """A rational rotation (3/5, 4/5) of the coordinates."""
    U = np.array([[F(3, 5), F(-4, 5)], [F(4, 5), F(3, 5)]])
    A = [U @ np.vectorize(_fraction, otypes=[object])(a) @ U.T for a in CLIENTS.A]
    c = [U @ np.vectorize(_fraction, otypes=[object])(v) for v in CLIENTS.c]
    turned = exact.Quadratics(A, c, CLIENTS.weights)
    rest = np.vectorize(_fraction, otypes=[object])(dictionary.resting_point(name, CLIENTS, **case))
    found = np.vectorize(_fraction, otypes=[object])(dictionary.resting_point(name, turned, **case))
    assert (found == U @ rest).all()


@pytest.mark.parametrize("apart", [1e-4, 1e-9, 1e-14])
@each
def test_almost_equal_hessians(name: str, case: dict[str, Any], apart: float) -> None:
    """Hessians that agree to all but the last digits: the displacement, as small as that, keeps its own digits."""
    A = floats(CLIENTS.A[0]) + apart * floats(CLIENTS.A)
    clients = Quadratics(A, floats(CLIENTS.c))
    right = floats(dictionary.displacement(name, exact.Quadratics.from_float(clients), **case))
    found = dictionary.displacement(name, clients, **case)
    assert np.abs(found - right).max() <= 1e-12 * np.abs(right).max()


@each
def test_badly_conditioned_clients(name: str, case: dict[str, Any]) -> None:
    """Eigenvalues from 1 to 1e-10: float64 displacements against rationals."""
    A = [[[1.0, 0.0], [0.0, 1e-10]], [[0.5, 0.25], [0.25, 0.5]], [[1e-10, 0.0], [0.0, 2e-10]]]
    clients = Quadratics(A, [[1.0, 0.5], [-1.0, 2.0], [0.25, 0.0]])
    right = floats(dictionary.displacement(name, exact.Quadratics.from_float(clients), **case))
    found = dictionary.displacement(name, clients, **case)
    assert np.abs(found - right).max() <= 1e-12 * max(np.abs(right).max(), 1e-300)


def _fraction(value: Any) -> F:
    return F(int(value.p), int(value.q)) if hasattr(value, "p") else F(value)
