"""Verdicts on disk: one JSON a statement, and the table that is generated from them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from surrogate.kit.errors import problem
from surrogate.kit.files import whole
from theorems.catalogue import paper_of, sort_key
from theorems.record import Record

__all__ = ["RECORDS", "TABLE", "read", "read_all", "same_verdict", "verdicts", "write", "write_table"]

HERE = Path(__file__).parent
RECORDS = HERE / "records"
TABLE = HERE / "verdicts.json"
_COLUMNS = """
id paper kind location says reading verdict severity proof_broken evidence examples tightness counterexample
correction steps needs note certificate
"""


def path(statement_id: str) -> Path:
    return RECORDS / paper_of(statement_id) / (statement_id.split(".", 1)[1].lower() + ".json")


def read(statement_id: str) -> Record | None:
    """The recorded verdict, or None where there is none."""
    file = path(statement_id)
    if not file.exists():
        return None
    try:
        record: Record = json.loads(file.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise problem(
            f"record {file}", f"not JSON ({error})", "a whole record", "a torn or hand-edited file",
            f"restore it, or `surrogate check {statement_id} --record`",
        ) from None  # fmt: skip
    return record


def read_all() -> list[Record]:
    """All recorded verdicts, in the papers' order."""
    records = [read_file for file in RECORDS.rglob("*.json") if (read_file := json.loads(file.read_text("utf-8")))]
    return sorted(records, key=lambda record: sort_key(record["id"]))


def write(record: Record) -> Path:
    """Write one record whole or not at all."""
    file = path(record["id"])
    file.parent.mkdir(parents=True, exist_ok=True)
    _write(file, json.dumps(record, indent=1, ensure_ascii=False, default=str))
    return file


def write_table() -> Path:
    """theorems/verdicts.json: the sorted list of records, certificates by file name."""
    rows = []
    for record in read_all():
        row = {key: record.get(key) for key in _COLUMNS.split()}
        row["certificate"] = str(path(record["id"]).relative_to(HERE)) if record.get("certificate") else None
        row["steps"] = [{k: v for k, v in step.items() if k != "certificate"} for step in record["steps"]]
        rows.append(row)
    _write(TABLE, json.dumps(rows, indent=1, ensure_ascii=False))
    return TABLE


def verdicts() -> dict[str, str]:
    """Each verdict of the table in words, by id, which ``surrogate toy`` shows; {} where the table cannot be read.

    >>> verdicts()["OLR.T17"]
    'holds (argued)'
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


def same_verdict(recorded: Record, fresh: Record) -> str:
    """Empty where a fresh judgement agrees with the record, else the contradiction in one line."""
    found = fresh["counterexample"]
    if recorded["verdict"] == "holds" and fresh["verdict"] == "false":
        return f"recorded as holding, refuted now by {found and found['instance']}"
    correction, again = recorded["correction"], fresh["correction"]
    if correction and again and correction["verdict"] == "holds" and again["verdict"] == "false":
        return "its recorded correction is refuted now"
    if recorded["evidence"] in ("certified", "argued") and fresh["evidence"] == "searched":
        return f"recorded as {recorded['evidence']}, but the proof did not run"
    return ""


def _write(file: Path, text: str) -> None:
    with whole(file) as partial:
        partial.write_text(f"{text}\n", encoding="utf-8")
