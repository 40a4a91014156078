"""``surrogate sweep``: a grid of runs, here or on Ray; a sweep that was stopped resumes, and two share the work."""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

from surrogate.cli import engine, output

__all__ = ["EXAMPLES", "SUMMARY", "configure", "run"]

SUMMARY = "Run a grid of configurations, skip what is done, and pick the best."
EXAMPLES = """
surrogate sweep sweep.toml
surrogate sweep sweep.toml --processes 4 --out out/sweeps/rates --best by method
surrogate sweep sweep.toml --target accuracy=0.8 --json sweep.json
surrogate sweep sweep.toml --engine ray --address auto --gpus 0.25
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of the verb."""
    parser.add_argument("file", type=Path, metavar="FILE.toml", help="a run's configuration with a table [grid]")
    parser.add_argument("--out", type=Path, metavar="DIR", help="default: out/sweeps/NAME of the file")
    parser.add_argument(
        "--best", nargs="+", default=[], metavar="KEY", help="`by method`: the best of each (over seeds)"
    )
    parser.add_argument("--target", metavar="T", help="rounds to a loss of 0.5, or to accuracy=0.8, of each run")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the runs and the best to FILE; - is stdout")
    engine.configure(parser)


def run(args: argparse.Namespace) -> int:
    """Show the table as it changes, then the best; 1 when a run could not be made."""
    from neural.cli.board import Board, page
    from neural.runs.attempt import gpus
    from neural.runs.config import read_toml
    from neural.runs.grid import expand
    from neural.runs.ranking import best, checked
    from neural.runs.results import ENDED, mixed
    from neural.runs.sweep import sweep
    from neural.runs.target import Target

    by = [word for key in args.best for word in key.split(",") if word != "by"]
    out = args.out or Path("out/sweeps") / args.file.stem
    given, target = read_toml(args.file), None if args.target is None else Target.of(args.target)
    trials = expand(given)
    checked(by, trials)
    written = None if args.json is None else output.checked(args.json)
    refused: list[str] = []
    table = sweep(given, out, engine.chosen(args, gpus), Board(), target, refused.append)
    found = best(table, by)
    print(page(table))
    if found:
        print(_ranking(found, by))
    print("\n".join(refused) or f"gathered in {out / 'results.csv'} and results.parquet")
    for told in mixed(trials, out):
        print(f"not all made alike: {told}")
    if written is not None:
        output.write(written, json.dumps({"runs": _finite(table), "best": _finite(found)}, indent=1))
    _measured(table, args.target)
    return 0 if all(line["status"] in ENDED for line in table) else 1


def _ranking(found: list[dict[str, Any]], by: list[str]) -> str:
    """The best settings, and where their runs are."""
    from neural.cli.board import page

    told = "best by mean loss over the last 100 rounds and over seeds" + (f", of each {', '.join(by)}" if by else "")
    shown = page([{name: value for name, value in line.items() if name != "folders"} for line in found])
    homes = [f"score {line['score']:.6g}: {', '.join(line['folders'])}" for line in found]
    return "\n".join(["", told, shown, *homes])


def _finite(table: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As JSON has it, which knows no infinities: null for what diverged, was not reached, or not measured."""
    return [{k: None if v in (math.inf, -math.inf) or v != v else v for k, v in line.items()} for line in table]


def _measured(table: list[dict[str, Any]], target: str | None) -> None:
    """Refuse a target of what no run has measured."""
    from surrogate.kit.errors import problem

    reached = [line["rounds_to"] for line in table if "rounds_to" in line]
    if reached and all(rounds != rounds for rounds in reached):
        raise problem(
            "--target", repr(target), "a measure of the runs", "a slip, or a metric of another task",
            "name one that `surrogate train` prints",
        )  # fmt: skip
