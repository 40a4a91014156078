"""Which theorem answers my question: docs/questions.toml, with the verdicts as they are recorded now."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from .listings import grid, statement_link, verdict_word

__all__ = ["FILE", "read", "table"]

FILE = Path(__file__).resolve().parents[1] / "questions.toml"


def read() -> list[dict[str, Any]]:
    """The groups of questions, in order."""
    groups: list[dict[str, Any]] = tomllib.loads(FILE.read_text(encoding="utf-8"))["group"]
    return groups


def table(up: str = "") -> str:
    """A heading and a table a group."""
    return "\n".join(_group(group, up) for group in read())


def _group(group: dict[str, Any], up: str) -> str:
    rows = [[asked["ask"], asked["answer"], _ids(asked["ids"], up)] for asked in group["question"]]
    return f"## {group['title']}\n\n" + grid(["question", "answer", "statements and verdicts"], rows)


def _ids(ids: list[str], up: str) -> str:
    from theorems.records import read as record_of

    cells = []
    for name in ids:
        record = record_of(name)
        if record is None:
            raise ValueError(f"{FILE.name} names {name}, which has no recorded verdict")
        fixed = record["correction"]
        mended = f"; corrected: {fixed['verdict']}, {fixed['evidence']}" if fixed else ""
        cells.append(f"{statement_link(name, up)}: {verdict_word(record)}{mended}")
    return "<br>".join(cells)
