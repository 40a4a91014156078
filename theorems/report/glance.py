"""What was found, as Markdown for the README: ``python -m theorems.report.glance`` prints it, a test compares."""

from __future__ import annotations

from collections.abc import Sequence

from theorems import records
from theorems.catalogue import PAPERS
from theorems.record import Record

__all__ = ["glance"]


def glance(found: Sequence[Record]) -> str:
    """A row a paper, and what the verdicts rest on."""
    rows = ["| paper | statements judged | hold | false | of these substantively |", "| --- | --: | --: | --: | --: |"]
    for folder, title in PAPERS.values():
        mine = [record for record in found if record["paper"] == folder]
        false = [record for record in mine if record["verdict"] == "false"]
        severe = sum(record["severity"] == "substantive" for record in false)
        holds = sum(record["verdict"] == "holds" for record in mine)
        rows.append(f"| {title} | {len(mine)} | {holds} | {len(false)} | {severe} |")
    refuted = sum(record["evidence"] == "refuted" for record in found)
    derived = sum(part["evidence"] == "certified" for _, part in _claims(found))
    corrected = sum(bool(record["correction"]) for record in found)
    return "\n".join([
        *rows,
        "",
        f"{refuted} statements are refuted by exact counterexamples; {corrected} have a correction. {derived} claims",
        f"are derived line by line; {len(records.leaves(found))} inequalities have certificates. "
        "`surrogate verify` re-checks",
        "counterexamples and certificates in rationals.\n",
    ])  # fmt: skip


def _claims(found: Sequence[Record]) -> list[tuple[str, Record]]:
    return [(which, judged) for r in found for which, judged in records.judgements(r) if not which.startswith("step")]  # type: ignore[misc]


if __name__ == "__main__":
    print(glance(records.read_all()), end="")
