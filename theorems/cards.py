"""Notebook cards of verdicts and statements, in HTML and Markdown."""

from __future__ import annotations

from typing import Any

from surrogate.notebook import card, card_markdown
from theorems.record import broken

__all__ = ["Verdict", "facts", "html", "markdown"]


class Verdict(dict[str, Any]):
    """A statement's record (DESIGN.md section 4), a plain dict that notebooks show as a card."""

    def _repr_html_(self) -> str:
        return html(_title(self), facts(self), self["latex"])

    def _repr_markdown_(self) -> str:
        return markdown(_title(self), facts(self), self["latex"])


def _title(record: dict[str, Any]) -> str:
    return f"{record['id']}: {record['location']}"


def facts(record: dict[str, Any]) -> list[tuple[str, str]]:
    """The rows of a card: what it says, verdict, counterexample, correction, tightness, printed proof."""
    from theorems.symbols import listed

    details = ", ".join(filter(None, [record["severity"], record["evidence"]]))
    rows = [("says", record["says"]), ("verdict", f"{record['verdict']} ({details})" if details else record["verdict"])]
    if record["counterexample"]:
        found = record["counterexample"]
        rows.append(("counterexample", listed(record["id"], found["instance"])))
        rows.append(("there", broken(found)))
    if record["correction"]:
        fixed = record["correction"]
        rows.append(("instead", f"{fixed['says']} ({fixed['verdict']}, {fixed['evidence']})"))
    if record["tightness"]:
        rows.append(("largest left / right", f"{record['tightness']['ratio']:.4g}"))
    if record["proof_broken"]:
        rows.append(("printed proof", f"a step fails as printed: {record['proof_broken']}"))
    return rows


def html(title: str, rows: list[tuple[str, str]], latex: str) -> str:
    """A card with the formula as MathML, which browsers show without a script."""
    from theorems.mathml import display

    return card(title, rows, display(latex) if latex else "")


def markdown(title: str, rows: list[tuple[str, str]], latex: str) -> str:
    """The card in Markdown, its formula between dollars."""
    formulas = "\n".join(f"$${line}$$" for line in latex.strip().split("\n") if line)
    return "\n\n".join(filter(None, [card_markdown(title, rows), formulas]))
