"""Data that belongs to clients: one block of examples, and for each client a range of an order of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from surrogate.kit.errors import problem

__all__ = ["FederatedData"]


@dataclass(frozen=True, eq=False)
class FederatedData:
    """Client i owns the examples ``order[offsets[i]:offsets[i + 1]]``; it may own none. Nothing is copied per round.

    ``x`` (N, ...), ``y`` (N, ...): all training examples. ``order`` (N,) and ``offsets`` (n + 1,): int64. ``test_x``,
    ``test_y``: examples of nobody. ``classes``: how many labels there are, None where y is no label. ``source`` says
    real or stand-in, package and version.
    """

    name: str
    source: str
    x: Tensor
    y: Tensor
    order: Tensor
    offsets: Tensor
    test_x: Tensor
    test_y: Tensor
    classes: int | None = None

    def __post_init__(self) -> None:
        if len(self.x) != len(self.y):
            raise problem(
                f"the targets of {self.name}",
                f"{len(self.y)}",
                f"{len(self.x)}, one an example",
                "examples and targets of two files",
                "load both again",
            )
        bounds = self.offsets
        if bounds.ndim != 1 or len(bounds) < 2 or int(bounds[0]) != 0 or bool((bounds.diff() < 0).any()):
            raise problem(
                f"the offsets of {self.name}",
                bounds.tolist()[:8],
                "0 = offsets[0] <= offsets[1] <= ..., one more than there are clients",
                "sizes in the place of their running sums",
                "pass torch.cumsum of the sizes, with a 0 in front",
            )
        if int(bounds[-1]) != len(self.order):
            raise problem(
                f"the order of {self.name}",
                f"of length {len(self.order)}",
                f"{int(bounds[-1])} entries, where the offsets end",
                "examples that no client owns",
                "leave such examples out of order and offsets both",
            )

    @property
    def n(self) -> int:
        """How many clients there are."""
        return len(self.offsets) - 1

    @property
    def sizes(self) -> Tensor:
        """How many examples each client has, (n,)."""
        return self.offsets.diff()

    def indices(self, i: int) -> Tensor:
        """Where client i's examples are in x, a view."""
        return self.order[int(self.offsets[i]) : int(self.offsets[i + 1])]

    def labels(self, i: int) -> Tensor:
        """The targets of client i."""
        return self.y[self.indices(i)]

    def histogram(self) -> Tensor:
        """How often each client has each label, (n, classes)."""
        if self.classes is None:
            raise problem(
                f"the label histogram of {self.name}",
                "undefined",
                "data with one label an example",
                "targets that are texts, tags or vectors",
                "look at the sizes instead",
            )
        owner = torch.repeat_interleave(torch.arange(self.n), self.sizes)
        counts = torch.bincount(owner * self.classes + self.y[self.order].long(), minlength=self.n * self.classes)
        return counts.reshape(self.n, self.classes)

    def to(self, device: torch.device | str) -> FederatedData:
        """The same data with examples on ``device``; who owns what stays on the CPU, where draws are made."""
        moved = {name: getattr(self, name).to(device) for name in ("x", "y", "test_x", "test_y")}
        return replace(self, **moved)

    def share(self) -> FederatedData:
        """The same data in memory that worker processes see without a copy."""
        for name in ("x", "y", "order", "offsets", "test_x", "test_y"):
            getattr(self, name).share_memory_()
        return self
