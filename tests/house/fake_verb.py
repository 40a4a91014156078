"""A verb of somebody else's package, to test what the program does with verbs."""

from __future__ import annotations

import argparse

from surrogate.kit.errors import problem

SUMMARY = "end in every way that a verb can end, 100 % of them"
EXAMPLES = """
surrogate fake --how well
surrogate fake --how problem
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--how", choices=["well", "problem", "interrupt", "flood"], default="well")


def run(args: argparse.Namespace) -> int:
    if args.how == "problem":
        raise problem("gamma", -1, "a rate >= 0", "a sign slip", "pass a positive rate")
    if args.how == "interrupt":
        raise KeyboardInterrupt
    for line in range(200_000 if args.how == "flood" else 1):
        print(f"line {line}")
    return 3
