"""``surrogate statements``: every statement of the five papers, with its verdict where there is one."""

from __future__ import annotations

import argparse

__all__ = ["EXAMPLES", "SUMMARY", "configure", "run"]

SUMMARY = "List every statement of the five papers, with its verdict."
EXAMPLES = """
surrogate statements
surrogate statements --paper outsized
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of the verb."""
    parser.add_argument("--paper", metavar="P", help="only this paper: outsized, local_adaptivity, fedda, ...")


def run(args: argparse.Namespace) -> int:
    """One line a statement; a star marks the headline ones."""
    from theorems import records, registry
    from theorems.catalogue import HEADLINES, IDS, PAPERS, paper_of, sort_key
    from theorems.cli import names

    names.chosen([], args.paper)  # refuses an unknown paper
    paper = PAPERS.get((args.paper or "").upper(), (args.paper,))[0]
    filed = set(registry.ids(paper))
    for name in sorted({*IDS, *filed}, key=sort_key):
        if paper not in (None, paper_of(name)):
            continue
        record = records.read(name) if name in filed else None
        verdict = f"{record['verdict']}, {record['evidence']}" if record else "not judged yet"
        says = record["says"] if record else registry.find(name).says if name in filed else ""
        print(f"{'*' if name in HEADLINES else ' '} {name:12} {verdict:24} {says}".rstrip())
    return 0
