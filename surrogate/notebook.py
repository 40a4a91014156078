"""Notebook cards: an object's facts as a small table, in plain HTML or Markdown that takes the notebook's colours.

>>> card("Two <clients>", [("x*", point([2 / 3]))])
'<table><caption>Two &lt;clients&gt;</caption><tr><th scope="row">x*</th><td>0.6667</td></tr></table>'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, SupportsFloat

from surrogate.kit.errors import ProblemError

if TYPE_CHECKING:
    from surrogate._types import Numbers

__all__ = ["Card", "card", "card_markdown", "number", "or_why", "point"]

_MOST = 6  # entries of a point that are shown


def card(title: str, rows: Iterable[tuple[str, str]], above: str = "") -> str:
    """A table in HTML: ``title`` as its caption, a row a fact; ``above``: HTML between the two, such as a formula."""
    body = "".join(f'<tr><th scope="row">{escape(name)}</th><td>{escape(text)}</td></tr>' for name, text in rows)
    formula = f'<tr><td colspan="2">{above}</td></tr>' if above else ""
    return f"<table><caption>{escape(title)}</caption>{formula}{body}</table>"


def card_markdown(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """The same card as a Markdown table.

    >>> print(card_markdown("Client", [("L", "2")]))
    **Client**
    <BLANKLINE>
    | | |
    | --- | --- |
    | L | 2 |
    """
    lines = [f"| {name} | {text.replace('|', chr(92) + '|')} |" for name, text in rows]
    return "\n".join([f"**{title}**", "", "| | |", "| --- | --- |", *lines])


def number(value: SupportsFloat) -> str:
    """Four digits."""
    return f"{float(value):.4g}"


def point(x: Sequence[SupportsFloat] | Numbers) -> str:
    """``(1, 0.5)``; of a long one the first entries.

    >>> point([1.0, 0.5]), point(range(100))
    ('(1, 0.5)', '(0, 1, 2, 3, 4, 5, ...), 100 numbers')
    """
    entries = [number(value) for value in x[:_MOST]]
    if len(x) == 1:
        return entries[0]
    return f"({', '.join(entries)})" if len(x) <= _MOST else f"({', '.join(entries)}, ...), {len(x)} numbers"


def or_why(compute: Callable[[], str]) -> str:
    """The computed text, or in a few words why there is none: showing an object never fails."""
    try:
        return compute()
    except ProblemError as error:
        return f"none: {str(error).splitlines()[0]}"


class Card:
    """Notebooks show such an object as a table of its facts under its repr."""

    def _facts(self) -> list[tuple[str, str]]:
        raise NotImplementedError

    def _repr_html_(self) -> str:
        return card(repr(self), self._facts())

    def _repr_markdown_(self) -> str:
        return card_markdown(repr(self), self._facts())
