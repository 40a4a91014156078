"""``surrogate refute ID``: look for the smallest exact counterexample now, and print its certificate."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from surrogate.cli import output

__all__ = ["EXAMPLES", "SUMMARY", "configure", "run"]

SUMMARY = "Look for the smallest exact counterexample to a statement, now."
EXAMPLES = """
surrogate refute OLR.C22
surrogate refute OLR.C22 --json certificate.json
"""

NONE_FOUND = 1


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of the verb."""
    parser.add_argument("id", metavar="ID|FILE.py", help="a statement id, or a statement file of your own")
    parser.add_argument("--examples", type=int, default=10_000, metavar="N", help="instances to look at first (10000)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the certificate to FILE; - is stdout")


def run(args: argparse.Namespace) -> int:
    """0: a counterexample, printed; 1: none found."""
    from theorems import registry
    from theorems.cli import names
    from theorems.cli.show import described
    from theorems.judging import judge_statement

    names.positive(args.examples, "--examples")
    target = None if args.json is None else output.checked(args.json)
    record = judge_statement(registry.find(args.id), args.examples)
    if record["verdict"] != "false":
        print(
            f"{record['id']}: no counterexample in {record['examples']} instances "
            f"({record['verdict']}, {record['evidence']})"
        )
        return NONE_FOUND
    print("\n".join(described(record)))
    if target is not None:
        output.write(
            target, json.dumps({"counterexample": record["counterexample"], **(record["certificate"] or {})}, indent=1)
        )
    return 0
