"""The scales at which figures are made, and the seeds of each."""

from __future__ import annotations

from typing import Literal, TypeAlias

from surrogate.kit.errors import problem

__all__ = ["DEFAULT_SCALE", "SCALES", "Scale", "known_scale", "seeds"]

Scale: TypeAlias = Literal["smoke", "laptop", "paper"]
SCALES: tuple[Scale, ...] = ("smoke", "laptop", "paper")
DEFAULT_SCALE: Scale = "laptop"


def known_scale(scale: str) -> Scale:
    """``scale`` if it is one."""
    for known in SCALES:
        if scale == known:
            return known
    raise problem("scale", repr(scale), " or ".join(map(repr, SCALES)), "a slip", "pick one of them")


def seeds(scale: str, published: int = 1) -> tuple[int, ...]:
    """The seeds of each setting that is shown; a grid of rates has the first. ``published``: how many the paper has."""
    return tuple(range({"smoke": 1, "laptop": 3, "paper": published}[scale]))
