"""``surrogate verify``: re-check every recorded certificate with the standard library alone."""

from __future__ import annotations

import argparse

from surrogate.kit.errors import problem
from theorems.record import Certificate, Record

__all__ = ["EXAMPLES", "SUMMARY", "configure", "run"]

SUMMARY = "Re-check every recorded certificate in rationals (standard library only)."
EXAMPLES = """
surrogate verify
surrogate verify OLR.C22
"""

DEAD = 1


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of the verb."""
    parser.add_argument("ids", nargs="*", metavar="ID", help="only these statements")


def run(args: argparse.Namespace) -> int:
    """0: all certificates hold; 1: one does not."""
    from theorems import records, verify

    dead = total = 0
    for record in _chosen(records.read_all(), args.ids):
        found = _certificates(record)
        for which, certificate in found:
            sound, why = verify.check_certificate(dict(certificate))
            total, dead = total + 1, dead + (not sound)
            print(f"{record['id']:12} {which:20} {'ok' if sound else 'DEAD: ' + why}")
        if args.ids and not found:
            print(f"{record['id']:12} no certificate: {record['verdict']}, {record['evidence']}")
    print(f"{total} certificates, {dead} dead")
    return DEAD if dead else 0


def _chosen(recorded: list[Record], ids: list[str]) -> list[Record]:
    """All of them, or those asked for; an id without a record is refused."""
    from theorems import registry

    known = {record["id"].upper(): record for record in recorded}
    for name in ids:
        if name.upper() not in known:
            statement = registry.find(name)  # refuses what is none
            raise problem(
                "statement",
                repr(name),
                "one with a record",
                "a verdict that is not written down yet",
                f"run `surrogate check {statement.id} --record` first",
            )
    return [known[name.upper()] for name in ids] if ids else recorded


def _certificates(record: Record) -> list[tuple[str, Certificate]]:
    """Of the printed claim and of the proof's steps."""
    all_of_them = [("printed", record.get("certificate"))]
    all_of_them += [(f"step {step['name']}", step.get("certificate")) for step in record["steps"]]
    return [(which, certificate) for which, certificate in all_of_them if certificate]
