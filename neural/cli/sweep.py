"""``surrogate sweep``: a grid of runs, here or on Ray; a sweep that was stopped resumes, and two share the work."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import Any

__all__ = ["EXAMPLES", "SUMMARY", "configure", "run"]

SUMMARY = "Run a grid of configurations, skip what is done, and pick the best."
EXAMPLES = """
surrogate sweep sweep.toml
surrogate sweep sweep.toml --processes 4 --out out/sweeps/rates --best by method
surrogate sweep sweep.toml --engine ray --address auto --gpus 0.25
"""
_ONLY = {"local": ("processes",), "ray": ("address", "gpus", "retries")}  # options by engine


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of the verb."""
    parser.add_argument("file", type=Path, metavar="FILE.toml", help="a run's configuration with a table [grid]")
    parser.add_argument("--out", type=Path, metavar="DIR", help="default: out/sweeps/NAME of the file")
    parser.add_argument("--best", nargs="+", default=[], metavar="KEY", help="`by method`: the best of each method")
    parser.add_argument("--engine", choices=list(_ONLY), default="local", help="this machine (default), or Ray")
    parser.add_argument("--processes", type=int, metavar="N", help="local: runs at a time (default: one a GPU or core)")
    parser.add_argument(
        "--address", metavar="A", help="ray: of a running cluster, or auto (default: this machine alone)"
    )
    parser.add_argument("--gpus", type=float, metavar="G", help="ray: GPUs a run, also a fraction (default: 0)")
    parser.add_argument("--retries", type=int, metavar="N", help="ray: of a run whose node is lost (default: 3)")


def run(args: argparse.Namespace) -> int:
    """Show the table as it changes, then the best; 1 when a run could not be made."""
    from neural.cli.board import Board, page
    from neural.runs.config import read_toml
    from neural.runs.grid import expand
    from neural.runs.results import ENDED, best, checked, mixed
    from neural.runs.sweep import sweep

    by = [word for key in args.best for word in key.split(",") if word != "by"]
    out = args.out or Path("out/sweeps") / args.file.stem
    given = read_toml(args.file)
    trials = expand(given)
    checked(by, trials)
    table = sweep(given, out, _crew(args), Board())
    found = best(table, by)
    print(page(table))
    if found and by:
        print("\nbest by mean loss over the last 100 rounds, of each " + ", ".join(by) + "\n" + page(found))
    for line in found if not by else []:
        print(f"best by mean loss over the last 100 rounds: {line['folder']} ({line['score']:.6g})")
    print(f"gathered in {out / 'results.csv'} and results.parquet")
    for told in mixed(trials, out):
        print(f"not all made alike: {told}")
    return 0 if all(line["status"] in ENDED for line in table) else 1


def _crew(args: argparse.Namespace) -> Any:
    """The engine with its options; those of the other one are refused."""
    from surrogate.errors import problem

    for engine, names in _ONLY.items():
        for name in names:
            if engine != args.engine and getattr(args, name) is not None:
                raise problem(
                    f"--{name}", getattr(args, name), f"--engine {engine}",
                    f"an option that --engine {args.engine} lacks", f"drop it, or add --engine {engine}",
                )  # fmt: skip
    given = {name: value for name in _ONLY[args.engine] if (value := getattr(args, name)) is not None}
    if args.engine == "ray":
        from neural.runs.ray_engine import Ray

        return partial(Ray, **given)
    from neural.runs.local import Local

    return partial(Local, **given)
