"""Engines know tasks and layers by what they declare (`neural.capabilities`), never by name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import neural
from neural import tasks

ENGINE = Path(neural.__file__).parent / "engine"
GENERAL = {"neural.tasks.task", "neural.tasks.by_hand", "neural.tasks.softmax_scores", "neural.tasks.count"}


def imported(source: str) -> Iterator[str]:
    """The modules of neural.tasks that a source imports."""
    for node in ast.walk(ast.parse(source)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            names = names if node.module == "neural.tasks" else [node.module]
        yield from (name for name in names if name.startswith("neural.tasks"))


def test_imports_are_seen() -> None:
    source = "from neural.tasks import quadratic\ndef f():\n    from neural.tasks.models.lstm import LSTM\nimport torch"
    assert list(imported(source)) == ["neural.tasks.quadratic", "neural.tasks.models.lstm"]


@pytest.mark.parametrize("path", sorted(ENGINE.glob("*.py")), ids=lambda path: path.stem)
def test_an_engine_imports_no_concrete_task_or_model(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert set(imported(source)) <= GENERAL
    if path.stem != "__init__":  # whose example is of one
        assert not [name for name in tasks.names() if f'"{name}"' in source]
