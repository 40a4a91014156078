"""LADA's findings notice: a world as the paper has it reproduces every claim, a changed one does not."""

from __future__ import annotations

from typing import Any

import pytest

from figures import registry
from figures.fedlada import settings
from figures.fedlada.settings import C10, C100, TINY
from tests.helpers.figures.doctor import doctored, statuses
from tests.helpers.figures.fedlada_world import Change, rows

TRAINED = {entry.id: entry for entry in registry.discover() if entry.paper == "fedlada" and entry.trained}
BAD = "not reproduced"


def ends(name: str, end: float, **where: Any) -> Change:
    """One method ends elsewhere, on the runs whose keys are ``where``."""

    def change(method: str, task: str, keys: dict[str, Any], own: tuple[float, float]) -> tuple[float, float]:
        return (end, own[1]) if method == name and _match(keys, where) else own

    return change


def pace(name: str, pace: float, **where: Any) -> Change:
    """One method goes at another pace."""

    def change(method: str, task: str, keys: dict[str, Any], own: tuple[float, float]) -> tuple[float, float]:
        return (own[0], pace) if method == name and _match(keys, where) else own

    return change


def _match(keys: dict[str, Any], where: dict[str, Any]) -> bool:
    return all(keys.get(name.replace("__", ".")) == value for name, value in where.items())


@pytest.mark.parametrize("id", TRAINED)
def test_the_papers_world_reproduces_every_claim(id: str) -> None:
    module = TRAINED[id]
    found = statuses(module, rows(module))
    assert set(found.values()) == {"reproduced"} and list(found) == list(module.claims)


CASES: list[tuple[str, str, Change]] = [
    ("LADA.F1", "fast", pace("local-adam", 80)),
    ("LADA.F1", "worse", ends("local-adam", 60)),
    ("LADA.F1", "slow", pace("fedopt-adam", 30)),
    ("LADA.F1", "prevents", ends("fedopt-adam", 20)),
    ("LADA.F2", "best", ends("fedlada", 10)),
    ("LADA.F2", "speed", pace("fedlada", 60)),
    ("LADA.F2", "tiny", ends("fedlada", 35, task=TINY)),
    ("LADA.F2", "sgd", ends("fedcm", 40, task=C100)),
    ("LADA.F2", "overfits", ends("local-adam", 84, task=C10)),
    ("LADA.F3", "faster", pace("fedlada", 25, steps=4)),
    ("LADA.F3", "weaker", pace("fedlada", 1, steps=10)),
    ("LADA.F3", "best", ends("fedlada", 60, steps=10)),
    ("LADA.F3", "overfits", ends("fedlada", 60, steps=10)),
    ("LADA.F4", "more", pace("fedlada", 80, clients_per_round=10)),
    ("LADA.F4", "saturates", pace("fedlada", 5, clients_per_round=10)),
    ("LADA.F5", "falls", ends("fedadam-amended", 38, method__alpha=0.1, eta=0.1)),
    ("LADA.F5", "rate", ends("fedadam-amended", 60, eta=0.001)),
    ("LADA.F5", "fedcm", ends("fedcm", 5)),
    ("LADA.F7", "rugged", pace("fedopt-adam", 10)),
    ("LADA.F7", "local", pace("local-adam", 60)),
    ("LADA.F7", "best", ends("fedlada", 50)),
    ("LADA.F8b", "small", ends("fedlada", 80, method__alpha=0.1)),
    ("LADA.F8b", "one", ends("fedlada", 99, method__alpha=1.0)),
    ("LADA.F8c", "scaffold", pace("scaffold", 0.1)),
    ("LADA.T1", "adam", pace("local-adam", 14)),
    ("LADA.T1", "sgd", pace("fedcm", 16)),
    ("LADA.T1", "fedadam", pace("fedopt-adam", 30)),
    ("LADA.T1", "slowest", pace("fedopt-adam", 30)),
    ("LADA.T1", "overfits", ends("local-adam", 90)),
    ("LADA.T3", "local", ends("fedlada", 20)),
    ("LADA.T3", "adam", ends("fedadam-amended", 60)),
    ("LADA.T3", "sgd", ends("fedcm", 20)),
    ("LADA.T3", "best", ends("fedlada", 20)),
    ("LADA.T4", "falls", lambda method, task, keys, own: (30 + keys["steps"], own[1])),
    ("LADA.T4", "trade", pace("fedlada", 300, steps=4)),
    ("LADA.T5", "inside", ends("fedlada", 90, method__alpha=1.0)),
    ("LADA.T5", "small", ends("fedlada", 90, method__alpha=0.01)),
    ("LADA.T5", "large", lambda method, task, keys, own: (30 + 9 * keys["method.alpha"], own[1])),
    ("LADA.T6", "end", ends("fedlada", 10)),
    ("LADA.T6", "rounds", pace("fedlada", 39)),
    ("LADA.T6", "generalises", ends("fedlada", 10)),
    ("LADA.T7", "early", pace("local-adam", 8)),
    ("LADA.T7", "middle", pace("fedcm", 12)),
    ("LADA.T7", "fails", ends("local-adam", 95)),
    ("LADA.T10", "one", ends("scaffold", 90, method__alpha=1.5)),
    ("LADA.T10", "none", ends("fedavg", 90)),
    ("LADA.T12", "high", pace("fedlada", 39)),
    ("LADA.T12", "low", pace("scaffold", 5)),
    ("LADA.T12", "rounds", pace("fedcm", 5)),
]


