"""Curves over the client rate: the resting point, its distance from x*, and the contraction of a round."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from figures.explorer import menu, motion
from figures.explorer.state import State
from surrogate.kit.errors import ProblemError

__all__ = ["BISECTIONS", "NODES", "Mark", "along", "grid", "indefinite", "path", "span"]

NODES = 40  # rates at which the curves are computed
BISECTIONS = 10
_FEWEST = 8  # rates that make a curve, where each is dear


@dataclass(frozen=True)
class Mark:
    """A client that turns indefinite at this rate."""

    gamma: float
    client: int


def span(s: State) -> tuple[float, float]:
    """The rates of the slider, from 1/1000 to 4 of 1/L, and further where the chosen rate is."""
    L = s.clients.L
    return min(1e-3 / L, s.gamma), max(4 / L, s.gamma)


def grid(s: State) -> list[float]:
    """Rates of the curves, equally far apart on a log scale; fewer where each means playing rounds."""
    least, most = span(s)
    count = NODES
    if s.method != menu.LOCAL_UPDATE:
        count = max(_FEWEST, min(NODES // 2, motion.AFFORDABLE // max(1, motion.cost(s))))
    return [float(g) for g in np.geomspace(least, most, count)]


def along(s: State) -> list[State]:
    """The state at each rate of the grid, whose fields are computed once for all that is asked of them."""
    return [s.at(gamma) for gamma in grid(s)]


def path(s: State, states: list[State]) -> dict[str, Any]:
    """Of `along`: the resting points, their distances from x*, and the contractions; None where there is none."""
    with_speed = motion.cost(s) * len(states) <= motion.AFFORDABLE
    rests = [_rest(here) for here in states]
    return {
        "gammas": [here.gamma for here in states],
        "points": [point for point, _ in rests],
        "distance": [distance for _, distance in rests],
        "radius": [_radius(here) if with_speed else None for here in states],
    }


def _rest(s: State) -> tuple[list[float] | None, float | None]:
    try:
        moved = s.field.displacement
        return (s.clients.minimizer + moved).tolist(), math.hypot(*moved)
    except (ProblemError, np.linalg.LinAlgError):  # steps that diverge, or an average that is singular there
        return None, None


def _radius(s: State) -> float | None:
    try:
        return motion.speed(s).radius
    except (ProblemError, np.linalg.LinAlgError):
        return None


def indefinite(s: State, states: list[State]) -> Mark | None:
    """The smallest rate of the slider at which x^T D_i A_i x of some client is not positive (OLR section 4), by
    bisection between rates of the grid; None where there is none, or where the field is known up to a factor only."""
    if not s.sends_field:
        return None
    k = next((k for k, here in enumerate(states) if _ill(here)), None)
    if k is None:
        return None
    bad = states[k]
    if k:
        good = states[k - 1]
        for _ in range(BISECTIONS):
            middle = s.at(math.sqrt(good.gamma * bad.gamma))
            good, bad = (good, middle) if _ill(middle) else (middle, bad)
    client = _ill(bad)[0]
    return Mark(bad.gamma, client) if client >= 0 else None


def _ill(s: State) -> tuple[int, ...]:
    try:
        return s.field.ill_behaved
    except ProblemError:  # its steps diverge to infinity
        return (-1,)
