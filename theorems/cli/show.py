"""``surrogate show ID``: everything that is known about one statement."""

from __future__ import annotations

import argparse
import textwrap

from theorems.record import Counterexample, Record, broken

__all__ = ["EXAMPLES", "SUMMARY", "configure", "run"]

SUMMARY = "Show one statement: what it says, whether it holds, how tight it is, what replaces it."
EXAMPLES = """
surrogate show OLR.T17
surrogate show OLR.C22
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of the verb."""
    parser.add_argument("id", metavar="ID", help="a statement id, as in `surrogate statements`")


def run(args: argparse.Namespace) -> int:
    """Print the record; judge the statement now where there is none."""
    from theorems import records, registry

    name = registry.named(args.id)
    record = None if name.endswith(".py") else records.read(name)
    if record is None:
        from theorems.judging import judge_statement

        print("(not recorded yet: judged now)")
        record = judge_statement(registry.find(name))
    print("\n".join(described(record)))
    return 0


def described(record: Record) -> list[str]:
    """The record as lines of text."""
    rows = [f"{record['id']}: {record['location']}", "", *_wrapped("says", record["says"])]
    rows += _wrapped("reading", record["reading"]) + _wrapped("formula", record["latex"])
    how = f" ({record['severity']})" if record["severity"] else ""
    rows += ["", f"  verdict     {record['verdict']}{how}, {record['evidence']}, {record['examples']} instances"]
    rows += _wrapped("decided by", record["decided_by"]) + _wrapped("domain", record["domain"])
    rows += _wrapped("bridges", "; ".join(record["bridges"]))
    if record["tightness"]:
        rows.append(f"  tightness   lhs/rhs up to {record['tightness']['ratio']:.6g} ({record['tightness']['status']})")
    rows += _after_a_gap(_counterexample(record["counterexample"]))
    if record["correction"]:
        correction = record["correction"]
        rows += ["", *_wrapped("correction", correction["says"])]
        rows.append(
            f"              {correction['verdict']}, {correction['evidence']}, {correction['examples']} instances"
        )
    for step in record["steps"]:
        rows += ["", *_wrapped(f"step {step['name']}", f"{step['verdict']} ({step['evidence']}): {step['says']}")]
        rows += _after_a_gap(_counterexample(step["counterexample"])) + _wrapped("instead", step["correction"])
    for need in record["needs"]:
        rows += ["", *_wrapped("needs", f"{need['hypothesis']}; without it: {need['without']}")]
        rows += _counterexample(need.get("counterexample"))
    return rows + (["", *_wrapped("note", record["note"])] if record["note"] else [])


def _counterexample(found: Counterexample | None) -> list[str]:
    from theorems.instances import legend

    if not found:
        return []
    rows = ["  counterexample"]
    rows += [f"              {name} = {value}" for name, value in found["instance"].items()]
    rows += _wrapped("", broken(found))
    names = legend(found["instance"])
    return rows + (_wrapped("where", names) if names else [])


def _after_a_gap(rows: list[str]) -> list[str]:
    return ["", *rows] if rows else []


def _wrapped(label: str, text: str) -> list[str]:
    if not text:
        return []
    indent = " " * 14
    lead = f"  {label:12}" if len(label) < 12 else f"  {label}  "
    return textwrap.wrap(text, 110, initial_indent=lead, subsequent_indent=indent, break_long_words=False)
