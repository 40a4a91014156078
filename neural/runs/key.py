"""Which run a configuration means: a hash of what its rows depend on."""

from __future__ import annotations

import hashlib
import importlib
import inspect
import json
from pathlib import Path
from typing import Any

from neural.runs import plugins
from neural.runs.config import EXECUTION, Config
from neural.tasks import task as tasks
from surrogate.kit.sources import meanings
from surrogate.methods import registry

__all__ = ["folder_name", "key", "sources"]


def key(config: Config) -> str:
    """64 hexadecimal digits: the configuration without rounds, device and engine, and the sources of both."""
    told = {name: value for name, value in config.table().items() if name not in EXECUTION}
    told["method"] = {**told["method"], "name": plugins.load(config.method)}
    told["task"] = {**told["task"], "name": plugins.load_task(config.task)}
    told["sources"] = sources(config)
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def folder_name(config: Config) -> str:
    """The run's folder: task, method, and the start of the key."""
    return f"{plugins.short(config.task)}-{plugins.short(config.method)}-{key(config)[:16]}"


def sources(config: Config) -> dict[str, str]:
    """Hash of each file that says what the method and the task are; comments, docstrings and layout do not count."""
    entry, _ = registry._find(plugins.load(config.method))
    homes = [_file(entry.factory), _file(tasks._factory(plugins.load_task(config.task)))]
    users = [plugins.file_of(config.method), plugins.file_of(config.task)]
    return meanings(
        *(user.resolve() if user else home for home, user in zip(homes, users, strict=True)), follow=_counts
    )


def _file(factory: Any) -> Path:
    module = importlib.import_module(inspect.unwrap(factory).__module__)
    return Path(str(module.__file__)).resolve()


def _counts(name: str) -> bool:
    """Not the pages that list other methods and tasks; nor engines, which are recorded apart."""
    page = name.endswith(("__init__.py", "methods/catalogue.py", "tasks/catalogue.py"))
    return not page and not name.startswith(("surrogate/kit/", "neural/kernels/"))