def test_every_claim_has_a_world_in_which_it_is_wrong() -> None:
    claims = {(id, name) for id, entry in TRAINED.items() for name in entry.claims}
    assert claims - {(id, name) for id, name, _ in CASES} == {("LADA.F8c", "alpha")}  # below


@pytest.mark.parametrize(("id", "claim", "change"), CASES, ids=lambda value: value if isinstance(value, str) else "")
def test_another_world_does_not(id: str, claim: str, change: Change) -> None:
    module = TRAINED[id]
    assert statuses(module, rows(module, change))[claim] == BAD


def test_consistency_that_does_not_grow_with_alpha_is_noticed() -> None:
    module = TRAINED["LADA.F8c"]
    same = doctored(rows(module), lambda row: {"consistency": 1.0})
    assert statuses(module, same)["alpha"] == BAD


def test_seeds_that_disagree_decide_nothing() -> None:
    module = TRAINED["LADA.F1"]
    split = rows(module, ends("local-adam", 60, seed=1))
    assert statuses(module, split)["worse"] == "inconclusive"


def test_what_diverged_is_last() -> None:
    module = TRAINED["LADA.F2"]
    lost = doctored(rows(module), lambda row: {"status": "diverged"} if row["method"] == "fedlada" else {})
    assert statuses(module, lost)["best"] == BAD


def test_where_scaffold_and_fedavg_never_get_there_fedcm_decides() -> None:
    """With the printed accuracies as targets, which do not move with FedAvg."""
    module = TRAINED["LADA.T12"]
    flat = doctored(rows(module), lambda row: {"accuracy": 0.1} if row["method"] in ("scaffold", "fedavg") else {})
    paper = flat.replace_schema_metadata({**(flat.schema.metadata or {}), b"scale": b"paper"})
    assert statuses(module, paper)["low"] == BAD


def test_the_published_settings_are_those_of_the_text() -> None:
    found = settings.main("paper")
    assert len(found) == 21 and {keys["rounds"] for keys in found} == {1500}
    for keys in found:
        adaptive = keys["method"] in ("local-adam", "fedlada")
        assert (keys["gamma"], keys["weight_decay"]) == ((0.001, 1e-2) if adaptive else (0.1, 1e-3))
        assert (keys["clients_per_round"], keys["epochs"]) == (10, 5 if keys["task"] == C10 else 2)
        assert keys.get("eta", 1) == (0.1 if keys["method"] == "fedopt-adam" else 1)
        if keys["method"] in ("fedcm", "fedlada"):
            assert keys["method.alpha"] == (0.1 if keys["task"] == C10 else 0.05)
    fig_3 = [keys["epochs"] for keys in TRAINED["LADA.F3"].runs("paper")]
    assert fig_3 == [2, 4, 10, 20]
