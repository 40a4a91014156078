"""Two routes to every linear method's resting point, compared exactly: the formula, and its own code probed."""

from __future__ import annotations

from typing import Any

import pytest

from surrogate import dictionary, methods
from tests.surrogate.dictionary.cases import ADAPTIVE, CASES, LINEAR, label
from tests.surrogate.dictionary.populations import fixed

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
