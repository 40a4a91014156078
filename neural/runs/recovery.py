"""What an earlier process left of a run: the newest whole checkpoint, and every row up to it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from neural.runs import files, storage
from neural.runs.files import Damaged
from surrogate.kit.errors import problem

__all__ = ["Found", "recover"]

Say = Callable[[str], None]
Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Found:
    """``checkpoint``: None where nothing was begun; ``rows``: 0 to its rounds; ``ended``: all files say that it has."""

    checkpoint: dict[str, Any] | None = None
    rows: Rows = field(default_factory=list)
    ended: bool = False


def recover(folder: Path, device: torch.device, say: Say) -> Found:
    """Read what is there; damaged files are named and put aside, and the rows on disk made contiguous again."""
    manifest = _manifest(folder, say)
    checkpoint = _newest(folder, device, say)
    if checkpoint is None:
        _drop(storage.parts(folder))  # of a run that never came to its first checkpoint
        return Found()
    rounds = checkpoint["rounds"]
    pieces = {path: rows for path in _row_files(folder) if (rows := _piece(path, say)) is not None}
    rows = _joined(folder, checkpoint, pieces, device)
    _settle(folder, pieces, rows)
    whole = pieces.get(folder / storage.ROWS)
    ended = manifest.get("status") == checkpoint["status"] != "running" and manifest.get("rounds") == rounds
    return Found(checkpoint, rows, ended and whole == rows)


def _newest(folder: Path, device: torch.device, say: Say) -> dict[str, Any] | None:
    """The newest whole checkpoint; damaged ones are named and put aside; refused when all of them are."""
    found = storage.checkpoints(folder)
    for path in found:
        try:
            return storage.read_checkpoint(path, device)
        except Damaged as damage:
            say(f"damaged: {damage}; trying the one before")
    if found:
        raise problem(
            f"the checkpoints of {folder}", "all damaged", "one that is whole", "a failing disk",
            f"run `rm {folder}/checkpoint-*.pt` to run it from the start, or restore them",
        )  # fmt: skip
    return None


def _manifest(folder: Path, say: Say) -> dict[str, Any]:
    path = folder / storage.MANIFEST
    if not path.exists():
        return {}
    try:
        return storage.read_manifest(path)
    except Damaged as damage:
        say(f"damaged: {damage}; kept as {files.aside(path).name}, made again from the checkpoint")
        return {}


def _row_files(folder: Path) -> list[Path]:
    whole = folder / storage.ROWS
    return [*([whole] if whole.exists() else []), *storage.parts(folder)]


def _piece(path: Path, say: Say) -> Rows | None:
    try:
        return storage.read_part(path)
    except Damaged as damage:
        say(f"damaged: {damage}; kept as {files.aside(path).name}, made again where a checkpoint has its rows")
        return None


def _joined(folder: Path, checkpoint: dict[str, Any], pieces: dict[Path, Rows], device: torch.device) -> Rows:
    """Rows 0 to N from wherever they are whole."""
    last = checkpoint["rounds"]
    known = {row["round"]: row for rows in [checkpoint["rows"], *reversed(pieces.values())] for row in rows}
    if len([t for t in known if t <= last]) <= last:
        known = {row["round"]: row for old in _older(folder, last, device) for row in old["rows"]} | known
    missing = [t for t in range(last + 1) if t not in known]
    if missing:
        raise problem(
            f"the rows of the run {folder.name}", f"rounds {missing[0]} to {missing[-1]} in no file that is whole",
            "a row a round", "a failing disk, or files that were removed",
            f"restore them, or run `rm -r {folder}` to run it from the start",
        )  # fmt: skip
    return [known[t] for t in range(last + 1)]


def _older(folder: Path, last: int, device: torch.device) -> Iterator[dict[str, Any]]:
    """The other whole checkpoints, read only when rows are wanting."""
    for path in storage.checkpoints(folder):
        if path.name < storage.checkpoint_name(last):
            with contextlib.suppress(Damaged):
                yield storage.read_checkpoint(path, device)


def _settle(folder: Path, pieces: dict[Path, Rows], rows: Rows) -> None:
    """Files that follow one another up to the last row stay; the rows after them become one part, the others go."""
    kept, following = set(), 0
    for path, held in sorted(pieces.items(), key=lambda entry: entry[1][0]["round"] if entry[1] else -1):
        if held and held[0]["round"] == following and held == rows[following : following + len(held)]:
            kept.add(path)
            following += len(held)
    rest = rows[following:]
    storage.write_part(folder, rest)
    made = f"rows-{following:08d}-{len(rows) - 1:08d}.parquet" if rest else ""
    _drop([path for path in pieces if path not in kept and path.name != made])


def _drop(paths: list[Path]) -> None:
    for path in paths:
        files.remove(path)
