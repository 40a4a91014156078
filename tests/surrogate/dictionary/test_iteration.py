"""Every entry: the method's own code, iterated in float64, comes to rest at the closed form."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from surrogate import dictionary
from tests.helpers.surrogate.dictionary_cases import EVERY, label
from tests.helpers.surrogate.dictionary_iterate import settle
from tests.helpers.surrogate.dictionary_populations import fixed
from tests.surrogate.dictionary.test_round_maps import with_eta

CLIENTS = fixed().to_float()


@pytest.mark.parametrize("name, case", EVERY, ids=label)
def test_iterating_the_method_ends_at_its_closed_form(name: str, case: dict[str, Any]) -> None:
    """From a little way off, so that an adaptive server's steps stay tame."""
    method = dictionary.method(name, CLIENTS, **with_eta(name, case))
    rest = dictionary.resting_point(name, CLIENTS, **case)
    found, _ = settle(method, CLIENTS, rest + np.array([0.05, -0.03]))
    assert np.abs(found - rest).max() < 1e-11
