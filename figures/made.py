"""The record of a figure that was made: its findings, what they came from, and digests of its drawings.

A drawing that is cut short, and a record that was edited, are noticed: the figure is drawn again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

from figures.card import Card
from figures.findings import Finding
from figures.storage import write_text

__all__ = ["Made", "intact", "path", "read", "write"]


class Made(TypedDict):
    """What stands in <name>.findings.json; ``drawings``: sha256 of each file, ``digest``: of all else."""

    figure: str
    title: str
    scale: str
    data: str
    key: str
    drawn: str
    findings: list[dict[str, object]]
    drawings: dict[str, str]


def path(entry: Card, out: Path) -> Path:
    """Where the record of a figure is."""
    return out / entry.paper / f"{entry.name}.findings.json"


def write(entry: Card, out: Path, about: dict[str, str], findings: Sequence[Finding], kinds: Sequence[str]) -> None:
    """Record the findings, and the drawings of these kinds as they stand."""
    drawings = {kind: _hash((out / f"{entry.alias}.{kind}").read_bytes()) for kind in kinds}
    record = {**about, "findings": [finding.record() for finding in findings], "drawings": drawings}
    text = json.dumps({**record, "digest": _digest(record)}, indent=2, ensure_ascii=False)
    write_text(f"{text}\n", path(entry, out))


def read(entry: Card, out: Path) -> Made:
    """The record; FileNotFoundError where there is none, ValueError where it is damaged, edited or another figure's."""
    file = path(entry, out)
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
        digest = record.pop("digest")
        sound = digest == _digest(record) and record["figure"] == entry.id
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise ValueError(f"{file} is damaged: draw the figure again") from error
    if not sound:
        raise ValueError(f"{file} is not as it was written: draw the figure again")
    made: Made = record
    return made


def intact(entry: Card, out: Path, made: Made, kinds: Sequence[str]) -> bool:
    """Is each drawing there, and the one that was recorded?"""
    if set(made["drawings"]) != set(kinds):
        return False
    files = {kind: out / f"{entry.alias}.{kind}" for kind in kinds}
    try:
        return all(_hash(file.read_bytes()) == made["drawings"][kind] for kind, file in files.items())
    except OSError:
        return False


def _digest(record: object) -> str:
    return _hash(json.dumps(record, sort_keys=True, ensure_ascii=False).encode())


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
