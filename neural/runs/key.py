"""Which run a configuration means: a hash of what its rows depend on."""

from __future__ import annotations

import ast
import hashlib
import importlib
import inspect
import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import neural
from neural.runs import plugins
from neural.runs.config import EXECUTION, Config
from neural.tasks import task as tasks
from surrogate.methods import registry

__all__ = ["folder_name", "key", "meaning", "sources"]

_TREE = Path(neural.__file__).resolve().parents[1]
_COUNTED = ("surrogate/methods/", "surrogate/theta.py", "neural/tasks/", "neural/data/", "neural/flat.py")


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
    name = plugins.load(config.method)
    entry, _ = registry._find(name)
    homes = [_file(entry.factory), _file(tasks._factory(plugins.load_task(config.task)))]
    users = [plugins.file_of(config.method), plugins.file_of(config.task)]
    homes = [home if user is None else user.resolve() for home, user in zip(homes, users, strict=True)]
    return {_called(path): meaning(path) for path in _closure(homes)}


def meaning(path: Path) -> str:
    """The hash of what a file says to Python."""
    return _meaning(path, path.stat().st_mtime_ns)


def _file(factory: Any) -> Path:
    module = importlib.import_module(inspect.unwrap(factory).__module__)
    return Path(str(module.__file__)).resolve()


@cache
def _called(path: Path) -> str:
    return path.relative_to(_TREE).as_posix() if path.is_relative_to(_TREE) else path.name


@cache
def _meaning(path: Path, changed: int) -> str:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            del node.body[: ast.get_docstring(node, clean=False) is not None]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()[:16]


def _closure(homes: Iterable[Path]) -> list[Path]:
    """These files and those of ours that they import, as far as they belong to methods, tasks or data."""
    seen: set[Path] = set()
    waiting = list(homes)
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            waiting += _imported(path, path.stat().st_mtime_ns)
    return sorted(seen)


@cache
def _imported(path: Path, changed: int) -> tuple[Path, ...]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {file for alias in node.names for file in _files(alias.name)}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {file for alias in node.names for file in _files(f"{node.module}.{alias.name}")}
            found |= inner or set(_files(node.module))
    return tuple(sorted(found))


def _files(module: str) -> Iterator[Path]:
    """The module's own file, not the package's page that only lists it."""
    file = _TREE.joinpath(*module.split(".")).with_suffix(".py")
    if file.is_file() and file.relative_to(_TREE).as_posix().startswith(_COUNTED):
        yield file
