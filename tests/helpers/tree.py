"""Where the tree is, what is in it, and how to run something in a fresh interpreter."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("surrogate", "theorems", "neural", "figures")
GENERATED = {".git", ".venv", "build", "dist", "out", ".hypothesis", "__pycache__"}


def project() -> dict[str, Any]:
    """The ``[project]`` table of pyproject.toml."""
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return table


def files(suffix: str = "") -> Iterator[Path]:
    """Every file of the tree that a person wrote, relative to its root."""
    for folder, below, names in os.walk(ROOT):
        below[:] = [b for b in below if b not in GENERATED and not b.endswith(("_cache", ".egg-info"))]
        yield from (Path(folder, name).relative_to(ROOT) for name in names if name.endswith(suffix))


def imports(path: Path) -> Iterator[str]:
    """Top-level names that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield (node.module or "").partition(".")[0]


def fresh(*arguments: str, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run ``python ARGUMENTS`` in a new process whose only path to our code is ``cwd``, and capture what it prints."""
    return execute(sys.executable, *arguments, cwd=cwd, **environment)


def execute(*command: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command without this process's PYTHONPATH and with nothing on its standard input."""
    inherited = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    return subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env=inherited | {"OMP_NUM_THREADS": "1"} | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
