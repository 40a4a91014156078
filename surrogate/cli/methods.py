"""``surrogate methods``: what methods there are, what each sends, how it is checked, and which settings it takes."""

from __future__ import annotations

import argparse
import json
import textwrap
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from surrogate.cli import output

if TYPE_CHECKING:
    from surrogate.methods import Description

__all__ = ["EXAMPLES", "SUMMARY", "configure", "run"]

SUMMARY = "List the federated methods: paper, what each sends, how it is checked, settings with defaults."
EXAMPLES = """
surrogate methods
surrogate methods scaffold local-adam
surrogate methods --json methods.json
"""

_CHECKS = """\
sends   gradients: sums of local gradients;  updates: x minus the client's result;  model: several vectors
check   linear: lands where the dictionary says;  realised: the field of the preconditioners that the run realised
        vanishes where it rests;  stepwise: against an independent listing
"""
_WIDTH = 100


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of the verb."""
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="methods to explain in full (their listing and settings)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the table to FILE; - is stdout")


def run(args: argparse.Namespace) -> int:
    """Print the table, or the methods named in full."""
    from surrogate import methods

    chosen = [methods.describe(name) for name in args.names or methods.names()]
    if args.json is not None:
        output.write(output.checked(args.json), json.dumps([asdict(one) for one in chosen], indent=2))
    print("\n\n".join(map(_page, chosen)) if args.names else _table(chosen))
    return 0


def _table(chosen: list[Description]) -> str:
    rows = [("method", "sends", "check", "paper"), *((d.name, d.sends, d.check, d.paper) for d in chosen)]
    widths = [max(len(row[k]) for row in rows) for k in range(3)]
    lines = []
    for row, about in zip(rows, [None, *chosen], strict=True):
        lines.append(
            "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3]]).rstrip()
        )
        if about is not None:
            lines += textwrap.wrap(_settings(about), _WIDTH, initial_indent="    ", subsequent_indent="    ")
            lines += [f"    also called {', '.join(about.aliases)}"] if about.aliases else []
    return "\n".join(
        [*lines, "", _CHECKS + "`surrogate methods NAME` prints a method's listing and what its settings mean."]
    )


def _settings(about: Description) -> str:
    return ", ".join(
        name if value == "required" else f"{name}={_shown(value)}" for name, value in about.settings.items()
    )


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _page(about: Description) -> str:
    from surrogate.methods import MEANING

    width = max(map(len, about.settings))
    settings = [
        f"  {name.ljust(width)}  {MEANING[name]}; {value if value == 'required' else 'default ' + _shown(value)}"
        for name, value in about.settings.items()
    ]
    also = f" (also {', '.join(about.aliases)})" if about.aliases else ""
    head = [f"{about.name}{also}", f"{about.paper}. Sends {about.sends}; check: {about.check}."]
    return "\n".join([*head, "", about.about, "", "settings", *settings])
