"""``surrogate figures``: regenerate figures and tables of the papers, and check what the papers conclude from them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from surrogate.cli import engine, output
from surrogate.kit.errors import problem
from surrogate.kit.executor import Stoppable

__all__ = ["EXAMPLES", "SUMMARY", "configure", "run"]

SUMMARY = "Regenerate the papers' figures and tables, and check what they conclude from them."
EXAMPLES = """
surrogate figures
surrogate figures --list
surrogate figures OLR.F1 local_adaptivity/figure_1b
surrogate figures LA --scale smoke --out /tmp/figures
surrogate figures --budget 8h
surrogate figures --dry-run
surrogate figures --scale paper --dry-run --verbose
"""

UNITS = {"h": 3600.0, "m": 60.0, "min": 60.0, "s": 1.0, "": 1.0}
FAILED = 1
SITTING = 43 * 60.0  # with the environment that is made before and the gallery that is written after, 45 minutes


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of the verb."""
    parser.add_argument(
        "ids",
        nargs="*",
        metavar="ID",
        help="OLR.F1, outsized/figure_1, a paper (OLR, local_adaptivity), or a file of your own; all if left out",
    )
    parser.add_argument(
        "--scale",
        default="laptop",
        help="smoke (seconds), laptop (default) or paper (published settings); toy figures are the same at each",
    )
    parser.add_argument(
        "--budget",
        metavar="TIME",
        help="stop within this time, 8h, 1h30m, 45m or 90s; the next call goes on (default: 43m for all at laptop"
        " scale; figures asked for by id, and other scales, take what they take)",
    )
    engine.configure(parser)
    parser.add_argument("--out", type=Path, default=Path("out/figures"), metavar="DIR", help="default: out/figures")
    parser.add_argument("--list", action="store_true", help="print the ids and titles, draw nothing")
    parser.add_argument("--dry-run", action="store_true", help="say what would be trained and what it would cost")
    parser.add_argument("--verbose", action="store_true", help="with --dry-run: list every training run")


def run(args: argparse.Namespace) -> int:
    """Draw what was asked for; 1 when a figure could not be made, else 0, whatever its findings say."""
    from figures import registry

    if args.verbose and not args.dry_run:
        raise problem("--verbose", "alone", "with --dry-run", "a slip", "add --dry-run, or leave --verbose out")
    scale, budget = registry.known_scale(args.scale), seconds(args.budget)
    if args.list:
        for entry in registry.find(args.ids) if args.ids else registry.cards():
            print(f"{entry.id:8} {entry.alias:28} {entry.title}{' (flagship)' if entry.flagship else ''}")
        return 0
    chosen = registry.find(args.ids)
    if args.dry_run:
        from figures import costs

        print(costs.report(chosen, scale, args.verbose))
        return 0
    if not args.ids and budget is None:
        if scale == "laptop":
            budget = SITTING
        elif scale == "paper":
            chosen = [entry for entry in chosen if entry.flagship or not entry.trained]
    executor = _engine(args)
    return _draw(chosen, scale, budget, output.folder(args.out), bool(args.ids), executor)


def _engine(args: argparse.Namespace) -> Callable[..., Stoppable]:
    """The executor that was asked for; torch, which knows the GPUs, is loaded with the first run."""
    engine.chosen(args)  # options that cannot be are refused at once

    def made(**options: Any) -> Stoppable:
        from neural.runs.attempt import gpus

        return engine.chosen(args, gpus)(**options)

    return made


def _draw(
    chosen: Sequence[Any], scale: str, budget: float | None, out: Path, named: bool, engine: Callable[..., Stoppable]
) -> int:
    from figures import gallery, registry, runner

    def say(line: str) -> None:
        print(line, flush=True)

    listed = {card.alias for card in registry.cards()}
    everything = [*registry.cards(), *(figure for figure in chosen if figure.alias not in listed)]  # and the user's
    earlier: dict[str, Any] = {}  # what other runs left, looked up once: the page is written after each figure

    def show(outcomes: Sequence[Any]) -> tuple[Path, Path]:
        made = {outcome.entry.alias: outcome for outcome in outcomes}
        for entry in everything:
            if entry.alias not in made and entry.alias not in earlier:
                earlier[entry.alias] = runner.recorded(entry, out)
        return gallery.write([made.get(entry.alias) or earlier[entry.alias] for entry in everything], out)

    made = runner.make_all(chosen, scale, out, budget, say, show=show, engine=engine)
    page, notes = show(made)
    say(f"findings of this run: {gallery.tally(made)}")
    if late := runner.waiting(made):
        say(f"time is up: {len(late)} of {len(made)} wait, and the same command goes on (--budget 8h: to the end)")
    asked = {entry.id for entry in chosen}
    left = [entry.id for entry in everything if entry.trained and entry.id not in asked]
    if left and len(chosen) > 1:
        say(f"not asked for: {', '.join(left)} ({'name them' if named else 'name them, or give --budget 8h'})")
    say(f"all figures: {page}    all findings: {notes}")
    return FAILED if any(outcome.state == "failed" for outcome in made) else 0


def seconds(budget: str | None) -> float | None:
    """A time like 8h, 1h30m, 45m, 90s or 90, in seconds.

    >>> seconds("1h30m")
    5400.0
    """
    if budget is None:
        return None
    parts = re.findall(r"(\d+(?:\.\d+)?)\s*(h|min|m|s|)", budget.strip().lower())
    if not parts or "".join(number + unit for number, unit in parts) != re.sub(r"\s", "", budget.lower()):
        raise problem(
            "--budget", repr(budget), "a time like 8h, 1h30m, 45m or 90s", "a slip", "write a number and h, m or s"
        )
    return sum(float(number) * UNITS[unit] for number, unit in parts)
