"""The README's picture: where FedAvg rests on two clients, and what the theorems say of it.

    python docs/hero.py

writes docs/_static/hero.png; a test draws it again and compares.
"""

from __future__ import annotations

from pathlib import Path

from figures.explorer.picture import rendered
from figures.explorer.population import Population
from figures.explorer.state import State

FILE = Path(__file__).with_name("_static") / "hero.png"


def hero() -> bytes:
    """The PNG: two clients in the plane, ten local steps of rate 1/4."""
    A, c = [[[2, 0], [0, 1]], [[1, 0], [0, 0.5]]], [[0, 1 / 3], [3, 2]]
    return rendered(State(Population.of({"kind": "c", "A": A, "v": c}), gamma=0.25, steps=10), "png", rows=1)


if __name__ == "__main__":
    FILE.write_bytes(hero())
