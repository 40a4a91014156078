"""What was found, as Markdown for the README: ``python -m theorems.report.glance`` prints it, a test compares."""

from __future__ import annotations

from collections.abc import Sequence

from theorems import records
from theorems.catalogue import PAPERS
from theorems.record import Record, is_printed

__all__ = ["glance"]


def glance(found: Sequence[Record]) -> str:
    """A row a paper with its own statements, and what the verdicts rest on."""
    rows = ["| paper | statements | hold | false | of these substantively |", "| --- | --: | --: | --: | --: |"]
    own = [record for record in found if is_printed(record)]
    for folder, title in PAPERS.values():
        mine = [record for record in own if record["paper"] == folder]
        false = [record for record in mine if record["verdict"] == "false"]
        severe = sum(record["severity"] == "substantive" for record in false)
        if mine:
            rows.append(f"| {title} | {len(mine)} | {len(mine) - len(false)} | {len(false)} | {severe} |")
    ours = [record for record in found if not is_printed(record)]
    claims = [part for record in found for part in (record, record["correction"]) if part]
    derived = sum(part["evidence"] == "certified" for part in claims)
    return "\n".join([
        *rows,
        "",
        f"Each false one has an exact counterexample; {sum(bool(r['correction']) for r in own)} have a correction. "
        f"Besides, {len(ours)} statements of ours",
        f"(where each method rests, sharper bounds) were judged; {sum(r['verdict'] == 'holds' for r in ours)} hold. "
        f"{derived} claims are derived line by line, and {len(records.leaves(found))}",
        "inequalities have certificates: `surrogate verify` re-checks them and the counterexamples in rationals.\n",
    ])  # fmt: skip


if __name__ == "__main__":
    print(glance(records.read_all()), end="")
