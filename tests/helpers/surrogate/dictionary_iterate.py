"""A method's own code, played round after round until nothing moves: the third route to a resting point."""

from __future__ import annotations

from typing import Any

import numpy as np

from surrogate.methods import Method, play, quadratic_clients


def settle(
    method: Method, clients: Any, x: Any, rounds: int = 20_000, still: float = 1e-15
) -> tuple[Any, dict[int, Any]]:
    """Where x comes to rest from ``x``, and what clients keep there; fails when it is still moving after ``rounds``.

    At rest: twenty rounds in a row in which x moves by less than ``still`` of its size.
    """
    state, own, players = method.start(x), {}, quadratic_clients(clients)
    quiet = 0
    for _ in range(rounds):
        before = state["x"]
        state, own = play(method, state, own, players, clients.weights)
        moved = np.abs(state["x"] - before).max()
        quiet = quiet + 1 if moved <= still * max(1.0, np.abs(before).max()) else 0
        if quiet == 20:
            return state["x"], own
    raise AssertionError(f"still moving by {moved:.3g} after {rounds} rounds")
