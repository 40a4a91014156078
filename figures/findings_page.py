"""All findings without pictures: findings.md, findings.html and findings.json."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from figures.html import END, by_paper, data_of, findings_table, head, numbers, origin, unchecked
from figures.runner import Outcome
from figures.storage import write_text

__all__ = ["write"]


def write(outcomes: Sequence[Outcome], out: Path, tally: str) -> Path:
    """All three; returns the Markdown."""
    write_text(_markdown(outcomes, tally), out / "findings.md")
    write_text(_html(outcomes, tally), out / "findings.html")
    records = [record for outcome in outcomes for record in _records(outcome)]
    write_text(json.dumps(records, indent=1, ensure_ascii=False, allow_nan=False) + "\n", out / "findings.json")
    return out / "findings.md"


def _records(outcome: Outcome) -> list[dict[str, Any]]:
    """Figure, claim, check, status, numbers, scale, data: an object a finding."""
    entry = outcome.entry
    scale = "every" if entry.exact else outcome.scale
    common = {"figure": entry.id, "title": entry.title, "scale": scale, "data": dict(data_of(outcome))}
    return [common | finding.record() for finding in outcome.findings]


def _markdown(outcomes: Sequence[Outcome], tally: str) -> str:
    lines = ["# Findings", "", f"{tally or 'None yet'}.", ""]
    for heading, group in by_paper(outcomes):
        lines += [f"## {heading}", ""]
        for outcome in group:
            entry = outcome.entry
            lines += [f"### {entry.id}: {entry.title}", "", f"{outcome.state} (`{entry.alias}`); {origin(outcome)}", ""]
            for finding in outcome.findings:
                why = "" if finding.status == "not run" else "check: "
                lines += [f"- **{finding.status}**: {finding.claim}", f"  - {why}{finding.check}"]
                lines += [f"  - {numbers(finding)}"] * bool(finding.numbers)
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _html(outcomes: Sequence[Outcome], tally: str) -> str:
    parts = [head("Findings"), f"<p>{tally or 'None yet'}.</p>\n"]
    for heading, group in by_paper(outcomes):
        parts.append(f"<h2>{escape(heading)}</h2>\n")
        for outcome in group:
            entry = outcome.entry
            parts.append(f'<h3><a href="index.html#{entry.id}">{entry.id}</a>: {escape(entry.title)}</h3>\n')
            state = f"{outcome.state}; {origin(outcome) if outcome.state == 'made' else outcome.note}"
            parts.append(f'<p class="files">{escape(state)}</p>\n')
            parts.append((findings_table if outcome.state == "made" else unchecked)(outcome.findings))
    return "".join(parts) + END
