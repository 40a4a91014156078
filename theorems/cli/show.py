"""``surrogate show ID``: everything that is known about one statement."""

from __future__ import annotations

import argparse
import textwrap

from theorems.record import NOT_ASKED, Correction, Counterexample, Record, broken
from theorems.symbols import legend, named

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
    rows += _after_a_gap(_counterexample(record["id"], record["counterexample"]))
    if record["correction"]:
        rows += _correction(record["correction"])
    for step in record["steps"]:
        rows += ["", *_wrapped(f"step {step['name']}", f"{step['verdict']} ({step['evidence']}): {step['says']}")]
        rows += _after_a_gap(_counterexample(record["id"], step["counterexample"])) + _wrapped(
            "instead", step["correction"]
        )
    asked = [need for need in record["needs"] if not need["without"].startswith(NOT_ASKED)]
    for need in asked:
        rows += ["", *_wrapped("needs", f"{need['hypothesis']}; without it: {need['without']}")]
        rows += _counterexample(record["id"], need.get("counterexample"))
    given = [f"{n['hypothesis']}: {n['without'].removeprefix(NOT_ASKED)}" for n in record["needs"] if n not in asked]
    rows += _after_a_gap(_wrapped("assumes", "; ".join(given)))
    return rows + (["", *_wrapped("note", record["note"])] if record["note"] else [])


def _correction(correction: Correction) -> list[str]:
    rows = ["", *_wrapped("correction", correction["says"]), *_wrapped("formula", correction["latex"])]
    found = f"{correction['verdict']}, {correction['evidence']}, {correction['examples']} instances"
    rows += _wrapped("verdict", found) + _wrapped("decided by", correction["decided_by"])
    rows += _wrapped("domain", correction["domain"]) + _wrapped("bridges", "; ".join(correction["bridges"]))
    tight = correction["tightness"]
    return rows + ([f"  tightness   lhs/rhs up to {tight['ratio']:.6g} ({tight['status']})"] if tight else [])


def _counterexample(name: str, found: Counterexample | None) -> list[str]:
    if not found:
        return []
    shown = named(name, found["instance"])
    rows = ["  counterexample", *(f"              {symbol} = {value}" for symbol, value in shown.items())]
    return rows + _wrapped("where", legend(name, found["instance"])) + _wrapped("", broken(found))


def _after_a_gap(rows: list[str]) -> list[str]:
    return ["", *rows] if rows else []


def _wrapped(label: str, text: str) -> list[str]:
    if not text:
        return []
    indent = " " * 14
    lead = f"  {label:12}" if len(label) < 12 else f"  {label}  "
    return textwrap.wrap(text, 110, initial_indent=lead, subsequent_indent=indent, break_long_words=False)
