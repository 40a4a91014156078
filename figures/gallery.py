"""The pages that show all figures: index.html (one file, pictures inside) and findings.md."""

from __future__ import annotations

import base64
import html
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from figures.findings import STATUSES, Finding
from figures.registry import PAPERS
from figures.runner import Outcome
from figures.storage import write_text

__all__ = ["write"]

HEAD = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Figures and findings</title><style>
body { font: 16px/1.45 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; }
img { max-width: 100%; height: auto; } h2 { margin-top: 3rem; } h3 { margin-top: 2.2rem; }
table { border-collapse: collapse; width: 100%; font-size: .86rem; } caption { text-align: left; font-weight: 600; }
th, td { text-align: left; vertical-align: top; padding: .35rem .7rem .35rem 0; border-top: 1px solid #ddd; }
td.status { white-space: nowrap; font-weight: 600; } .reproduced { color: #00694d; } .not-reproduced { color: #a33f00; }
.inconclusive, .not-run { color: #595959; } .files, .scale { color: #595959; font-size: .86rem; }
code { font-size: .95em; }
</style></head><body>
"""
MARKS = {"reproduced": "&#10003; ", "not reproduced": "&#10007; ", "inconclusive": "? ", "not run": "&ndash; "}


def write(outcomes: Sequence[Outcome], out: Path) -> tuple[Path, Path]:
    """``out``/index.html and ``out``/findings.md, for these figures."""
    page, notes = out / "index.html", out / "findings.md"
    write_text(_page(outcomes, out), page)
    write_text(_notes(outcomes), notes)
    return page, notes


def tally(outcomes: Iterable[Outcome]) -> str:
    """How many findings have which status, e.g. ``9 reproduced, 1 not reproduced``."""
    counts = Counter(finding.status for outcome in outcomes for finding in outcome.findings)
    return ", ".join(f"{counts[status]} {status}" for status in STATUSES if counts[status])


def _papers(outcomes: Sequence[Outcome]) -> Iterable[tuple[str, list[Outcome]]]:
    for paper, group in groupby(outcomes, key=lambda outcome: outcome.entry.paper):
        short, title = PAPERS.get(paper, (paper, ""))
        yield f"{short}: {title}" if title else short, list(group)


def _page(outcomes: Sequence[Outcome], out: Path) -> str:
    parts = [
        HEAD,
        f"<h1>Figures and findings</h1>\n<p>Findings: {tally(outcomes) or 'none yet'}. A finding is a conclusion ",
    ]
    parts.append(
        "that a paper draws from its figure, checked on the regenerated table; check and threshold were fixed "
    )
    parts.append("before their first run. Not reproduced is a result.</p>\n")
    for heading, group in _papers(outcomes):
        parts.append(f"<h2>{html.escape(heading)}</h2>\n")
        parts += [_section(outcome, out) for outcome in group]
    return "".join(parts) + "</body></html>\n"


def _section(outcome: Outcome, out: Path) -> str:
    entry = outcome.entry
    lines = [f'<section id="{entry.id}"><h3>{entry.id}: {html.escape(entry.title)}</h3>\n']
    picture = out / entry.paper / f"{entry.name}.png"
    if outcome.state == "made" and picture.is_file():
        data = base64.b64encode(picture.read_bytes()).decode()
        lines.append(f'<img alt="{html.escape(entry.alt)}" src="data:image/png;base64,{data}">\n')
        links = [f'<a href="{entry.alias}.{kind}">{kind}</a>' for kind in ("pdf", "svg", "png", "parquet")]
        scale = "the same at every scale" if entry.exact else f"scale {outcome.scale}"
        lines.append(f'<p class="files">{scale} &middot; {" &middot; ".join(links)}</p>\n')
        lines.append(f"<details><summary>The picture in words</summary><p>{html.escape(entry.alt)}</p></details>\n")
    else:
        lines.append(f"<p>{html.escape(outcome.state.capitalize())}: {html.escape(outcome.note)}.</p>\n")
    return "".join([*lines, _findings_table(outcome.findings), "</section>\n"])


def _findings_table(findings: Sequence[Finding]) -> str:
    rows = [
        f'<tr><td class="status {finding.status.replace(" ", "-")}">{MARKS[finding.status]}{finding.status}</td>'
        f"<td>{html.escape(finding.claim)}</td><td>{html.escape(finding.check)}</td>"
        f"<td>{html.escape(_numbers(finding))}</td></tr>\n"
        for finding in findings
    ]
    head = "<tr><th>finding</th><th>the paper concludes</th><th>check</th><th>numbers</th></tr>\n"
    return f"<table>{head}{''.join(rows)}</table>\n" if rows else ""


def _notes(outcomes: Sequence[Outcome]) -> str:
    lines = ["# Findings", "", f"{tally(outcomes) or 'None yet'}.", ""]
    for heading, group in _papers(outcomes):
        lines += [f"## {heading}", ""]
        for outcome in group:
            entry = outcome.entry
            scale = "every scale" if entry.exact else f"scale {outcome.scale or 'unknown'}"
            lines += [f"### {entry.id}: {entry.title}", "", f"{outcome.state}, {scale} (`{entry.alias}`)", ""]
            for finding in outcome.findings:
                lines.append(f"- **{finding.status}**: {finding.claim}")
                lines.append(f"  - check: {finding.check}")
                if finding.numbers:
                    lines.append(f"  - {_numbers(finding)}")
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _numbers(finding: Finding) -> str:
    return ", ".join(
        f"{name}: {'unknown' if math.isnan(value) else format(value, '.4g')}" for name, value in finding.numbers.items()
    )
