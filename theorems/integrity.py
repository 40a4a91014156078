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

from theorems import leaf_store, records, schema, verify
from theorems.record import Certificate, Counterexample, Judged, Need, Record, fails_in_proof

__all__ = ["EVIDENCE", "refuted", "troubles", "unbacked"]

EVIDENCE = {
    "holds": ("kernel", "certified", "argued", "family", "searched"),
    "false": ("refuted",),
    "undecided": ("searched",),
    "not-checkable": ("",),
}


def troubles(ids: Collection[str]) -> Iterator[tuple[str, str]]:
    """(statement or file, what is wrong with it), for the statements that there are."""
    found: dict[str, Record] = {}
    broken = set()
    for file in records.files():
        try:
            written = file.read_text(encoding="utf-8")
            record: Record = json.loads(written)
            name = record["id"]
        except (ValueError, KeyError, TypeError) as error:
            yield _named(file), f"is no record: {type(error).__name__}: {error}"
            continue
        if name not in ids or records.path(name) != file:
            yield _named(file), f"a foreign record: {name!r} has no statement file, or another place"
            continue
        if written != f"{records.text(record)}\n":
            yield name, "not written as records are: by hand, a name twice, or torn"
        if unlike := list(schema.unlike_a_record(record)):
            broken.add(name)
            yield from ((name, f"not a whole record: {text}") for text in unlike)
            continue
        found[name] = record
    absent = [name for name in ids if name not in found and name not in broken]
    yield from ((name, "no record: it was deleted, or never written") for name in absent)
    yield from _against_manifest(found, broken)
    for name, record in found.items():
        yield from ((name, text) for text in unbacked(record))
    yield from _leaves(found)
    yield from _against_table(found, broken)


def _leaves(found: dict[str, Record]) -> Iterator[tuple[str, str]]:
    """Leaves without a certificate that holds, named by a statement that uses them."""
    used = records.leaves(found.values())
    for leaf, text in leaf_store.troubles(used):
        yield used.get(leaf, leaf_store.FILE.name), f"{leaf[:16]}: {text}"


def _named(file: Path) -> str:
    return file.relative_to(records.RECORDS).as_posix()


def _against_manifest(found: dict[str, Record], broken: Collection[str]) -> Iterator[tuple[str, str]]:
    """Records that are not those which the manifest lists."""
    listed = _json(records.MANIFEST)
    if not isinstance(listed, dict):
        yield "manifest.json", "cannot be read"
        return
    actual = records.manifest(sorted(found.values(), key=records.place))
    yield from ((name, "listed in the manifest, without a record") for name in listed if name not in {*actual, *broken})
    for name, entry in actual.items():
        expected = listed.get(name)
        if not isinstance(expected, dict):
            yield name, "not listed in the manifest"
            continue
        for key in {**entry, **expected}:
            if (lists := expected.get(key)) != (has := entry.get(key)):
                yield name, f"altered: its {key} is {has}, the manifest lists {lists}"
    if not broken and _text(records.MANIFEST) != f"{records.rows(actual)}\n":
        yield "manifest.json", "not as it is written: by hand, out of order, or a name twice"


def _against_table(found: dict[str, Record], broken: Collection[str]) -> Iterator[tuple[str, str]]:
    """Rows of verdicts.json that are not what the records generate."""
    listed = _json(records.TABLE)
    if not isinstance(listed, list) or not all(isinstance(row, dict) for row in listed):
        yield "verdicts.json", "cannot be read"
        return
    rows = {row["id"]: row for row in records.table(sorted(found.values(), key=records.place))}
    listed = [row for row in listed if row.get("id") not in broken]
    names = [row.get("id") for row in listed]
    yield from ((str(name), "a row of verdicts.json without a record") for name in names if name not in rows)
    yield from ((name, "not in verdicts.json") for name in rows if name not in names)
    for row in listed:
        if row.get("id") in rows and json.dumps(row) != json.dumps(rows[row["id"]]):
            yield row["id"], "its row of verdicts.json is not what its record says"
    if not broken and _text(records.TABLE) != f"{records.text(list(rows.values()))}\n":
        yield "verdicts.json", "not as it is written: by hand, out of order, or a row twice"


def _json(file: Path) -> Any:
    try:
        return json.loads(_text(file))
    except ValueError:
        return None


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def unbacked(record: Record) -> Iterator[str]:
    """What a whole record claims without carrying what shows it."""
    try:
        yield from _unbacked_claims(record)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        yield f"a certificate that cannot be read: {type(error).__name__}: {error}"


def _unbacked_claims(record: Record) -> Iterator[str]:
    for which, judged in records.judgements(record):
        yield from (f"{which}: {text}" for text in _unbacked(record["id"], which, judged))
    false = record["verdict"] == "false"
    if false != (record["severity"] != ""):
        yield f"verdict {record['verdict']!r} with severity {record['severity']!r}"
    if record["correction"] and not false:
        yield f"a correction of what is {record['verdict']!r}"
    broken = [step["name"] for step in record["steps"] if fails_in_proof(step)]
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
    if evidence not in EVIDENCE[verdict]:
        yield f"verdict {verdict!r} by evidence {evidence!r}"
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
