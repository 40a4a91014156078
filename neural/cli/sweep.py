"""``surrogate sweep``: a grid of runs on this machine; a sweep that was stopped resumes, and two share the work."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

__all__ = ["EXAMPLES", "SUMMARY", "configure", "run"]

SUMMARY = "Run a grid of configurations, skip what is done, and pick the best."
EXAMPLES = """
surrogate sweep sweep.toml
surrogate sweep sweep.toml --processes 4 --out out/sweeps/rates
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of the verb."""
    parser.add_argument("file", type=Path, metavar="FILE.toml", help="a run's configuration with a table [grid]")
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="runs at a time (default: 1)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="default: out/sweeps/NAME of the file")


def run(args: argparse.Namespace) -> int:
    """Show the table as it changes, then the best; 1 when a run could not be made."""
    from neural.runs.config import read_toml
    from neural.runs.sweep import sweep
    from surrogate.errors import problem

    if args.processes < 1:
        raise problem("--processes", args.processes, "a whole number >= 1", "a slip", "pass --processes 2")
    table = sweep(read_toml(args.file), args.out or Path("out/sweeps") / args.file.stem, args.processes, _show)
    print(_page(table))
    done = [line for line in table if line["status"] == "done" and line["score"] == line["score"]]
    if done:
        best = min(done, key=lambda line: line["score"])
        print(f"best by mean loss over the last 100 rounds: {best['folder']} ({best['score']:.6g})")
    return 0 if all(line["status"] in ("done", "diverged") for line in table) else 1


def _show(table: list[dict[str, Any]]) -> None:
    ended = sum(line["status"] in ("done", "diverged") for line in table)
    text = f"{ended} of {len(table)} runs ended, {sum(line['rounds'] for line in table)} rounds"
    print(f"\r{text}" if sys.stdout.isatty() else text, end="" if sys.stdout.isatty() else "\n", flush=True)


def _page(table: list[dict[str, Any]]) -> str:
    names = list(dict.fromkeys(name for line in table for name in line))
    cells = [names, *([_cell(line.get(name, "")) for name in names] for line in table)]
    widths = [max(len(row[k]) for row in cells) for k in range(len(names))]
    rows = ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in cells]
    return "\n" + "\n".join(rows)


def _cell(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
