"""LaTeX to MathML, so that pages show mathematics without scripts or a network."""

from __future__ import annotations

import html
from functools import cache

__all__ = ["display", "inline"]


@cache
def _converted(latex: str, display: str) -> str:
    from latex2mathml.converter import convert

    try:
        return str(convert(latex, display=display))
    except Exception:  # the converter knows less LaTeX than authors do: show the source rather than nothing
        return f"<code>{html.escape(latex)}</code>"


def display(latex: str) -> str:
    """A displayed formula; one line each for formulas that authors separate by newlines."""
    lines = [line for line in latex.strip().split("\n") if line.strip()]
    return "".join(f'<div class="formula">{_converted(line.strip(), "block")}</div>' for line in lines)


def inline(latex: str) -> str:
    """A formula inside a sentence."""
    return _converted(latex, "inline")
