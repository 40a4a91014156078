"""Our docstrings are plain text with ``code``; autodoc reads reStructuredText. This turns the one into the other.

A block that is indented is shown as it stands, and so are examples (``>>>``). All else is prose, in which only ``code``
and lists with ``-`` mean something: ``|x|``, ``x_0`` and ``K * L`` are what they look like.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from sphinx.application import Sphinx

__all__ = ["prose", "restructured", "setup"]

_CODE = re.compile(r"(``[^`]+``|`[^`\s][^`]*`)")


def restructured(lines: list[str]) -> list[str]:
    """The same docstring in reStructuredText."""
    return [line for block in _blocks(lines) for line in [*_shown(block), ""]]


def _blocks(lines: list[str]) -> Iterator[list[str]]:
    for blank, block in groupby(lines, key=lambda line: not line.strip()):
        if not blank:
            yield from _parts(list(block))


def _parts(block: list[str]) -> Iterator[list[str]]:
    """A list, item by item, and prose apart from what is indented below it."""
    if block[0].startswith(">>>") or block[0].startswith(" "):
        yield block
    elif block[0].startswith("- "):
        items: list[list[str]] = []
        for line in block:
            if line.startswith("- "):
                items.append([])
            items[-1].append(line.strip())
        yield from ([" ".join(item)] for item in items)
    else:
        for indented, part in groupby(block, key=lambda line: line.startswith(" ")):
            found = list(part)
            yield found if indented else [" ".join(line.strip() for line in found)]


def _shown(block: list[str]) -> list[str]:
    if block[0].startswith(">>>"):
        return [".. code-block:: pycon", "", *(f"   {line}" for line in block)]
    if block[0].startswith(" "):
        return [".. code-block:: text", "", *(f"   {line}" for line in block)]
    text = block[0]
    return [f"- {prose(text[2:])}" if text.startswith("- ") else prose(text)]


def prose(text: str) -> str:
    """Prose with everything escaped but ``code``."""
    pieces = _CODE.split(text)
    return "".join(
        rf"\ ``{piece.strip('`')}``\ " if k % 2 else re.sub(r"([\\*`|_<>:])", r"\\\1", piece)
        for k, piece in enumerate(pieces)
    )


def _process(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    lines[:] = restructured(list(lines))


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", _process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
