"""Find statement files: every module of a paper's folder with a STATEMENT (or STATEMENTS), and users' own files."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import pkgutil
from pathlib import Path
from types import ModuleType

from surrogate.kit.errors import problem
from theorems.catalogue import IDS, PAPERS, paper_of, sort_key
from theorems.statement import Statement

__all__ = ["all_statements", "find", "from_file", "source"]

_NOT_STATEMENTS = {"common"}


def all_statements(paper: str | None = None) -> dict[str, Statement]:
    """Every statement with a file, by id, in the papers' order."""
    found: dict[str, Statement] = {}
    for folder, _ in PAPERS.values():
        if paper not in (None, folder) or importlib.util.find_spec(f"theorems.{folder}") is None:
            continue
        package = importlib.import_module(f"theorems.{folder}")
        for module in pkgutil.iter_modules(package.__path__):
            if module.name not in _NOT_STATEMENTS and not module.name.startswith("_"):
                found.update(_statements(importlib.import_module(f"theorems.{folder}.{module.name}")))
    return {i: found[i] for i in sorted(found, key=sort_key)}


def find(name: str) -> Statement:
    """The statement with this id, or the one of a user's file."""
    if name.endswith(".py"):
        return from_file(name)
    direct = _own_module(name)
    if direct is not None:
        return direct
    statements = all_statements()
    for known in statements:
        if known.lower() == name.lower():
            return statements[known]
    close = difflib.get_close_matches(name.upper(), {*statements, *IDS}, n=3)
    listed = name.upper() in (i.upper() for i in IDS)
    raise problem(
        "statement",
        repr(name),
        "an id with a statement file, or a file of your own ending in .py",
        "a statement that is listed but not judged yet" if listed else "a slip in the id",
        "did you mean " + ", ".join(close) + "?" if close and not listed else "`surrogate statements` lists them all",
    )


def _own_module(name: str) -> Statement | None:
    """The statement in the file that its id names: OLR.T17 in theorems/outsized/t17.py. Nothing else is imported."""
    prefix, _, rest = name.partition(".")
    folder = PAPERS.get(prefix.upper(), ("", ""))[0]
    module = f"theorems.{folder}.{rest.lower().replace('-', '_')}"
    if not folder or not rest or importlib.util.find_spec(module) is None:
        return None
    found = _statements(importlib.import_module(module))
    return next((s for i, s in found.items() if i.lower() == name.lower()), None)


def source(name: str) -> Path:
    """The file that a statement stands in."""
    if name.endswith(".py"):
        return Path(name)
    wanted = find(name).id
    package = importlib.import_module(f"theorems.{paper_of(wanted)}")
    for module in pkgutil.iter_modules(package.__path__):
        home = importlib.import_module(f"{package.__name__}.{module.name}")
        if wanted in _statements(home):
            return Path(str(home.__file__))
    raise AssertionError(f"{wanted} was found but has no file")


def from_file(path: str) -> Statement:
    """The STATEMENT of a user's own Python file."""
    file = Path(path)
    if not file.is_file():
        raise problem("file", repr(path), "an existing Python file", "a slip in the path", "check the path")
    spec = importlib.util.spec_from_file_location(f"user_theorem_{file.stem}", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    statements = list(_statements(module).values())
    if len(statements) != 1:
        raise problem(
            f"file {path}",
            f"with {len(statements)} statements",
            "one object STATEMENT = Statement(...)",
            "a file that is no statement file",
            "start from theorems/template.py",
        )
    return statements[0]


def _statements(module: ModuleType) -> dict[str, Statement]:
    single = getattr(module, "STATEMENT", None)
    listed = [single] if single is not None else list(getattr(module, "STATEMENTS", ()))
    return {s.id: s for s in listed}
