"""``surrogate verify``: is every record the one that was judged, and does every certificate hold?"""

from __future__ import annotations

import argparse
from collections import Counter

from theorems.record import Record

__all__ = ["EXAMPLES", "SUMMARY", "configure", "run"]

SUMMARY = "Re-check every record against the manifest, and every certificate in rationals."
EXAMPLES = """
surrogate verify
surrogate verify OLR.C22
"""

DEAD = 1


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of the verb."""
    parser.add_argument("ids", nargs="*", metavar="ID", help="only these statements")


def run(args: argparse.Namespace) -> int:
    """0: all records are whole and all certificates hold; 1: something does not, which is named."""
    from theorems import integrity, records, registry

    asked = [registry.named(name) for name in args.ids]
    wrong = [(name, text) for name, text in integrity.troubles(registry.ids()) if not asked or name in asked]
    for name, text in wrong:
        print(f"{name:12} WRONG: {text}")
    found = [record for name in asked or registry.ids() if (record := _read(name))]
    for record in found if asked else ():
        names = ", ".join(records.certificates(record)) or "none"
        print(f"{record['id']:12} {record['verdict']}, {record['evidence']}; certificates: {names}")
    refuted = sum(bool(judged.get("certificate")) for record in found for _, judged in records.judgements(record))
    checked = f"{refuted} counterexamples, {len(records.leaves(found))} inequalities"
    print(f"{len(found)} records, {checked}, {len(wrong)} troubles; {_evidence(found)}")
    return DEAD if wrong else 0


def _read(name: str) -> Record | None:
    """A record that can be read; the others are among the troubles."""
    from surrogate.kit.errors import ProblemError
    from theorems import records

    try:
        record = records.read(name)
        return record if record and {"verdict", "evidence", "steps", "correction"} <= {*record} else None
    except ProblemError:
        return None


def _evidence(found: list[Record]) -> str:
    """How many statements stand at each evidence word, and how many corrections."""
    statements = Counter(record["evidence"] or record["verdict"] for record in found)
    corrections = Counter(c["evidence"] or c["verdict"] for record in found if (c := record["correction"]))
    told = [
        f"{title}: {', '.join(f'{count} {word}' for word, count in counts.most_common())}"
        for title, counts in (("statements", statements), ("corrections", corrections))
        if counts
    ]
    return "; ".join(told) or "nothing recorded"
