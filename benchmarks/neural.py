"""The suite ``neural``: a round of FedAvg by our engines, as ratios to a plain torch loop that takes turns with them.

Common work: 28 x 28 pixels, 62 classes, 10 clients a round, 10 steps of 20 examples each, one epoch; 2 threads.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from benchmarks import neural_reference as reference
from benchmarks.harness import Result, isolated, race, seconds
from neural.data.federated import FederatedData
from neural.engine import Settings, build
from neural.engine.draws import Draws
from neural.engine.loop import train
from neural.engine.recipe import Recipe
from neural.engine.workers import Workers
from neural.ops import TORCH
from neural.tasks import synthetic
from neural.tasks.family import FAMILIES
from neural.tasks.losses import cross_entropy
from neural.tasks.models import CNN, Logistic
from neural.tasks.models.dense import softmax_gradients
from neural.tasks.task import Task
from neural.tasks.texts import SPECIAL
from surrogate import methods

__all__ = ["BENCHMARKS", "Work", "common", "laptop", "measured"]

CLIENTS, STEPS, RATE, THREADS = 10, 10, 0.05, 2
AGREE = 1e-4  # largest difference of parameters after a round, in float32


@dataclass(frozen=True)
class Work:
    """A task, the module that the plain loop trains, and its own loss."""

    task: Task
    plain: Callable[[], nn.Module]
    loss: Callable[[Any, Tensor], Tensor]


def pixels(clients: int = 2 * CLIENTS, each: int = 200, dtype: torch.dtype = torch.float32) -> FederatedData:
    """Images of noise with labels: what they show costs no time."""
    random = torch.Generator().manual_seed(0)
    count = clients * each
    x = torch.rand(count, 1, 28, 28, generator=random, dtype=dtype)
    y = torch.randint(62, (count,), generator=random)
    order, offsets = torch.randperm(count, generator=random), torch.arange(clients + 1) * each
    return FederatedData("noise", "drawn by the benchmark", x, y, order, offsets, x[:0], y[:0], 62)


def common(name: str, dtype: torch.dtype = torch.float32) -> Work:
    """The common work with a model: logistic, mlp-32, mlp-200 or cnn."""
    kind, _, hidden = name.partition("-")
    plain = {"logistic": reference.Logistic, "cnn": reference.CNN, "mlp": partial(reference.MLP, int(hidden or 1))}[
        kind
    ]
    ours = {"logistic": partial(Logistic, 784, 62), "cnn": partial(CNN, 28, 62)}.get(kind, plain)
    by_hand = softmax_gradients(62) if kind == "logistic" else None
    task = Task(name, pixels(dtype=dtype), ours, cross_entropy, batch=20, dtype=dtype, by_hand=by_hand)
    return Work(task, plain, nn.functional.cross_entropy)


def laptop(name: str) -> Work:
    """A task at its laptop size on stand-in data of that shape; the plain loop trains the same module."""
    family = FAMILIES[name]
    dims, clients = family.sources["laptop"].dims, 2 * CLIENTS
    if family.kind == "texts":
        parts, data = family.make(dims, "laptop"), synthetic.texts(0, dims.shape[0], dims.outputs - SPECIAL, clients)
    else:
        parts = family.make(dims, "laptop", augment="none")
        limit = clients * STEPS * family.batch
        data = synthetic.images(0, dims.shape, dims.outputs, clients, limit=limit)
    task = Task(name, data, parts.model, parts.loss, batch=family.batch)
    return Work(task, task.model, lambda outputs, y: task.loss(outputs, y).mean())


@contextmanager
def rivals(
    work: Work, engine: str, threads: int = THREADS, clients: int = CLIENTS, steps: int = STEPS
) -> Iterator[dict[str, Callable[[], Tensor]]]:
    """One round by the plain loop and by an engine, each returning the server's new parameters."""
    task, before = work.task, torch.get_num_threads()
    settings = Settings(clients_per_round=clients, workers=threads, threads=1)
    torch.set_num_threads(threads)
    draws = Draws(task, settings)
    made = build(engine, task, settings, "cpu", draws)
    method = methods.build("fedavg", ops=TORCH, gamma=RATE, steps=steps)
    x, drawn = made.objective.start(), draws.heard(0)
    module, parts = work.plain().to(task.dtype), made.objective.flat.parameters(x).values()
    start = [_turned(part, like).clone() for part, like in zip(parts, module.parameters(), strict=True)]
    batches = [_indices(made.objective.indices(v.client), draws.batches(0, v), steps) for v in drawn]

    def plain() -> Tensor:
        mean = reference.fedavg(module, start, work.loss, (task.data.x, task.data.y), batches, RATE)
        return torch.cat([_turned(part, like).reshape(-1) for part, like in zip(mean, parts, strict=True)])

    def ours() -> Tensor:
        answer = made.round(method, method.start(x), {}, drawn, 0)
        found: Tensor = method.update(answer.shared, answer.message, len(drawn), task.data.n)["x"]
        return found

    try:
        yield {"plain": plain, "ours": ours}
    finally:
        made.close()
        torch.set_num_threads(before)


def _turned(part: Tensor, like: Tensor) -> Tensor:
    """A parameter shaped as ``like``: softmax regression keeps the transpose of nn.Linear's."""
    return part if part.shape == like.shape else part.t()


def _indices(own: Any, batches: Any, steps: int) -> list[Tensor]:
    return [torch.from_numpy(own[batches[k]]) for k in range(steps)]


