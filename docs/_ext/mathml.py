"""Mathematics as MathML, written while the docs are built: the pages need no script and no network for it."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx

__all__ = ["setup"]


def _inline(writer: Any, node: nodes.math) -> None:
    writer.body.append(convert(node.astext(), display="inline"))
    raise nodes.SkipNode


def _display(writer: Any, node: nodes.math_block) -> None:
    """One formula a line, as authors write them."""
    lines = [line.strip() for line in node.astext().split("\n") if line.strip()]
    formulas = "".join(convert(line, display="block") for line in lines)
    writer.body.append(f'<div class="formula" tabindex="0">{formulas}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_html_math_renderer("mathml", (_inline, None), (_display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
