"""The proofs of the DICT statements can fail: they notice a distortion that is 1 % off, slips, a wrong claim of x*."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from zlib import crc32

import pytest
from flint import fmpq

from surrogate import dictionary, exact, methods
from surrogate.dictionary.entries import TABLE
from surrogate.numbers.symbols import symbols
from tests.helpers.theorems.slips import SLIPS, moves_a_rest, slipped
from theorems import registry
from theorems.dictionary.rounds import fixed_point
from theorems.dictionary.symbols import Free, filled, free_names

QUICK = {"weights dropped", "P on the wrong side"}  # noticed at a proof's first case
ALL = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
STATEMENTS = registry.all_statements("dictionary")


def test_every_method_has_its_statement():
    assert set(STATEMENTS) == {f"DICT.{name}" for name in dictionary.methods()}


@pytest.mark.parametrize("name", dictionary.methods())
def test_a_distortion_that_is_off_is_noticed(name, monkeypatch):
    known = TABLE[name]

    def off(ring, settings):
        first, *others = known.distortions(ring, settings)
        return [first * ring.number(Fraction(101, 100)), *others]

    monkeypatch.setitem(TABLE, name, replace(known, distortions=off))
    with pytest.raises(AssertionError, match="the closed form is"):
        STATEMENTS[f"DICT.{name}"].printed.prove()


@pytest.mark.parametrize("name", dictionary.methods())
def test_a_wrong_claim_of_x_star_is_noticed(name, monkeypatch):
    known = TABLE[name]
    monkeypatch.setitem(TABLE, name, replace(known, is_minimizer=lambda s: not known.is_minimizer(s)))
    with pytest.raises(AssertionError, match="the entry says"):
        STATEMENTS[f"DICT.{name}"].steps[0].claim.prove()


def test_slips_in_a_distortion_are_noticed(monkeypatch, capsys):
    """Wherever a slip moves a resting point, the proof that the method's code rests at the closed form fails.

    CI looks at some, always the same ones; ``HYPOTHESIS_PROFILE=thorough`` looks at all.
    """
    kinds, missed = Counter(), []
    for name, slip in product(dictionary.methods(), SLIPS):
        if not ALL and slip not in QUICK and crc32(f"{name}: {slip}".encode()) % 40:
            continue
        wrong = slipped(name, slip)
        if moves_a_rest(name, wrong, monkeypatch):
            kinds[slip] += 1
            with monkeypatch.context() as patched:
                patched.setitem(TABLE, name, wrong)
                if not unproved(STATEMENTS[f"DICT.{name}"]):
                    missed.append(f"{name}: {slip}")
    with capsys.disabled():
        print(f"\ndictionary: slips noticed: {kinds.total() - len(missed)} of {kinds.total()} ({dict(kinds)})")
    assert kinds and not missed


def unproved(statement):
    try:
        statement.printed.prove()
    except AssertionError as error:
        return "the closed form is" in str(error)
    return False


def test_the_fixed_point_is_the_round_map_of_the_dictionary():
    clients = exact.Quadratics([[[1]], [[2]]], [[1], ["1/2"]])
    for name, settings in (
        ("scaffold", {"gamma": fmpq(1, 3), "steps": 2, "alpha": fmpq(1, 2)}),
        ("mfl", {"gamma": fmpq(1, 3), "steps": 2, "beta": fmpq(1, 4)}),
    ):
        method = methods.build(name, ops=methods.RATIONALS, **settings)
        assert (fixed_point(method, clients) == dictionary.round_map(name, clients, **settings).solve()["x"]).all()


def test_a_scalar_is_a_rational_function():
    values = symbols(["x", "y"])
    x, y = values["x"], values["y"]
    assert (x + y) * (x - y) == x**2 - y**2 and (x - Fraction(1, 2)) * 2 == 2 * x - 1
    assert x * fmpq(1, 3) == x / 3 and 1 / x == x.inverse() and x != y and x != "x"
    assert x.geometric(3) == 1 + x + x**2 and x.power(4) == x**4 and x.unit(3) == 3 and bool(x - x) is False


def test_free_settings_are_found_and_filled():
    settings = {"gamma": [Free("g"), Free("h")], "server": {"beta": Free("g")}, "name": "sgd"}
    assert free_names(settings) == ["g", "h"]
    assert filled(settings, {"g": 1, "h": 2}) == {"gamma": [1, 2], "server": {"beta": 1}, "name": "sgd"}
