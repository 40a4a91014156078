"""The suite ``explorer``: what Python computes for one view, in processor time, which neighbours inflate least."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from benchmarks import exact_reference as reference
from benchmarks.harness import Result
from figures.explorer import State, menu, scene

__all__ = ["BENCHMARKS"]

AT_MOST = 50.0  # milliseconds: a slider that is drawn should not wait


def view(quick: bool) -> list[Result]:
    """One view of each method: 10 clients in the plane, K = 10, a client rate not seen before.

    The clients share their eigenvalues, and so filters: the dearer of the two routes to a displacement.
    """
    A, c = reference.population(10, 2, 0.1, 5.0)
    problem = {"kind": "c", "A": A.tolist(), "v": c.tolist()}
    repeats, spent = (1 if quick else 9), {}
    for name in menu.choices():
        states = [
            State.of({"problem": problem, "method": name, "gamma": gamma})
            for gamma in np.linspace(0.05, 0.06, repeats + 1).tolist()
        ]
        spent[name] = 1e3 * min([_seconds(s) for s in states][1:])  # the first fills what is kept of the clients
    slowest = max(spent, key=lambda name: spent[name])
    what = f"processor time of a view, the slowest of {len(spent)} methods ({slowest})"
    return [Result("explorer view", what, spent[slowest], "ms", "at most", AT_MOST, {"ms": spent})]


def _seconds(s: State) -> float:
    s.clients  # noqa: B018  (built once a problem, not once a view)
    start = time.process_time()
    scene(s)
    return time.process_time() - start


BENCHMARKS: dict[str, Callable[[bool], list[Result]]] = {"view": view}
