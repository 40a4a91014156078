"""The method of each round, from a run's configuration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neural.engine.scheduled_method import ScheduledMethod
from neural.engine.schedules import schedule
from neural.engine.settings import Settings
from neural.runs import plugins
from neural.runs.config import Config, made
from neural.tasks.task import Task
from surrogate.kit.errors import problem

__all__ = ["of_config"]


def of_config(config: Config, task: Task, settings: Settings) -> ScheduledMethod:
    """The method of a run; epochs become steps, as many as each client's examples take."""
    given = {name: made(name, value) for name, value in config.settings.items()}
    _one_a_client(given, task.data.n)
    gamma, eta = schedule(config.gamma_schedule), schedule(config.eta_schedule)
    name, maker = plugins.load(config.method), plugins.maker(config.method)
    if not config.epochs:
        return ScheduledMethod(name, given, gamma, eta, config.full_batch_from, maker)
    batch = task.batch if settings.batch is None else settings.batch
    plain = ScheduledMethod(name, given).for_epochs(config.epochs, settings.sizes(task.data.sizes.tolist()), batch)
    return ScheduledMethod(name, plain.settings, gamma, eta, config.full_batch_from, maker)


def _one_a_client(settings: Mapping[str, Any], n: int) -> None:
    for name in ("gamma", "steps"):
        value = settings.get(name)
        if isinstance(value, list) and len(value) != n:
            raise problem(
                name, f"a list of {len(value)}", f"one number, or one for each of the {n} clients",
                "settings for another number of clients", "give one a client",
            )  # fmt: skip
