"""Every published setting takes a step: one client, one local step, the model at full size, tiny published files.

A setting is a task, a method and the options of both; rates and seeds do not change what is computed. CI takes enough
of them to have each model and each method once; ``make thorough`` takes all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

from figures import registry, training
from neural import tasks
from neural.engine.loop import train
from neural.engine.scheduled_method import ScheduledMethod
from neural.engine.schedules import schedule
from neural.runs.config import Config, made
from neural.tasks.family import families, parameters
from tests.helpers.figures import published

THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
DEALT = ("data", "split", "clients", "alpha", "limit", "batch")  # options of the data, not of the model
TRAINED = [entry for entry in registry.discover() if entry.trained]


def settings_of_all() -> dict[str, dict[str, Any]]:
    """One run of each setting at the paper's scale, by the setting's name."""
    found: dict[str, dict[str, Any]] = {}
    for entry in TRAINED:
        for keys in entry.runs("paper"):
            config = training.Run.of(keys, "paper").config
            own = {name: value for name, value in config.options.items() if name not in DEALT}
            kinds = {name: value for name, value in config.settings.items() if isinstance(value, (str, dict, bool))}
            method = {name: value for name, value in kinds.items() if name != "theta"}
            told = json.dumps({**own, **method}, sort_keys=True)
            found.setdefault(f"{config.task}|{config.method}|{told}", keys)
    return found


def covering(found: Sequence[str]) -> list[str]:
    """A few that have each task with its model once, and each method once."""
    chosen, seen = [], set()
    for name in sorted(found, key=lambda name: "resnet" in name):  # the heavy ones last: methods are met before
        task, method, _ = name.split("|")
        if not {task, method} <= seen:
            seen |= {task, method}
            chosen.append(name)
    return chosen


ALL = settings_of_all()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Published files in SURROGATE_DATA, a cache of the test's own."""
    home = tmp_path_factory.mktemp("published")
    published.write(home / "data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SURROGATE_DATA", str(home / "data"))
        patch.setenv("SURROGATE_CACHE", str(home / "cache"))
        yield home


def one_step(keys: dict[str, Any]) -> Config:
    """The same setting with one round, one client that holds all data, one local step."""
    changed = {key: value for key, value in keys.items() if key not in ("epochs", "full_batch_from")}
    if "theta" in changed:
        changed["theta"] = "sum(1)"
    elif "steps" in changed or "epochs" in keys:
        changed["steps"] = 1
    if keys["task"] in families():
        changed["clients"] = 1
    own = {"scale": "paper", "rounds": 1, "clients_per_round": 1, "eval_every": 0}
    return Config.of({**changed, **own})


@pytest.mark.parametrize("name", list(ALL) if THOROUGH else covering(list(ALL)))
def test_a_published_setting_takes_a_step(name: str, files: Path) -> None:
    config = one_step(ALL[name])
    task = tasks.build(config.task, "paper", config.task_seed, **config.options)
    assert "published" in task.data.source
    given = {key: made(key, value) for key, value in config.settings.items()}
    recipe = ScheduledMethod(config.method, given, schedule(config.gamma_schedule), schedule(config.eta_schedule))
    torch.set_num_threads(1)
    start, end = train(task, recipe, config.engine_settings(), 1, engine="sequential", device="cpu")
    x, y = start.position.state["x"], end.position.state["x"]
    own = {key: value for key, value in config.options.items() if key not in DEALT}
    assert len(x) == parameters(config.task, "paper", **own)
    assert torch.isfinite(y).all() and not torch.equal(x, y)
    assert 0 < end.read()["update_norm"] < float("inf")


def test_every_figure_that_trains_has_runs_at_every_scale() -> None:
    for entry in TRAINED:
        for scale in registry.SCALES:
            runs = [training.Run.of(keys, scale) for keys in entry.runs(scale)]
            assert runs and len({training.identities([run])[0] for run in runs}) == len(runs), f"{entry.id} at {scale}"
