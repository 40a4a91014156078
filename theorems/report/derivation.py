"""A derivation on a page: its lines in order, bridges with their references, and the five joints at a glance."""

from __future__ import annotations

from surrogate.kit.papers import PAPERS as PRINTED_PAPERS
from theorems.bridges import BRIDGES
from theorems.engines.units import sheet
from theorems.record import WORDS, Judged, Record
from theorems.records import certificates
from theorems.report.page import escape, table

__all__ = ["joints", "lines"]

PRINTED = {folder for folder, _ in PRINTED_PAPERS.values()}  # the dictionary has no sheet of units


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
        + table(["no.", "line", "by"], rows)
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
        ["says = judged", escape(_units(record))],
        ["domain = hypotheses", escape(_domain(record, asked))],
        ["proof = claim", escape(_proof(proof, "the correction" if record["correction"] else "the statement"))],
        ["certificate = claim", escape(", ".join(named) if named else "none: nothing was refuted")],
        ["shown = checked", f"the claim's expression has the hash <code>{escape(record['expression'][:16])}</code>"],
    ]
    return table(["joint", "what holds it"], rows)


def _units(record: Record) -> str:
    """Whether the printed claim is compared in units, or why not."""
    name = record["id"]
    if record["paper"] not in PRINTED or not record["examples"] or name.partition(".")[2].startswith("N"):
        return "numbers without units"
    declared = sheet(record["paper"])
    if reason := declared.reason(name, "printed"):
        return f"the sides have different units: {reason}"
    if reason := declared.number(name, "printed"):
        return f"numbers without units: {reason}"
    return "both sides have the same unit, and copies in other units of f and x change no verdict"


def _domain(record: Record, asked: list[str]) -> str:
    needed = f"; fails without: {'; '.join(asked)}" if asked else ""
    return f"{record['domain'] or 'no search'}{needed}"


def _proof(proof: Judged, what: str) -> str:
    bridges = f", {len(proof['bridges'])} bridges" if proof["bridges"] else ""
    return f"{what} is shown {WORDS.get(proof['evidence'], proof['evidence'] or 'by nothing')}{bridges}"
