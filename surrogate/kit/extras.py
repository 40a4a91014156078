"""Packages that are optional."""

from __future__ import annotations

import importlib
from types import ModuleType

from surrogate.kit.errors import problem

__all__ = ["extra"]


def extra(name: str, what: str) -> ModuleType:
    """The module of an optional extra of the same name, which ``what`` needs; or how to get it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise problem(
            what, f"not there ({error})", f"the package {name}", "an optional extra, not installed",
            f"run `pip install 'quadratic-surrogates[{name}]'`, or go without it",
        ) from error  # fmt: skip
