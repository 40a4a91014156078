"""``surrogate toy``: where a method rests on a small problem, how far from x*, and how fast it gets there."""

from __future__ import annotations

import argparse
from typing import cast

from surrogate.cli import output

__all__ = ["EXAMPLES", "SUMMARY", "configure", "run"]

SUMMARY = "Show where a method rests on a quadratic problem, how far from x*, and how fast it gets there."
EXAMPLES = """
surrogate toy two-clients --gamma 1/2 --steps 2 --exact
surrogate toy plane --gamma 0.5 --steps 10 --eta 0.2
surrogate toy plane --gamma 1/2 --theta 1,0,1/2 --json -
surrogate toy density --method fedprox --gamma 0.1 --steps 20 --set mu=1/2
surrogate toy mine.toml --method scaffold --gamma 1/4 --steps 5
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of the verb."""
    from surrogate.problems.model import PRESETS, TOML_EXAMPLE

    presets = "\n".join(f"  {name:<13}{what}" for name, what in PRESETS.items())
    example = "\n".join(f"  {line}".rstrip() for line in TOML_EXAMPLE.splitlines())
    parser.description = f"""{SUMMARY}

presets:
{presets}

a file of your own, say mine.toml (JSON has the same keys; NPZ holds arrays A, c, weights):
{example}

numbers may be strings like "1/3"; in one dimension A = 2 and c = "1/2" will do; weight = "1/4" in every
[[client]], or in none. Clients may also hold data: [[client.example]] with A and c, or X = [[...]], y = [...]."""
    parser.add_argument("problem", metavar="FILE|PRESET", help="a .toml, .json or .npz file, or a preset")
    parser.add_argument("--method", metavar="M", help="a method of the dictionary (default: local-update)")
    parser.add_argument("--gamma", metavar="G", help="client rate, such as 0.1 or 1/2; one a client: 1/2,1/4")
    parser.add_argument("--steps", metavar="K", help="local steps; one count a client: 2,5")
    parser.add_argument("--theta", metavar="T", help="sum (default), last, maml, or weights of the steps: 1,0,1/2")
    parser.add_argument("--eta", metavar="E", help="server rate at which to show the contraction, beside the best one")
    parser.add_argument(
        "--set", action="append", metavar="KEY=VALUE", help="a further setting of the method (repeatable)"
    )
    parser.add_argument("--exact", action="store_true", help="compute in rationals, enclose what is irrational")
    parser.add_argument("--json", metavar="FILE", help="write all numbers as JSON; - writes them to stdout instead")


def run(args: argparse.Namespace) -> int:
    """Load the problem, compute the report, show it; 0."""
    from surrogate import problems, reports

    target = None if args.json is None else output.checked(args.json)
    loaded = problems.load(args.problem, exact=args.exact)
    request = reports.resolve(cast("reports.Options", vars(args)), loaded)
    facts = reports.report(loaded, request)
    if target is not None:
        output.write(target, reports.as_json(facts))
    if args.json != "-":
        print(reports.as_text(facts))
    return 0
