"""JSON schemas of the typed dictionaries of ``theorems.record``, and what does not fit one.

``theorems/verdicts.schema.json`` is the schema of theorems/verdicts.json; ``verify`` and ``check`` hold each record
against that of ``Record``.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, NotRequired, get_args, get_origin, get_type_hints, is_typeddict

from surrogate.kit.files import whole
from theorems.catalogue import PAPERS
from theorems.record import WORDS, Record
from theorems.records import COLUMNS, ONLY_RECORDED, TABLE

__all__ = ["FILE", "misfits", "of_table", "schema", "unlike_a_record", "write"]

FILE = TABLE.with_name("verdicts.schema.json")
DIALECT = "https://json-schema.org/draft/2020-12/schema"
KINDS = "identity,upper bound,spectrum,limit,monotone,equivalence,convergence,necessity,existence"
VOCABULARY = {
    "verdict": ["holds", "false", "undecided", "not-checkable"],
    "severity": ["substantive", "missing-hypothesis", "typo", ""],
    "evidence": [*WORDS, ""],
    "relation": ["<=", "<", "==", ">=", ">"],
    "kind": KINDS.split(","),
    "paper": [folder for folder, _ in PAPERS.values()],
}
COUNTS = ("examples", "asked")
_SCALARS: dict[Any, str] = {str: "string", bool: "boolean", int: "integer", float: "number", NoneType: "null"}
_PYTHON: dict[str, tuple[type, ...]] = {
    "string": (str,), "boolean": (bool,), "integer": (int,), "number": (int, float), "null": (NoneType,),
    "array": (list,), "object": (dict,),
}  # fmt: skip


def schema(hint: type, without: Collection[str] = ()) -> dict[str, Any]:
    """The schema of a typed dictionary, with those inside it under ``$defs``; fields named in ``without`` left out."""
    parts: dict[str, Any] = {}
    return {"$schema": DIALECT, **_of(hint, parts, without), "$defs": parts}


def of_table() -> dict[str, Any]:
    """The schema of theorems/verdicts.json: a row a record, in which certificates are names of files."""
    found = schema(Record, ONLY_RECORDED)
    row = found["$defs"]["Record"]
    row["properties"] = {
        key: row["properties"].get(key, {"anyOf": [{"type": "string"}, {"type": "null"}]}) for key in COLUMNS
    }
    row["required"] = list(COLUMNS)
    title = "Verdicts on the statements of five papers: theorems/verdicts.json, a row a statement"
    rows = {"title": title, "type": "array", "items": {"$ref": found["$ref"]}}
    return {"$schema": DIALECT, **rows, "$defs": found["$defs"]}


def write() -> Path:
    """theorems/verdicts.schema.json, written whole."""
    with whole(FILE) as partial:
        partial.write_text(f"{json.dumps(of_table(), indent=1)}\n", encoding="utf-8")
    return FILE


def _of(hint: Any, parts: dict[str, Any], without: Collection[str], name: str = "") -> dict[str, Any]:
    """The schema of one type; ``name`` is the field that has it."""
    origin, inner = get_origin(hint), get_args(hint)
    if is_typeddict(hint):
        if hint.__name__ not in parts:
            parts[hint.__name__] = {}
            parts[hint.__name__] = _object(hint, parts, without)
        return {"$ref": f"#/$defs/{hint.__name__}"}
    if origin is NotRequired:
        return _of(inner[0], parts, without, name)
    if origin is list:
        return {"type": "array", "items": _of(inner[0], parts, without)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _of(inner[1], parts, without)}
    if origin is UnionType:
        return {"anyOf": [_of(each, parts, without) for each in inner]}
    if hint is Any:
        return {}
    found: dict[str, Any] = {"type": _SCALARS[hint]}
    found |= {"enum": VOCABULARY[name]} if name in VOCABULARY else {}
    return found | ({"minimum": 0} if name in COUNTS else {})


def _object(hint: Any, parts: dict[str, Any], without: Collection[str]) -> dict[str, Any]:
    hints = {key: each for key, each in get_type_hints(hint, include_extras=True).items() if key not in without}
    needed = [key for key in hints if key in hint.__required_keys__ and get_origin(hints[key]) is not NotRequired]
    return {
        "type": "object",
        "description": " ".join((inspect.getdoc(hint) or "").split()),
        "properties": {key: _of(each, parts, without, key) for key, each in hints.items()},
        "required": needed,
        "additionalProperties": False,
    }


def misfits(value: Any, schema: Mapping[str, Any], parts: Mapping[str, Any], place: str = "") -> Iterator[str]:
    """Where a value does not fit a schema that is made of the words used above."""
    if "$ref" in schema:
        yield from misfits(value, parts[schema["$ref"].rpartition("/")[2]], parts, place)
        return
    if "anyOf" in schema:
        found = [list(misfits(value, each, parts, place)) for each in schema["anyOf"]]
        yield from min(found, key=len)
        return
    if "type" in schema and type(value) not in _PYTHON[schema["type"]]:
        yield f"{place}: {schema['type']} expected, not {type(value).__name__}"
        return
    if value not in schema.get("enum", [value]) or ("minimum" in schema and value < schema["minimum"]):
        yield f"{place}: no such value: {value!r}"
    if isinstance(value, dict):
        known, rest = schema.get("properties", {}), schema.get("additionalProperties", True)
        yield from (f"{place}: no field {key!r}" for key in schema.get("required", ()) if key not in value)
        for key, each in value.items():
            if key not in known and rest is False:
                yield f"{place}: no field {key!r} is known"
            else:
                yield from misfits(
                    each, known.get(key, rest if isinstance(rest, dict) else {}), parts, f"{place}.{key}"
                )
    if isinstance(value, list) and "items" in schema:
        for k, each in enumerate(value):
            yield from misfits(each, schema["items"], parts, f"{place}[{k}]")


@cache
def _record() -> dict[str, Any]:
    return schema(Record)


def unlike_a_record(value: Any) -> Iterator[str]:
    """Where a value is no ``Record``: a field that is missing, unknown, or of another type."""
    yield from misfits(value, _record(), _record()["$defs"], "record")
