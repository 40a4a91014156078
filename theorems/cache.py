"""Judgements kept in the user's cache directory, keyed by everything that they depend on."""

from __future__ import annotations

import ast
import contextlib
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from surrogate.kit.files import user_cache, whole
from surrogate.kit.sources import TREE, meanings
from theorems.catalogue import PAPERS
from theorems.record import Record

__all__ = ["closure", "directory", "fetch", "key", "store"]

_JUDGING = Path(__file__).resolve().with_name("judging.py")
_AGREEMENT = _JUDGING.with_name("agreement.py")
_DISPLAY = "theorems/mathml.py"  # how a statement is displayed leaves its verdict as it is


def directory() -> Path:
    """Where judgements are kept: $XDG_CACHE_HOME or ~/.cache, in quadratic-surrogates/theorems."""
    return user_cache("theorems")


def closure(source: Path) -> dict[str, str]:
    """Hash of each file that a judgement comes from: the statement's, what judges it, and their imports."""
    return meanings(source.resolve(), _JUDGING, follow=lambda name: not name.startswith(_DISPLAY))


def key(source: Path, examples: int, recorded: Record | None = None) -> str:
    """Hash of all that a judgement depends on; or all that its agreement with a record does."""
    files = closure(source)
    parts = [files, list(_said(source, files)), examples, sys.version]
    parts += [meanings(_AGREEMENT), json.dumps(recorded)] if recorded else []
    return hashlib.sha256(repr(tuple(parts)).encode()).hexdigest()[:32]


def _said(source: Path, files: Iterable[str]) -> Iterator[str]:
    """Docstrings of functions, which are what a claim says and what a proof argues: the statement's and its papers'."""
    folders = tuple(f"theorems/{folder}/" for folder, _ in PAPERS.values())
    for path in (source, *(TREE / name for name in files if name.startswith(folders))):
        yield _docstrings(path, path.stat().st_mtime_ns)


@cache
def _docstrings(path: Path, changed: int) -> str:
    functions = (node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.FunctionDef))
    return hashlib.sha256(repr([ast.get_docstring(each) for each in functions]).encode()).hexdigest()


def fetch(name: str) -> Record | None:
    """The judgement kept under this key; a file that is torn counts as absent."""
    try:
        record: Record = json.loads((directory() / f"{name}.json").read_text(encoding="utf-8"))
        return record
    except (OSError, ValueError):
        return None


def store(name: str, record: Record) -> None:
    """Keep a judgement; a cache that cannot be written costs time, nothing else."""
    target = directory() / f"{name}.json"
    with contextlib.suppress(OSError):
        target.parent.mkdir(parents=True, exist_ok=True)
        with whole(target) as partial:
            partial.write_text(json.dumps(record, default=str), encoding="utf-8")
