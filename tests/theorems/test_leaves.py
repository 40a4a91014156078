"""Certificates of leaves: what is true is certified, nothing false is, and the checker needs fractions and json."""

from __future__ import annotations

import ast
import copy
import json
from contextlib import suppress
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
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


SQUARE, ROOT = ["*", "x", "x"], ["sqrt", "x"]
BELOW = {"sum": [["1", [0]], ["1", [1]]]}  # x^2 <= 0 and, since x is divided by, x^2 > 0
ABOVE = {"sum": [["1", [0]], ["1", [1, 1]]], "zero": [[2, [["-1"]]]]}  # x < 0 and, since it has a root, x >= 0
FORGED = {  # hypotheses, conclusion, point, certificate, what is said of it
    "a cut that divides": (
        [], ["<", "0", SQUARE], {}, {"cut": ["<=", ["/", "1", "x"], "0"], "each": [BELOW, BELOW]}, "everywhere"),
    "a cut with a negative power": (
        [], ["<", "0", SQUARE], {}, {"cut": ["<=", ["^", "x", "-1"], "0"], "each": [BELOW, BELOW]}, "everywhere"),
    "a cut with a root": (
        [], ["<=", "0", "x"], {}, {"cut": ["<=", ROOT, "0"], "each": [ABOVE, ABOVE]}, "everywhere"),
    "a number as a variable of the example": ([["<=", "2", "1"]], ["<", "1", "0"], {"2": "0"}, {"sum": []}, "example"),
    "an example without a variable": ([["<=", "x", "1"]], ["<=", "x", "2"], {}, {"sum": [["1", [0]]]}, "read"),
    "an example in words": ([["<=", "x", "1"]], ["<=", "x", "2"], {"x": "nan"}, {"sum": []}, "rational"),
    "a maximum of three": ([], ["<=", "b", ["max", "a", "b", "c"]], {}, {"sum": [["1", [0]]]}, "no term"),
    "a relation of three sides": ([["<=", "0", "0", "1"]], ["<=", "1", "0"], {}, {"sum": [["1", [0]]]}, "no term"),
    "an empty conclusion or": ([], ["or"], {}, {"sum": [["1", []]]}, "does not show"),
    "no cases": ([["or", ["<=", "x", "0"]]], ["<=", "x", "-1"], {"x": "0"}, {"cases": 0, "each": []}, "not show"),
    "cases of what has none": ([["<=", "x", "0"]], ["<=", "x", "-1"], {"x": "0"}, {"cases": 0, "each": []}, "cases of"),
    "a negative index": ([["<=", "0", "x"]], ["<", "1", "0"], {"x": "0"}, {"sum": [["1", [-1]]]}, "not show"),
    "a factor of unknown sign": ([["==", "x", "0"]], ["<", "x", "0"], {"x": "0"}, {"sum": [["1", [0]]]}, "not show"),
    "a negative coefficient": ([], ["<", "1", "0"], {}, {"sum": [["1", [0]], ["-1", []]]}, "not show"),
    "a coefficient of 0": ([], ["<=", "x", "0"], {}, {"sum": [["0", [0]]]}, "not show"),
    "a float": ([], ["<=", "x", "0"], {}, {"sum": [[1.0, [0]]]}, "rational"),
    "a huge exponent": ([], ["<=", ["^", "x", "999999999"], "0"], {}, {"sum": [["1", [0]]]}, "power"),
    "an exponent in a number": ([], ["<=", "1e999999999", "0"], {}, {"sum": [["1", [0]]]}, "rational"),
    "half an exponent": ([], ["<=", ["^", "x", "1/2"], "0"], {}, {"sum": [["1", [0]]]}, "power"),
    "a division by 0": ([], ["<=", ["/", "x", ["-", "x", "x"]], "0"], {}, {"sum": [["1", [0]]]}, "division by 0"),
    "a variable that names a root": ([], ["<=", "0", '["sqrt", "x"]'], {}, {"sum": [["1", [0]]]}, "rational"),
    "squares alone": ([], ["<", "0", SQUARE], {}, {"sum": [["1", [0]], ["1", [], [["1", ["x", 1]]]]]}, "not show"),
    "a negative power of a square": (
        [], ["<", "0", SQUARE], {}, {"sum": [["1", [0]], ["1", [], [["1", ["x", -1]]]]]}, "power"),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_certificate_shows_nothing(name: str) -> None:
    *leaf, point, certificate, said = FORGED[name]
    shown, why = leaves.check_leaf({"leaf": leaf, "point": point, "certificate": certificate})
    assert not shown
    assert said in why


def test_a_deep_certificate_shows_nothing() -> None:
    deep: Any = {"sum": [["1", []]]}
    term: Any = "x"
    for _ in range(3000):
        deep, term = {"cut": ["<=", "x", "0"], "each": [deep, deep]}, ["+", term, "1"]
    for each in ({"leaf": [[], ["<=", "x", "0"]], "certificate": deep}, {"leaf": [[], ["<=", term, "0"]]}):
        assert not leaves.check_leaf({"point": {}, "certificate": {"sum": []}} | each)[0]


names = st.sampled_from(["x", "y", "0", "1", "-2", "1/2"])
terms = st.recursive(
    names,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["+", "-", "*", "/", "max", "min"]), inner, inner).map(list),
        st.tuples(st.just("abs"), inner).map(list),
        st.tuples(st.just("^"), inner, st.sampled_from(["-1", "2", "3"])).map(list),
    ),
    max_leaves=4,
)
relations = st.tuples(st.sampled_from(["<=", "<", "==", "!=", ">=", ">"]), terms, terms).map(list)
formulas = st.one_of(relations, st.tuples(st.sampled_from(["and", "or"]), relations, relations).map(list))
GRID = [Fraction(k, 2) for k in range(-4, 5)]


