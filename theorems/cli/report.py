"""``surrogate report``: all verdicts as a static site, and each paper's errata."""

from __future__ import annotations

import argparse
from pathlib import Path

__all__ = ["EXAMPLES", "SUMMARY", "configure", "run"]

SUMMARY = "Write all verdicts as a static site, with each paper's errata in Markdown and LaTeX."
EXAMPLES = """
surrogate report
surrogate report --out site
surrogate report --bundle OLR.C22
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of the verb."""
    parser.add_argument("--out", type=Path, default=Path("out/report"), metavar="DIR", help="where to (out/report)")
    parser.add_argument("--bundle", metavar="ID", help="instead: one file for a referee, which a bare Python re-checks")


def run(args: argparse.Namespace) -> int:
    """Write the site from the recorded verdicts."""
    from surrogate.cli import output
    from theorems import records, registry
    from theorems.report import build
    from theorems.report.counts import counts, maps, sentences

    if args.bundle:
        from theorems.report.bundle import write_bundle

        record = records.read(registry.named(args.bundle))
        assert record is not None  # `named` refuses what has no statement; each one has a record
        print(f"run it: python {write_bundle(record, output.folder(args.out))}")
        return 0
    files = build(output.folder(args.out))
    print(f"{len(files)} files; begin at {args.out / 'index.html'}")
    for line in sentences(counts(records.read_all(), maps())):
        print(line)
    return 0
