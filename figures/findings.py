"""What a paper concludes from a figure, checked on the regenerated table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from surrogate.notebook import card, card_markdown

__all__ = ["STATUSES", "Finding", "judge", "not_run", "vote"]

STATUSES = ("reproduced", "not reproduced", "inconclusive", "not run")


@dataclass(frozen=True)
class Finding:
    """One conclusion: ``claim`` in words, ``check`` with its threshold in words, the ``status`` and the ``numbers``."""

    claim: str
    check: str
    status: str
    numbers: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise ValueError(f"{self.status!r} is not one of {', '.join(STATUSES)}")

    def record(self) -> dict[str, Any]:
        """As JSON holds it: what is not a finite number as the word inf, -inf or nan."""
        numbers = {name: value if math.isfinite(value) else str(value) for name, value in self.numbers.items()}
        return asdict(self) | {"numbers": numbers}

    def _facts(self) -> list[tuple[str, str]]:
        """What a notebook shows."""
        numbers = ", ".join(f"{name}: {value:.4g}" for name, value in self.numbers.items())
        return [("conclusion", self.claim), ("check", self.check), ("numbers", numbers or "none")]

    def _repr_html_(self) -> str:
        return card(self.status, self._facts())

    def _repr_markdown_(self) -> str:
        return card_markdown(self.status, self._facts())

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Finding:
        """The inverse of `record`."""
        numbers = {name: float(value) for name, value in record["numbers"].items()}
        return cls(record["claim"], record["check"], record["status"], numbers)


def judge(claim: str, check: str, holds: bool, numbers: Mapping[str, float], unless: bool = False) -> Finding:
    """Reproduced when the check holds; inconclusive when a number that it needs is missing (NaN), whatever it says.

    ``unless``: inconclusive as well, for the check compares nothing: both sides diverged, or neither learnt.

    >>> judge("faster", "a < b", 1.0 < 2.0, {"a": 1.0, "b": 2.0}).status
    'reproduced'
    >>> judge("faster", "a < b", False, {"a": math.nan, "b": 2.0}).status
    'inconclusive'
    """
    known = {name: float(value) for name, value in numbers.items()}
    if unless or any(math.isnan(value) for value in known.values()):
        return Finding(claim, check, "inconclusive", known)
    return Finding(claim, check, "reproduced" if holds else "not reproduced", known)


def vote(claim: str, check: str, margins: Sequence[float], numbers: Mapping[str, float]) -> Finding:
    """A check that each seed passes or fails by its margin: reproduced when all are positive.

    Inconclusive when the seeds disagree, or when a margin or a number is missing.

    >>> vote("lower", "a < b with each seed", [0.2, 0.1, -0.1], {"a": 1.0, "b": 1.1}).status
    'inconclusive'
    """
    held = [margin > 0 for margin in margins]
    finding = judge(claim, check, all(held), dict(numbers))
    undecided = not held or any(held) != all(held) or any(map(math.isnan, margins))
    return replace(finding, status="inconclusive") if undecided else finding


def not_run(claim: str, why: str) -> Finding:
    """A claim whose figure was not made, and why."""
    return Finding(claim, why, "not run")
