"""Tables from the registries: statements with their verdicts, methods, tasks, figures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

__all__ = ["figures", "grid", "methods", "plain", "statement_link", "tasks", "verdict_word", "verdicts"]


def plain(text: str) -> str:
    """Text as it is, whatever Markdown would make of its stars and bars."""
    return re.sub(r"([\\*_|$<>\[\]`~#{}])", r"\\\1", " ".join(text.split()))


def grid(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table of ready cells."""
    lines = [list(head), ["---"] * len(head), *map(list, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def statement_link(statement: str, up: str) -> str:
    """To its page in the report that is built beside the docs."""
    return f'<a href="{up}report/statements/{escape(statement)}.html">{escape(statement)}</a>'


def verdict_word(record: dict[str, Any]) -> str:
    """``false (substantive), refuted``."""
    severity = f" ({record['severity']})" if record["severity"] else ""
    return f"**{record['verdict']}**{severity}, {record['evidence']}" if record["evidence"] else record["verdict"]


def verdicts(paper: str, up: str = "") -> str:
    """Every statement of a paper: what it says, the verdict, how tight, and what replaces it."""
    from theorems.records import read_all

    rows = []
    for record in read_all():
        if record["paper"] == paper:
            fixed = record["correction"]
            instead = f" Instead ({fixed['verdict']}, {fixed['evidence']}): {fixed['says']}." if fixed else ""
            tight = record["tightness"]
            rows.append(
                [
                    statement_link(record["id"], up),
                    verdict_word(record),
                    plain(record["says"]) + plain(instead),
                    f"{tight['ratio']:.3g}" if tight else "",
                ]
            )
    return grid(["statement", "verdict", "what it says", "largest left/right"], rows)


def methods(up: str = "") -> str:
    """Every method: where it is from, what it sends, its settings, where it rests."""
    from surrogate import dictionary
    from surrogate import methods as registry

    rows = []
    for name in registry.names():
        about = registry.describe(name)
        rests = dictionary.entry(name).formula if name in dictionary.methods() else "no closed form"
        settings = _given(about.settings)
        rows.append([f"`{name}`", plain(about.paper), about.sends, about.check, plain(settings), plain(rests)])
    return grid(["method", "from", "sends", "checked", "settings", "rests where the D_i are"], rows)


def tasks(up: str = "") -> str:
    """Every task, with its options."""
    from neural import tasks as registry

    rows = []
    for name in registry.names():
        options, about = registry.describe(name)
        rows.append([f"`{name}`", plain(about.partition("\n\n")[0]), plain(_given(options))])
    return grid(["task", "what it is", "options"], rows)


def figures(up: str = "") -> str:
    """Every figure: where its file is, what the paper concludes from it, and the statements concerned."""
    from figures.registry import discover

    rows = []
    for entry in discover():
        claims = " ".join(f"{claim[:1].upper()}{claim[1:].rstrip('.')}." for claim in entry.claims.values())
        ids = ", ".join(statement_link(each, up) for each in entry.statements)
        kind = "trained" if entry.trained else "exact"
        rows.append([f"`{entry.id}`", plain(entry.title), kind, plain(claims), ids, f"`figures/{entry.alias}.py`"])
    return grid(["id", "title", "kind", "what is concluded from it", "statements", "file"], rows)


def _given(settings: Mapping[str, Any]) -> str:
    return ", ".join(key if value == "required" else f"{key} = {value}" for key, value in settings.items())
