"""Methods of a user's file: ``my_method.py:name`` stands wherever a method's name does.

The file holds a factory ``def name(ops, *, gamma, ...) -> Parts`` (see surrogate/methods/fedopt.py), registered by
``surrogate.methods.registry.register`` or plain; a plain one is entered under its own name.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from surrogate import methods
from surrogate.errors import problem
from surrogate.methods import registry

__all__ = ["absolute", "build", "file_of", "load", "short"]

_LOADED: dict[str, str] = {}  # name -> sha256 of the file it came from


def file_of(method: str) -> Path | None:
    """The user's file, None for a method of ours."""
    file, colon, _ = method.rpartition(":")
    return Path(file) if colon and file.endswith(".py") else None


def short(method: str) -> str:
    """The name without its file."""
    return method.rpartition(":")[2] if file_of(method) else method


def absolute(method: str) -> str:
    """With the file's whole path, so that other processes find it."""
    file = file_of(method)
    return method if file is None else f"{file.resolve()}:{short(method)}"


def load(method: str) -> str:
    """The name under which the registry knows the method, once its file is loaded."""
    file = file_of(method)
    if file is None:
        return method
    name = short(method)
    try:
        content = file.read_bytes()
    except OSError as error:
        raise problem(
            f"the file of the method {method}", error.strerror or error, "a Python file", "a slip in the path",
            "give FILE.py:NAME, relative to where you are",
        ) from None  # fmt: skip
    digest = hashlib.sha256(str(file.resolve()).encode() + content).hexdigest()
    if _LOADED.get(name) != digest:
        _enter(name, file, digest)
    return name


def build(method: str, **settings: Any) -> methods.Method:
    """`surrogate.methods.build` for names with a file as well; in worker processes too."""
    return methods.build(load(method), **settings)


def _enter(name: str, file: Path, digest: str) -> None:
    if name in (*methods.names(), *methods.aliases()) and name not in _LOADED:
        raise problem(
            f"the method {name!r} of {file}", "a name that is taken", "a name of its own", "a copy of a method of ours",
            "rename it",
        )  # fmt: skip
    module = _module(file, digest)
    if name not in methods.names() or name in _LOADED:
        factory = getattr(module, name.replace("-", "_"), None)
        if not callable(factory):
            raise problem(
                f"{name!r} in {file}", "not there", f"a factory: def {name.replace('-', '_')}(ops, *, gamma, ...)",
                "a slip in the name", "give FILE.py:NAME with a name that the file defines or registers",
            )  # fmt: skip
        registry.register(name, f"the file {file.name}", sends="updates", check="stepwise")(factory)
    _LOADED[name] = digest


def _module(file: Path, digest: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"user_method_{digest[:16]}", file)
    assert spec is not None and spec.loader is not None  # a .py file always has both
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise problem(
            f"the file {file}", f"failing as it is loaded ({type(error).__name__}: {error})", "Python that runs",
            "an error in it", f"run `python {file}` and correct it",
        ) from error  # fmt: skip
    return module
