"""The gallery, index.html: all figures inlined in one page, with their findings and links to their statements."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from os.path import relpath
from pathlib import Path

from figures import findings_page
from figures.findings import STATUSES
from figures.html import END, by_paper, findings_table, head, origin, unchecked
from figures.runner import Outcome
from figures.storage import write_text

__all__ = ["tally", "write"]

REPORT = Path("out/report")  # where `surrogate report` writes


def write(outcomes: Sequence[Outcome], out: Path) -> tuple[Path, Path]:
    """``out``/index.html, and the findings alone as findings.md, .html and .json; returns the first two."""
    page = out / "index.html"
    write_text(_page(outcomes, out), page)
    return page, findings_page.write(outcomes, out, tally(outcomes))


def tally(outcomes: Iterable[Outcome]) -> str:
    """How many findings have which status, e.g. ``9 reproduced, 1 not reproduced``."""
    counts = Counter(finding.status for outcome in outcomes for finding in outcome.findings)
    return ", ".join(f"{counts[status]} {status}" for status in STATUSES if counts[status])


def _page(outcomes: Sequence[Outcome], out: Path) -> str:
    parts = [
        head("Figures and findings"),
        f"<p>Findings: {tally(outcomes) or 'none yet'}. A finding is a conclusion that a paper draws from its figure, "
        "checked on the regenerated table; check and threshold were fixed before their first run, and changed since "
        f"only to be stricter (the changelog says which). Not reproduced is a result.{_caution(outcomes)} "
        '<a href="findings.html">All findings in one table</a>, <a href="findings.json">as JSON</a>.</p>\n',
    ]
    groups = list(by_paper(outcomes))
    parts += ["<ul>\n", *(_overview(heading, group) for heading, group in groups), "</ul>\n"]
    for heading, group in groups:
        parts.append(f'<h2 id="{group[0].entry.paper}">{escape(heading)}</h2>\n<ul>\n')
        parts += [_contents(outcome) for outcome in group]
        parts += ["</ul>\n", *(_section(outcome, out) for outcome in group)]
    return "".join(parts) + END


def _caution(outcomes: Iterable[Outcome]) -> str:
    """What smoke scale is worth, where it was used."""
    smoked = any(
        outcome.state == "made" and outcome.scale == "smoke" and not outcome.entry.exact for outcome in outcomes
    )
    return " At smoke scale a few rounds show that the code runs, and nothing about a paper." * smoked


def _overview(heading: str, group: Sequence[Outcome]) -> str:
    return f'<li><a href="#{group[0].entry.paper}">{escape(heading)}</a> ({tally(group) or "no findings"})</li>\n'


def _contents(outcome: Outcome) -> str:
    entry = outcome.entry
    state = tally([outcome]) if outcome.state == "made" else outcome.state
    return f'<li><a href="#{entry.id}">{entry.id}</a> {escape(entry.title)} ({state})</li>\n'


def _section(outcome: Outcome, out: Path) -> str:
    entry = outcome.entry
    lines = [f'<section id="{entry.id}"><h3>{entry.id}: {escape(entry.title)}</h3>\n']
    picture = out / entry.paper / f"{entry.name}.thumb.png"
    if outcome.state == "made" and picture.is_file():
        data = base64.b64encode(picture.read_bytes()).decode()
        lines.append(f'<a href="{entry.alias}.png"><img alt="{escape(entry.alt)}" loading="lazy" ')
        lines.append(f'src="data:image/png;base64,{data}"></a>\n')
        lines.append(f'<p class="files">{escape(origin(outcome))} &middot; {_files(entry.alias, out)}</p>\n')
        lines.append(f"<details><summary>The picture in words</summary><p>{escape(entry.alt)}</p></details>\n")
    else:
        lines.append(f"<p>{escape(outcome.state.capitalize())}: {escape(outcome.note)}.</p>\n")
    if entry.statements:
        lines.append(f"<p>Statements: {', '.join(_statement(id, out) for id in entry.statements)}</p>\n")
    listed = findings_table if outcome.state == "made" else unchecked
    return "".join([*lines, listed(outcome.findings), "</section>\n"])


def _files(alias: str, out: Path) -> str:
    kinds = [kind for kind in ("pdf", "svg", "png", "parquet", "md", "tex") if (out / f"{alias}.{kind}").is_file()]
    return " &middot; ".join(f'<a href="{alias}.{kind}">{kind}</a>' for kind in kinds)


def _statement(id: str, out: Path) -> str:
    """Its page in the report, where there is one."""
    page = REPORT / "statements" / f"{id}.html"
    if not page.is_file():
        return f'<span title="surrogate show {id}">{id}</span>'
    return f'<a href="{escape(relpath(page, out))}">{id}</a>'
