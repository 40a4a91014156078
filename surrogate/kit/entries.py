"""Entry points: what packages plug into each other by name, and the version of the tree that runs.

A source tree's own pyproject.toml wins over what was installed earlier, so that an edit counts without a new install.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["DISTRIBUTION", "ROOT", "checkout", "load", "points", "version"]

DISTRIBUTION = "quadratic-surrogates"
ROOT = Path(__file__).resolve().parents[2]


@cache
def _tables(root: Path) -> dict[str, Any]:
    """pyproject.toml of the source tree that we run from; empty when we run from an installed wheel."""
    try:
        tables = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    except OSError:
        return {}
    return tables if tables.get("project", {}).get("name") == DISTRIBUTION else {}


@cache
def points(group: str) -> dict[str, str]:
    """The objects of a group of entry points, "module" or "module:name", by name, sorted.

    >>> points("surrogate.verbs")["toy"]
    'surrogate.cli.toy'
    """
    found = {point.name: point.value for point in importlib.metadata.entry_points(group=group)}
    found.update(_tables(ROOT).get("project", {}).get("entry-points", {}).get(group, {}))
    return dict(sorted(found.items()))


def load(point: str) -> Any:
    """The module, or the object in it, that an entry point names.

    >>> load("surrogate.kit.entries:DISTRIBUTION")
    'quadratic-surrogates'
    """
    module, _, name = point.partition(":")
    loaded = importlib.import_module(module)
    return getattr(loaded, name) if name else loaded


def checkout(name: str) -> str | None:
    """The entry point that a source tree alone has, from its table [tool.surrogate.checkout]; None in a wheel."""
    point: str | None = _tables(ROOT).get("tool", {}).get("surrogate", {}).get("checkout", {}).get(name)
    return point


def version() -> str:
    """The version of the tree we run from, else of the installed distribution."""
    return _tables(ROOT).get("project", {}).get("version") or importlib.metadata.version(DISTRIBUTION)
