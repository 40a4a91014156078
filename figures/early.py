"""The data of figures that train, brought while those without training are drawn, so that no process waits for them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from figures.registry import Entry

__all__ = ["bring"]


def bring(
    entries: Sequence[Entry], scale: str, say: Callable[[str], None], ready: Callable[[], None]
) -> threading.Thread:
    """Fetch what ``entries`` need and the machine lacks, in their order; ``ready`` is called after each.

    What cannot be had, and a figure that is broken, are left to whoever makes the figure, and says what is wrong.
    """
    thread = threading.Thread(target=_bring, args=(entries, scale, say, ready), daemon=True)
    thread.start()
    return thread


def _bring(entries: Sequence[Entry], scale: str, say: Callable[[str], None], ready: Callable[[], None]) -> None:
    from figures import bill, training

    for entry in entries:
        try:
            first, later = bill.asked(entry.load(), scale)
            training.fetch([*first, *later], say)
        except Exception:
            continue
        ready()
