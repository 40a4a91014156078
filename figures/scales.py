"""The scales at which figures are made, and the seeds of each."""

from __future__ import annotations

from surrogate.kit.errors import problem

__all__ = ["DEFAULT_SCALE", "SCALES", "known_scale", "seeds"]

SCALES = ("smoke", "laptop", "paper")
DEFAULT_SCALE = "laptop"


def known_scale(scale: str) -> str:
    """``scale`` if it is one."""
    if scale not in SCALES:
        raise problem("scale", repr(scale), " or ".join(map(repr, SCALES)), "a slip", "pick one of them")
    return scale


def seeds(scale: str, published: int = 1) -> tuple[int, ...]:
    """The seeds of each setting that is shown; a grid of rates has the first. ``published``: how many the paper has."""
    return tuple(range({"smoke": 1, "laptop": 3, "paper": published}[scale]))
