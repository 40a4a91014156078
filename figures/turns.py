"""In which order figures are made, so that whenever time is up as much as can be stands there, of every paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from figures.registry import Entry

__all__ = ["in_turns"]

Costs = Mapping[str, Mapping[str, float]]  # of a figure's id: seconds by run


def in_turns(entries: Sequence[Entry], costs: Costs | None = None) -> list[Entry]:
    """Those without training, as they are; then the flagship, then others.

    Where there is training, papers take turns: next is whichever has used least, with the figure that adds least. A run
    counts once, whoever asks for it; a figure without ``costs`` counts 1.
    """
    trained = [entry for entry in entries if entry.trained]
    known: set[str] = set()
    used: Counter[str] = Counter()

    def adds(entry: Entry) -> float:
        if costs is None or entry.id not in costs:
            return 1.0
        return sum(seconds for run, seconds in costs[entry.id].items() if run not in known)

    def place(entry: Entry) -> tuple[bool, float, float]:
        more = adds(entry)
        return more > 0, used[entry.paper], more

    ordered = [entry for entry in entries if not entry.trained]
    for kind in (True, False):
        left = [entry for entry in trained if bool(entry.flagship) is kind]
        while left:
            entry = min(left, key=place)
            used[entry.paper] += adds(entry)
            known |= (costs or {}).get(entry.id, {}).keys()
            left.remove(entry)
            ordered.append(entry)
    return ordered
