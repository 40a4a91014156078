"""When a method rests at x*: the claim of every entry, decided exactly on clients that have nothing in common."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import pytest

from surrogate import Theta, dictionary, methods
from tests.helpers.surrogate.dictionary_cases import EVERY, FROZEN, label, one_step
from tests.helpers.surrogate.dictionary_populations import fixed

CLIENTS = fixed()

_KEPT = {"states": "keep", "gamma": F(1, 3), "steps": 2}
SPECIAL: list[tuple[str, dict[str, Any]]] = [  # where the claim turns on a single setting
    ("scaffold", {"gamma": F(1, 3), "steps": 3, "alpha": F(999, 1000)}),
    ("scaffold", {"gamma": F(1, 3), "steps": 3, "alpha": F(3, 2)}),
    ("local-update", {"gamma": 0, "theta": Theta.sum(3)}),
    ("local-update", {"gamma": 0, "theta": [Theta.sum(3), Theta.sum(3), Theta.last(3)]}),
    ("local-update", {"gamma": F(1, 3), "theta": Theta([1, 2]), "inner_rates": [0, 1]}),
    ("local-update", {"gamma": F(1, 3), "theta": Theta([1, 2]), "inner_rates": [1, 0]}),
    ("local-update", {"gamma": F(1, 3), "theta": Theta([1, 1, -1], signed=True), "inner_rates": [1, 0, 1]}),
    ("fedavg", {"gamma": F(1, 3), "steps": 2, "inner_rates": [0, 1]}),
    ("fedavg", {"gamma": F(1, 3), "steps": 2, "inner_rates": [1, 0]}),
    ("fedavg", {"gamma": F(1, 3), "steps": 3, "inner_rates": [1, 0, F(1, 9)]}),
    ("fedavg", {"gamma": F(1, 3), "steps": [1, 1, 2]}),
    ("fedda-sgdm", {"gamma": 0, "steps": [2, 2, 3]}),
    ("fedda-sgdm", {"gamma": 0, "steps": 2}),
    ("fedda-sgdm", {"gamma": [F(1, 3), F(1, 2), 0], "steps": 1}),
    ("fedda-adagrad", {"gamma": F(1, 3), "steps": 2, "beta1": 0}),
    ("fedcm", {"gamma": [F(1, 3), F(1, 2), F(1, 3)], "steps": 1, "alpha": F(1, 2)}),
    ("fednova", {"gamma": F(1, 3), "steps": [1, 1, 2]}),
    ("mimelite", {"gamma": F(1, 3), "steps": 2, "beta": F(9, 10)}),
    ("local-sgdm", {"gamma": [F(1, 3), F(1, 2), F(1, 4)], "steps": 1, "correction": "local"}),
    ("local-sgdm", {"gamma": [F(1, 3), F(1, 2), F(1, 4)], "steps": 1, "correction": "local", "as_printed": True}),
    ("local-sgdm", {**_KEPT, "beta": F(1, 2)}),
    ("preconditioned", {"gamma": F(1, 3), "steps": 1, "P": [[1, 0], [0, F(1, 2)]]}),
    *(  # whole numbers must not turn into floats on the way
        (name, {"gamma": 1, "steps": 2, **whole})
        for name, whole in (
            *(("local-sgdm", {"beta": 0, "states": states}) for states in ("restart", "keep", "sync")),
            *(("mfl", {"beta": 0}), ("mimelite", {"beta": 0}), ("scaffold", {"alpha": 0}), ("fedcm", {"alpha": 1})),
            *(("fedda-sgdm", {"beta": 0, "momentum": m}) for m in ("carried", "restarted")),
            *(("fedda-adagrad", {"beta1": 0}), ("fedprox", {"mu": 0}), ("fednova", {}), ("fedlin", {})),
            ("local-adam", {"beta1": 0, "frozen": [[[1, 1], [1, 2]]] * 3}),
            ("preconditioned", {"P": [[1, 0], [0, 1]], "inner_rates": [1, 1]}),
        )
    ),
    ("maml", {"gamma": 0, "steps": 2}),
    *(
        (f"local-{name}", {"gamma": F(1, 3), "steps": 1, "frozen": FROZEN[0][:1]})
        for name in ("adam", "amsgrad", "yogi")
    ),
    *((name, {"gamma": F(1, 3), "steps": 1, "frozen": FROZEN[0][:1]}) for name in ("fed-ams", "fed-lamb")),
    ("stem", {"gamma": [F(1, 3), F(1, 2), F(1, 5)], "steps": 1}),
    ("fedprox", {"mu": 1000, "exact": True}),
]

ALL = [*EVERY, *((name, one_step(name, case)) for name, case in EVERY), *SPECIAL]


@pytest.mark.parametrize("name, case", ALL, ids=label)
def test_equals_minimizer_is_right_both_ways(name: str, case: dict[str, Any]) -> None:
    """True: displaced by exactly 0. False: displaced, by a rational that is not 0."""
    displaced = any(v != 0 for v in dictionary.displacement(name, CLIENTS, **case))
    assert dictionary.equals_minimizer(name, CLIENTS, **case) is not displaced


@pytest.mark.parametrize("name", dictionary.methods())
def test_both_answers_are_seen(name: str) -> None:
    """Among the cases each method is seen displaced and not, unless its entry says always."""
    answers = {dictionary.equals_minimizer(n, CLIENTS, **case) for n, case in ALL if n == name}
    always = dictionary.entry(name).equals_minimizer.startswith("always")
    assert answers == ({True} if always else {True, False})


@pytest.mark.parametrize("name", dictionary.methods())
def test_an_entry_says_what_it_must(name: str) -> None:
    """Formula, paper, condition, limit and derivation, for methods that exist."""
    entry = dictionary.entry(name)
    assert all((entry.formula, entry.paper, entry.equals_minimizer, entry.limit)) and "D_i" in entry.formula
    assert len(entry.derivation) > 60 and entry.name == name in methods.names()


def test_one_client_is_always_at_its_minimizer() -> None:
    """With one client every method rests at c_1, whatever the settings."""
    assert dictionary.equals_minimizer("fedavg", fixed(n=1), gamma=F(1, 3), steps=3)
