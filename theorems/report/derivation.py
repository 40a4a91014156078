"""A derivation on a page: its lines in order, bridges with their references, and the five joints at a glance."""

from __future__ import annotations

from theorems.bridges import BRIDGES
from theorems.record import WORDS, Judged, Record
from theorems.records import certificates
from theorems.report.page import escape, table

__all__ = ["joints", "lines"]


def lines(judged: Judged) -> str:
    """The derivation, line by line; "" where there is none."""
    listed = judged.get("lines", [])
    if not listed:
        return ""
    rows = [_line(number, *text.removesuffix("]").rpartition(" [")[::2]) for number, text in enumerate(listed, 1)]
    crossed = [BRIDGES[name] for name in judged["bridges"] if name in BRIDGES]
    facts = [[escape(each.name), escape(each.says), escape(each.reference)] for each in crossed]
    return (
        f"<details><summary>The derivation: {len(listed)} lines, {len(judged['leaves'])} leaves, "
        f"{len(judged['bridges'])} bridges</summary>"
        + table(["", "line", "by"], rows)
        + (table(["bridge", "the fact", "reference"], facts) if facts else "")
        + "</details>"
    )


def _line(number: int, says: str, by: str) -> list[str]:
    return [str(number), escape(says), escape(by)]


def joints(record: Record) -> str:
    """What ties the formula that is shown to what was checked, in five rows."""
    proof = record["correction"] or record
    asked = [need["hypothesis"] for need in record["needs"] if need["without"] == "false"]
    named = certificates(record)
    rows = [
        ["says = judged", "both sides are compared with their units, and on copies in other units of f and x"],
        ["domain = hypotheses", escape(_domain(record, asked))],
        ["proof = claim", escape(_proof(proof, "the correction" if record["correction"] else "the statement"))],
        ["certificate = claim", escape(", ".join(named) if named else "none: nothing was refuted")],
        ["shown = checked", f"the claim's expression has the hash <code>{escape(record['expression'][:16])}</code>"],
    ]
    return table(["joint", "what holds it"], rows)


def _domain(record: Record, asked: list[str]) -> str:
    needed = f"; fails without: {'; '.join(asked)}" if asked else ""
    return f"{record['domain'] or 'no search'}{needed}"


def _proof(proof: Judged, what: str) -> str:
    bridges = f", {len(proof['bridges'])} bridges" if proof["bridges"] else ""
    return f"{what} is shown {WORDS.get(proof['evidence'], proof['evidence'] or 'by nothing')}{bridges}"
