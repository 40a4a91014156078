"""What each figure would train and what that would cost: the answer of ``surrogate figures --dry-run``.

A line a figure, in the order in which figures are made in a limited time; every run of it when asked for, or when they
are few. Runs that a figure picks when the first have ended are counted as if these had ended alike: other rates cost
the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from figures.costs import MACHINE, Cost, cost
from figures.figure import Figure, no_more
from figures.queue import Plan, in_turns
from figures.training import Run, Trained, identities, missing
from neural.tasks.family import FAMILIES, parameters

__all__ = ["asked", "report", "waiting"]

FEW = 50  # runs that are listed unasked
Runs = Mapping[str, Run]


@dataclass(frozen=True)
class Bill:
    """Of one figure: its runs by identity, how many of them are asked for at once, which are new in this list.

    ``costs``: of all runs in the list.
    """

    entry: Figure
    runs: Runs
    first: int
    new: Runs
    costs: Mapping[str, Cost]


def report(entries: Sequence[Figure], scale: str, verbose: bool = False) -> str:
    """A line a figure, a total in which shared runs count once, and with ``verbose`` every run."""
    bills = _bills([entry for entry in entries if entry.trained], scale)
    every = {name: run for bill in bills for name, run in bill.new.items()}
    costs = {name: bill.costs[name] for bill in bills for name in bill.new}
    listed = verbose or len(every) <= FEW
    lines = [line for bill in bills for line in (_listed(bill, costs) if listed else [_line(bill, costs)])]
    exact = sum(not entry.trained for entry in entries)
    lines.append(f"{exact} figures need no training")
    flagship = {name for bill in bills if bill.entry.flagship for name in bill.new}
    if flagship and len(flagship) < len(every):
        lines.append(f"flagship: {len(flagship)} different runs: {_sum(costs[name] for name in flagship)}")
    machine = MACHINE["paper" if scale == "paper" else "laptop"]
    lines.append(f"all: {len(every)} different runs: {_sum(costs.values())} (a rough estimate, for {machine})")
    if not listed:
        lines.append("each run: --verbose")
    return "\n".join(lines)


def waiting(plan: Plan, runs: Path) -> dict[str, float]:
    """The seconds of each of the figure's runs that has not ended in ``runs``; of a figure that is broken none."""
    try:
        open_ = missing([*plan.runs, *_picked(plan.entry, plan.scale, plan.runs)], runs)
        return {name: cost(run).seconds for name, run in zip(identities(open_), open_, strict=True)}
    except Exception:  # it is reported where the figure is made
        return {}


def _bills(entries: Sequence[Figure], scale: str) -> list[Bill]:
    """In the order in which figures are made in a limited time."""
    found: dict[str, tuple[Runs, int]] = {}
    for entry in entries:
        first, later = asked(entry, scale)
        runs = dict(zip(identities([*first, *later]), [*first, *later], strict=True))
        found[entry.id] = runs, len(set(identities(first)))
    every = {name: run for runs, _ in found.values() for name, run in runs.items()}
    costs = {name: cost(run) for name, run in every.items()}
    seconds = {name: {run: costs[run].seconds for run in runs} for name, (runs, _) in found.items()}
    known: Runs = {}
    bills = []
    for entry in in_turns(entries, seconds):
        runs, first_runs = found[entry.id]
        new = {name: run for name, run in runs.items() if name not in known}
        bills.append(Bill(entry, runs, first_runs, new, costs))
        known = {**known, **new}
    return bills


def asked(entry: Figure, scale: str) -> tuple[list[Run], list[Run]]:
    """The runs that a figure asks for at once, and those that it picks after."""
    first = [Run.of(keys, scale) for keys in entry.runs(scale)]
    return first, _picked(entry, scale, first)


def _picked(entry: Figure, scale: str, first: Sequence[Run]) -> list[Run]:
    """What the figure picks when the first runs have ended, as if these had ended alike."""
    if entry.then is no_more:
        return []
    alike = [Trained(run.keys, [_Alike(round=t) for t in (0, run.config.rounds)], "done", "") for run in first]
    return [Run.of(keys, scale) for keys in entry.then(scale, alike)]


class _Alike(dict[str, float]):
    """A row in which whatever is asked for was measured, and was 1."""

    def __missing__(self, name: str) -> float:
        return 1.0

    def get(self, name: str, default: Any = None) -> Any:
        return self[name]


def _line(bill: Bill, costs: Mapping[str, Cost]) -> str:
    flagship = "" if bill.entry.flagship else " (not on the flagship list)"
    return f"{bill.entry.id}: {_counted(bill, costs)}{flagship}"


def _listed(bill: Bill, costs: Mapping[str, Cost]) -> list[str]:
    lines = [f"{bill.entry.id}: {bill.entry.title}"]
    for place, (name, run) in enumerate(bill.runs.items()):
        if place == bill.first:
            lines.append("  picked when these have ended, at rates like:")
        shared = "" if name in bill.new else " (shared with a figure above)"
        lines.append(f"  {_told(run)}: {_amount(costs[name])}{shared}")
    return [*lines, f"  {_counted(bill, costs)}"]


def _counted(bill: Bill, costs: Mapping[str, Cost]) -> str:
    return f"{len(bill.runs)} runs, {len(bill.new)} of them new: {_sum(costs[name] for name in bill.new)}"


def _told(run: Run) -> str:
    config = run.config
    own = {k: v for k, v in run.keys.items() if k not in ("task", "method", "scale", "rounds")}
    told = ", ".join(f"{key} {value}" for key, value in own.items())
    known = config.task in FAMILIES
    model = f" ({parameters(config.task, config.scale, **config.options):,} parameters)" if known else ""
    return f"{config.task}{model} by {config.method}, {config.rounds} rounds, {told}"


def _sum(costs: Any) -> str:
    every = list(costs)
    return _amount(Cost(*(sum(getattr(one, name) for one in every) for name in ("steps", "flops", "seconds"))))


def _amount(found: Cost) -> str:
    return f"{found.flops:.1e} flop, {_time(found.seconds)}"


def _time(seconds: float) -> str:
    for unit, size in (("days", 86400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.1f} s"
