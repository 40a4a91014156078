"""Every way to alter one field of a record: another value, another type, nothing; entries added, dropped, exchanged."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from fractions import Fraction
from typing import Any

from theorems import schema

__all__ = ["alterations", "changed", "kind"]

Path = tuple[str | int, ...]
FIELDS = {key for part in schema.schema(schema.Record)["$defs"].values() for key in part["properties"]} | {"unknown"}
FEW = 8  # longer lists are altered at both ends and in the middle


def alterations(record: dict[str, Any]) -> Iterator[tuple[Path, Any, Any]]:
    """(path, value there, value instead), for all but the number asked for, by which a record is judged again."""
    for path, value in _walk(record, ()):
        if path != ("asked",):
            yield from ((path, value, new) for new in _instead(value, path) if path or new is not None)


def changed(record: dict[str, Any], path: Path, new: Any) -> Any:
    """The record with another value at the path; nothing that it shares with the record is altered."""
    if not path:
        return new
    result = copy(record)
    result[path[0]] = changed(result[path[0]], path[1:], new) if path[1:] else new
    return result


def kind(path: Path, value: Any, new: Any) -> tuple[Any, ...]:
    """What sort of alteration it is: the fields on the way, and which entry or type was exchanged for which."""
    names = tuple("#" if isinstance(key, int) else key if key in FIELDS else "*" for key in path)[-3:]
    if isinstance(value, dict) and isinstance(new, dict):
        return (*names, *sorted(({*value} ^ {*new}) & FIELDS))
    return (*names, type(value).__name__, new if path[-1] in schema.VOCABULARY else type(new).__name__)


def _walk(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    yield path, value
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _walk(each, (*path, key))
    elif isinstance(value, list):
        few = range(len(value)) if len(value) < FEW else (0, 1, len(value) // 2, len(value) - 1)
        for k in few:
            yield from _walk(value[k], (*path, k))


def _instead(value: Any, path: Path) -> Iterator[Any]:
    if value is not None:
        yield None
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, (int, float)):
        yield from (value + 1, value - 1, str(value))
    elif isinstance(value, str):
        yield from _words(value, path)
    elif isinstance(value, list):
        yield from [value[1:], value[:-1], [*value, value[-1]]] if value else [["x"]]
        if value != value[::-1]:
            yield value[::-1]
    elif isinstance(value, dict):
        yield from ({k: v for k, v in value.items() if k != key} for key in value)
        yield from ({**value, key: "x"} for key in sorted(FIELDS - {*value}))
    else:
        yield from ("x", {}, [])


def _words(value: str, path: Path) -> Iterator[str]:
    yield f"{value}x"
    if value:
        yield ""
    yield from (word for word in schema.VOCABULARY.get(str(path[-1]), ()) if word != value)
    try:
        yield str(Fraction(value) + Fraction(1, 7))
    except (ValueError, ZeroDivisionError):
        return
