"""What training would cost, run by run: the order of figures in a limited time, and ``surrogate figures --dry-run``.

An estimate, from counts. A local step takes the gradient of B examples, three times the operations of a forward pass,
which torch counts on a model without numbers; evaluations take one forward pass an example. Time is operations over a
throughput, plus a latency for each local step, on which small models wait. Second-order methods cost more. Runs that a
figure picks when the first have ended are counted as if these had ended alike: other rates cost the same.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from figures.figure import Figure, no_more
from figures.queue import Plan, in_turns
from figures.training import Run, Trained, missing
from neural.runs.config import made
from neural.tasks.family import families, parameters, unloaded

__all__ = ["Cost", "cost", "report", "seconds_left"]

FEW = 50  # runs that are listed unasked

# Operations a second, seconds a local step: of a GPU (which ours has not got), and of two cores like ours, as they came
# out over the tasks of a whole flagship (2026-11-18). A task is off by up to a factor of two.
GPU, CORES = (10e12, 3e-3), (80e9, 6e-4)
MACHINE = {GPU: "a GPU at 10 Tflop/s, 3 ms a local step", CORES: "two cores at 80 Gflop/s, 0.6 ms a local step"}

# Of the published data sets: clients, training examples, test examples. OLR Table 1; the others are well known.
PUBLISHED = {
    "emnist": (3400, 671_585, 77_483),
    "cifar100": (500, 50_000, 10_000),
    "shakespeare": (715, 16_068, 2_356),
    "words": (342_477, 342_477 * 128, 16_491_230),
    "tags": (342_477, 135_818_730, 16_491_230),
    "mnist": (100, 60_000, 10_000),
    "fashion-mnist": (100, 60_000, 10_000),
    "cifar10": (100, 50_000, 10_000),
    "tinyimagenet": (100, 100_000, 10_000),
}
# The same of the default data at laptop scale; texts up to the figures' usual limits.
DEFAULT = {
    "emnist": (100, 4_960, 1_240),
    "cifar100": (100, 8_000, 2_000),
    "tinyimagenet": (100, 16_000, 4_000),
    "shakespeare": (808, 6_000, 6_000),
    "words": (847, 5_000, 5_000),
    "tags": (1_558, 23_411, 5_926),
    "mnist": (100, 60_000, 10_000),
    "fashion-mnist": (100, 60_000, 10_000),
    "cifar10": (100, 50_000, 10_000),
}
OTHER = (20, 800, 200)  # what is drawn from a seed


@dataclass(frozen=True)
class Cost:
    """Of one run: local steps in all, floating-point operations, and seconds at the stated speed."""

    steps: float
    flops: float
    seconds: float


def cost(run: Run) -> Cost:
    """The estimate for one run."""
    config = run.config
    settings = config.engine_settings()
    clients, examples, tests = _sizes(run)
    cohort, held = min(settings.clients_per_round or clients, clients), examples / clients
    batch = _batch(run) or held
    if config.epochs:
        steps = config.epochs * max(1.0, held / batch)
    else:
        theta = made("theta", config.settings["theta"]).steps if "theta" in config.settings else None
        given = theta or config.settings.get("steps", 1)
        steps = float(sum(given) / len(given)) if isinstance(given, list) else float(given)
    local = config.rounds * cohort * steps
    judged = tests if settings.eval_tests is None else min(tests, settings.eval_tests)
    seen = (settings.eval_clients or clients) * held + judged
    times = config.rounds // settings.eval_every + 1 if settings.eval_every else 0
    looked = times * seen + config.rounds * cohort * held * settings.loss_before
    each = forward_flops(config.task, config.scale, json.dumps(dict(config.options), sort_keys=True))
    flops = (3 * local * min(batch, held) + looked) * each
    speed, latency = _machine(config.scale)
    return Cost(local, flops, flops / speed + local * latency)


def _machine(scale: str) -> tuple[float, float]:
    return GPU if scale == "paper" else CORES


@functools.cache
def forward_flops(task: str, scale: str, options: str) -> float:
    """Operations of a forward pass of one example; multiplications and additions count apart. ``options``: JSON."""
    import torch

    from neural.tasks.count import flops

    family, given = families().get(task), json.loads(options)
    if family is None:
        return 2.0 * float(given.get("d", 5)) ** 2  # a quadratic's A x
    with torch.device("meta"):
        dims, parts = unloaded(task, scale, given)
        model = parts.model()
    return flops(model, dims.shape, torch.int64 if family.kind == "texts" else torch.float32, bool(parts.random))


def _sizes(run: Run) -> tuple[float, float, float]:
    """Clients, training and test examples, from what data sets hold and the options that leave some out."""
    options, family = run.config.options, families().get(run.config.task)
    if family is None:
        return options.get("n", 10), options.get("n", 10), 0
    source = family.sources[run.config.scale]
    known = PUBLISHED if run.config.scale == "paper" else DEFAULT
    clients, examples, tests = known.get(run.data or "", OTHER)
    part = (options.get("classes") or source.dims.outputs) / source.dims.outputs
    limit = options.get("limit") or source.limit or examples
    clients = options.get("clients") or source.clients or clients
    return clients, min(limit, int(part * examples)), min(limit, int(part * tests))


def _batch(run: Run) -> float:
    family = families().get(run.config.task)
    given = run.config.run.get("batch", run.config.options.get("batch"))
    return float(given if given is not None else family.batch if family else 1)


def seconds_left(plan: Plan, runs: Path) -> dict[str, float]:
    """Of each of the figure's runs that has not ended in ``runs``; of a figure that is broken none."""
    try:
        return {run.identity: cost(run).seconds for run in missing([*plan.runs, *_picked(plan)], runs)}
    except Exception:  # it is reported where the figure is made
        return {}


