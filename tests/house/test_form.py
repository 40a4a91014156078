"""Statement files read like the statement: sides are compared by the operator that stands in the paper."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.helpers.tree import ROOT
from theorems.catalogue import PAPERS

RELATIONS = ("<=", "<", "==", ">=", ">")


def spelled(source: str) -> Iterator[int]:
    """Lines with ``Comparison(label, left, "<=", right)`` for ``that(label, left) <= right``."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id="Comparison"), args=[_, _, ast.Constant(value=relation), _]):
                if relation in RELATIONS:
                    yield node.lineno


def test_inequalities_are_written_as_such() -> None:
    files = [path for folder, _ in PAPERS.values() for path in sorted((ROOT / "theorems" / folder).glob("*.py"))]
    found = {str(path.relative_to(ROOT)): list(spelled(path.read_text(encoding="utf-8"))) for path in files}
    assert files and {path: lines for path, lines in found.items() if lines} == {}


def test_a_relation_in_quotes_is_found() -> None:
    assert list(spelled('x = [Comparison("", a, "<=", b)]')) == [1]
    assert list(spelled("x = [that(a) <= b, Comparison(label, a, relation, b)]")) == []
