"""Methods and tasks of a user's file: ``my_method.py:name`` stands wherever a method's name does, tasks the same.

A method's file holds a factory ``def name(ops, *, gamma, ...) -> Parts`` (see surrogate/methods/fedopt.py), a task's
one ``def name(scale, seed, *, options...) -> Task`` (see neural/tasks/quadratic.py): registered by the decorator that
ours have, or plain; a plain one is entered under its own name.
"""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from neural.runs import users
from neural.tasks import task as tasks
from surrogate import methods
from surrogate.kit.errors import problem
from surrogate.methods import registry

__all__ = ["absolute", "build", "file_of", "load", "load_task", "maker", "short", "task"]


@dataclass(frozen=True)
class _Kind:
    """Of plug-in; ``loaded``: name -> sha256 of the file it came from."""

    word: str
    names: Callable[[], tuple[str, ...]]
    enter: Callable[[str, Path, Any], Any]
    signature: str
    loaded: dict[str, str]


def _enter_method(name: str, file: Path, factory: Any) -> None:
    registry.register(name, f"the file {file.name}", sends="updates", check="stepwise")(factory)


_METHOD = _Kind(
    "method", lambda: (*methods.names(), *methods.aliases()), _enter_method, "(ops, *, gamma, ...)", {}
)  # fmt: skip
_TASK = _Kind(
    "task", tasks.names, lambda name, file, factory: tasks.register(name)(factory), "(scale, seed, *, ...)", {}
)


def file_of(name: str) -> Path | None:
    """The user's file, None for a method or task of ours."""
    file, colon, _ = name.rpartition(":")
    return Path(file) if colon and file.endswith(".py") else None


def short(name: str) -> str:
    """The name without its file."""
    return name.rpartition(":")[2] if file_of(name) else name


def absolute(name: str) -> str:
    """With the file's whole path, so that other processes find it."""
    file = file_of(name)
    return name if file is None else f"{file.resolve()}:{short(name)}"


def load(method: str) -> str:
    """The name under which the registry knows the method, once its file is loaded."""
    return _load(_METHOD, method)


def load_task(task: str) -> str:
    """The name under which `neural.tasks` knows the task, once its file is loaded."""
    return _load(_TASK, task)


def build(method: str, **settings: Any) -> methods.Method:
    """`surrogate.methods.build` for names with a file as well."""
    return _built(load(method), method, settings)


def _built(name: str, method: str, settings: Mapping[str, Any]) -> methods.Method:
    try:
        return methods.build(name, **settings)
    except AttributeError as error:
        if file_of(method) is None:
            raise
        raise problem(
            f"what {method} returns", f"not to be used ({error})", "Parts, or a Method", "a factory without a return",
            "see surrogate/methods/fedopt.py",
        ) from error  # fmt: skip


def maker(method: str) -> Callable[..., methods.Method]:
    """What builds that method by its short name; in worker processes too, which do not know its file yet.

    It stays what it is: a run whose file is edited goes on with what it began with, or stops where that is gone.
    """
    if file_of(method) is None:
        return methods.build
    return partial(_from_file, absolute(method), _METHOD.loaded[load(method)])


def _from_file(method: str, digest: str, name: str, **settings: Any) -> methods.Method:
    if _METHOD.loaded.get(name) != digest:
        load(method)
    if _METHOD.loaded[name] != digest:
        raise problem(
            f"the file of the method {method}", "edited while the run goes on", "as it was when the run began",
            "a worker process that reads it anew", "start the run again: an edited method is another run",
        )  # fmt: skip
    return _built(name, method, settings)


def task(name: str, scale: str, seed: int, options: Mapping[str, Any]) -> tasks.Task:
    """`neural.tasks.build` for names with a file as well."""
    known = load_task(name)
    try:
        return tasks.build(known, scale, seed, **options)
    except MemoryError as error:
        raise problem(
            f"the size of the task {name}", f"more than memory holds ({error})", "one that fits", "a digit too many",
            f"ask for fewer clients, or see `surrogate tasks {name}`",
        ) from error  # fmt: skip
    except (TypeError, RuntimeError) as error:
        if file_of(name) is not None or not options:
            raise
        raise problem(
            f"the options of the task {name}", f"{dict(options)}, of which none can be made ({error})",
            f"values like those that `surrogate tasks {name}` prints", "a word in the place of a number",
            "correct it",
        ) from error  # fmt: skip


def _load(kind: _Kind, given: str) -> str:
    file = file_of(given)
    if file is None:
        return given
    name = short(given)
    try:
        content = file.read_bytes()
    except OSError as error:
        raise problem(
            f"the file of the {kind.word} {given}", f"not readable ({error.strerror or error})", "a Python file",
            "a slip in the path",
            "give FILE.py:NAME, relative to where you are",
        ) from None  # fmt: skip
    digest = hashlib.sha256(str(file.resolve()).encode() + content).hexdigest()
    if kind.loaded.get(name) != digest:
        _enter(kind, name, file, digest)
    return name


def _enter(kind: _Kind, name: str, file: Path, digest: str) -> None:
    if name in kind.names() and name not in kind.loaded:
        raise problem(
            f"the {kind.word} {name!r} of {file}", "a name that is taken", "a name of its own",
            f"a copy of a {kind.word} of ours", "rename it",
        )  # fmt: skip
    module = _module(file, digest)
    if name not in kind.names() or name in kind.loaded:
        factory = getattr(module, name.replace("-", "_"), None)
        if not callable(factory):
            raise problem(
                f"{name!r} in {file}", "not there", f"a factory: def {name.replace('-', '_')}{kind.signature}",
                "a slip in the name", "give FILE.py:NAME with a name that the file defines or registers",
            )  # fmt: skip
        kind.enter(name, file, factory)
    kind.loaded[name] = digest


def _module(file: Path, digest: str) -> ModuleType:
    """The file, under a name that the processes we start can import as well."""
    try:
        return importlib.import_module(users.name_of(file, digest))
    except Exception as error:
        raise problem(
            f"the file {file}", f"failing as it is loaded ({type(error).__name__}: {error})", "Python that runs",
            "an error in it", f"run `python {file}` and correct it",
        ) from error  # fmt: skip