def met_at(formula: Any, at: dict[str, str]) -> bool | None:
    """None where it divides by 0."""
    try:
        return leaves.holds_at(formula, at)
    except ZeroDivisionError:
        return None


@settings(max_examples=40)
@given(st.lists(formulas, max_size=2), formulas)
def test_whatever_is_certified_holds_on_a_grid(hypotheses: list[Any], conclusion: Any) -> None:
    """Quotients, powers, maxima, absolute values, and, or: no point where all is defined contradicts a certificate."""
    with pytest.MonkeyPatch.context() as quick, suppress(ValueError):  # a division by what is 0 everywhere
        quick.setattr(positive, "_TRIES", ((2, 4, False),))
        found = None
        found = positive._contradiction([*hypotheses, leaves.opposite(conclusion)], 0)
    for u, v in product(GRID, repeat=2):
        at = {"x": str(u), "y": str(v)}
        each = [met_at(formula, at) for formula in (*hypotheses, conclusion)]
        assert found is None or None in each or not all(each[:-1]) or each[-1], (hypotheses, conclusion, at)


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


ALTERED = {
    "a hypothesis": lambda e: e | {"leaf": [e["leaf"][0][1:], e["leaf"][1]]},
    "the conclusion": lambda e: e | {"leaf": [e["leaf"][0], ["<=", "0", "1"]]},
    "the example": lambda e: e | {"point": {}},
    "the certificate": lambda e: e | {"certificate": {"sum": []}},
    "an opinion": lambda e: e | {"opinions": e["opinions"] | {"z3": "sat"}},
    "all opinions": lambda e: e | {"opinions": {}},
    "a field more": lambda e: e | {"note": ""},
}


@pytest.mark.parametrize("name", ALTERED)
def test_an_altered_line_of_the_store_is_noticed(name: str, tmp_path, monkeypatch) -> None:
    used = records.leaves(records.read_all())
    lines = leaf_store.FILE.read_text(encoding="utf-8").splitlines()
    k = next(k for k, line in enumerate(lines) if json.loads(line)["point"])
    altered = json.dumps(ALTERED[name](json.loads(lines[k])), separators=(",", ":"), sort_keys=True)
    (tmp_path / "leaves.jsonl").write_text("\n".join([*lines[:k], altered, *lines[k + 1 :]]), encoding="utf-8")
    monkeypatch.setattr(leaf_store, "FILE", tmp_path / "leaves.jsonl")
    leaf_store._stored.cache_clear()
    told = [*leaf_store.troubles(used)]
    leaf_store._stored.cache_clear()
    assert told
