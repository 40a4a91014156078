"""What training would cost, run by run; `figures.bill` adds it up for ``surrogate figures --dry-run``.

An estimate, from counts. A local step takes the gradient of B examples, three times the operations of a forward pass,
which torch counts on a model without numbers; evaluations take one forward pass an example. Time is operations over a
throughput, plus a latency for each local step, on which small models wait; below paper scale both are those of the
task, as measured: one speed for all made convolutions with few channels too cheap, and what is dense too dear.
Second-order methods cost more.
"""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from typing import Any

from figures.training import Run
from neural.runs.config import made
from neural.tasks import task as tasks
from neural.tasks.family import FAMILIES, unloaded
from surrogate.kit.errors import ProblemError

__all__ = ["CORES", "MACHINE", "MEASURED", "SPEED", "Cost", "cost", "forward_flops"]

# A GPU at 10 Tflop/s, which ours has not got: operations a second, seconds a local step.
SPEED = (10e12, 3e-3)
# One core of ours: Gflop/s, ms a local step, and ms more where a client does other than step along its gradient. Least
# squares on the seconds that 1,086 runs of a whole flagship wrote (2026-11-18), 4,590 in all, as it says; a run is off
# by a tenth (small digits: a quarter; tags: a half).
MEASURED = {
    "autoencoder": (47, 0.0, 0.3),
    "cifar10-resnet18": (45, 1.1, 0.7),
    "cifar100-resnet18": (55, 1.6, 0.5),
    "emnist-cnn": (68, 0.9, 0.5),
    "fmnist-cnn": (28, 0.0, 0.6),
    "mnist-cnn": (28, 0.0, 0.6),
    "mnist-logreg": (22, 0.0, 0.1),
    "mnist-mlp": (43, 0.0, 0.3),
    "shakespeare-lstm": (50, 0.3, 0.3),
    "tags-logreg": (1000, 1.0, 3.0),  # next to no operations: it passes over a large model
    "tinyimagenet-resnet18": (18, 0.0, 0.5),
    "words-lstm": (27, 0.0, 0.4),
}
OTHER = (30, 1.0, 1.0)  # tasks that were not measured
CORES = 2 * 0.9  # two, for nine tenths of the time: at a figure's start data is loaded, at its end one core waits
PLAIN = ("fedavg", "fedopt-", "adp-fed", "local-update")  # how the names of methods with plain clients begin
GRADIENTS = {"stem": 2}  # of a local step, where it is not one
MACHINE = {
    "paper": "a GPU at 10 Tflop/s, 3 ms a local step",
    "laptop": "two cores like ours, at each task's measured speed",
}

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
# The same of the default data at laptop scale, where nothing is fetched yet; texts up to the figures' usual limits.
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
    heard, held = min(settings.clients_per_round or clients, clients), examples / clients
    batch = _batch(run) or held
    if config.epochs:
        steps = config.epochs * max(1.0, held / batch)
    else:
        given = made("theta", config.settings["theta"]).steps if "theta" in config.settings else None
        steps = _mean(given or config.settings.get("steps", 1))
    local = config.rounds * heard * steps
    judged = tests if settings.eval_tests is None else min(tests, settings.eval_tests)
    seen = (settings.eval_clients or clients) * held + judged
    times = config.rounds // settings.eval_every + 1 if settings.eval_every else 0
    looked = times * seen + config.rounds * heard * held * settings.loss_before
    each = forward_flops(config.task, config.scale, json.dumps(dict(config.options), sort_keys=True))
    gradients = local * GRADIENTS.get(config.method, 1)
    flops = (3 * gradients * min(batch, held) + looked) * each
    return Cost(local, flops, _seconds(run, flops, gradients))


def _seconds(run: Run, flops: float, gradients: float) -> float:
    config = run.config
    if config.scale == "paper":
        speed, latency = SPEED
        return flops / speed + gradients * latency
    speed, plain, more = MEASURED.get(config.task, OTHER)
    latency = plain if config.method.startswith(PLAIN) else plain + more
    return (flops / (1e9 * speed) + 1e-3 * latency * gradients) / CORES


@functools.cache
def forward_flops(task: str, scale: str, options: str) -> float:
    """Operations of a forward pass of one example; multiplications and additions count apart. ``options``: JSON."""
    import torch

    from neural.tasks.count import flops

    family, given = FAMILIES.get(task), json.loads(options)
    if family is None:
        return 2.0 * float(given.get("d", 5)) ** 2  # a quadratic's A x
    with torch.device("meta"):
        dims, parts = unloaded(task, scale, given)
        model = parts.model()
    return flops(model, dims.shape, torch.int64 if family.kind == "texts" else torch.float32, bool(parts.random))


def _sizes(run: Run) -> tuple[int, int, int]:
    """Clients, training and test examples: of the published data set, or of the task as it is on this machine."""
    config = run.config
    if config.scale == "paper" and run.data in PUBLISHED:
        clients, examples, tests = PUBLISHED[run.data]
        source = FAMILIES[config.task].sources["paper"]
        return config.options.get("clients") or source.clients or clients, examples, tests
    try:
        options = json.dumps(dict(config.options), sort_keys=True)
        return _counted(config.task, config.scale, config.task_seed, options)
    except ProblemError:  # not fetched yet
        return _expected(run)


def _expected(run: Run) -> tuple[int, int, int]:
    """The same of data that are not here, from what they are known to hold and the options that leave some out."""
    options, source = run.config.options, FAMILIES[run.config.task].sources[run.config.scale]
    clients, examples, tests = DEFAULT.get(run.data or "", (100, 10_000, 1_000))
    part = (options.get("classes") or source.dims.outputs) / source.dims.outputs
    limit = options.get("limit") or source.limit or examples
    return options.get("clients") or source.clients or clients, *(min(limit, int(part * n)) for n in (examples, tests))


@functools.cache
def _counted(task: str, scale: str, seed: int, options: str) -> tuple[int, int, int]:
    data = tasks.build(task, scale, seed, **json.loads(options)).data
    return data.n, int(data.sizes.sum()), len(data.test_x)


def _batch(run: Run) -> float:
    family = FAMILIES.get(run.config.task)
    given = run.config.run.get("batch", run.config.options.get("batch"))
    return float(given if given is not None else family.batch if family else 1)


def _mean(value: Any) -> float:
    return float(sum(value) / len(value)) if isinstance(value, list) else float(value)
