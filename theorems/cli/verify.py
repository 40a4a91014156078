"""``surrogate verify``: re-check every recorded certificate with the standard library alone."""

from __future__ import annotations

import argparse

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

    wanted = {name.upper() for name in args.ids}
    dead = total = 0
    for record in records.read_all():
        if wanted and record["id"].upper() not in wanted:
            continue
        certificates = [("printed", record.get("certificate"))]
        certificates += [(f"step {step['name']}", step.get("certificate")) for step in record["steps"]]
        for which, certificate in certificates:
            if certificate:
                sound, why = verify.check_certificate(certificate)
                total, dead = total + 1, dead + (not sound)
                print(f"{record['id']:12} {which:20} {'ok' if sound else 'DEAD: ' + why}")
    print(f"{total} certificates, {dead} dead")
    return DEAD if dead else 0
