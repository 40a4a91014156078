"""Rates that change from round to round."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from surrogate.kit.errors import problem
from surrogate.methods.settings import listed

__all__ = ["CONSTANT", "Schedule", "schedule", "times"]

_KINDS = {"constant": set(), "steps": {"at", "factor"}, "decay": {"factor"}, "t29": {"mu", "L", "steps"}}


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < math.inf


def _positive(value: Any) -> bool:
    return _number(value) and value > 0


def _whole(value: Any) -> bool:
    return isinstance(value, int) and _number(value)


def _rounds(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(map(_whole, value))


_VALUES = {  # of each key: whether a value will do, and what would
    "factor": (_number, "a number >= 0"),
    "at": (_rounds, "a list of rounds"),
    "mu": (_positive, "a number > 0"),
    "L": (_positive, "a number > 0"),
    "steps": (lambda value: _whole(value) and value > 0, "a whole number >= 1"),
}


@dataclass(frozen=True)
class Schedule:
    """A rate in round t = 0, 1, ..., from the rate that the method was given.

    ``constant``; ``steps``: times ``factor`` from each of the rounds ``at`` on; ``decay``: times ``factor`` a round.
    ``t29``: the rates of OLR Theorem 29, which replace the method's own, with s = t + 1 as its rounds count from 1:

        gamma_s = min{1 / (L (b + s)), ln 2 / (K mu)},  b = 3 (L / mu)^2
        eta_s = (3 / mu_s) / (b + s),  mu_s = sum_{k < K} (1 - gamma_s mu)^k mu = (1 - (1 - gamma_s mu)^K) / gamma_s
    """

    kind: str = "constant"
    factor: float = 1.0
    at: tuple[int, ...] = ()
    mu: float = 1.0
    L: float = 1.0
    steps: int = 1

    @property
    def absolute(self) -> bool:
        """Whether it gives rates, not factors of a rate."""
        return self.kind == "t29"

    def gamma(self, base: Any, t: int) -> Any:
        """The client rate of round t; ``base`` may be one a client."""
        return self._client_rate(t) if self.absolute else times(base, self.factor_at(t))

    def eta(self, base: Any, t: int) -> Any:
        """The server rate of round t."""
        if not self.absolute:
            return times(base, self.factor_at(t))
        gamma = self._client_rate(t)
        mu_t = -math.expm1(self.steps * math.log1p(-gamma * self.mu)) / gamma
        return 3 / mu_t / (self._b + t + 1)

    def factor_at(self, t: int) -> float:
        """What the rate of round t is multiplied by."""
        if self.kind == "steps":
            return self.factor ** sum(t >= start for start in self.at)
        return self.factor**t if self.kind == "decay" else 1.0

    @property
    def _b(self) -> float:
        return 3 * (self.L / self.mu) ** 2

    def _client_rate(self, t: int) -> float:
        return min(1 / (self.L * (self._b + t + 1)), math.log(2) / (self.steps * self.mu))


CONSTANT = Schedule()


def times(base: Any, factor: float) -> Any:
    """base * factor, entry by entry where base has one a client."""
    if factor == 1:
        return base
    return [entry * factor for entry in base] if listed(base) else base * factor


def schedule(given: Mapping[str, Any] | Schedule | None) -> Schedule:
    """A schedule from a table such as {"kind": "steps", "at": [200, 400], "factor": 0.1}.

    >>> schedule({"kind": "decay", "factor": 0.5}).gamma(0.1, 2)
    0.025
    """
    if given is None or isinstance(given, Schedule):
        return given or CONSTANT
    if not isinstance(given, Mapping):
        raise problem(
            "the schedule", repr(given), "a table", "the kind alone", 'write {kind = "decay", factor = 0.99}, say'
        )
    table = dict(given)
    kind = table.pop("kind", None)
    if not isinstance(kind, str) or kind not in _KINDS:
        raise problem("the kind of the schedule", repr(kind), f"one of {', '.join(_KINDS)}", "a slip", "correct it")
    if set(table) != _KINDS[kind]:
        raise problem(
            f"the schedule {kind!r}",
            f"given {', '.join(sorted(table)) or 'nothing'}",
            f"exactly {', '.join(sorted(_KINDS[kind])) or 'no more keys'}",
            "a key left out, or one of another kind",
            "give these keys and no others",
        )
    for key, value in table.items():
        if not _VALUES[key][0](value):
            raise problem(f"{key} of the schedule {kind!r}", repr(value), _VALUES[key][1], "a slip", "correct it")
    values: dict[str, Any] = {key: tuple(value) if key == "at" else value for key, value in table.items()}
    return Schedule(kind, **values)
