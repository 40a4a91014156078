"""``surrogate train``: train one task by one method; killed runs are taken up where they stopped."""

from __future__ import annotations

import argparse
from pathlib import Path

__all__ = ["EXAMPLES", "SUMMARY", "configure", "run"]

SUMMARY = "Train a task by a federated method; a run that was stopped resumes by itself."
EXAMPLES = """
surrogate train --task quadratic --method fedavg --set gamma=0.1 --set steps=10 --set rounds=50
surrogate train run.toml --set rounds=400
surrogate train --task quadratic --method my_method.py:name --set gamma=0.1
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of the verb."""
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE.toml", help="the configuration")
    parser.add_argument("--task", metavar="T", help="see `surrogate tasks`; or FILE.py:NAME")
    parser.add_argument("--method", metavar="M", help="see `surrogate methods`; or FILE.py:NAME")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="any key of the configuration")
    parser.add_argument("--device", metavar="D", help="auto (default), cpu, cuda, cuda:1")
    parser.add_argument("--log", action="append", default=[], metavar="L", help="also to tensorboard, wandb (offline)")
    parser.add_argument("--out", type=Path, default=Path("out/runs"), metavar="DIR", help="default: out/runs")


def run(args: argparse.Namespace) -> int:
    """Train, and print a line now and then; a diverged run has ended as well as any other."""
    from neural.runs.callbacks import Console, logs
    from neural.runs.config import Config, flat, read_toml, value_of
    from neural.runs.run import run as train

    said = dict(map(value_of, args.set))  # first: of `--set gamma 0.1` the file would be named 0.1
    given = flat(read_toml(args.file)) if args.file else {}
    given |= {key: value for key in ("task", "method", "device") if (value := getattr(args, key)) is not None}
    given |= said
    result = train(
        Config.of(given), args.out, lambda line: print(line, flush=True), callbacks=[Console(), *logs(args.log)]
    )
    print(f"{result.manifest['status']} after {result.manifest['rounds']} rounds: {result.folder}")
    return 0
