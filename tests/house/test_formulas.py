"""Rule 1 of the house: a formula stands once. A printed bound is a function of ``surrogate.bounds``."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from surrogate import Theta, bounds, toys
from surrogate.reports import Request
from surrogate.reports import bounds as reported
from tests.helpers.theorems.judged_bounds import FUNCTIONS, called
from tests.helpers.tree import ROOT
from theorems import records

SHOWN_BY = ["surrogate/reports/bounds.py", "figures/plot.py", "figures/explorer/truth.py"]


def test_every_function_of_bounds_has_a_statement() -> None:
    assert set(bounds.STATEMENTS) == set(FUNCTIONS)
    assert [name for name in bounds.STATEMENTS.values() if records.read(name) is None] == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_statement_calls_the_function(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def plant(attribute: str, value: object) -> None:
        monkeypatch.setattr(bounds, attribute, value)

    assert called(name, plant), f"{bounds.STATEMENTS[name]} computes {name} by a formula of its own"


def test_a_verdict_is_shown_beside_the_function_that_was_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    clients, request = toys.plane(), Request("local-update", {"gamma": 0.25, "theta": Theta.sum(4)})
    rows = reported.beside_truth(clients, request, 1.0)
    assert [row["id"] for row in rows] == [bounds.STATEMENTS[name] for name in reported.NAMES]
    for name, row in zip(reported.NAMES, rows, strict=True):
        assert row["verdict"] == reported.judged(name)
        monkeypatch.setattr(bounds, name, lambda *_: 42.0)
        assert reported.displacement_bound(name, clients, 0.25, Theta.sum(4)) == 42.0 != row["bound"]


@pytest.mark.parametrize("file", SHOWN_BY)
def test_ids_beside_bounds_come_from_the_table(file: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    assert "STATEMENTS" in text or "displacement_bound" in text
    assert [id for id in bounds.STATEMENTS.values() if f'"{id}"' in text.replace('verdict("', "")] == []


class _Bare(ast.NodeTransformer):
    """s.p.sigma_c and sigma_c are the same operand."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.Name:
        return ast.Name(node.attr, ast.Load())


def expressions(source: str) -> Iterator[tuple[str, int]]:
    """Every sum, product or quotient, with the number of its operands; proofs and derivations are left out."""
    tree = _Bare().visit(ast.parse(source))
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.FunctionDef) and node.name.startswith(("prove", "derive")):
            continue
        if isinstance(node, ast.BinOp):
            yield ast.unparse(node), sum(isinstance(part, (ast.Name, ast.Constant)) for part in ast.walk(node))
        pending += ast.iter_child_nodes(node)


def repeated(files: dict[str, str], operands: int) -> dict[str, list[str]]:
    """Expressions of so many operands or more that stand in several files."""
    places = defaultdict(set)
    for file, source in files.items():
        for text, size in expressions(source):
            if size >= operands:
                places[text].add(file)
    return {text: sorted(found) for text, found in places.items() if len(found) > 1}


def test_no_formula_stands_in_two_files() -> None:
    folders = [ROOT / "theorems", ROOT / "surrogate/bounds", ROOT / "surrogate/reports", ROOT / "figures/beyond"]
    files = [path for folder in folders for path in sorted(Path(folder).rglob("*.py"))]
    assert repeated({str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in files}, 10) == {}


def test_a_copy_of_a_bound_would_be_found() -> None:
    theorem = "def f(): return sigma_c * (1 + sigma_A / mu) * phi_deficit(K, L, gamma) / phi(K, mu, gamma)"
    copy = "x = p.sigma_c * (1 + p.sigma_A / p.mu) * phi_deficit(s.K, p.L, s.gamma) / phi(s.K, p.mu, s.gamma)"
    assert list(repeated({"a": theorem, "b": copy}, 10).values()) == [["a", "b"]]
    assert repeated({"a": theorem, "b": "def prove(): " + copy}, 10) == {}
