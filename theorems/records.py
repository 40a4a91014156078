"""Verdicts on disk: one JSON a statement; the table and the manifest that are generated from them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypedDict

from surrogate.kit.errors import problem
from surrogate.kit.files import whole
from theorems.catalogue import paper_of, sort_key
from theorems.record import Judged, Record

__all__ = [
    "COLUMNS",
    "MANIFEST",
    "ONLY_RECORDED",
    "RECORDS",
    "TABLE",
    "Entry",
    "certificates",
    "digest",
    "files",
    "judgements",
    "leaves",
    "manifest",
    "path",
    "place",
    "read",
    "read_all",
    "rows",
    "table",
    "text",
    "verdicts",
    "write",
    "write_table",
]

HERE = Path(__file__).parent
RECORDS = HERE / "records"
MANIFEST = RECORDS / "manifest.json"
TABLE = HERE / "verdicts.json"
COLUMNS = [
    "id", "paper", "kind", "location", "says", "reading", "domain", "verdict",
    "severity", "proof_broken", "evidence", "decided_by", "bridges", "examples", "tightness", "counterexample",
    "correction", "steps", "needs", "note", "certificate",
]  # fmt: skip
_IN_A_LINE = {"u", "discrete", "instance", "at", "program", "hypotheses", "leaves"}
_SHORT = 100
ONLY_RECORDED = {"certificate", "expression", "leaves", "lines", "u", "discrete"}  # for replays and checkers


class Entry(TypedDict):
    """What a record has to be: the hash of its bytes, and the names of its certificates."""

    sha256: str
    certificates: list[str]


def path(statement_id: str) -> Path:
    return RECORDS / paper_of(statement_id) / (statement_id.split(".", 1)[1].lower() + ".json")


def read(statement_id: str) -> Record | None:
    """The recorded verdict, or None where there is none."""
    file = path(statement_id)
    if not file.exists():
        return None
    try:
        record: Record = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(record, dict):
            raise ValueError(f"a {type(record).__name__}")
    except ValueError as error:
        raise problem(
            f"record {file}", f"not a JSON object ({error})", "a whole record", "a torn or hand-edited file",
            f"restore it, or `surrogate check {statement_id} --record`",
        ) from None  # fmt: skip
    return record


def files() -> list[Path]:
    """All records on disk."""
    return sorted(file for file in RECORDS.rglob("*.json") if file != MANIFEST)


def read_all() -> list[Record]:
    """All recorded verdicts, in the papers' order."""
    records = [found for file in files() if (found := json.loads(file.read_text("utf-8")))]
    return sorted(records, key=place)


def place(record: Record) -> tuple[object, ...]:
    """Where a record stands in the papers' order."""
    return sort_key(record["id"])


def write(record: Record) -> Path:
    """Write one record whole or not at all."""
    file = path(record["id"])
    file.parent.mkdir(parents=True, exist_ok=True)
    _write(file, text(record))
    return file


def write_table() -> Path:
    """theorems/verdicts.json, the sorted list of records; the leaves they use; the manifest, what each has to be."""
    from theorems import leaf_store

    records = read_all()
    leaf_store.write(leaves(records))
    _write(TABLE, text(table(records)))
    _write(MANIFEST, rows(manifest(records)))
    return TABLE


def table(records: Iterable[Record]) -> list[dict[str, Any]]:
    """The rows of theorems/verdicts.json: certificates by file name."""
    found = []
    for record in records:
        row: dict[str, Any] = {key: _readable(record.get(key)) for key in COLUMNS}
        row["certificate"] = str(path(record["id"]).relative_to(HERE)) if record.get("certificate") else None
        found.append(row)
    return found


def _readable(value: Any) -> Any:
    """A part of a record without certificates and coordinates, which stand in its own file."""
    if isinstance(value, list):
        return [_readable(each) for each in value]
    if isinstance(value, dict):
        return {key: _readable(each) for key, each in value.items() if key not in ONLY_RECORDED}
    return value


def manifest(records: Iterable[Record]) -> dict[str, Entry]:
    """What each statement's record, and the store of leaves, has to be: its bytes, and the certificates it carries."""
    from theorems import leaf_store

    records = list(records)
    entries: dict[str, Entry] = {
        record["id"]: {"sha256": _hash(path(record["id"])), "certificates": certificates(record)} for record in records
    }
    stored = leaf_store.FILE
    if stored.exists():
        entries[stored.name] = {"sha256": _hash(stored), "certificates": [f"{len(leaves(records))} leaves"]}
    return entries


def _hash(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def leaves(records: Iterable[Record]) -> dict[str, str]:
    """The leaves that records use, each with the first statement that does."""
    used: dict[str, str] = {}
    for record in records:
        for _, judged in judgements(record):
            for name in judged.get("leaves", []):
                used.setdefault(name, record["id"])
    return used


def certificates(record: Record) -> list[str]:
    """The names of a record's certificates: its counterexamples' and its proofs' leaves."""
    names = []
    for which, judged in judgements(record):
        names += [which] if judged.get("certificate") else []
        names += [f"{which}: {len(judged['leaves'])} leaves"] if judged.get("leaves") else []
    return names


def judgements(record: Record) -> list[tuple[str, Judged]]:
    """The claims of a record: the printed one, its correction, and the steps of the printed proof."""
    found: list[tuple[str, Judged]] = [("printed", record)]
    found += [("corrected", record["correction"])] if record["correction"] else []
    return found + [(f"step {k}", step) for k, step in enumerate(record["steps"])]


def digest(value: object) -> str:
    """32 hexadecimal digits of what JSON can hold."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:32]


def verdicts() -> dict[str, str]:
    """Each verdict of the table in words, by id, which ``surrogate toy`` shows; {} where the table cannot be read.

    >>> verdicts()["OLR.T17"]
    'holds (certified)'
    """
    try:
        table = json.loads(TABLE.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    rows = [row for row in (table if isinstance(table, list) else []) if isinstance(row, dict)]
    return {row["id"]: _words(row) for row in rows if _is_text(row.get("id")) and _is_text(row.get("verdict"))}


def _words(row: Mapping[str, object]) -> str:
    details = ", ".join(str(row[key]) for key in ("severity", "evidence") if _is_text(row.get(key)))
    return f"{row['verdict']} ({details})" if details else str(row["verdict"])


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _write(file: Path, text: str) -> None:
    with whole(file) as partial:
        partial.write_text(f"{text}\n", encoding="utf-8")


def rows(value: Mapping[str, object]) -> str:
    """A JSON object with a line for each of its names, so that two branches rarely change the same."""
    return "{\n" + ",\n".join(f" {json.dumps(name)}: {json.dumps(each)}" for name, each in value.items()) + "\n}"


def text(value: Any, depth: int = 0, name: str = "") -> str:
    """JSON with a line for each name; what is short, and programs, points and instances, in one line."""
    inline = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    if not isinstance(value, (dict, list)) or len(inline) <= _SHORT or name in _IN_A_LINE:
        return inline
    margin = "\n" + " " * (depth + 1)
    parts = [text(each, depth + 1) for each in value]
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {text(each, depth + 1, key)}" for key, each in value.items()]
    start, end = "{}" if isinstance(value, dict) else "[]"
    return start + margin + f",{margin}".join(parts) + margin[:-1] + end
