"""One arithmetic: surrogate.numbers alone tells kinds of numbers apart and takes their square roots."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.tree import PACKAGES, ROOT, files

EXACT_TYPES = {"arb", "acb", "fmpq", "fmpz", "Traced", "Quantity"}
TELLING = {"rad", "mid", "man_exp", "p", "q", "numerator", "as_integer_ratio", "free_symbols"}  # fields of exact types

# Where a kind is looked at or a root is taken all the same, and why.
EXCEPTIONS = {
    "neural/tasks/models/inputs.py": "a layer of a network: its input is a tensor",
    "surrogate/problems/write.py": "arrays of any dtype, texts among them, on their way to a file",
}


def _names(node: ast.expr) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} | {
        n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)
    }


def dispatches(code: str) -> Iterator[tuple[int, str]]:
    """(line, what it does): tests for a type of exact number, and roots by a method of flint's types."""
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Compare(left=ast.Attribute(attr="dtype"), comparators=[ast.Name(id="object")]):
                yield node.lineno, "compares a dtype with object"
            case ast.Call(func=ast.Name(id="isinstance"), args=[_, kinds]) if _names(kinds) & EXACT_TYPES:
                yield node.lineno, "asks for a type of exact number"
            case ast.Call(func=ast.Name(id="hasattr"), args=[_, ast.Constant(value=field)]) if field in TELLING:
                yield node.lineno, f"tells a kind of number by its {field}"
            case ast.Call(func=ast.Attribute(attr="sqrt"), args=[]):
                yield node.lineno, "takes a root by a method of one kind"
            case ast.Call(func=ast.Attribute(attr="isqrt") | ast.Name(id="isqrt")):
                yield node.lineno, "takes the root of a whole number"


def _outside() -> list[Path]:
    here = {Path("surrogate/numbers"), Path("neural/ops.py")}
    return [path for path in files(".py") if path.parts[0] in PACKAGES and not {path, *path.parents} & here]


def test_kinds_of_numbers_are_told_apart_in_one_place() -> None:
    found = {
        str(path): list(dispatches(text)) for path in _outside() if (text := (ROOT / path).read_text(encoding="utf-8"))
    }
    assert {path: where for path, where in found.items() if where and path not in EXCEPTIONS} == {}


def test_exceptions_are_needed_and_have_reasons() -> None:
    for path, reason in EXCEPTIONS.items():
        assert list(dispatches((ROOT / path).read_text(encoding="utf-8"))), f"{path} needs no exception"
        assert len(reason.split()) > 3


@pytest.mark.parametrize(
    "code",
    [
        "from flint import arb\ndef f(x):\n    return isinstance(x, arb)",
        "import flint\nisinstance(x, (int, flint.fmpq))",
        "def f(A):\n    return A.dtype == object",
        "def f(x):\n    return hasattr(x, 'rad')",
        "def f(x):\n    return x.nonnegative_part().sqrt()",
        "import math\nmath.isqrt(4)",
    ],
)
def test_a_planted_dispatch_is_found(code: str) -> None:
    assert len(list(dispatches(code))) == 1


def test_floats_may_take_roots() -> None:
    assert list(dispatches("import math\nimport numpy as np\nmath.sqrt(2.0) + np.sqrt(x) + numbers.sqrt(y)")) == []
