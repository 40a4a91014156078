"""All examples dealt out anew each round to the clients that take part (LAMB section 5), by position.

"In each round, the training samples are allocated to the active devices": i.i.d., or "every local device only receives
samples from one class". Nothing is copied: a round's deal is a permutation of positions, a function of (seed, round).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from neural.data import splits
from neural.tasks.task import Task
from surrogate.kit.errors import problem

__all__ = ["Deal"]


class Deal:
    """The clients' examples in the order ``order``, with their labels, and how they are dealt to M clients."""

    def __init__(self, task: Task, kind: str) -> None:
        self.kind = kind
        if task.closed_form or (kind == "one_class" and task.data.classes is None):
            raise problem(
                f"reallot of {task.name}", repr(kind), "a task with examples" + " and labels" * (kind == "one_class"),
                "quadratics, which are their clients" if task.closed_form else "texts, tags or images as"
                " targets", "leave reallot out" if task.closed_form else 'pass reallot="iid"',
            )  # fmt: skip
        self.order = task.data.order.numpy().copy()
        self.labels = task.data.y[task.data.order].numpy() if kind == "one_class" else np.zeros(len(self.order), int)

    def parts(self, M: int, rng: np.random.Generator) -> list[Any]:
        """Positions of M clients' examples, equal parts of all, or of a label's: labels in turns, in random order."""
        if self.kind == "iid":
            owner = splits.iid(self.labels, M, rng)
        else:
            present = rng.permutation(np.unique(self.labels))
            turn = np.full(int(self.labels.max()) + 1, -1)
            turn[present] = np.arange(len(present))
            turns = turn[self.labels]  # with fewer clients than labels, those of late turns wait for another round
            owner = np.full(len(turns), -1)
            dealt = turns < M
            owner[dealt] = splits.one_class(turns[dealt], M, rng)
        order, offsets = splits.ranges(owner[owner >= 0], M)
        held = self.order[owner >= 0][order]
        if M and not np.diff(offsets).all():
            raise problem(
                "reallot", f"{len(held)} examples for {M} clients", "an example for each that takes part",
                "fewer examples than clients a round, or a label with fewer than the clients that get it",
                "draw fewer clients a round, or give the task more examples",
            )  # fmt: skip
        return [held[start:end] for start, end in pairwise(offsets)]
