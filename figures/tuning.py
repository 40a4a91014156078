"""Picking tuned rates: of each setting, the choice of the highest score."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

__all__ = ["best"]

Setting = TypeVar("Setting", bound=Hashable)
Choice = TypeVar("Choice")


def best(candidates: Iterable[tuple[Setting, Choice, float]]) -> dict[Setting, Choice]:
    """Of each setting, the choice of the highest score; the first of equal ones.

    >>> best([("adam", 0.1, -2.0), ("adam", 0.3, -1.0), ("sgd", 1.0, -1.5)])
    {'adam': 0.3, 'sgd': 1.0}
    """
    leaders: dict[Setting, tuple[float, Choice]] = {}
    for setting, choice, score in candidates:
        if setting not in leaders or score > leaders[setting][0]:
            leaders[setting] = score, choice
    return {setting: choice for setting, (_, choice) in leaders.items()}
