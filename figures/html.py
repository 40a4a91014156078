"""HTML shared by the gallery and the page of findings: head, style sheet, the table of findings."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import groupby

from figures.findings import Finding
from figures.registry import PAPERS
from figures.runner import Outcome

__all__ = ["END", "by_paper", "data_of", "findings_table", "head", "numbers", "origin", "unchecked"]

STYLE = """
:root { color-scheme: light dark; --ink: #1a1a1a; --page: #fff; --pale: #595959; --soft: #3f3f3f; --line: #ddd;
  --link: #0b57a4; --good: #00694d; --bad: #a33f00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e8; --page: #15171a; --pale: #a9a9a9; --soft: #c6c6c6;
  --line: #3a3d42; --link: #8ab8f0; --good: #52cda6; --bad: #f0935a; } }
body { font: 16px/1.45 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
  color: var(--ink); background: var(--page); overflow-wrap: break-word; }
a { color: var(--link); } a:focus-visible, summary:focus-visible { outline: 3px solid var(--link); }
h2 { margin-top: 3rem; } h3 { margin-top: 2.2rem; } code { font-size: .95em; }
img { max-width: 100%; height: auto; background: #fff; border-radius: 4px; }
table { border-collapse: collapse; width: 100%; font-size: .86rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .7rem .35rem 0; border-top: 1px solid var(--line); }
.findings { table-layout: fixed; } .findings th:nth-child(1) { width: 9rem; } .findings th:nth-child(2) { width: 27%; }
.findings th:nth-child(3) { width: 30%; } .check, .numbers { color: var(--soft); }
td.status { white-space: nowrap; font-weight: 600; } .reproduced { color: var(--good); }
.not-reproduced { color: var(--bad); } .inconclusive, .not-run, .files { color: var(--pale); }
.files { font-size: .86rem; }
@media (max-width: 40rem) { h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; } h3 { font-size: 1.05rem; }
  ul { padding-left: 1.2rem; } .findings thead { display: none; }
  .findings, .findings tbody, .findings tr { display: block; }
  .findings tr { border-top: 1px solid var(--line); padding: .5rem 0; }
  .findings td { display: block; border: 0; padding: .1rem 0; } .check::before { content: "Check: "; }
  .numbers:not(:empty)::before { content: "Numbers: "; } }
"""
END = "</main></body></html>\n"
MARKS = {"reproduced": "&#10003; ", "not reproduced": "&#10007; ", "inconclusive": "? ", "not run": "&ndash; "}


def head(title: str) -> str:
    """Up to the opening of the body."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body><main>\n<h1>{escape(title)}</h1>\n"
    )


def by_paper(outcomes: Sequence[Outcome]) -> Iterable[tuple[str, list[Outcome]]]:
    """Each paper's heading and outcomes."""
    for paper, group in groupby(outcomes, key=lambda outcome: outcome.entry.paper):
        short, title = PAPERS.get(paper, (paper, ""))
        yield f"{short}: {title}" if title else short, list(group)


def findings_table(findings: Sequence[Finding]) -> str:
    """A row a finding: verdict, claim, check, numbers."""
    rows = [
        f'<tr><td class="status {finding.status.replace(" ", "-")}">{MARKS[finding.status]}{finding.status}</td>'
        f'<td>{escape(finding.claim)}</td><td class="check">{escape(finding.check)}</td>'
        f'<td class="numbers">{escape(numbers(finding))}</td></tr>\n'
        for finding in findings
    ]
    names = "".join(f'<th scope="col">{name}</th>' for name in ("finding", "conclusion", "check", "numbers"))
    heading = f"<thead><tr>{names}</tr></thead>\n<tbody>"
    return f'<table class="findings">{heading}{"".join(rows)}</tbody></table>\n' if rows else ""


def unchecked(findings: Sequence[Finding]) -> str:
    """The claims of a figure that was not made, folded away: there is nothing to say of each."""
    claims = "".join(f"<li>{escape(finding.claim)}</li>" for finding in findings)
    count = "1 conclusion" if len(findings) == 1 else f"{len(findings)} conclusions"
    return f"<details><summary>{count} not checked</summary><ul>{claims}</ul></details>\n" if findings else ""


def numbers(finding: Finding) -> str:
    """Name and value, four digits."""
    return ", ".join(
        f"{name}: {'unknown' if math.isnan(value) else format(value, '.4g')}" for name, value in finding.numbers.items()
    )


def data_of(outcome: Outcome) -> Mapping[str, str]:
    """Each task's data: real, published or stand-in, and from where."""
    sources: Mapping[str, str] = json.loads(outcome.data) if outcome.data else {}
    return sources


def origin(outcome: Outcome) -> str:
    """Scale and data in a line."""
    if outcome.entry.exact:
        return "the same at every scale"
    parts = [f"scale {outcome.scale}" if outcome.scale else "no scale yet"]
    return "; ".join(parts + [f"{task}: {source}" for task, source in data_of(outcome).items()])
