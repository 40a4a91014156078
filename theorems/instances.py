"""Walk through an instance: map every number in it, name every number, describe it in fractions."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from surrogate import Theta
from surrogate._types import Numbers
from surrogate.numbers import FLOATS, FRACTIONS

__all__ = ["arrays", "describe", "leaves", "mapped"]


def mapped(instance: Any, convert: Callable[[str, Any], Any], nb: Any) -> Any:
    """The same instance in another arithmetic: ``convert(name, number)`` for every entry of every numeric array."""

    def entrywise(name: str, array: Numbers) -> Numbers:
        result = np.empty(array.shape, dtype=object)
        for index in np.ndindex(array.shape):
            result[index] = convert(name + "".join(f"[{k}]" for k in index[1:]), array[index])
        return result

    return arrays(instance, entrywise, nb)


def arrays(instance: Any, convert: Callable[[str, Any], Any], nb: Any, name: str = "") -> Any:
    """The same instance with ``convert(name, array)`` for every numeric array."""
    if isinstance(instance, np.ndarray):
        return convert(name, instance)
    if dataclasses.is_dataclass(instance) and hasattr(instance, "nb"):
        fields = {f.name: getattr(instance, f.name) for f in dataclasses.fields(instance)}
        return type(instance)(  # type: ignore[misc]
            **{k: nb if k == "nb" else arrays(v, convert, nb, _join(name, k)) for k, v in fields.items()}
        )
    if isinstance(instance, SimpleNamespace):
        return SimpleNamespace(**{k: arrays(v, convert, nb, _join(name, k)) for k, v in vars(instance).items()})
    if isinstance(instance, (list, tuple)) and not hasattr(instance, "_fields"):
        return type(instance)(arrays(v, convert, nb, f"{name}[{k}]") for k, v in enumerate(instance))
    return nb if instance is FRACTIONS or instance is FLOATS else instance  # settings (K, M, a Theta) stay


def leaves(instance: Any) -> Iterator[tuple[str, Any]]:
    """(name, number) for every number of the instance."""
    found: list[tuple[str, Any]] = []

    def note(name: str, value: Any) -> Any:
        found.append((name, value))
        return value

    mapped(instance, note, FRACTIONS)
    yield from found


def describe(instance: Any) -> dict[str, Any]:
    """Names to fractions as text, and whole settings as they are; rotations that turn nothing are left out."""
    numbers = {name: str(value) for name, value in leaves(instance)}
    rotations = {k: v for k, v in numbers.items() if ".R[" in k or k.startswith("R[")}
    identity = all(v == str(int(k[-2] == k[-5])) for k, v in rotations.items())
    kept = {k: v for k, v in numbers.items() if not (identity and k in rotations)}
    settings = {k: str(v) for k, v in _settings(instance).items()}
    return {**settings, **kept}


def _settings(instance: Any) -> dict[str, Any]:
    """Whole settings of an instance: K, M, a Theta, a name."""
    fields = vars(instance) if isinstance(instance, SimpleNamespace) else {}
    return {k: v for k, v in fields.items() if isinstance(v, (int, str, Theta))}


def _join(name: str, field: str) -> str:
    return f"{name}.{field}" if name else field
