"""The shell of every page: head, style, navigation. Nothing is loaded from elsewhere."""

from __future__ import annotations

import html
from typing import Any

__all__ = ["BADGES", "badge", "escape", "shell", "table"]

escape = html.escape

# verdict -> (class, what it means, in one phrase)
BADGES = {
    "holds": ("good", "no counterexample; see the evidence"),
    "false": ("bad", "an exact counterexample is recorded"),
    "undecided": ("open", "neither proved nor refuted"),
    "not-checkable": ("mute", "no finite check exists; the reason is given"),
}

_STYLE = """
:root { color-scheme: light dark; --ink: #1d2127; --paper: #fff; --line: #d6dae0; --soft: #f3f5f8; --link: #0b57a4;
  --good: #1c6b3a; --bad: #a3261b; --open: #7a5300; --mute: #4b5563; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --paper: #14171b; --line: #3a414b; --soft: #1f242b;
  --link: #8ab8ee; --good: #7bd09a; --bad: #ff9d92; --open: #f0c36a; --mute: #b3bac4; } }
* { box-sizing: border-box; }
body { font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto;
  max-width: 62rem; padding: 1rem; }
a { color: var(--link); } a:focus-visible { outline: 3px solid var(--link); }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.2rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; } .scroll { overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line); }
th { background: var(--soft); position: sticky; top: 0; }
.badge { font-weight: 600; white-space: nowrap; } .good { color: var(--good); } .bad { color: var(--bad); }
.open { color: var(--open); } .mute { color: var(--mute); }
.formula { overflow-x: auto; padding: .5rem 0; } math { font-size: 1.1em; }
pre, code { font-family: ui-monospace, monospace; font-size: .92em; } pre { overflow-x: auto; background: var(--soft);
  padding: .7rem; } .bar { background: var(--link); height: .6rem; display: block; min-width: 2px; }
nav { border-bottom: 1px solid var(--line); padding-bottom: .5rem; } figure { margin: 1rem 0; } svg { max-width: 100%; }
"""


def badge(verdict: str) -> str:
    """The verdict as a coloured word; the word says it, colour only repeats it."""
    kind, meaning = BADGES[verdict]
    return f'<span class="badge {kind}" title="{escape(meaning)}">{escape(verdict)}</span>'


def shell(title: str, body: str, up: str = "") -> str:
    """A whole page. ``up``: the path back to the folder of index.html."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f'<nav aria-label="site"><a href="{up}index.html">All statements</a></nav>\n'
        f"<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def table(head: list[str], rows: list[list[Any]], caption: str = "") -> str:
    """Rows of ready HTML cells under plain headings."""
    top = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>\n" for row in rows)
    thead = f"<thead><tr>{top}</tr></thead>" if any(head) else ""
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f'<div class="scroll"><table>{title}{thead}\n<tbody>\n{body}</tbody></table></div>'
