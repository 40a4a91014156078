"""Docstrings: every module opens with a plain sentence, every public callable explains its arguments."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

import surrogate
from surrogate import bounds, dictionary, exact, methods, moments, problems, simulate, sweep, toys
from tests.helpers.tree import ROOT

PACKAGES = ("surrogate", "theorems", "neural", "figures", "benchmarks")
FILLER = re.compile(
    r"\b(whoever|nobody|somebody|heard|hears|told|slopes?|in (its|their) place|other clothes|cut off)\b", re.IGNORECASE
)
PUBLIC = (surrogate, bounds, dictionary, exact, methods, moments, problems, simulate, sweep, toys)


def modules() -> list[Path]:
    """Every module that says something."""
    found = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    return [path for path in found if path.read_text(encoding="utf-8").strip()]


def first_line(path: Path) -> str:
    """The first line of a module's docstring."""
    return (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition("\n")[0]


def callables() -> Iterator[tuple[str, Callable[..., object], str]]:
    """The public functions, classes and methods of `PUBLIC`, each with the docstring that explains it."""
    for module in PUBLIC:
        for name in module.__all__:
            thing = getattr(module, name)
            if isinstance(thing, ModuleType) or not str(getattr(thing, "__module__", "")).startswith("surrogate"):
                continue
            if inspect.isfunction(thing):
                yield f"{module.__name__}.{name}", thing, inspect.getdoc(thing) or ""
            elif inspect.isclass(thing) and not (getattr(thing, "_is_protocol", False) or issubclass(thing, Exception)):
                yield from of_class(f"{module.__name__}.{name}", thing)


def of_class(name: str, kind: type) -> Iterator[tuple[str, Callable[..., object], str]]:
    """A class by its own docstring and that of ``__init__``, then its public methods, inherited ones included."""
    yield name, kind, f"{inspect.getdoc(kind)}\n{inspect.getdoc(kind.__init__)}"
    for attribute, member in inspect.getmembers(kind):
        function = getattr(member, "__func__", member)
        ours = inspect.isfunction(function) and function.__module__.startswith("surrogate")
        if ours and not attribute.startswith("_"):
            yield f"{name}.{attribute}", member, inspect.getdoc(function) or ""


def unexplained(called: Callable[..., object], docstring: str) -> list[str]:
    """The arguments that the prose of a docstring does not name; its examples do not count."""
    prose = "\n".join(line for line in docstring.splitlines() if not line.lstrip().startswith((">>>", "...")))
    names = [name for name in inspect.signature(called).parameters if name not in ("self", "cls")]
    return [name for name in names if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", prose)]


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_first_line_of_a_module_is_a_plain_sentence(path: Path) -> None:
    line = first_line(path)
    assert line, "a module says in its first line what it is"
    assert line.endswith((".", ":", "?", "!", ")")), f"not a sentence: {line}"
    assert FILLER.search(line) is None, f"say what the code does (STYLE.md, Language): {line}"


@pytest.mark.parametrize(("name", "called", "docstring"), [pytest.param(*c, id=c[0]) for c in callables()])
def test_docstring_names_every_argument(name: str, called: Callable[..., object], docstring: str) -> None:
    assert docstring, f"{name} has no docstring"
    assert unexplained(called, docstring) == [], f"{name} does not explain these arguments"


def test_filler_and_silence_are_found() -> None:
    def quiet(x: float, y: float) -> None:
        """Of x.

        >>> quiet(1, y=2)
        """

    assert FILLER.search("Told by whoever asks") and not FILLER.search("A sentence about clothes")
    assert unexplained(quiet, inspect.getdoc(quiet) or "") == ["y"]
