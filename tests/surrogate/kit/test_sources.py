"""The closure of a file's imports, and a hash of each file that words leave alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from surrogate.kit import sources
from surrogate.kit.sources import Part, meaning, meanings

LAZY = """
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import surrogate.tools as tools
    from surrogate.home import name

def __getattr__(name):
    import surrogate.hidden

def judge():
    import surrogate.late
"""

FILES = {
    "surrogate/__init__.py": LAZY,
    "surrogate/home.py": "name = 1",
    "surrogate/hidden.py": "x = 1",
    "surrogate/late.py": "x = 1",
    "surrogate/tools/__init__.py": "from .inner import tool\ndef use():\n    from . import below",
    "surrogate/tools/inner.py": "tool = 1",
    "surrogate/tools/below.py": "x = 1",
    "surrogate/tools/apart.py": "x = 1",
    "surrogate/empty.py": '"""Words alone."""',
    "surrogate/data.json": "[]",
}
PAGE = "surrogate/__init__.py"
TOOLS = {PAGE, *(f"surrogate/tools/{name}.py" for name in ("__init__", "inner", "below"))}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sources, "TREE", tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("import numpy", set()),
        ("from surrogate import name", {PAGE, "surrogate/home.py"}),
        ("from surrogate import judge", {PAGE, "surrogate/late.py"}),
        ("def f():\n    from surrogate.home import name", {PAGE, "surrogate/home.py"}),
        ("import surrogate", TOOLS | {"surrogate/home.py", "surrogate/late.py"}),
        ("from surrogate import tools", TOOLS),
        ("from surrogate.tools import tool", TOOLS),
        ("from surrogate.tools import apart", TOOLS - {"surrogate/tools/below.py"} | {"surrogate/tools/apart.py"}),
        ("from surrogate.empty import x", {PAGE}),
        ("import typing as t\nif t.TYPE_CHECKING:\n    import surrogate.late\nelse:\n    x = 1", set()),
        ("from importlib import import_module\nimport_module('surrogate.home')", {PAGE, "surrogate/home.py"}),
        ("import importlib\nimportlib.import_module(f'surrogate.tools.{x}')", TOOLS | {"surrogate/tools/apart.py"}),
        ('READS = ("surrogate/data.json",)', {"surrogate/data.json"}),
        ("import helper", {"helper.py"}),
        ("from surrogate.nowhere import x", set()),
    ],
)
def test_what_a_users_file_depends_on(tree: Path, tmp_path: Path, code: str, wanted: set[str]) -> None:
    folder = tmp_path.parent / f"{tmp_path.name}_of_a_user"
    folder.mkdir()
    (folder / "helper.py").write_text("x = 1")
    (folder / "mine.py").write_text(code)
    assert set(meanings(folder / "mine.py")) == wanted | {"mine.py"}


def test_a_part_depends_on_what_its_names_use(tree: Path) -> None:
    path = tree / "surrogate" / "figure.py"
    path.write_text(
        "from surrogate import home, late\nA = home.name\ndef table():\n    return A\ndef draw():\n    late.x"
    )
    assert set(meanings(Part(path, ("table",)))) == {"surrogate/figure.py: table", PAGE, "surrogate/home.py"}


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ('"""Other."""\nx = 1  # one\n\n\ndef f():\n    """Do."""\n    return (x)\n', True),
        ("x = 1\ndef f(): return x", True),
        ("x = 1\ndef f(): return -x", False),
        ("x = 1.0\ndef f(): return x", False),
        ("x = 1\nasync def f(): return x", False),
    ],
)
def test_words_and_layout_do_not_count(tmp_path: Path, other: str, same: bool) -> None:
    first, second = tmp_path / "first.py", tmp_path / "second.py"
    first.write_text("x = 1\ndef f():\n    return x")
    second.write_text(other)
    assert (meaning(first) == meaning(second)) is same


def test_an_edit_is_seen_in_the_same_process(tree: Path) -> None:
    before = meanings(tree / "surrogate" / "tools" / "apart.py")
    (tree / "surrogate" / "tools" / "inner.py").write_text("tool = 2")
    assert meanings(tree / "surrogate" / "tools" / "apart.py") != before
