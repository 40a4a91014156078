"""``surrogate bench``: time the code against the reference implementations of a source tree, in the same run."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from surrogate.kit import entries
from surrogate.kit.errors import problem

__all__ = ["EXAMPLES", "SUMMARY", "configure", "run"]

SUMMARY = "Time the code against reference implementations (needs a source checkout)."
EXAMPLES = """
surrogate bench
surrogate bench exact --quick
surrogate bench exact.sweep --json bench.json
surrogate bench neural
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of the verb."""
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="a suite (exact, theorems, neural, explorer) or one benchmark of it (exact.sweep)",
    )
    parser.add_argument("--quick", action="store_true", help="small sizes, seconds instead of minutes, no targets")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the measurements to FILE; - is stdout")
    parser.add_argument("--list", action="store_true", help="print the benchmarks and what they measure")


def run(args: argparse.Namespace) -> int:
    """Run the benchmarks named (all without a name); 0, or 1 when a target is missed."""
    point = entries.checkout("bench")
    if point is None:
        raise problem(
            "benchmarks/",
            f"missing beside the package in {entries.ROOT}",
            "a source checkout: the reference implementations are not part of the installed package",
            "surrogate was installed from a wheel",
            "clone the repository, run `pip install -e .` there, then `surrogate bench` again",
        )
    if str(entries.ROOT) not in sys.path:  # the console script does not put the tree on the path
        sys.path.insert(0, str(entries.ROOT))
    status: int = entries.load(point)(args)
    return status
