"""The explorer's menu of methods with the settings of each, read from the dictionary and the registry of methods."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from surrogate import dictionary, methods
from surrogate.methods.settings import MEANING

__all__ = ["CORRECTIONS", "LOCAL_UPDATE", "PRECONDITIONED", "Choice", "choices"]

LOCAL_UPDATE, PRECONDITIONED = "local-update", "preconditioned"
CORRECTIONS = ("none", "local", "joint", "global")  # LA's, see surrogate.methods.corrections
_HANDLED = {"gamma", "steps", "theta", "eta", "P"}  # by controls of their own
_USUAL = {"mu": 0.5}  # where a method asks for a number without a default
_FIRST = (LOCAL_UPDATE, PRECONDITIONED, "fedprox", "fedavg", "scaffold")


@dataclass(frozen=True)
class Choice:
    """One method of the menu. ``scalars``: its further numbers, with defaults; ``takes``: gamma, steps, eta."""

    name: str
    paper: str
    formula: str
    rests_at_minimizer: str
    takes: tuple[str, ...]
    scalars: Mapping[str, float]

    def plain(self) -> dict[str, Any]:
        """For the browser."""
        meanings = {key: MEANING.get(key, key) for key in self.scalars}
        return {
            "name": self.name,
            "paper": self.paper,
            "formula": self.formula,
            "restsAtMinimizer": self.rests_at_minimizer,
            "takes": list(self.takes),
            "scalars": dict(self.scalars),
            "meanings": meanings,
        }


@cache
def choices() -> dict[str, Choice]:
    """The methods whose resting point needs gamma, steps, a preconditioner and numbers alone; the usual ones first.

    Left out: adaptive clients, which rest where their realised preconditioners say.

    >>> "fedprox" in choices(), "local-adam" in choices(), choices()["fedprox"].scalars
    (True, False, {'mu': 0.5})
    """
    by_name = {name: choice for name in dictionary.methods() if (choice := _choice(name)) is not None}
    return {name: by_name[name] for name in (*_FIRST, *(name for name in by_name if name not in _FIRST))}


def _choice(name: str) -> Choice | None:
    known = methods.describe(name).settings
    required = {key for key, default in known.items() if isinstance(default, str) and default == "required"}
    if "frozen" in known or not required <= _HANDLED | set(_USUAL):
        return None
    numbers = {
        key: default
        for key, default in known.items()
        if isinstance(default, (int, float)) and not isinstance(default, bool) and key != "eta"
    }
    scalars = {key: _USUAL[key] for key in sorted(required & set(_USUAL))} | numbers
    takes = tuple(key for key in ("gamma", "steps", "eta") if key in known or (key == "steps" and "theta" in known))
    entry = dictionary.entry(name)
    return Choice(name, entry.paper, entry.formula, entry.equals_minimizer, takes, scalars)
