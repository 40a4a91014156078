"""The suite ``neural``: rounds of FedAvg as users train them, each against a plain torch loop that takes turns with it.

``laptop``: each task as the laptop figures named here train it. ``default``: with the options of ``surrogate train
--task T``. Both on one core, as figures and sweeps run, in seconds of this process's own time, which other processes
hardly change. ``cores``: the defaults as the engine "auto" trains them on all cores, in seconds on the wall. Ten local
steps a round, on made-up data of the real data's shape; the plain loop trains the task's own module by torch's SGD.

On a busy AMD EPYC, geometric means of all ratios: laptop 1.77, default 1.80. With the pooled convolutions, steps taken
in the backward pass, hand-written LLVM IR and oneDNN calls that these rows then replaced: 1.70 and 1.89.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from benchmarks.harness import Result, isolated
from benchmarks.neural_reference import Batch, fedavg
from neural import tasks
from neural.data import splits
from neural.data.federated import FederatedData
from neural.engine import Settings, build, choose
from neural.engine.draws import Draws
from neural.engine.loop import train
from neural.engine.scheduled_method import ScheduledMethod
from neural.engine.workers import Workers
from neural.ops import TORCH
from neural.tasks import synthetic
from neural.tasks.family import families, unloaded
from neural.tasks.language import SPECIAL
from neural.tasks.task import Task
from surrogate import methods
from surrogate.kit.executor import cores

__all__ = ["BENCHMARKS", "LAPTOP", "made_up", "measured", "rivals"]

CLIENTS, STEPS, RATE = 10, 10, 0.05
SECONDS = 3.0  # of turns for each task
TARGETS = {"laptop": 1.6, "default": 1.6}  # geometric means; see above
AGREE = 1e-4  # largest difference of parameters after a round, in float32
WORDS = 64  # the words of a made-up text with tags


class Figure(NamedTuple):
    """How a laptop figure trains a task: clients a round, and the task's options."""

    id: str
    clients: int
    options: Mapping[str, Any]


_SMALL: Mapping[str, Any] = {"width": 8, "classes": 10, "shrink": 2}
LAPTOP = {
    "autoencoder": Figure("DA.T4", 5, {"widths": (64, 16)}),
    "cifar10-lenet": Figure("LADA.F7", 2, {"batch": 20, "dense": 64, "filters": (8, 16)}),
    "cifar10-resnet18": Figure("LADA.T1", 2, {"augment": "none", "batch": 20, "shrink": 2, "width": 8}),
    "cifar100-resnet18": Figure("DA.F1", 5, _SMALL),
    "emnist-cnn": Figure("OLR.F2", 2, {"classes": 10, "width": 0.125}),
    "emnist-cnn fedda": Figure("DA.F3", 5, {"classes": 10, "width": 0.125, "model": "fedda"}),
    "mnist-cnn": Figure("LAMB.F2", 10, {"batch": 16}),
    "mnist-logreg": Figure("LA.F4", 1, {}),
    "mnist-mlp": Figure("LAMB.F2", 10, {"batch": 32, "hidden": 50}),
    "shakespeare-lstm": Figure("OLR.F2", 5, {"units": 32}),
    "tags-logreg": Figure("DA.F7", 6, {"batch": 100}),
    "tinyimagenet-resnet18": Figure("LADA.T3", 2, {"batch": 20, "classes": 20, "width": 8}),
    "words-lstm": Figure("LA.F2", 7, {"embedding": 16, "units": 32}),
}  # fmt: skip


def made_up(name: str, scale: str = "laptop", dtype: torch.dtype = torch.float32, **options: Any) -> Task:
    """A task with these options on made-up data of the shape that its own has."""
    name = name.partition(" ")[0]
    if name == "quadratic":
        return tasks.build(name)
    dims, parts = unloaded(name, scale, options)
    family, clients = families()[name], 2 * CLIENTS
    batch = options.get("batch", family.batch)
    if family.kind == "texts":
        data = synthetic.texts(0, dims.shape[0], dims.outputs - SPECIAL, clients)
    elif family.kind == "tags":
        data = _bags(dims.shape[0], dims.outputs, clients, STEPS * batch)
    else:
        data = synthetic.images(0, dims.shape, dims.outputs, clients, limit=clients * STEPS * batch)  # type: ignore[arg-type]
    if parts.reconstructs:
        data = replace(data, y=data.x, test_y=data.test_x, classes=None)
    given = {"random": parts.random, "augment": parts.augment, "by_hand": parts.by_hand}
    return Task(name, data, parts.model, parts.loss, parts.metrics, batch, dtype, **given)