def measured(name: str, work: Work, engine: str, repeats: int, target: float | None, quick: bool) -> list[Result]:
    """The ratio, and how far the two results are apart. ``quick``: a tiny round, in this process."""
    if quick:
        engine, repeats = "inplace" if engine == "workers" else engine, 1
    size = {"clients": 2, "steps": 2, "threads": 1} if quick else {}
    with rivals(work, engine, **size) as both:
        error = float((both["plain"]() - both["ours"]()).abs().max())
        turns = [{who: seconds(round_) for who, round_ in both.items()} for _ in range(repeats)]
    best = {who: min(turn[who] for turn in turns) for who in both}
    median = statistics.median(turn["plain"] / turn["ours"] for turn in turns)
    details: dict[str, Any] = {"milliseconds": {who: 1e3 * t for who, t in best.items()}, "median of the turns": median}
    if not quick:
        details["for scale"] = _scale(name, work, best["plain"])
    wants = None if target is None else "at least"
    what = f"plain torch loop / engine {engine!r}, best of {repeats}"
    return [
        Result(f"neural {name}", what, best["plain"] / best["ours"], "x", wants, target, details),
        Result(f"neural {name} error", "largest difference of parameters after a round", error, "", "at most", AGREE),
    ]


def _scale(name: str, work: Work, plain: float) -> dict[str, float]:
    """The limit of the linear engine, its two products alone; else what sharing out the same kernels would give."""
    if name == "logistic":
        X, W, S = torch.rand(CLIENTS, 20, 784), torch.rand(CLIENTS, 784, 62), torch.rand(CLIENTS, 20, 62)
        torch.set_num_threads(THREADS)
        products = {
            "scores": lambda: torch.bmm(X, W),
            "step": lambda: W.baddbmm_(X.transpose(1, 2), S, alpha=-1e-9),
        }
        return {"the two products of each step alone": plain / (STEPS * sum(race(products, 50).values()))}
    with rivals(work, "sequential", threads=1) as both:
        alone = min(seconds(both["plain"]) for _ in range(2))
    return {f"the plain loop shared out to {THREADS} processes without loss": plain / (alone / THREADS)}


def logistic(quick: bool) -> list[Result]:
    """Logistic regression, all clients at once: two batched products a step."""
    return measured("logistic", common("logistic"), "batched", 60, 6.0, quick)


def small(quick: bool) -> list[Result]:
    """Small perceptrons as any nn.Module, all clients at once; 32 hidden units and, without a target, 200."""
    results = measured("mlp-32", common("mlp-32"), "batched", 40, 3.2, quick)
    return results + measured("mlp-200", common("mlp-200"), "batched", 20, None, quick)


def cnn(quick: bool) -> list[Result]:
    """McMahan's CNN at full size in two worker processes."""
    return measured("cnn", common("cnn"), "workers", 16, 2.3, quick)


def texts(quick: bool) -> list[Result]:
    """The LSTM tasks at their laptop size in two worker processes."""
    names = ("shakespeare-lstm",) if quick else ("shakespeare-lstm", "words-lstm")
    return [result for name in names for result in measured(name, laptop(name), "workers", 24, 1.5, quick)]


def residual(quick: bool) -> list[Result]:
    """The ResNet at its laptop size in two worker processes."""
    return measured("resnet", laptop("cifar100-resnet18"), "workers", 16, 1.5, quick)


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
            (after - before) / data, "x", "at most", 0.2, {"data, MB": data / 1e6},
        ),
    ]  # fmt: skip


def cnn_round(clients: int, steps: int, engine: str = "workers") -> None:
    """Measured from outside."""
    with rivals(common("cnn"), engine, clients=clients, steps=steps) as both:
        both["ours"]()


def cnn_alone(clients: int, steps: int) -> None:
    """The same without processes."""
    cnn_round(clients, steps, "inplace")


def _workers_peak() -> float:
    """The peaks of both workers together, in bytes; what they share with one another counts twice."""
    task = common("cnn").task
    settings = Settings(clients_per_round=CLIENTS, workers=THREADS, threads=1)
    draws = Draws(task, settings)
    made = Workers(task, settings, torch.device("cpu"), draws)
    try:
        method = methods.build("fedavg", ops=TORCH, gamma=RATE, steps=STEPS)
        made.round(method, method.start(made.objective.start()), {}, draws.heard(0), 0)
        found = [Path(f"/proc/{process.pid}/status") for process in made.processes]
        lines = [line for path in found if path.exists() for line in path.read_text().splitlines()]
        return 1024.0 * sum(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    finally:
        made.close()


def many_clients(clients: int, rounds: int) -> None:
    """Logistic regression over many clients with 40 images each, as bytes.

    A few clients train first: what is loaded to train at all, such as compiled kernels, is no copy of anybody's data.
    """
    _trained(2 * CLIENTS, 1)
    _trained(clients, rounds)


def _trained(clients: int, rounds: int) -> None:
    random, count = torch.Generator().manual_seed(0), 40 * clients
    x = torch.randint(256, (count, 1, 28, 28), generator=random, dtype=torch.uint8)
    y, order, offsets = (
        torch.arange(count) % 62,
        torch.randperm(count, generator=random),
        torch.arange(clients + 1) * 40,
    )
    data = FederatedData("noise", "drawn by the benchmark", x, y, order, offsets, x[:0], y[:0], 62)
    task = Task("many", data, partial(Logistic, 784, 62), cross_entropy, batch=20, by_hand=softmax_gradients(62))
    recipe = Recipe("fedavg", {"gamma": RATE, "steps": 2})
    settings = Settings(clients_per_round=CLIENTS, eval_every=0)
    for _ in train(task, recipe, settings, rounds, engine="batched", device="cpu"):
        pass


BENCHMARKS: dict[str, Callable[[bool], list[Result]]] = {
    "logistic": logistic,
    "small": small,
    "cnn": cnn,
    "texts": texts,
    "residual": residual,
    "memory": memory,
}
