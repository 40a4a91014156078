"""Judgements kept in the user's cache directory, keyed by everything that they depend on."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

from surrogate.kit.files import whole

__all__ = ["directory", "fetch", "key", "store"]


def directory() -> Path:
    """Where judgements are kept: $XDG_CACHE_HOME or ~/.cache, in quadratic-surrogates/theorems."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "quadratic-surrogates" / "theorems"


@cache
def _foundation() -> str:
    """Hash of the engines and of the exact core."""
    import surrogate

    here, core = Path(__file__).parent, Path(surrogate.__file__).parent
    files = sorted([*here.glob("*.py"), *here.glob("engines/*.py"), *core.rglob("*.py")])
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def key(source: Path, examples: int) -> str:
    """Hash of the statement's file, its folder's shared code, the engines, the core, and how hard we look."""
    shared = b"".join(file.read_bytes() for file in sorted(source.parent.glob("common*.py")))
    parts = [source.read_bytes(), shared, _foundation().encode(), str(examples).encode(), sys.version.encode()]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:32]


def fetch(name: str) -> dict[str, Any] | None:
    """The judgement kept under this key; a file that is torn counts as absent."""
    try:
        record: dict[str, Any] = json.loads((directory() / f"{name}.json").read_text(encoding="utf-8"))
        return record
    except (OSError, ValueError):
        return None


def store(name: str, record: dict[str, Any]) -> None:
    """Keep a judgement; a cache that cannot be written costs time, nothing else."""
    target = directory() / f"{name}.json"
    with contextlib.suppress(OSError):
        target.parent.mkdir(parents=True, exist_ok=True)
        with whole(target) as partial:
            partial.write_text(json.dumps(record, default=str), encoding="utf-8")