def _bags(words: int, tags: int, clients: int, each: int) -> FederatedData:
    """The numbers of each text's words, and three tags in a hundred."""
    random, count = torch.Generator().manual_seed(0), clients * each
    x = torch.randint(1, words + 1, (count, WORDS), generator=random, dtype=torch.int16)
    y = (torch.rand(count, tags, generator=random) < 0.03).to(torch.uint8)
    order, offsets = splits.ranges(torch.arange(count).numpy() % clients, clients)
    places = torch.from_numpy(order), torch.from_numpy(offsets)
    return FederatedData("bags", "drawn by the benchmark", x, y, *places, x[:0], y[:0])


@contextmanager
def rivals(
    task: Task, engine: str, threads: int = 1, clients: int = CLIENTS, steps: int = STEPS
) -> Iterator[dict[str, Callable[[], Tensor]]]:
    """One round by the plain loop and by an engine, each returning the server's new parameters."""
    before, settings = torch.get_num_threads(), Settings(clients_per_round=clients, workers=threads, threads=1)
    torch.set_num_threads(threads)
    draws = Draws(task, settings)
    worker = build(engine, task, settings, "cpu", draws)
    method = methods.build("fedavg", ops=TORCH, gamma=RATE, steps=steps)
    objective, drawn = worker.objective, draws.visits(0)
    x, module = objective.start(), task.model().to(task.dtype)

    def batches(client: Any) -> list[Batch]:
        chosen, drawn_from = draws.batches(0, client), objective.indices(client.client)
        index = [torch.from_numpy(drawn_from[chosen[k]]) for k in range(steps)]
        keys = [torch.from_numpy(chosen.keys(k, len(index[k]))) for k in range(steps)]
        return list(zip(index, keys, strict=True))

    def loss(index: Tensor, keys: Tensor) -> Tensor:
        inputs = task.data.x[index] if task.augment is None else task.augment(task.data.x[index], keys)
        outputs = module(inputs, keys) if task.random else module(inputs)
        return task.loss(outputs, task.data.y[index]).mean()

    start = list(objective.flat.parameters(x).values())
    minibatches = [batches(client) for client in drawn]

    def plain() -> Tensor:
        return torch.cat([part.reshape(-1) for part in fedavg(module, start, loss, minibatches, RATE)])

    def ours() -> Tensor:
        answer = worker.round(method, method.start(x), {}, drawn, 0)
        updated: Tensor = method.update(answer.shared, answer.message, len(drawn), task.data.n)["x"]
        return updated

    try:
        yield {"plain": plain, "ours": ours}
    finally:
        worker.close()
        torch.set_num_threads(before)


def measured(name: str, task: Task, engine: str, clients: int, threads: int, quick: bool) -> list[Result]:
    """The ratio of the best times, and how far the two results are apart. ``quick``: a tiny round, once."""
    size = {"clients": min(2, clients), "steps": 2} if quick else {"clients": clients}
    with rivals(task, "inplace" if quick and engine == "workers" else engine, threads, **size) as both:
        error = float((both["plain"]() - both["ours"]()).abs().max())
        turns: list[dict[str, float]] = []
        while len(turns) < (1 if quick else 5) or (not quick and sum(sum(turn.values()) for turn in turns) < SECONDS):
            turns.append({rival: _seconds(round_, threads) for rival, round_ in both.items()})
    best = {rival: min(turn[rival] for turn in turns) for rival in both}
    median = statistics.median(turn["plain"] / turn["ours"] for turn in turns)
    details = {"milliseconds": {rival: 1e3 * t for rival, t in best.items()}, "median of the turns": median}
    what = f"plain torch loop / engine {engine!r}, {clients} clients, best of {len(turns)}"
    return [
        Result(f"neural {name}", what, best["plain"] / best["ours"], "x", details=details),
        Result(f"neural {name} error", "largest difference of parameters after a round", error, "", "at most", AGREE),
    ]


def _seconds(round_: Callable[[], Tensor], threads: int) -> float:
    """Of this process, or on the wall where several threads or processes work."""
    clock = time.process_time if threads == 1 else time.perf_counter
    began = clock()
    round_()
    return clock() - began


def _with_mean(name: str, rows: list[Result], target: float | None) -> list[Result]:
    """The rows, and the geometric mean of their ratios."""
    ratios = [row.value for row in rows if row.unit == "x"]
    mean, wants = math.exp(statistics.fmean(map(math.log, ratios))), None if target is None else "at least"
    return [*rows, Result(f"neural {name}", f"geometric mean of {len(ratios)} ratios", mean, "x", wants, target)]


