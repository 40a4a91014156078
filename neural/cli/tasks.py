"""``surrogate tasks``: what there is to train, the papers' data and model, our data, how large each model is."""

from __future__ import annotations

import argparse
import json
import textwrap
from pathlib import Path
from typing import Any

from surrogate.cli import output

__all__ = ["EXAMPLES", "SUMMARY", "configure", "run"]

SUMMARY = "List the tasks: the papers' data and model, the default data, parameters at each scale, options."
EXAMPLES = """
surrogate tasks
surrogate tasks emnist-cnn shakespeare-lstm
surrogate tasks --json tasks.json
"""

_WIDTH = 100
_SCALES = ("smoke", "laptop", "paper")
_NOTE = """\
Parameters at the scales smoke (made-up data, seconds), laptop (real data, the default) and paper (printed sizes).
`surrogate tasks NAME` prints what a task's options mean; `surrogate data list` says which data are here."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of the verb."""
    parser.add_argument("names", nargs="*", metavar="NAME", help="tasks to explain in full (their options)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the table to FILE; - is stdout")


def run(args: argparse.Namespace) -> int:
    """Print the table, or the tasks named in full."""
    from neural import tasks

    chosen = [_facts(name) for name in args.names or tasks.names()]
    if args.json is not None:
        output.write(output.checked(args.json), json.dumps(chosen, indent=2))
    print("\n\n".join(map(_page, chosen)) if args.names else _table(chosen))
    return 0


def _facts(name: str) -> dict[str, Any]:
    """All there is to say about a task; quadratics have no family, and as many parameters as dimensions."""
    from neural import tasks
    from neural.tasks.family import families, parameters

    options, about = tasks.describe(name)
    facts: dict[str, Any] = {"name": name, "options": options, "about": about}
    if name not in families():
        return {**facts, "paper": "the toys and random populations", "data": dict.fromkeys(_SCALES, "none needed")}
    family = families()[name]
    return {
        **facts,
        "paper": family.paper,
        "data": {scale: _where(source) for scale, source in family.sources.items()},
        "parameters": {scale: parameters(name, scale) for scale in _SCALES},
        "batch": family.batch,
    }


def _where(source: Any) -> str:
    """The data's name, and how it is split where the task says so."""
    said = [source.split] if source.split else []
    said += [f"alpha {source.alpha:g}"] if source.alpha is not None else []
    said += [f"{source.clients} clients"] if source.clients is not None else []
    return f"{source.name} ({', '.join(said)})" if said else source.name


def _table(chosen: list[dict[str, Any]]) -> str:
    width = max(len(facts["name"]) for facts in chosen)
    lines = [f"{'task'.ljust(width)}  {'smoke':>11} {'laptop':>11} {'paper':>11}"]
    for facts in chosen:
        sizes = facts.get("parameters", {})
        counts = " ".join(f"{sizes[scale]:>11,}" if sizes else f"{'d':>11}" for scale in _SCALES)
        lines.append(f"{facts['name'].ljust(width)}  {counts}")
        lines += _wrapped(f"papers: {facts['paper']}")
        lines += _wrapped(f"data: {facts['data']['laptop']}")
    return "\n".join([*lines, "", _NOTE])


def _page(facts: dict[str, Any]) -> str:
    options = facts["options"]
    width = max(map(len, options))
    lines = [facts["name"], *_wrapped(f"papers: {facts['paper']}", "")]
    for scale in _SCALES if "parameters" in facts else ():
        lines.append(f"{scale}: {facts['parameters'][scale]:,} parameters, data {facts['data'][scale]}")
    lines += [f"batch: {facts['batch']}"] if "batch" in facts else []
    settings = [f"  {name.ljust(width)}  {_shown(value)}" for name, value in options.items()]
    return "\n".join([*lines, "", facts["about"], "", "options", *settings])


def _shown(value: Any) -> str:
    return "its own" if value is None else str(value)


def _wrapped(text: str, indent: str = "    ") -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent=indent, subsequent_indent=indent + "    ")
