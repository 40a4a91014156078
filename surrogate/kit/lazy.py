"""Names of a package that are loaded when they are first used, so that importing the package costs next to nothing."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["lazy"]


def lazy(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package.

    Arguments:
        package: its ``__name__``.
        homes: module -> its names, separated by spaces; "" for the module itself. A module is named from the package
            on, or whole where it lies elsewhere ("surrogate.numbers").

    The package imports the same names ``if TYPE_CHECKING``, for type checkers and for `surrogate.kit.sources`.

    >>> lazy("surrogate", {"theta": "Theta", "toys": ""})("Theta")
    <class 'surrogate.theta.Theta'>
    """
    top = f"{package.partition('.')[0]}."
    places = {name: (home, name) for home, names in homes.items() for name in names.split()}
    places |= {home: (home, "") for home, names in homes.items() if not names}

    def find(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home, attribute = places[name]
        module = importlib.import_module(home if home.startswith(top) else f"{package}.{home}")
        return getattr(module, attribute) if attribute else module

    return find