def _engine(task: Task, workers: int) -> str:
    return choose(task, Settings(clients_per_round=CLIENTS, workers=workers), torch.device("cpu"))


def laptop(quick: bool) -> list[Result]:
    """Each task as laptop figures train it."""
    rows: list[Result] = []
    for name, figure in LAPTOP.items():
        task = made_up(name, **figure.options)
        rows += measured(f"laptop {name} ({figure.id})", task, _engine(task, 1), figure.clients, 1, quick)
    return _with_mean("laptop", rows, TARGETS["laptop"])


def default(quick: bool, workers: int = 1) -> list[Result]:
    """Each task with its default options."""
    rows, group = list[Result](), "default" if workers == 1 else "cores"
    for name in tasks.names():
        task = made_up(name)
        rows += measured(f"{group} {name}", task, _engine(task, workers), CLIENTS, workers, quick)
    return _with_mean(group, rows, TARGETS.get(group))


def all_cores(quick: bool) -> list[Result]:
    """The same on all cores."""
    return default(quick, cores())


def memory(quick: bool) -> list[Result]:
    """Peak memory of a CNN round, worker processes included; growth while 3,400 clients take turns."""
    size, clients = ("2, 2", 200) if quick else (f"{CLIENTS}, {STEPS}", 3400)
    peak = isolated("neural", "cnn_alone", size) if quick else isolated("neural", "cnn_round", size) + _workers_peak()
    isolated("neural", "many_clients", f"{clients}, 0")  # compiles what the others read: its peak would hide copies
    before, after = (isolated("neural", "many_clients", f"{clients}, {count}") for count in (0, 20))
    data = clients * 40 * 28 * 28
    return [
        Result("neural memory", "peak of a CNN round of 10 clients, all processes", peak / 1e9, "GB", "at most", 1.5),
        Result(
            "neural copies", f"growth over 20 rounds of {clients} clients / size of their data",
            (after - before) / data, "of it", "at most", 0.2, {"data, MB": data / 1e6},
        ),
    ]  # fmt: skip


def cnn_round(clients: int, steps: int, engine: str = "workers") -> None:
    """McMahan's CNN at full size; measured from outside."""
    with rivals(made_up("emnist-cnn", "paper"), engine, 2, clients, steps) as both:
        both["ours"]()


def cnn_alone(clients: int, steps: int) -> None:
    """The same without processes."""
    cnn_round(clients, steps, "inplace")


def _workers_peak() -> float:
    """The peaks of both workers together, in bytes; what they share with one another counts twice."""
    task = made_up("emnist-cnn", "paper")
    settings = Settings(clients_per_round=CLIENTS, workers=2, threads=1)
    draws = Draws(task, settings)
    worker = Workers(task, settings, torch.device("cpu"), draws)
    try:
        method = methods.build("fedavg", ops=TORCH, gamma=RATE, steps=STEPS)
        worker.round(method, method.start(worker.objective.start()), {}, draws.visits(0), 0)
        paths = [Path(f"/proc/{process.pid}/status") for process in worker.processes]
        lines = [line for path in paths if path.exists() for line in path.read_text().splitlines()]
        return 1024.0 * sum(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    finally:
        worker.close()


def many_clients(clients: int, rounds: int) -> None:
    """Logistic regression over many clients with 40 images each, as bytes.

    A few clients train first: what is loaded to train at all, such as compiled kernels, is no copy of any data.
    """
    _trained(2 * CLIENTS, 1)
    _trained(clients, rounds)


def _trained(clients: int, rounds: int) -> None:
    random, count = torch.Generator().manual_seed(0), 40 * clients
    x = torch.randint(256, (count, 1, 28, 28), generator=random, dtype=torch.uint8)
    order, offsets = torch.randperm(count, generator=random), torch.arange(clients + 1) * 40
    y = torch.arange(count) % 10
    data = FederatedData("noise", "drawn by the benchmark", x, y, order, offsets, x[:0], y[:0], 10)
    task = replace(made_up("mnist-logreg"), data=data)
    scheduled = ScheduledMethod("fedavg", {"gamma": RATE, "steps": 2})
    settings = Settings(clients_per_round=CLIENTS, eval_every=0)
    for _ in train(task, scheduled, settings, rounds, engine="batched", device="cpu"):
        pass


BENCHMARKS: dict[str, Callable[[bool], list[Result]]] = {
    "laptop": laptop,
    "default": default,
    "cores": all_cores,
    "memory": memory,
}
