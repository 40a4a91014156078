"""Tables as parquet files: written atomically, read back with their checksum, key, scale and data source."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from figures.records import Arrays, Columns, Table
from surrogate.kit.files import whole

__all__ = ["Unusable", "atomic", "metadata", "read", "sweep", "tagged", "write", "write_text"]

PARTIAL = re.compile(r"\..+\.(\d+)\.partial")


class Unusable(Exception):
    """A stored table that must be rebuilt; the message says why."""


def tagged(rows: Columns | Arrays | Table, id: str, key: str, scale: str, data: str = "") -> Table:
    """A table (columns, or already a table) that knows its figure, its key, its scale and the data behind it."""
    plain = (rows if isinstance(rows, pa.Table) else pa.table(rows)).combine_chunks()
    notes = {"figure": id, "key": key, "scale": scale, "data": data, "digest": _digest(plain)}
    table: Table = plain.replace_schema_metadata(notes)
    return table


def metadata(rows: Table) -> dict[str, str]:
    """figure, key, scale, data and digest of a tagged table."""
    return {name.decode(): value.decode() for name, value in (rows.schema.metadata or {}).items()}


def write(rows: Table, path: Path) -> None:
    """A tagged table as parquet."""
    with atomic(path) as partial:
        pq.write_table(rows, partial, compression="zstd", write_page_checksum=True)


def read(path: Path, key: str) -> Table | None:
    """The table stored at ``path`` if it was made with this key, None if there is none or its code has changed since.

    A file that is damaged (cut short, overwritten, a flipped bit) raises `Unusable` with the reason.
    """
    if not path.exists():
        return None
    try:
        with pa.memory_map(str(path)) as source:
            rows: Table = pq.read_table(source, page_checksum_verification=True)
        notes = metadata(rows)
        intact = notes["digest"] == _digest(rows)
    except (OSError, KeyError, ValueError, pa.ArrowException) as error:
        raise Unusable(str(error).strip().splitlines()[0][:200]) from error
    if not intact:
        raise Unusable("its values are not those that were written")
    return rows if notes.get("key") == key else None


def write_text(text: str, path: Path) -> None:
    """A text file, UTF-8."""
    with atomic(path) as partial:
        partial.write_text(text, encoding="utf-8")


@contextmanager
def atomic(path: Path) -> Iterator[Path]:
    """A name to write to; ``path`` takes its content at the end, and keeps the old one if anything goes wrong."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole(path) as partial:
        yield partial


def sweep(folder: Path, alive: Callable[[int], bool] | None = None) -> list[Path]:
    """Remove what runs that were killed left half-written; returns what was removed."""
    left = [(path, PARTIAL.fullmatch(path.name)) for path in sorted(folder.rglob(".*.partial"))]
    dead = [path for path, match in left if match and not (alive or _alive)(int(match[1]))]
    for path in dead:
        path.unlink(missing_ok=True)
    return dead


def _alive(process: int) -> bool:
    if os.name == "nt":
        return True  # signal 0 is no mere question there
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _digest(rows: pa.Table) -> str:
    """Of names, types and values, however they are laid out in memory."""
    digest = hashlib.sha256()
    columns: Mapping[str, Any] = dict(zip(rows.column_names, rows.columns, strict=True))
    for name, column in columns.items():
        digest.update(f"{name}\0{column.type}\0".encode())
        plain = column.null_count == 0 and (pa.types.is_floating(column.type) or pa.types.is_integer(column.type))
        digest.update(column.to_numpy().tobytes() if plain else repr(column.to_pylist()).encode())
    return digest.hexdigest()
