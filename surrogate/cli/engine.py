"""Options of the verbs that share their work out: to processes on this machine, or to a Ray cluster."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial

from surrogate.kit.errors import problem
from surrogate.kit.executor import Local, Stoppable

__all__ = ["chosen", "configure"]

_ONLY = {"local": ("processes",), "ray": ("address", "gpus", "retries")}  # options by engine


def configure(parser: argparse.ArgumentParser) -> None:
    """Add ``--engine`` and the options of each engine."""
    parser.add_argument("--engine", choices=list(_ONLY), default="local", help="this machine (default), or Ray")
    parser.add_argument(
        "--processes",
        "--jobs",
        type=int,
        metavar="N",
        help="local: jobs at a time (default: one a GPU, or one a core up to 8)",
    )
    parser.add_argument(
        "--address", metavar="A", help="ray: of a running cluster, or auto (default: this machine alone)"
    )
    parser.add_argument("--gpus", type=float, metavar="G", help="ray: GPUs a job, also a fraction (default: 0)")
    parser.add_argument("--retries", type=int, metavar="N", help="ray: of a job whose node is lost (default: 3)")


def chosen(args: argparse.Namespace, devices: Callable[[], Sequence[str]] = tuple) -> Callable[..., Stoppable]:
    """The executor with the options that were given, and ``devices`` for local processes.

    Options of the other engine are refused, and values that cannot be.
    """
    for engine, names in _ONLY.items():
        for name in names:
            if engine != args.engine and getattr(args, name) is not None:
                raise problem(
                    f"--{name}", getattr(args, name), f"--engine {engine}",
                    f"an option that --engine {args.engine} lacks", f"drop it, or add --engine {engine}",
                )  # fmt: skip
    given = {name: value for name in _ONLY[args.engine] if (value := getattr(args, name)) is not None}
    if args.engine == "ray":
        from surrogate.kit.ray_executor import Ray

        Ray.check(**given)
        return partial(Ray, **given)
    if (processes := given.get("processes")) is not None:
        Local.check(processes)
    return partial(Local, processes, devices=devices())
