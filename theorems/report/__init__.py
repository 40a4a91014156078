"""The report: a static site of all verdicts, and each paper's errata as Markdown and LaTeX."""

from __future__ import annotations

from theorems.report.build import build

__all__ = ["build"]
