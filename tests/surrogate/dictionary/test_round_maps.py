"""Two routes to every linear method's resting point, compared exactly: the formula, and its own code probed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from flint import fmpq, fmpq_mat

from surrogate import dictionary, exact, methods
from surrogate.kit.errors import ProblemError
from tests.helpers.surrogate.dictionary_cases import ADAPTIVE, CASES, LINEAR, label
from tests.helpers.surrogate.dictionary_populations import fixed, floats

each_linear = pytest.mark.parametrize("name, case", LINEAR, ids=label)
CLIENTS = fixed()


def with_eta(name: str, case: dict[str, Any]) -> dict[str, Any]:
    """A round needs the server rate that a resting point does not."""
    return {"eta": 1, **case} if methods.describe(name).settings.get("eta") == "required" else case


def test_every_entry_has_cases() -> None:
    """No formula goes unchecked, and no case checks a formula that is gone."""
    assert set(CASES) == set(dictionary.methods()) <= set(methods.names())
    assert set(CASES) >= ADAPTIVE


@each_linear
def test_closed_form_solves_the_probed_round_map(name: str, case: dict[str, Any]) -> None:
    """Rational for rational."""
    found = dictionary.round_map(name, CLIENTS, **with_eta(name, case)).solve()["x"]
    assert (found == dictionary.resting_point(name, CLIENTS, **case)).all()


@each_linear
def test_a_round_map_is_the_round(name: str, case: dict[str, Any]) -> None:
    """At a point off the axes: matrix and offset against one round played, entry by entry."""
    found = dictionary.round_map(name, CLIENTS, **with_eta(name, case))
    method = dictionary.method(name, CLIENTS, **with_eta(name, case))
    s = np.array([fmpq(k * k - 3 * k + 1, k + 2) for k in range(len(found.offset))])
    after = found.apply(s)
    own = {i: dict(method.enrol(s[: CLIENTS.d])) for i in range(CLIENTS.n)}
    state = dict(method.start(s[: CLIENTS.d]))
    for key, part in found.names.items():
        home, _, inner = key.rpartition(": ")
        (own[int(home.removeprefix("client "))] if home else state)[inner] = s[part]
    state, own = methods.play(method, state, own, methods.quadratic_clients(CLIENTS), CLIENTS.weights)
    for key, part in found.names.items():
        home, _, inner = key.rpartition(": ")
        played = (own[int(home.removeprefix("client "))] if home else state)[inner]
        assert (played == after[part]).all(), key


@each_linear
def test_the_radius_is_the_speed(name: str, case: dict[str, Any]) -> None:
    """float64: the spectral radius where states move, below 1, as the powers of M decay (Gelfand)."""
    found = dictionary.round_map(name, CLIENTS.to_float(), **with_eta(name, case))
    exactly = dictionary.round_map(name, CLIENTS, **with_eta(name, case))
    assert np.abs(found.matrix - floats(exactly.matrix)).max() < 1e-14 * (1 + np.abs(found.matrix).max())
    assert np.abs(found.offset - floats(exactly.offset)).max() < 1e-13
    assert found.radius < 1
    rest = np.concatenate(list(found.solve().values()))
    power = np.linalg.matrix_power(found.matrix, 2000)
    moved = power @ (found.start - rest)  # s_2000 - rest
    assert np.abs(moved).max() <= 1e3 * found.radius**1900 * (1 + np.abs(rest).max()) + 1e-13


def test_conserved_variates_settle_where_they_start() -> None:
    """SCAFFOLD keeps c - mean c_i: I - M is singular; the fixed point reached from the start has c = 0 = mean c_i."""
    settings = {"gamma": "1/3", "steps": 2, "alpha": "1/2"}
    found = dictionary.round_map("scaffold", CLIENTS, **settings)
    assert list(found.names) == ["x", "c", "client 0: c", "client 1: c", "client 2: c"]
    eye = np.eye(len(found.offset), dtype=int)
    assert fmpq_mat((eye - found.matrix).tolist()).rank() == len(found.offset) - CLIENTS.d
    rest = found.solve()
    s = np.concatenate(list(rest.values()))
    assert (found.apply(s) == s).all() and not rest["c"].any()
    assert not sum(w * rest[f"client {i}: c"] for i, w in enumerate(CLIENTS.weights)).any()
    assert dictionary.round_map("scaffold", CLIENTS.to_float(), **settings).radius < 1


@pytest.mark.parametrize("eps", [0, 1])
def test_adaptive_servers_have_no_round_map(eps: int) -> None:
    """A round that is not affine is refused, with the way out; without warnings where it divides 0 by 0."""
    for clients in (CLIENTS.to_float(), CLIENTS):
        with pytest.raises(ProblemError, match=r"(?s)not affine.*freeze|the square of a rational.*freeze"):
            dictionary.round_map("fedopt-adagrad", clients, gamma="1/3", steps=2, eta="1/2", eps=eps)


@pytest.mark.parametrize("name, case", [("fedopt-sgdm", {"eta": 1}), ("local-sgdm", {"states": "keep"})])
def test_rounds_that_change_have_no_round_map(name: str, case: dict[str, Any]) -> None:
    """Bias correction of a carried momentum counts rounds."""
    with pytest.raises(ProblemError, match=r"(?s)its state counts them.*turn bias_correction off"):
        dictionary.round_map(name, CLIENTS, gamma="1/3", steps=2, bias_correction=True, **case)


def test_exact_radius_is_refused() -> None:
    """Eigenvalues are irrational: the error says to use float64 clients."""
    with pytest.raises(ProblemError, match="to_float"):
        _ = dictionary.round_map("fedavg", CLIENTS, gamma="1/3", steps=2).radius


def test_a_map_without_fixed_point_says_so() -> None:
    """The two clients of OLR at gamma = 6/5: the averaged Hessian is singular (4 - 3 gamma over 6 - 5 gamma)."""
    clients = exact.Quadratics([[[1]], [[2]]], [[1], ["1/2"]])
    for chosen, gamma in ((clients, "6/5"), (clients.to_float(), 1.2)):
        with pytest.raises(ProblemError, match="lower gamma"):
            dictionary.round_map("fedavg", chosen, gamma=gamma, steps=2).solve()
        with pytest.raises(ProblemError, match="lower gamma"):
            dictionary.resting_point("fedavg", chosen, gamma=gamma, steps=2)


@pytest.mark.parametrize("name", ["fedavg", "scaffold", "mfl", "mimelite", "fedlin"])
def test_slow_rounds_still_find_their_fixed_point(name: str) -> None:
    """gamma = 1e-9 moves x by 1e-9 a round; a conserved variate is told from it."""
    found = dictionary.round_map(name, CLIENTS.to_float(), gamma=1e-9, steps=2).solve()["x"]
    assert np.abs(found - dictionary.resting_point(name, CLIENTS.to_float(), gamma=1e-9, steps=2)).max() < 1e-5
