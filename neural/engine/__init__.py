"""Engines: how the local work of the drawn clients is done. `build` makes one, `choose` says which one suits.

>>> from neural import tasks
>>> from neural.engine import Settings
>>> from neural.engine.loop import train
>>> from neural.engine.scheduled_method import ScheduledMethod
>>> task = tasks.build("quadratic", n=4, d=2)
>>> method = ScheduledMethod("fedavg", {"gamma": 0.5, "steps": 3})
>>> reports = list(train(task, method, Settings(), rounds=2, engine="sequential"))
>>> reports[2].read()["loss"] < reports[0].read()["loss"]
True
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from typing import TYPE_CHECKING

import torch
from torch import nn

from neural.capabilities import one_by_one
from neural.engine.draws import Draws
from neural.engine.loop import Sequential
from neural.engine.settings import Settings
from neural.tasks.count import flops
from neural.tasks.task import Task
from surrogate import methods
from surrogate.kit.errors import problem
from surrogate.kit.executor import cores
from surrogate.kit.lazy import lazy
from surrogate.methods import Method

if TYPE_CHECKING:
    from neural.engine.batched import Batched
    from neural.engine.fast_sequential import FastSequential
    from neural.engine.workers import Workers

__all__ = [
    "NAMES",
    "Batched",
    "Draws",
    "FastSequential",
    "Sequential",
    "Settings",
    "Workers",
    "build",
    "choose",
    "device_of",
]

NAMES = ("auto", "sequential", "inplace", "batched", "workers")
__getattr__ = lazy(__name__, {"batched": "Batched", "fast_sequential": "FastSequential", "workers": "Workers"})

LARGE = 1 << 20  # parameters from which dense models gain no more from being batched than from their own layout
SMALL = 1 << 25  # operations of a minibatch's forward pass up to which convolutions gain


def device_of(name: str | torch.device) -> torch.device:
    """ "auto": CUDA where there is one, else the CPU."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.device(name)


def choose(task: Task, settings: Settings, device: torch.device) -> str:
    """The engine that is fastest for a model on a device.

    On a CPU, dense models are batched, up to a million parameters. Larger ones, convolutions, recurrent layers and
    layers that say so (`capabilities.one_by_one`) go to worker processes where there are several cores. Where there is
    one core, and in each of these processes, small convolutions are batched, too.
    On a GPU all is batched but torch's own recurrent layers, for which it cannot be done.
    """
    from neural.engine.workers import room_for

    with torch.device("meta"):
        model = task.model().to(task.dtype)
    if device.type != "cpu":
        return "inplace" if _recurs(model) else "batched"
    size, visits = sum(part.numel() for part in model.parameters()), settings.clients_per_round or task.data.n
    if not (_convolves(model) or _alone_is_faster(model)) and size <= LARGE:
        return "batched"
    if visits > 1 and (settings.workers or cores()) > 1 and not _inside() and room_for(task):
        return "workers"
    return _alone(task, settings, model)


def _alone(task: Task, settings: Settings, model: nn.Module) -> str:
    """The faster engine on one core for a model with convolutions or recurrent layers, or a large one."""
    return "batched" if _convolves(model) and _small(task, settings, model) else "inplace"


def _hands(task: Task, settings: Settings) -> type[FastSequential]:
    """What works in each worker process."""
    from neural.engine.batched import Batched
    from neural.engine.fast_sequential import FastSequential

    try:
        with torch.device("meta"):
            model = task.model().to(task.dtype)
        return Batched if _alone(task, settings, model) == "batched" else FastSequential
    except (RuntimeError, NotImplementedError):  # a user's model that cannot be made without numbers
        return FastSequential


def _small(task: Task, settings: Settings, model: nn.Module) -> bool:
    """Whether its operations take less time than their calls."""
    batch, x = task.batch if settings.batch is None else settings.batch, task.data.x
    if _alone_is_faster(model) or not batch:
        return False
    try:
        return batch * flops(model, tuple(x.shape[1:]), x.dtype, task.random) <= SMALL
    except (RuntimeError, NotImplementedError):  # a user's model whose operations need numbers
        return False


def _convolves(model: nn.Module) -> bool:
    return any(isinstance(part, nn.modules.conv._ConvNd) for part in model.modules())


def _recurs(model: nn.Module) -> bool:
    """Whether it has torch's own recurrent layers, for which torch.vmap has no rule."""
    return any(isinstance(part, nn.RNNBase) for part in model.modules())


def _alone_is_faster(model: nn.Module) -> bool:
    return _recurs(model) or one_by_one(model)


def _inside() -> bool:
    """Whether this is one of several processes already, as in a sweep: more of them would fight for the cores."""
    return multiprocessing.parent_process() is not None


def build(
    name: str,
    task: Task,
    settings: Settings,
    device: str | torch.device = "auto",
    draws: Draws | None = None,
    maker: Callable[..., Method] = methods.build,
) -> Sequential:
    """The engine called ``name`` for this task and device; ``maker`` builds methods in worker processes."""
    if name not in NAMES:
        raise problem("engine", repr(name), f"one of {', '.join(NAMES)}", "a slip", 'pass engine="auto"')
    where = device_of(device)
    draws = Draws(task, settings) if draws is None else draws
    name = choose(task, settings, where) if name == "auto" else name
    if name == "sequential":
        return Sequential(task, settings, where, draws)
    from neural.engine import batched, fast_sequential, workers

    if name == "workers":
        return workers.Workers(task, settings, where, draws, maker, _hands(task, settings))
    kind = batched.Batched if name == "batched" else fast_sequential.FastSequential
    return kind(task, settings, where, draws)
