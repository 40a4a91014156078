"""Certificates of leaves: what is true is certified, nothing false is, and the checker needs fractions and json."""

from __future__ import annotations

import ast
import copy
import json
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from theorems import leaf_store, leaves, records
from theorems.engines import positive, prove, solvers
from theorems.engines.terms import absolute, both, canonical, either, leaf_hash, maximum, minimum, negation, reals, sqrt

a, b, c, x, y = reals("a b c x y")

TRUE = {
    "a product of hypotheses": ([0 <= a, a <= b, 0 <= x, x <= y], a * x <= b * y),
    "a square": ([], 2 * x * y <= x * x + y * y),
    "a square that is no difference": ([], a * a >= b * b / 2 - (a - b) * (a - b)),
    "a square times a hypothesis": ([0 <= c, c <= 1], c * (2 - c) <= 1),
    "squares by cases of a sign": ([b <= x, -b <= x], 2 * b * a * c <= x * a * a + x * c * c),
    "an identity": ([a != 0], (a * a - 1) / a == a - 1 / a),
    "a denominator of a known sign": ([0 < a, a <= b], 1 / b <= 1 / a),
    "a denominator whose sign follows": ([1 <= a, 2 * a <= b], a / b <= Fraction(1, 2)),
    "strict": ([0 < a, a < b], a * a < b * b),
    "both": ([0 <= a, a <= 1], both(a * a <= a, a * a * a <= a)),
    "a maximum": ([], maximum(a, b) >= (a + b) / 2),
    "a minimum": ([0 <= a, 0 <= b], minimum(a, b) * minimum(a, b) <= a * b),
    "an absolute value": ([], absolute(a + b) <= absolute(a) + absolute(b)),
    "a root": ([0 <= a, a <= 1], a <= sqrt(a)),
    "cases": ([either(a >= 2, a <= -2)], a * a >= 4),
    "a root of an inequality": ([0 <= a, 0 <= b, a * a <= b * b], a <= b),
}
FALSE = {
    "a lacking sign": ([a <= b, x <= y], a * x <= b * y),
    "a denominator of any sign": ([a <= b, a != 0, b != 0], 1 / b <= 1 / a),
    "one per cent too much": ([], Fraction(101, 50) * x * y <= x * x + y * y),
    "strictness": ([0 <= a, a <= b], a < b),
    "one case of two": ([either(a >= 2, a <= -2)], a >= 2),
    "the wrong root": ([0 <= a], sqrt(a) <= a),
    "a maximum too large": ([], maximum(a, b) <= (a + b) / 2),
}


def entry(hypotheses: list[Any], conclusion: Any) -> dict[str, Any] | None:
    leaf = (canonical(hypotheses), conclusion.json())
    point = solvers.model(hypotheses) if hypotheses else {}
    found = positive.certificate(*leaf)
    return found and {"leaf": list(leaf), "point": {k: str(v) for k, v in point.items()}, "certificate": found}


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_is_certified(name: str) -> None:
    found = entry(*TRUE[name])
    assert found is not None
    assert leaves.check_leaf(json.loads(json.dumps(found))) == (True, "shown as recorded")


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_not(name: str) -> None:
    assert entry(*FALSE[name]) is None
    hypotheses, conclusion = FALSE[name]
    point = {"a": Fraction(1, 4)} if "root" in name else solvers.model([*hypotheses, negation(conclusion)])
    assert point is not None
    left, right = conclusion.at({key: float(value) for key, value in point.items()})
    assert not {"<=": left <= right, "<": left < right, ">=": left >= right}[conclusion.relation]


@pytest.mark.parametrize("name", [name for name in TRUE if "root" not in name])
def test_a_certificate_shows_no_other_conclusion(name: str) -> None:
    """Each certificate is tried on a conclusion that is false, and on fewer hypotheses."""
    found = entry(*TRUE[name])
    hypotheses, conclusion = found["leaf"]
    false = ["<", "1", "0"]
    for other in (false, ["and", conclusion, false]):
        assert not leaves.check_leaf(found | {"leaf": [hypotheses, other]})[0]


