"""What every method must do, whatever it is: checks inherited by each entry of the registry."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq

from surrogate import ProblemError, methods
from tests.helpers.surrogate.methods_cases import ALL, Case
from tests.helpers.surrogate.methods_problems import (
    PLANE_A,
    PLANE_B,
    SOME,
    WEIGHTS,
    clients,
    convert,
    fraction,
    rounds,
    vector,
)

every_case = pytest.mark.parametrize("case", ALL, ids=str)


def entries(state: dict[str, Any]) -> list[Any]:
    """All numbers of a state, in order."""
    return [number for key in sorted(state) for number in np.array(state[key], dtype=object).ravel().tolist()]


def test_every_name_has_a_case() -> None:
    assert {case.name for case in ALL} == set(methods.names())


@every_case
def test_floats_lie_with_the_balls(case: Case) -> None:
    """State by state, the float run is where the enclosing run says it must be, up to rounding."""
    for floats, balls in zip(rounds(case.name, case.settings), rounds(case.name, case.settings, "balls"), strict=True):
        assert floats.keys() == balls.keys()
        for value, ball in zip(entries(floats), entries(balls), strict=True):
            middle, radius = float(arb(ball).mid()), float(arb(ball).rad())
            assert radius < 1e-9 * (1 + abs(middle))
            assert abs(value - middle) <= 1e-11 * (1 + abs(middle)) + radius


def holds(ball: arb, number: fmpq) -> bool:
    """|number - middle| <= radius, decided exactly: middle and radius are dyadic."""
    (m, e), (r, f) = ball.mid().man_exp(), ball.rad().man_exp()
    return abs(number - fmpq(m) * fmpq(2) ** int(e)) <= fmpq(r) * fmpq(2) ** int(f)


def test_holding_is_decided_exactly() -> None:
    third = arb(1) / 3
    assert holds(third, fmpq(1, 3))
    assert not holds(third.mid(), fmpq(1, 3))


@every_case
def test_balls_hold_the_rationals(case: Case) -> None:
    """Where a root is irrational, rationals say so."""
    balls = rounds(case.name, case.settings, "balls", draws=SOME)
    if not case.rational:
        with pytest.raises(ProblemError, match="balls"):
            rounds(case.name, case.settings, "rationals", draws=SOME)
        return
    for state, around in zip(rounds(case.name, case.settings, "rationals", draws=SOME), balls, strict=True):
        for number, ball in zip(entries(state), entries(around), strict=True):
            assert holds(arb(ball), fmpq(number))


@every_case
def test_a_round_changes_nothing_it_was_given(case: Case) -> None:
    """Twice the same round gives the same, and state, clients' memory and clients are as before."""
    method = methods.build(case.name, **convert(case.settings, "float", 2))
    people, weights = clients("float"), [float(w) for w in WEIGHTS]
    state, own = method.start(vector([1, -2], "float")), {}
    for drawn in SOME[:3]:
        before = copy.deepcopy((state, own, [(c.A, c.b) for c in people]))
        first = methods.play(method, state, own, people, weights, drawn)
        again = methods.play(method, state, own, people, weights, drawn)
        np.testing.assert_equal(first, again)
        np.testing.assert_equal((state, own, [(c.A, c.b) for c in people]), before)
        state, own = first


@every_case
def test_permuting_clients_changes_nothing(case: Case) -> None:
    """Client j in the place of client i, with its data, weight and settings, exactly where numbers are exact."""
    order, kind = [2, 0, 1], "rationals" if case.rational else "float"
    turned = {name: _turned(name, value, order) for name, value in case.settings.items()}
    usual = rounds(case.name, case.settings, kind)
    other = rounds(
        case.name,
        turned,
        kind,
        [PLANE_A[i] for i in order],
        [PLANE_B[i] for i in order],
        [WEIGHTS[i] for i in order],
    )
    _same(usual, other, case.rational)


def _turned(name: str, value: Any, order: list[int]) -> Any:
    """A setting after the clients changed places; what is one for all stays."""
    if callable(value):
        return lambda d: _turned(name, value(d), order)
    each = isinstance(value, list) and (name != "inner_rates" or isinstance(value[0], list))
    each = each or (name == "P" and getattr(value, "ndim", 0) == 3)
    if not each:
        return value
    return value[order] if hasattr(value, "ndim") else [value[i] for i in order]


