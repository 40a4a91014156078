"""Find statement files: OLR.T17 stands in theorems/outsized/t17.py; a user's own file is named by its path."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from surrogate.kit.errors import problem
from theorems.catalogue import IDS, PAPERS, id_of_place, sort_key

if TYPE_CHECKING:
    from theorems.statement import Statement

__all__ = ["all_statements", "find", "from_file", "ids", "named", "source"]

HERE = Path(__file__).resolve().parent


def ids(paper: str | None = None) -> list[str]:
    """Ids of all statements with a file, in the papers' order; files are looked through, none is imported."""
    folders = [(prefix, HERE / folder) for prefix, (folder, _) in PAPERS.items() if paper in (None, folder)]
    found = (_id(file) for _, folder in folders for file in folder.glob("*.py"))
    return sorted(filter(None, found), key=sort_key)


def named(name: str) -> str:
    """The id as its file spells it (``OLR.T17b`` for "olr.t17B"); a path ending in .py as it is."""
    if name.endswith(".py"):
        return name
    prefix, _, rest = name.upper().partition(".")
    known = _id(_place(prefix, rest)) if prefix in PAPERS and rest else ""
    if known:
        return known
    close = difflib.get_close_matches(name.upper(), {*ids(), *IDS}, n=3)
    listed = name.upper() in (i.upper() for i in IDS)
    raise problem(
        "statement",
        repr(name),
        "an id with a statement file, or a file of your own ending in .py",
        "a statement that is listed but not judged yet" if listed else "a slip in the id",
        "did you mean " + ", ".join(close) + "?" if close and not listed else "`surrogate statements` lists them all",
    )


def source(name: str) -> Path:
    """The file that a statement stands in."""
    known = named(name)
    file = Path(known) if known.endswith(".py") else _place(*known.split(".", 1))
    if not file.is_file():
        raise problem("file", repr(name), "an existing Python file", "a slip in the path", "check the path")
    return file


def find(name: str) -> Statement:
    """The statement with this id, or the one of a user's file; of our statements its file alone is imported."""
    if name.endswith(".py"):
        return from_file(name)
    file = source(name)
    statement: Statement = importlib.import_module(f"theorems.{file.parent.name}.{file.stem}").STATEMENT
    return statement


def all_statements(paper: str | None = None) -> dict[str, Statement]:
    """Every statement with a file, by id, in the papers' order."""
    return {name: find(name) for name in ids(paper)}


def from_file(path: str) -> Statement:
    """The STATEMENT of a Python file, as a rule a user's own."""
    from theorems.statement import Statement

    file = source(path)
    if file.resolve().parent.parent == HERE and (ours := _id(file.resolve())):
        return find(ours)  # its place says its id
    spec = importlib.util.spec_from_file_location(f"user_theorem_{file.stem}", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    statement = getattr(module, "STATEMENT", None)
    if not isinstance(statement, Statement):
        raise problem(
            f"file {path}",
            "without a statement",
            "one object STATEMENT = Statement(...)",
            "a file that is no statement file",
            "start from theorems/template.py",
        )
    return statement


def _place(prefix: str, rest: str) -> Path:
    return HERE / PAPERS[prefix][0] / f"{_stem(rest)}.py"


def _stem(rest: str) -> str:
    return rest.lower().replace("-", "_")


@cache
def _id(file: Path) -> str:
    """The id that a statement's file has by its place; "" for a file without a statement."""
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    return id_of_place(file.parent.name, file.stem) if re.search(r"^STATEMENT\b", text, re.MULTILINE) else ""
