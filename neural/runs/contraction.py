r"""h_i of LA's Assumption 1, measured between two points: how far a client's local work brings them together.

    h_i = ||E A_i(x) - E A_i(y)||^2 / ||x - y||^2        A_i(x) = y_K, where client i ends that starts at x

E is the mean over sequences of minibatches, the same for both points. Assumption 1 asks for a bound for all x and y:
what is measured is at most that. With gradient steps on quadratics A_i(x) - A_i(y) = (I - gamma A_i)^K (x - y).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import torch
from torch import Tensor

from neural.engine import Draws, Sequential, device_of
from neural.engine.draws import Visit
from neural.runs import plugins
from neural.runs.config import Config
from neural.runs.scheduled_method import of_config
from surrogate.kit.errors import problem
from surrogate.methods import Client, Method

__all__ = ["contraction"]


def contraction(config: Config, x: Tensor, repeats: int = 10, clients: Sequence[int] | None = None) -> dict[int, float]:
    """h_i between the point that the run begins at and ``x``, for the clients of the first round, or those given.

    The method is that of the first round, its shared state as at the start. ``repeats``: sequences of minibatches,
    those that the client would see in so many rounds.
    """
    task = plugins.task(config.task, config.scale, config.task_seed, config.options)
    settings, device = config.engine_settings(), device_of(config.device)
    draws = Draws(task, settings, 0 if config.full_batch_from == 0 else None)  # a later tail is not the first round's
    engine = Sequential(task, settings, device, draws)
    method = of_config(config, task, settings).on(task.dtype, device, engine.objective.flat.layers).at(0)
    points = (engine.objective.start(), x.to(device, task.dtype))
    apart = float(torch.linalg.vector_norm(points[1] - points[0]))
    if settings.reallot or method.survey is not None or not 0 < apart < float("inf") or repeats < 1:
        raise problem(
            f"h_i of {method.name}", f"asked for at {apart:g} from where the run began, with {repeats} repeats",
            "two points, once or more, and clients that work by themselves on examples of their own",
            "a run without rounds or one that diverged, reallot, or a method whose clients first hear of each other",
            "train a few rounds, or take another method",
        )  # fmt: skip
    chosen = sorted({v.client for v in draws.visits(0)}) if clients is None else clients
    if not set(chosen) <= set(draws.sample(None)):
        raise problem(
            "clients", list(chosen), f"some of the {task.data.n} clients, with examples",
            "a number of another data set, or a client that has no examples", "correct it, or leave it out",
        )  # fmt: skip
    return {i: (_distance(engine, method, points, i, repeats) / apart) ** 2 for i in chosen}


def _distance(engine: Sequential, method: Method, points: tuple[Tensor, Tensor], i: int, repeats: int) -> float:
    """||E A_i(x) - E A_i(y)||."""
    apart = torch.stack([_end(engine, method, points[1], i, t) - _end(engine, method, points[0], i, t)
                         for t in range(repeats)])  # fmt: skip
    return float(torch.linalg.vector_norm(apart.mean(dim=0)))


def _end(engine: Sequential, method: Method, x: Tensor, i: int, t: int) -> Tensor:
    """y_K of client i from x, with the minibatches of round t."""
    message, _ = method.local(method.start(x), method.enrol(x), cast(Client, engine.client(Visit(i, 1.0), t)), i)
    if "delta" not in message:
        raise problem(
            f"h_i of {method.name}", f"asked for where clients send {', '.join(message)}", "x - y_K",
            "gradients summed up by Theta, which need not end anywhere", 'take sends = "updates", or another method',
        )  # fmt: skip
    return x - cast(Tensor, message["delta"])