def numbers(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where a certificate has a coefficient, an index or a case; p^2 is (-p)^2, so not in squares."""
    if isinstance(node, dict):
        return [p for key, each in node.items() if key != "cut" for p in numbers(each, (*path, key))]
    if isinstance(node, list):
        in_sum = len(path) > 1 and path[-2] == "sum"
        return [p for k, each in enumerate(node[:2] if in_sum else node) for p in numbers(each, (*path, k))]
    return [path]


def test_an_altered_certificate_shows_nothing():
    """Any coefficient made negative, any index moved, any part left out of the stored certificates is noticed."""
    noticed = tried = 0
    for name in list(records.leaves(records.read_all()))[::12]:
        stored = leaf_store.find(name)
        for path in numbers(stored["certificate"])[:6]:
            altered = copy.deepcopy(stored)
            at = altered["certificate"]
            for key in path[:-1]:
                at = at[key]
            at[path[-1]] = (
                str(-Fraction(at[path[-1]])) if isinstance(at[path[-1]], str) and at[path[-1]][0].isdigit() else 99
            )
            tried += 1
            noticed += not leaves.check_leaf(altered)[0]
    assert tried > 100
    assert noticed == tried


def test_an_example_that_misses_a_hypothesis_is_noticed():
    found = entry([1 <= a], a * a >= 1)
    assert not leaves.check_leaf(found | {"point": {"a": "0"}})[0]
    assert not leaves.check_leaf(found | {"point": {}})[0]


coefficients = st.lists(st.integers(-3, 3), min_size=4, max_size=4)


@given(coefficients, coefficients, st.sampled_from(["<=", "<", "=="]))
def test_what_is_certified_holds_on_a_grid(first: list[int], second: list[int], relation: str) -> None:
    """Random leaves p <= 0 gives q R 0: wherever a certificate is found, no point of a grid contradicts."""

    def quadratic(k: list[int]) -> Any:
        return k[0] * x * x + k[1] * x * y + k[2] * y + k[3]

    p, q = quadratic(first), quadratic(second)
    if not hasattr(p, "json") or not hasattr(q, "json"):
        return
    conclusion = {"<=": q <= 0, "<": q < 0, "==": q == 0}[relation]
    certificate = positive.certificate(canonical([p <= 0]), conclusion.json())
    if certificate is not None:
        for u, v in product([Fraction(k, 2) for k in range(-8, 9)], repeat=2):
            at = {"x": str(u), "y": str(v)}
            assert not leaves.holds_at((p <= 0).json(), at) or leaves.holds_at(conclusion.json(), at)


def test_both_solvers_had_their_say_on_every_stored_leaf():
    said = [leaf_store.find(name)["opinions"] for name in records.leaves(records.read_all())]
    assert all(each["z3"] == "unsat" for each in said)
    assert all(each["cvc5"] in ("unsat", "unknown") for each in said)
    assert sum(each["cvc5"] == "unsat" for each in said) > 0.95 * len(said)


def test_a_leaf_that_is_stored_asks_no_solver(monkeypatch):
    used = next(iter(records.leaves(records.read_all())))
    monkeypatch.setattr(solvers, "opinion", None)
    assert leaf_store.find(used) is not None
    monkeypatch.setattr(leaf_store, "find", lambda name: None)
    with pytest.raises(TypeError):
        prove.smt([0 <= a], a * a >= 0)


def test_a_new_leaf_waits_in_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    hypotheses, conclusion = [3 <= a, a <= b], a * b >= 9
    with prove.proving() as used:
        prove.smt(hypotheses, conclusion)
    assert used == [prove.Leaf(leaf_hash(hypotheses, conclusion), True)]
    assert leaf_store.find(used[0].hash)["opinions"]["z3"] == "unsat"


def test_the_checker_imports_fractions_and_json_alone():
    tree = ast.parse(Path(leaves.__file__).read_text(encoding="utf-8"))
    imported = {n.names[0].name for n in ast.walk(tree) if isinstance(n, ast.Import)}
    imported |= {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    assert imported == {"json", "fractions", "__future__"}


def test_what_records_use_is_stored_and_nothing_else(tmp_path, monkeypatch):
    used = records.leaves(records.read_all())
    assert [*leaf_store.troubles(used)] == []
    lines = leaf_store.FILE.read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(used)
    torn = tmp_path / "leaves.jsonl"
    torn.write_text("\n".join([*lines[1:-1], lines[-1][:50]]), encoding="utf-8")
    monkeypatch.setattr(leaf_store, "FILE", torn)
    leaf_store._stored.cache_clear()
    told = [text for _, text in leaf_store.troubles(used)]
    leaf_store._stored.cache_clear()
    assert sum("none is stored" in text for text in told) == 2
    assert sum("is no certificate" in text for text in told) == 1
