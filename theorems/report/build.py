"""Write the whole site into a folder: pages, errata, and the table of verdicts with its schema."""

from __future__ import annotations

from pathlib import Path

from surrogate.kit.files import whole
from surrogate.kit.papers import PAPERS as PRINTED_PAPERS
from theorems.catalogue import PAPERS
from theorems.records import TABLE, read_all, table, text
from theorems.report.counts import counts, maps
from theorems.report.coverage_page import coverage_page
from theorems.report.errata import latex, markdown
from theorems.report.graph import graph, graph_page
from theorems.report.overview import overview
from theorems.report.statement import statement_page
from theorems.schema import FILE

__all__ = ["build"]

PRINTED = {folder for folder, _ in PRINTED_PAPERS.values()}  # without the dictionary, which is ours


def build(out: Path) -> list[Path]:
    """Every file of the report, written whole or not at all; returns what was written."""
    records = read_all()
    mapped = maps()
    files = {"index.html": overview(records, counts(records, mapped)), TABLE.name: f"{text(table(records))}\n"}
    files[FILE.name] = FILE.read_text(encoding="utf-8")
    found = graph(records)
    for record in records:
        files[f"statements/{record['id']}.html"] = statement_page(record, found)
    for folder, title in PAPERS.values():
        mine = [record for record in records if record["paper"] == folder]
        files[f"graph/{folder}.html"] = graph_page(title, mine, found)
        if folder in mapped:
            files[f"coverage/{folder}.html"] = coverage_page(title, mapped[folder], {r["id"]: r for r in records})
        if folder in PRINTED:
            files[f"errata/{folder}.md"] = markdown(title, mine)
            files[f"errata/{folder}.tex"] = latex(title, mine)
    return [_written(out / name, content) for name, content in files.items()]


def _written(file: Path, content: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    with whole(file) as partial:
        partial.write_text(content, encoding="utf-8")
    return file
