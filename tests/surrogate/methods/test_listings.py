"""Every method, step by step, against a plain listing of it: in Fractions where it is rational, else in floats."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest

from surrogate import methods
from tests.helpers.surrogate import methods_listings_moments as listings_moments
from tests.helpers.surrogate import methods_listings_plain as listings_plain
from tests.helpers.surrogate.methods_cases import ALL, Case
from tests.helpers.surrogate.methods_problems import LINE_A, LINE_B, SOME, WEIGHTS, fraction, rounds

LISTINGS = {**listings_plain.LISTINGS, **listings_moments.LISTINGS}


def spelled(value: Any, rational: bool) -> Any:
    """A setting as a listing wants it: for one coordinate, in Fractions or floats."""
    if callable(value):
        return spelled(value(1), rational)
    if isinstance(value, np.ndarray):
        return tuple(spelled(row, rational) for row in value.tolist())
    if isinstance(value, list):
        return [spelled(entry, rational) for entry in value]
    if isinstance(value, dict):
        return {name: spelled(entry, rational) for name, entry in value.items()}
    return float(value) if isinstance(value, F) and not rational else value


def test_every_name_has_a_listing() -> None:
    assert set(LISTINGS) == set(methods.names())


@pytest.mark.parametrize("case", ALL, ids=str)
def test_as_listed(case: Case) -> None:
    settings = {name: spelled(value, case.rational) for name, value in case.settings.items()}
    number = F if case.rational else float
    people = [(number(A[0][0]), number(b[0])) for A, b in zip(LINE_A, LINE_B, strict=True)]
    listed = LISTINGS[case.name](people, list(map(number, WEIGHTS)), SOME, number(2), **settings)
    kind = "rationals" if case.rational else "float"
    run = [state["x"][0] for state in rounds(case.name, case.settings, kind, LINE_A, LINE_B, draws=SOME, x0=(2,))]
    assert len(set(listed)) == len(SOME) + 1, "a listing that stands still shows nothing"
    if case.rational:
        assert [fraction(x) for x in run] == listed
    else:
        np.testing.assert_allclose(run, listed, rtol=1e-11)
