"""The first page: five papers, verdicts at a glance, how tight the bounds are."""

from __future__ import annotations

from collections import Counter

from theorems.catalogue import HEADLINES, IDS, PAPERS
from theorems.record import WORDS, Record
from theorems.report.counts import Counts, section
from theorems.report.page import badge, escape, shell, table

__all__ = ["link", "overview"]

BOUNDS = ("upper bound", "spectrum", "limit", "convergence")


def overview(records: list[Record], found: Counts | None = None) -> str:
    """index.html; ``found``: what is counted at its end."""
    known = {record["id"] for record in records}
    parts = ["<h1>Which statements hold</h1>", f"<p>{_sentence(records)}</p>", _by_paper(records)]
    parts += ["<h2>How tight the bounds are</h2>", _tightness(records)]
    for prefix, (folder, title) in PAPERS.items():
        mine = [record for record in records if record["paper"] == folder]
        waiting = [i for i in IDS if i.split(".")[0] == prefix and i not in known]
        if mine or waiting:
            parts.append(f'<h2 id="{folder}">{escape(title)}</h2>')
            parts.append(
                f'<p>{_errata(folder)}<a href="graph/{folder}.html">what rests on what</a>{_map(folder, found)}</p>'
            )
            parts.append(_statements(mine))
        if waiting:
            parts.append(f"<p>Not judged yet: {escape(', '.join(waiting))}.</p>")
    files = '<a href="verdicts.json">verdicts.json</a> (<a href="verdicts.schema.json">its JSON schema</a>)'
    parts.append(f"<h2>As data</h2><p>All verdicts, a row a statement: {files}.</p>")
    parts.append(section(found) if found else "")
    return shell("Which statements hold", "\n".join(parts))


def _errata(folder: str) -> str:
    if folder == "dictionary":  # ours, not a paper
        return ""
    return f'<a href="errata/{folder}.md">Errata (Markdown)</a>, <a href="errata/{folder}.tex">LaTeX</a>; '


def _map(folder: str, found: Counts | None) -> str:
    if found is None or folder not in found.places:
        return ""
    return f'; <a href="coverage/{folder}.html">what is judged where</a>'


def _sentence(records: list[Record]) -> str:
    counts = Counter(record["verdict"] for record in records)
    evidence = Counter(record["evidence"] for record in records)
    severe = Counter(record["severity"] for record in records if record["severity"])
    parts = ", ".join(f"{count} {severity}" for severity, count in severe.most_common())
    listed = ", ".join(
        f"{count} {verdict}" + (f" ({parts})" if verdict == "false" and parts else "")
        for verdict, count in counts.most_common()
    )
    how = ", ".join(f"{evidence[kind]} {words}" for kind, words in WORDS.items() if evidence[kind])
    return escape(f"{len(records)} statements judged: {listed}; {how}.")


def _by_paper(records: list[Record]) -> str:
    rows = []
    for prefix, (folder, title) in PAPERS.items():
        mine = [record for record in records if record["paper"] == folder]
        listed = [i for i in IDS if i.split(".")[0] == prefix]
        counts = Counter(record["verdict"] for record in mine)
        severe = sum(record["severity"] == "substantive" for record in mine)
        if mine or listed:
            cells: list[object] = [
                counts["holds"],
                counts["false"],
                severe,
                counts["undecided"],
                counts["not-checkable"],
            ]
            rows.append([f'<a href="#{folder}">{escape(title)}</a>', len(mine), *cells])
    return table(["paper", "judged", "holds", "false", "of these substantive", "undecided", "not checkable"], rows)


def _tightness(records: list[Record]) -> str:
    """One bar a bound that holds: the largest left side / right side found, and whether it is attained."""
    found = [(r["tightness"], r["id"]) for r in records if r["verdict"] == "holds" and r["kind"] in BOUNDS]
    ratios = [(tight["ratio"], tight["status"], name) for tight, name in found if tight]
    rows = [
        [
            link(name),
            f"{ratio:.4g}",
            escape(status),
            f'<span class="bar" style="width:{100 * ratio:.2f}%" role="img" '
            f'aria-label="{100 * ratio:.0f} percent"></span>',
        ]
        for ratio, status, name in sorted(ratios, key=lambda pair: -pair[0])
    ]
    head = ["statement", "left / right", "how close", "a full bar is 1"]
    return table(head, rows) if rows else "<p>No bound is recorded yet.</p>"


def _statements(records: list[Record]) -> str:
    rows = []
    for record in records:
        star = " *" if record["id"] in HEADLINES else ""
        correction = record["correction"]
        fixed = (
            escape(f"{correction['says']} ({correction['verdict']}, {correction['evidence']})") if correction else ""
        )
        verdict = badge(record["verdict"]) + (f"<br>{escape(record['severity'])}" if record["severity"] else "")
        rows.append([link(record["id"]) + star, verdict, escape(record["evidence"]), escape(record["says"]), fixed])
    return table(["statement", "verdict", "evidence", "what it says", "correction"], rows)


def link(statement_id: str) -> str:
    """A link to a statement's page."""
    return f'<a href="statements/{statement_id}.html">{escape(statement_id)}</a>'