class _Alike(dict[str, float]):
    """A row in which whatever is asked for was measured, and was 1."""

    def __missing__(self, name: str) -> float:
        return 1.0

    def get(self, name: str, default: Any = None) -> Any:
        return self[name]


def _picked(plan: Plan) -> list[Run]:
    """What the figure picks when its first runs have ended, as if these had ended alike."""
    if plan.entry.then is no_more:
        return []
    alike = [Trained(run.keys, [_Alike(round=t) for t in (0, run.config.rounds)], "done", "") for run in plan.runs]
    return [Run.of(keys, plan.scale) for keys in plan.entry.then(plan.scale, alike)]


def report(entries: Sequence[Figure], scale: str, verbose: bool = False) -> str:
    """A line a figure, in the order in which a limited time is spent, and a total in which shared runs count once.

    Every run of each figure with ``verbose``, or when they are few.
    """
    plans = {entry.id: Plan.of(entry, scale) for entry in entries if entry.trained}
    for error in (plan.error for plan in plans.values() if plan.error is not None):
        raise error
    asked = {id: {run.identity: run for run in [*plan.runs, *_picked(plan)]} for id, plan in plans.items()}
    every = {name: run for runs in asked.values() for name, run in runs.items()}
    costs = {name: cost(run) for name, run in every.items()}
    seconds = {id: {name: costs[name].seconds for name in runs} for id, runs in asked.items()}
    listed, known, flagship, lines = verbose or len(every) <= FEW, set[str](), set[str](), list[str]()
    for entry in in_turns([plan.entry for plan in plans.values()], seconds):
        runs = asked[entry.id]
        new = runs.keys() - known
        counted = f"{len(runs)} runs, {len(new)} of them new: {_sum(costs[name] for name in new)}"
        if listed:
            lines += [f"{entry.id}: {entry.title}", *_each(plans[entry.id], runs, known, costs), f"  {counted}"]
        else:
            lines.append(f"{entry.id}: {counted}{'' if entry.flagship else ' (not on the flagship list)'}")
        known |= new
        flagship |= new if entry.flagship else set()
    lines.append(f"{len(entries) - len(plans)} figures need no training")
    if flagship and len(flagship) < len(every):
        lines.append(f"flagship: {len(flagship)} different runs: {_sum(costs[name] for name in flagship)}")
    machine = MACHINE[_machine(scale)]
    lines.append(f"all: {len(every)} different runs: {_sum(costs.values())} (a rough estimate, for {machine})")
    return "\n".join(lines if listed else [*lines, "each run: --verbose"])


def _each(plan: Plan, runs: dict[str, Run], known: set[str], costs: dict[str, Cost]) -> list[str]:
    """A line a run; one above those that are picked later."""
    first = len({run.identity for run in plan.runs})
    lines = [
        f"  {_described(run)}: {_sum([costs[name]])}{' (shared with a figure above)' if name in known else ''}"
        for name, run in runs.items()
    ]
    return [*lines[:first], *["  picked when these have ended, at rates like:"][: len(lines) - first], *lines[first:]]


def _described(run: Run) -> str:
    config = run.config
    own = {k: v for k, v in run.keys.items() if k not in ("task", "method", "scale", "rounds")}
    words = ", ".join(f"{key} {value}" for key, value in own.items())
    known = config.task in families()
    model = f" ({parameters(config.task, config.scale, **config.options):,} parameters)" if known else ""
    return f"{config.task}{model} by {config.method}, {config.rounds} rounds, {words}"


def _sum(costs: Iterable[Cost]) -> str:
    every = list(costs)
    seconds = sum(one.seconds for one in every)
    units = (("days", 86400.0), ("h", 3600.0), ("min", 60.0))
    time = next((f"{seconds / size:.1f} {unit}" for unit, size in units if seconds >= 2 * size), f"{seconds:.1f} s")
    return f"{sum(one.flops for one in every):.1e} flop, {time}"
