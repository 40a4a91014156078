"""Types say something: the share of `Any` among annotations only falls (rule 5 of the house)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.helpers.tree import PACKAGES, ROOT, files

# The largest share of annotations that may mention Any, in per cent: lower it whenever there is less.
CEILINGS = {"surrogate": 10, "theorems": 20, "neural": 15, "figures": 10}


def annotations(tree: ast.AST) -> Iterator[ast.expr]:
    """Annotations of arguments, results and variables."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.returns is not None:
            yield node.returns
        elif isinstance(node, (ast.arg, ast.AnnAssign)) and node.annotation is not None:
            yield node.annotation


def says_nothing(annotation: ast.expr) -> bool:
    """Is Any among the names of the annotation?"""
    return any(isinstance(node, ast.Name) and node.id == "Any" for node in ast.walk(annotation))


def share(sources: list[str]) -> float:
    """Per cent of the annotations that mention Any."""
    found = [says_nothing(each) for source in sources for each in annotations(ast.parse(source))]
    return 100 * sum(found) / len(found)


def test_the_share_counts_arguments_results_and_variables() -> None:
    source = (
        "def f(a: Any, *b: int, c: dict[str, Any], **d: str) -> Any:\n    e: list[int] = []\n    return lambda x: x\n"
    )
    assert share([source]) == 50


@pytest.mark.parametrize("package", PACKAGES)
def test_the_share_of_any_only_falls(package: str) -> None:
    sources = [(ROOT / path).read_text(encoding="utf-8") for path in files(".py") if path.parts[0] == package]
    assert share(sources) <= CEILINGS[package]
