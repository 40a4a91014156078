"""What a bridge is: a standard fact with its reference, premises and conclusions on given quantities, and instances."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from theorems.statement import Comparison

__all__ = ["BRIDGES", "Bridge", "bridge"]

Sides = tuple[Sequence[Comparison], Sequence[Comparison]]  # premises, conclusions
Draw = Callable[[np.random.Generator], dict[str, Any]]

BRIDGES: dict[str, Bridge] = {}


@dataclass(frozen=True)
class Bridge:
    """A standard fact: called with quantities it lists what has to be known, and what follows."""

    name: str
    says: str
    reference: str
    fact: Callable[..., Sides]
    draw: Draw  # random quantities that meet the premises, in floats

    def __call__(self, **quantities: Any) -> Sides:
        return self.fact(**quantities)


def bridge(name: str, reference: str, draw: Draw) -> Callable[[Callable[..., Sides]], Bridge]:
    """Put a function that lists premises and conclusions on the list of bridges; its docstring says the fact."""

    def made(fact: Callable[..., Sides]) -> Bridge:
        if name in BRIDGES:
            raise ValueError(f"two bridges of the name {name!r}")
        says = " ".join((inspect.getdoc(fact) or "").split())
        BRIDGES[name] = Bridge(name, says, reference, fact, draw)
        return BRIDGES[name]

    return made
