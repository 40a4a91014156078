"""Which verdict rests on which: what a statement's file takes from other statements, and which ids its words name."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

from theorems.record import Record
from theorems.registry import source
from theorems.report.page import escape, shell

__all__ = ["Graph", "graph", "graph_page"]

_ID = re.compile(r"\b(?:OLR|LA|DA|LADA|LAMB|DICT)\.[A-Za-z][\w-]*")
_WIDTH, _HEIGHT, _ROW = 96, 26, 58


@dataclass(frozen=True)
class Graph:
    """``rests[id]``: statements whose functions its proof or sides use; ``names[id]``: those its words point to."""

    rests: dict[str, list[str]]
    names: dict[str, list[str]]

    def used_by(self, statement: str) -> list[str]:
        """Statements that rest on this one."""
        return [other for other, below in self.rests.items() if statement in below]

    def level(self, statement: str) -> int:
        """0 for a statement that rests on no other; else one above the highest below it."""
        return max((1 + self.level(below) for below in self.rests[statement]), default=0)


def graph(records: list[Record]) -> Graph:
    """The graph of all recorded statements."""
    known = {record["id"]: source(record["id"]) for record in records}
    home = {f"theorems.{file.parent.name}.{file.stem}": name for name, file in known.items()}
    rests = {name: sorted({home[m] for m in _imported(file) if m in home} - {name}) for name, file in known.items()}
    names = {r["id"]: sorted((set(_ID.findall(_words(r))) & set(known)) - {r["id"]}) for r in records}
    return Graph(rests, names)


def _imported(file: Path) -> set[str]:
    """Modules that a file imports, or takes names of."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def _words(record: Record) -> str:
    correction = record["correction"]
    steps = " ".join(step["correction"] for step in record["steps"])
    return " ".join([record["reading"], record["note"], steps, correction["says"] if correction else ""])


def graph_page(title: str, records: list[Record], found: Graph) -> str:
    """graph/<paper>.html: the statements of one paper that rest on others, or others on them, drawn from below."""
    mine = {r["id"]: r for r in records if found.rests[r["id"]] or found.used_by(r["id"])}
    if not mine:
        return shell(f"{title}: what rests on what", "<p>No statement of this paper uses another.</p>", up="../")
    rows: dict[int, list[str]] = {}
    for name in mine:
        rows.setdefault(found.level(name), []).append(name)
    places = {name: (k, level) for level, row in rows.items() for k, name in enumerate(row)}
    height, width = (max(rows) + 1) * _ROW, max(len(row) for row in rows.values()) * (_WIDTH + 10)
    parts = [
        _edge(places[below], places[name], max(rows)) for name in mine for below in found.rests[name] if below in mine
    ]
    parts += [_node(mine[name], *places[name], max(rows)) for name in mine]
    listed = "".join(
        f'<li><a href="../statements/{name}.html">{name}</a> rests on {", ".join(found.rests[name])}</li>'
        for name in mine if found.rests[name]
    )  # fmt: skip
    svg = (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" role="img" aria-label="the graph that the list below '
        f'says in words">{"".join(parts)}</svg>'
    )
    body = (
        f"<h1>{escape(title)}: what rests on what</h1><p>A line leads up from a statement to one whose sides or proof "
        f'use it.</p><figure class="scroll">{svg}</figure><ul>{listed}</ul>'
    )
    return shell(f"{title}: what rests on what", body, up="../")


def _edge(low: tuple[int, int], high: tuple[int, int], top: int) -> str:
    (x1, y1), (x2, y2) = _corner(*low, top), _corner(*high, top)
    half = _WIDTH // 2
    return f'<line x1="{x1 + half}" y1="{y1}" x2="{x2 + half}" y2="{y2 + _HEIGHT}" stroke="currentColor" opacity=".4"/>'


def _node(record: Record, column: int, level: int, top: int) -> str:
    x, y = _corner(column, level, top)
    kind = {"holds": "good", "false": "bad", "undecided": "open"}.get(record["verdict"], "mute")
    words = f"{record['id']}: {record['verdict']}, {record['evidence']}"
    return (
        f'<a href="../statements/{record["id"]}.html"><title>{escape(words)}</title><rect x="{x}" y="{y}" '
        f'width="{_WIDTH}" height="{_HEIGHT}" rx="4" fill="var(--soft)" stroke="currentColor" class="{kind}"/>'
        f'<text x="{x + _WIDTH // 2}" y="{y + 17}" text-anchor="middle" font-size="12" fill="currentColor" '
        f'class="{kind}">{escape(record["id"])}</text></a>'
    )


def _corner(column: int, level: int, top: int) -> tuple[int, int]:
    return column * (_WIDTH + 10) + 5, (top - level) * _ROW + 8
