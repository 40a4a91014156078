"""Examples as a source gives them, before they are dealt out to clients."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surrogate.kit.errors import problem

__all__ = ["Examples"]

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Examples:
    """``x`` (N, ...) and ``y`` (N, ...) to train on, ``test_x`` and ``test_y`` to test on.

    Pixels are uint8 (N, channels, height, width), to be divided by 255; texts are small integers; other features are
    float32. ``classes``: how many labels, None where y is no label. ``owner`` (N,): which writer, role, person or
    maintainer each example is from, None where nobody wrote that down. ``coarse`` (classes,): the family of each
    label, None where it has none. ``vocabulary``: how many words a bag of words counts, None where x is no bag.
    """

    x: Array
    y: Array
    test_x: Array
    test_y: Array
    classes: int | None = None
    owner: Array | None = None
    coarse: Array | None = None
    vocabulary: int | None = None

    def __post_init__(self) -> None:
        for part, x, y in (("training", self.x, self.y), ("test", self.test_x, self.test_y)):
            if len(x) != len(y):
                raise problem(
                    f"the number of {part} targets", len(y), f"{len(x)}, one an example",
                    "a truncated file, or images and labels of two data sets", "fetch or copy the files again",
                )  # fmt: skip
        if not len(self.x):
            raise problem("the number of training examples", 0, "at least 1", "an empty file", "look into the file")
        if self.classes is not None:
            self._check_labels(self.classes)

    def _check_labels(self, classes: int) -> None:
        for y in (self.y, self.test_y):
            if y.size and not (0 <= int(y.min()) and int(y.max()) < classes):
                raise problem(
                    "a label", f"between {int(y.min())} and {int(y.max())}", f"between 0 and {classes - 1}",
                    "a file of another data set, or labels counted from 1", "check which file was read",
                )  # fmt: skip

    def arrays(self) -> dict[str, Array]:
        """What is there, by name, for the cache."""
        found = {f.name: getattr(self, f.name) for f in fields(self)}
        return {name: np.asarray(value) for name, value in found.items() if value is not None}

    @classmethod
    def of(cls, arrays: dict[str, Array]) -> Examples:
        """The examples that `arrays` described.

        >>> made = Examples(np.eye(2), np.array([0, 1]), np.eye(2)[:0], np.array([], int), 2)
        >>> Examples.of(made.arrays()).classes
        2
        """
        made: dict[str, Any] = {name: int(value) if value.ndim == 0 else value for name, value in arrays.items()}
        return cls(**made)
