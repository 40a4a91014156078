"""Certificates of leaves on disk: theorems/records/leaves.jsonl, a line each; new ones wait in the user's cache.

A line holds the leaf, rational numbers that meet its hypotheses, its certificate, and what two solvers say of it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from surrogate.kit.files import user_cache, whole

__all__ = ["FILE", "digest", "find", "keep", "troubles", "write"]

FILE = Path(__file__).parent / "records" / "leaves.jsonl"
Entry = dict[str, Any]
UNREADABLE = (ValueError, KeyError, TypeError, RecursionError)


def find(name: str) -> Entry | None:
    """The entry of a leaf, stored or waiting, whose certificate holds."""
    entry = _stored().get(name) or _waiting(name)
    return entry if entry is not None and _name(entry) == name and _sound(name) else None


@cache
def _sound(name: str) -> bool:
    return _checked(_stored().get(name) or _waiting(name))[0]


def keep(entry: Entry) -> str:
    """Let a new entry wait until ``surrogate check --record`` writes the records that use it; its leaf's hash."""
    name = _name(entry)
    target = _folder() / f"{name}.json"
    with contextlib.suppress(OSError):
        target.parent.mkdir(parents=True, exist_ok=True)
        with whole(target) as partial:
            partial.write_text(_line(entry), encoding="utf-8")
    return name


def write(used: Collection[str]) -> Path:
    """Store what records use, and only that, in the order of the hashes."""
    entries = {name: entry for name in sorted(used) if (entry := _stored().get(name) or _waiting(name))}
    with whole(FILE) as partial:
        partial.write_text("".join(f"{_line(entry)}\n" for entry in entries.values()), encoding="utf-8")
    _stored.cache_clear()
    return FILE


def troubles(used: Collection[str]) -> Iterator[tuple[str, str]]:
    """(hash, what is wrong) of the leaves that records use and of the lines that none does."""
    seen: set[str] = set()
    for number, line in enumerate(_lines(), start=1):
        try:
            entry = json.loads(line)
            name, whole_entry = _name(entry), _whole(entry) and _line(entry) == line
        except UNREADABLE:
            yield f"leaves.jsonl:{number}", "is no certificate of a leaf"
            continue
        if not whole_entry:
            yield name, "not written as certificates are: other fields, other opinions, or by hand"
        if name not in used:
            yield name, "a certificate that no record uses"
        if name in seen:
            yield name, "two certificates of one leaf"
        seen.add(name)
    for name in sorted(used):
        entry = _stored().get(name)
        sound, why = _checked(entry)
        if not sound:
            yield name, f"a leaf without a certificate: {why}"


def digest(hypotheses: Any, conclusion: Any) -> str:
    """By which records name a leaf: sha256 of the compact JSON of both."""
    return hashlib.sha256(json.dumps([hypotheses, conclusion], separators=(",", ":")).encode()).hexdigest()


def _checked(entry: Entry | None) -> tuple[bool, str]:
    from theorems.leaves import check_leaf

    return check_leaf(entry) if entry else (False, "none is stored: split it, or weaken an equation to an inequality")


def _name(entry: Entry) -> str:
    return digest(*entry["leaf"])


def _whole(entry: Entry) -> bool:
    """Its four fields and no others, and no solver that contradicts it."""
    opinions = entry["opinions"]
    known = opinions["z3"] == "unsat" and set(opinions) <= {"z3", "cvc5"} and "sat" not in opinions.values()
    return known and set(entry) == {"leaf", "point", "certificate", "opinions"}


def _line(entry: Entry) -> str:
    return json.dumps(entry, separators=(",", ":"), sort_keys=True)


def _lines() -> list[str]:
    with contextlib.suppress(OSError):
        return FILE.read_text(encoding="utf-8").splitlines()
    return []


@cache
def _stored() -> dict[str, Entry]:
    """By hash; a line that cannot be read is among the ``troubles``."""
    found = {}
    for line in _lines():
        with contextlib.suppress(*UNREADABLE):
            entry = json.loads(line)
            found[_name(entry)] = entry
    return found


def _folder() -> Path:
    return user_cache("leaves")


def _waiting(name: str) -> Entry | None:
    try:
        entry: Entry = json.loads((_folder() / f"{name}.json").read_text(encoding="utf-8"))
        return entry if _name(entry) == name else None
    except (OSError, *UNREADABLE):
        return None
