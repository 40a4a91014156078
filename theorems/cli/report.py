"""``surrogate report``: all verdicts as a static site, and each paper's errata."""

from __future__ import annotations

import argparse
from pathlib import Path

__all__ = ["EXAMPLES", "SUMMARY", "configure", "run"]

SUMMARY = "Write all verdicts as a static site, with each paper's errata in Markdown and LaTeX."
EXAMPLES = """
surrogate report
surrogate report --out site
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of the verb."""
    parser.add_argument("--out", type=Path, default=Path("out/report"), metavar="DIR", help="where to (out/report)")


def run(args: argparse.Namespace) -> int:
    """Write the site from the recorded verdicts."""
    from surrogate.kit.errors import problem
    from theorems.report import build

    if args.out.exists() and not args.out.is_dir():
        raise problem("--out", str(args.out), "a folder, or a name not taken", "a file of that name", "choose another")
    files = build(args.out)
    print(f"{len(files)} files; begin at {args.out / 'index.html'}")
    return 0
