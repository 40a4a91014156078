"""A fault planted in a function of ``surrogate.bounds`` is noticed by the statement that judges the function."""

from __future__ import annotations

from typing import Any

import pytest

from surrogate import bounds
from tests.helpers.theorems.judged_bounds import FUNCTIONS, noticed, violated
from theorems import registry


def times(factor: int) -> Any:
    return lambda value: _each(value, lambda x: x * factor)


def over(factor: int) -> Any:
    return lambda value: _each(value, lambda x: x / factor)


def more(value: Any) -> Any:
    """Too far up for a false bound to be broken."""
    return _each(value, lambda x: x + 10**6)


def none(value: Any) -> Any:
    return _each(value, lambda x: x * 0)


def _each(value: Any, change: Any) -> Any:
    if isinstance(value, tuple):
        return type(value)(*map(change, value)) if hasattr(value, "_fields") else tuple(map(change, value))
    return change(value)


def smoothness(value: bounds.Conditioning) -> bounds.Conditioning:
    return value._replace(smoothness=value.smoothness / 2)


def strong_convexity(value: bounds.Conditioning) -> bounds.Conditioning:
    return value._replace(strong_convexity=value.strong_convexity * 2)


def slower_clients(value: bounds.Rates) -> bounds.Rates:
    return value._replace(gamma=value.gamma / 10**6)


def faster_server(value: bounds.Rates) -> bounds.Rates:
    return value._replace(eta=value.eta * 100)


FAULTS: dict[str, tuple[Any, ...]] = {
    "chi": (times(2),),
    "corollary_13": (smoothness, strong_convexity),
    "corollary_14": (smoothness, strong_convexity),
    "corollary_20": (over(100),),  # loose
    "corollary_22": (more, over(100)),
    "corollary_28": (more, over(100)),
    "corollary_28_noise": (over(2),),
    "corrected_29": (over(10),),
    "corrected_29_rates": (faster_server,),
    "corrected_29b": (over(10),),
    "corrected_la_1": (over(2),),
    "corrected_la_1_rate": (none,),
    "la_sgd_contraction": (over(2),),
    "la_sgd_variance": (over(2),),
    "la_theorem_1": (more,),
    "lemma_11": (smoothness, strong_convexity),
    "lemma_12": (smoothness, strong_convexity),
    "lemma_18": (times(2),),
    "lemma_18_rate": (times(100),),
    "lemma_23": (more, over(2)),
    "lemma_25": (more, over(100)),
    "lemma_25_rate": (times(100),),
    "one_minus_chi": (over(10),),  # loose
    "phi": (times(2), over(2)),
    "phi_deficit": (times(2), times(-1)),
    "phi_drop": (over(2),),
    "sampled_noise": (over(2),),
    "theorem_16": (over(20),),  # loose
    "theorem_17": (over(10),),  # loose
    "theorem_17b": (over(2),),
    "theorem_21": (over(10),),  # loose
    "theorem_21b": (over(2),),
    "theorem_26": (more, over(2)),
    "theorem_27": (more, over(2)),
    "theorem_27_offset": (over(100),),
    "theorem_27_rate": (times(100),),
    "theorem_29": (more, over(100)),
    "theorem_29_offset": (none,),
    "theorem_29_rates": (slower_clients,),
}


def test_every_function_has_a_fault() -> None:
    assert set(FAULTS) == set(FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_fault_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    statement = registry.find(bounds.STATEMENTS[name])
    before, original = violated(statement), getattr(bounds, name)
    for fault in FAULTS[name]:

        def faulty(*args: Any, fault: Any = fault, **kwargs: Any) -> Any:
            return fault(original(*args, **kwargs))

        monkeypatch.setattr(bounds, name, faulty)
        assert noticed(statement, before), f"{statement.id} does not notice {name} with {fault}"