@every_case
def test_splitting_a_client_in_two_changes_nothing(case: Case) -> None:
    """The last client becomes two with half its weight each."""
    order, kind = [0, 1, 2, 2], "rationals" if case.rational else "float"
    doubled = {name: _turned(name, value, order) for name, value in case.settings.items()}
    weights = [*WEIGHTS[:2], WEIGHTS[2] / 2, WEIGHTS[2] / 2]
    usual = rounds(case.name, case.settings, kind)
    other = rounds(
        case.name,
        doubled,
        kind,
        [PLANE_A[i] for i in order],
        [PLANE_B[i] for i in order],
        weights,
        draws=[[0, 1, 2, 3]] * 3,
    )
    _same(usual, other, case.rational)


def _same(usual: list[dict[str, Any]], other: list[dict[str, Any]], exact: bool) -> None:
    for one, two in zip(usual, other, strict=True):
        assert one.keys() == two.keys()
        if exact:
            assert [fraction(q) if hasattr(q, "p") else q for q in entries(one)] == [
                fraction(q) if hasattr(q, "p") else q for q in entries(two)
            ]
        else:
            np.testing.assert_allclose(entries(two), entries(one), rtol=1e-9, atol=1e-12)


class Together:
    """All clients as one, a row each: what a batched engine hands to a method."""

    def __init__(self) -> None:
        self.A = np.array(PLANE_A, dtype=float)
        self.b = np.array(PLANE_B, dtype=float)

    def __call__(self, y: Any, k: int) -> Any:
        return np.einsum("nij,nj->ni", self.A, np.broadcast_to(y, self.b.shape)) - self.b

    def hvp(self, y: Any, v: Any, k: int) -> Any:
        return np.einsum("nij,nj->ni", self.A, v)

    def loss(self, y: Any) -> Any:
        z = y - np.linalg.solve(self.A, self.b[..., None])[..., 0]
        return np.einsum("ni,nij,nj->n", z, self.A, z)[:, None] / 2


def mean(message: dict[str, Any], weights: Any) -> dict[str, Any]:
    """The weighted mean over rows; what has no rows is the same for all clients."""
    return {key: weights @ value if np.ndim(value) == 2 else value for key, value in message.items()}


def shared_by_all(case: Case) -> bool:
    """Whether no setting is one a client, and the clients need no more than gradients."""
    return case.settings.get("exact") is not True and not any(
        isinstance(value, list) and name != "inner_rates" for name, value in case.settings.items()
    )


@pytest.mark.parametrize("case", [case for case in ALL if shared_by_all(case) and "P" not in case.settings], ids=str)
def test_clients_can_be_trained_together(case: Case) -> None:
    """The same code on a matrix with a row a client gives what it gives on one client after another."""
    method, weights = methods.build(case.name, **convert(case.settings, "float", 2)), np.array(WEIGHTS, dtype=float)
    state, own, client = method.start(np.array([1.0, -2.0])), None, Together()
    for sequential in rounds(case.name, case.settings)[1:]:
        shared = state | (mean(method.survey(state, client, 0), weights) if method.survey else {})
        message, own = method.local(shared, method.enrol(state["x"]) if own is None else own, client, 0)
        state = method.update(shared, mean(message, weights), 3, 3)
        assert state.keys() == sequential.keys()
        np.testing.assert_allclose(entries(state), entries(sequential), rtol=1e-11, atol=1e-13)


@every_case
def test_settings_are_written_down(case: Case) -> None:
    """All settings that have an effect, defaults included: from them the same method can be built again."""
    given = convert(case.settings, "float", 2)
    method = methods.build(case.name, **given)
    assert method.name == case.name
    assert given.keys() <= method.settings.keys() <= methods.describe(case.name).settings.keys()
    again = methods.build(method.name, **method.settings)
    assert again.settings == method.settings
    assert (again.check, again.sends) == (method.check, method.sends)
    assert method.check in ("linear", "realised", "stepwise")
    assert method.sends in ("gradients", "updates", "model")
    assert method.paper


@every_case
def test_messages_and_states_keep_their_names(case: Case) -> None:
    """All clients send the same entries, and the server keeps the same ones, round after round."""
    states = rounds(case.name, case.settings, draws=SOME)
    assert {tuple(sorted(state)) for state in states} == {tuple(sorted(states[0]))}
