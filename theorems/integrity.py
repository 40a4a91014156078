"""Whether what is recorded can be believed: each record is there, is the one that was judged, and carries its proof.

A manifest says which records there must be, of which bytes and with which certificates; each verdict must be backed by
what its record carries. That a record says what its statement says is for ``surrogate check``, which traces it again.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from theorems import leaf_store, records, verify
from theorems.record import Certificate, Counterexample, Judged, Need, Record

__all__ = ["EVIDENCE", "SEVERITIES", "VERDICTS", "refuted", "troubles"]

VERDICTS = ("holds", "false", "undecided", "not-checkable")
SEVERITIES = ("substantive", "missing-hypothesis", "typo")
EVIDENCE = {
    "holds": ("kernel", "certified", "argued", "family", "searched"),
    "false": ("refuted",),
    "undecided": ("searched",),
    "not-checkable": ("",),
}


def troubles(ids: Collection[str]) -> Iterator[tuple[str, str]]:
    """(statement or file, what is wrong with it), for the statements that there are."""
    found: dict[str, Record] = {}
    for file in records.files():
        try:
            record: Record = json.loads(file.read_text(encoding="utf-8"))
            name = record["id"]
        except (ValueError, KeyError, TypeError) as error:
            yield _named(file), f"is no record: {type(error).__name__}: {error}"
            continue
        if name not in ids or records.path(name) != file:
            yield _named(file), f"a foreign record: {name!r} has no statement file, or another place"
            continue
        found[name] = record
    yield from ((name, "no record: it was deleted, or never written") for name in ids if name not in found)
    yield from _against_manifest(found)
    for name, record in found.items():
        try:
            yield from ((name, text) for text in unbacked(record))
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            yield name, f"not a whole record: {type(error).__name__}: {error}"
    yield from _leaves(found)
    yield from _against_table(found)


def _leaves(found: dict[str, Record]) -> Iterator[tuple[str, str]]:
    """Leaves without a certificate that holds, named by a statement that uses them."""
    used = records.leaves(record for record in found.values() if {"steps", "correction"} <= {*record})
    for leaf, text in leaf_store.troubles(used):
        yield used.get(leaf, leaf_store.FILE.name), f"{leaf[:16]}: {text}"


def _named(file: Path) -> str:
    return file.relative_to(records.RECORDS).as_posix()


def _against_manifest(found: dict[str, Record]) -> Iterator[tuple[str, str]]:
    """Records that are not those which the manifest lists."""
    listed = _json(records.MANIFEST)
    if not isinstance(listed, dict):
        yield "manifest.json", "cannot be read"
        return
    actual = records.manifest(found.values())
    yield from ((name, "listed in the manifest, without a record") for name in listed if name not in actual)
    for name, entry in actual.items():
        expected = listed.get(name)
        if not isinstance(expected, dict):
            yield name, "not listed in the manifest"
            continue
        if entry["sha256"] != expected.get("sha256"):
            yield name, "altered: its bytes are not those that the manifest lists"
        wanted = expected.get("certificates", [])
        yield from ((name, f"certificate missing: {which}") for which in wanted if which not in entry["certificates"])
        yield from (
            (name, f"certificate not listed: {which}") for which in entry["certificates"] if which not in wanted
        )


def _against_table(found: dict[str, Record]) -> Iterator[tuple[str, str]]:
    """Rows of verdicts.json that are not what the records generate."""
    listed = _json(records.TABLE)
    if not isinstance(listed, list) or not all(isinstance(row, dict) for row in listed):
        yield "verdicts.json", "cannot be read"
        return
    try:
        wanted = records.table(sorted(found.values(), key=records.place))
    except (KeyError, TypeError, AttributeError):
        return  # of a record that is not whole, which was said
    rows = {row["id"]: row for row in wanted}
    names = [row.get("id") for row in listed]
    yield from ((str(name), "a row of verdicts.json without a record") for name in names if name not in rows)
    yield from ((name, "not in verdicts.json") for name in rows if name not in names)
    if len(names) != len(set(names)) or (set(names) == set(rows) and names != list(rows)):
        yield "verdicts.json", "its rows are doubled or out of order"
    for row in listed:
        if row.get("id") in rows and json.dumps(row) != json.dumps(rows[row["id"]]):
            yield row["id"], "its row of verdicts.json is not what its record says"


def _json(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def unbacked(record: Record) -> Iterator[str]:
    """What a record claims without carrying what shows it."""
    for which, judged in records.judgements(record):
        yield from (f"{which}: {text}" for text in _unbacked(record["id"], which, judged))
    false = record["verdict"] == "false"
    if record["severity"] not in (SEVERITIES if false else ("",)):
        yield f"verdict {record['verdict']!r} with severity {record['severity']!r}"
    if record["correction"] and not false:
        yield f"a correction of what is {record['verdict']!r}"
    broken = [step["name"] for step in record["steps"] if step["verdict"] == "false"]
    if record["proof_broken"] != (broken[0] if broken else None):
        yield f"proof_broken is {record['proof_broken']!r}, the first step that fails {broken[:1]}"
    for need in record["needs"]:
        if not _is_backed(need):
            yield f"needs {need['hypothesis']!r}: {need['without']!r} does not agree with its counterexample"


def _is_backed(need: Need) -> bool:
    said = need["without"]
    if said == "false":
        return bool(need.get("counterexample"))
    return "counterexample" not in need and said.startswith(("not needed, so far (", "not asked: "))


def _unbacked(name: str, which: str, judged: Judged) -> Iterator[str]:
    verdict, evidence = judged["verdict"], judged["evidence"]
    if verdict not in VERDICTS or evidence not in EVIDENCE[verdict]:
        yield f"verdict {verdict!r} by evidence {evidence!r}, which are no such words"
        return
    found, certificate = judged["counterexample"], judged["certificate"]
    if verdict != "false":
        yield from ["a counterexample to what is not said to be false"] if found or certificate else []
    elif not found or not certificate:
        yield "said to be false without a counterexample and its certificate"
    else:
        yield from refuted(name, which, judged["expression"], found, certificate)
    if verdict == "holds" and evidence == "certified" and not judged.get("lines"):
        yield "said to be certified without a derivation"


def refuted(name: str, which: str, expression: str, found: Counterexample, certificate: Certificate) -> Iterator[str]:
    """Where a certificate is not one of this claim at this counterexample, or does not hold."""
    if (certificate["id"], certificate["claim_checked"]) != (name, which):
        yield f"a foreign certificate, of {certificate['id']} {certificate['claim_checked']}"
    if certificate["expression"] != expression:
        yield "its certificate is one of another claim: the hashes of the expressions differ"
    if certificate["point"] != records.digest(found):
        yield "its certificate is one of another counterexample: the hash of the point differs"
    sound, why = verify.check_certificate(dict(certificate))
    if not sound:
        yield f"dead certificate: {why}"
        return
    inputs = [node for node in certificate["program"] if node[0] == "in"]
    foreign = [n for _, n, value in inputs if not _equal(value, found["instance"].get(n, ""))]
    if foreign:
        yield f"its certificate computes with other numbers than the counterexample: {', '.join(foreign)}"
    values, claim = verify.evaluate(certificate["program"]), certificate["claim"]
    if found["relation"] != claim["relation"]:
        yield f"the counterexample says {found['relation']!r}, its certificate {claim['relation']!r}"
    sides = {"lhs": values[claim["lhs"]].text(), "rhs": values[claim["rhs"]].text()}
    if found["sides"] != sides:
        yield f"the counterexample's sides are {found['sides']}, its certificate's {sides}"


def _equal(a: str, b: str) -> bool:
    try:
        return Fraction(a) == Fraction(b)
    except (ValueError, ZeroDivisionError):
        return False
