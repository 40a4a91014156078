"""The public names of a module, for autodoc."""

from __future__ import annotations

import importlib
import inspect
from types import ModuleType
from typing import Any

from .docstrings import restructured

__all__ = ["module"]


def module(name: str, up: str = "") -> str:
    """Everything in its ``__all__``: classes with their members, functions, and what else there is."""
    found = importlib.import_module(name)
    text = "\n".join(restructured((inspect.getdoc(found) or "").split("\n")))
    described, listed = [], []
    for public in found.__all__:
        thing = getattr(found, public)
        (described if _is_ours(thing, found) else listed).append(public)
    blocks = [f".. py:module:: {name}", "", text, *(_block(name, each, getattr(found, each)) for each in described)]
    if listed:
        blocks.append("Also: " + ", ".join(f"``{name}.{each}``" for each in listed) + ".")
    return "```{eval-rst}\n" + "\n\n".join(blocks) + "\n```"


def _is_ours(thing: Any, home: ModuleType) -> bool:
    """A class or a function of this package, or of one that it gathers; not a name that another page describes."""
    package = home.__name__ if hasattr(home, "__path__") else home.__name__.rpartition(".")[0]
    return (inspect.isclass(thing) or inspect.isroutine(thing)) and thing.__module__.startswith(package)


def _block(home: str, name: str, thing: Any) -> str:
    if not inspect.isclass(thing):
        return f".. autofunction:: {home}.{name}"
    lines = [f".. autoclass:: {home}.{name}", "   :members:"]
    ours = [base for base in thing.__mro__[1:] if base.__module__.split(".")[0] == home.split(".")[0]]
    if ours:
        lines.append("   :show-inheritance:")
    return "\n".join(lines)
