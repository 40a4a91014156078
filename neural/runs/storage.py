"""What a run leaves in its folder, each file whole or absent (written beside, flushed, renamed) and with a hash inside.

lock                                  held by the process that works on it (flock); its content says which one did last
checkpoint-00000120.pt                all state after 120 rounds, and the rows since the one before; two are kept.
                                      The last one of a run that has ended holds all rows. Written first of all.
rows-00000101-00000120.parquet        a part: rows 101 to 120, one a round, the start being row 0; never rewritten.
rows.parquet                          all rows, made when the run ends; the parts are removed after that. A run that is
                                      extended adds parts beyond it, and makes it again at its end.
manifest.json                         configuration, key, sources, engine, torch, rounds; status: running, done,
                                      diverged, or the word of a callback. Written last: what it tells of is there.
error.txt                             why the last attempt of a sweep failed; removed by the next attempt
.NAME.PID.partial                     what a killed process was writing; removed by the next holder of the lock
NAME.damaged, NAME.damaged1, ...      files found cut short or changed, put aside

Rows 0 to N, for the newest whole checkpoint N, are taken from rows.parquet, the parts, and the rows in the checkpoints
that are left; a row in none of these is named and the run refused. Parts beyond N are dropped and done again.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import torch

from neural.runs.files import Damaged, replace

__all__ = [
    "MANIFEST", "ROWS", "checkpoint_name", "checkpoints", "parts", "read_checkpoint", "read_manifest", "read_part",
    "read_rows", "rounds_of", "write_checkpoint", "write_manifest", "write_part", "write_rows",
]  # fmt: skip

ROWS, MANIFEST = "rows.parquet", "manifest.json"
_MAGIC = b"surrogate checkpoint 1 "


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """One row a round; what a round did not measure is null."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    kinds = {name: pa.int64() if name == "round" else pa.float64() for name in names}
    table = pa.table({name: pa.array([row.get(name) for row in rows], kinds[name]) for name in names})
    table = table.replace_schema_metadata({"digest": _digest(table)})
    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd")
    replace(path, sink.getvalue())


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows; raises Damaged where they are not those that were written."""
    try:
        table = pq.read_table(io.BytesIO(path.read_bytes()))
        whole = (table.schema.metadata or {}).get(b"digest", b"").decode() == _digest(table)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise Damaged(path, f"no readable parquet ({str(error).splitlines()[0][:100]})") from error
    if not whole:
        raise Damaged(path, "its values are not those that were written")
    return [{k: v for k, v in row.items() if v is not None} for row in table.to_pylist()]


def write_part(folder: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """These rows, which follow one another, as a part; none where there are none."""
    if rows:
        write_rows(folder / f"rows-{rows[0]['round']:08d}-{rows[-1]['round']:08d}.parquet", rows)


def parts(folder: Path) -> list[Path]:
    """The parts, in the order of their rounds."""
    return sorted(folder.glob("rows-*-*.parquet"))


def read_part(path: Path) -> list[dict[str, Any]]:
    """The rows of a part, or of rows.parquet; raises Damaged also where they are not those that its name tells of."""
    rows = read_rows(path)
    first, last = rounds_of(path) if path.name != ROWS else (0, len(rows) - 1)
    if [row.get("round") for row in rows] != list(range(first, last + 1)):
        raise Damaged(path, f"its rounds are not {first} to {last}")
    return rows


def rounds_of(path: Path) -> tuple[int, int]:
    """The first and last round of a part, from its name."""
    found = re.fullmatch(r"rows-(\d+)-(\d+)\.parquet", path.name)
    if not found:
        raise Damaged(path, "not the name of a part")
    return int(found[1]), int(found[2])


def checkpoint_name(rounds: int) -> str:
    """Of the checkpoint after so many rounds."""
    return f"checkpoint-{rounds:08d}.pt"


def checkpoints(folder: Path) -> list[Path]:
    """The newest first."""
    return sorted(folder.glob("checkpoint-*.pt"), reverse=True)


def _digest(table: pa.Table) -> str:
    return hashlib.sha256(repr(table.to_pydict()).encode()).hexdigest()


def write_manifest(path: Path, content: Mapping[str, Any]) -> None:
    """JSON, with the hash of the rest."""
    text = json.dumps(content, sort_keys=True)
    whole = {**content, "digest": hashlib.sha256(text.encode()).hexdigest()}
    replace(path, (json.dumps(whole, indent=1, sort_keys=True) + "\n").encode())


def read_manifest(path: Path) -> dict[str, Any]:
    """The manifest; raises Damaged where it is not what was written."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        digest = found.pop("digest")
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
        raise Damaged(path, f"no readable manifest ({type(error).__name__})") from error
    if digest != hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest():
        raise Damaged(path, "its values are not those that were written")
    return dict(found)


def write_checkpoint(path: Path, content: Mapping[str, Any]) -> None:
    """Tensors and plain data, after a line with the hash of the rest."""
    sink = io.BytesIO()
    torch.save(_compact(content), sink)
    payload = sink.getvalue()
    replace(path, _MAGIC + hashlib.sha256(payload).hexdigest().encode() + b"\n" + payload)


def read_checkpoint(path: Path, device: torch.device) -> dict[str, Any]:
    """What was written, on this device; raises Damaged where the hash differs."""
    try:
        head, _, payload = path.read_bytes().partition(b"\n")
    except OSError as error:
        raise Damaged(path, str(error)) from error
    if head != _MAGIC + hashlib.sha256(payload).hexdigest().encode():
        raise Damaged(path, "cut short or changed: its hash differs")
    return dict(torch.load(io.BytesIO(payload), map_location=device, weights_only=True))


def _compact(value: Any) -> Any:
    """The same data, with tensors that hold no more than they show."""
    if torch.is_tensor(value):
        return value.detach().clone()
    if isinstance(value, Mapping):
        return {key: _compact(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_compact(entry) for entry in value)
    return value.item() if hasattr(value, "item") else value
