"""Movements of 30 people (UCI HAPT, from PyPI): 6 channels at 50 Hz, 12 activities and changes of posture.

The package holds pandas frames in a pickle. They are read without it: what the pickle names becomes an inert record.
"""

from __future__ import annotations

import gzip
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neural.data import archives, pickles
from neural.data.examples import Examples
from neural.data.formats.damage import broken, reading

__all__ = ["windows"]

Array = NDArray[Any]


class _Record:
    """Stands for an object of pandas: keeps what it is given, does nothing."""

    def __init__(self, *args: Any) -> None:
        self.args = args
        self.state: Any = None

    def __setstate__(self, state: Any) -> None:
        self.state = state


def _record(*_: Any) -> _Record:
    return _Record()


_STUBS: dict[tuple[str, str], Any] = {
    **{(module, "_reconstructor"): _record for module in ("copyreg", "copy_reg")},
    **{(module, "object"): _Record for module in ("builtins", "__builtin__")},
    **{(module, "slice"): slice for module in ("builtins", "__builtin__")},
    ("pandas.core.frame", "DataFrame"): _Record,
    ("pandas.core.internals.managers", "BlockManager"): _Record,
    ("pandas.core.indexes.base", "_new_Index"): _record,
    ("pandas.core.indexes.base", "Index"): _Record,
    ("pandas.core.indexes.range", "RangeIndex"): _Record,
}


def windows(archive: Path, length: int = 128) -> Examples:
    """(N, 6, length) windows of one activity each, half overlapping; a client for each person.

    The last recording of each person is for testing, so that no test window overlaps a training one.
    """
    train: list[tuple[int, Array, int]] = []
    test: list[tuple[int, Array, int]] = []
    for person, recordings in enumerate(_people(archive).values()):
        for k, frame in enumerate(recordings):
            part = test if k == len(recordings) - 1 else train
            part += [(person, x, label) for x, label in _cut(*_columns(frame, archive), length)]
    x, test_x = (np.stack([x for _, x, _ in part]) for part in (train, test))
    y, test_y = (np.array([label for *_, label in part], np.int64) for part in (train, test))
    return Examples(x, y, test_x, test_y, 12, np.array([person for person, *_ in train]))


def _people(archive: Path) -> dict[int, list[_Record]]:
    ((name, content),) = archives.members(archive, "HAPT.pkl.gz").items()
    with reading(name, "a gzipped pickle"):
        found = pickles.loads(gzip.decompress(content), name, "latin1", _STUBS)
    if not isinstance(found, dict) or not all(isinstance(v, list) and len(v) > 1 for v in found.values()):
        raise broken(name, "another structure", "a dictionary of lists of two frames or more")
    return found


def _columns(frame: _Record, archive: Path) -> tuple[Array, Array]:
    """(channels (6, T), labels (T,)) of a frame: a block of floats, and one of the integers sequence and label."""
    with reading(archive, "frames of 6 channels, a sequence and a label"):
        blocks = frame.state["_data"].state[3]["0.14.1"]["blocks"]
        values, numbers = (np.asarray(block["values"]) for block in blocks)
    if len(values) != 6 or len(numbers) != 2:
        raise broken(archive, f"{len(values)} channels and {len(numbers)} integers", "6 and 2")
    return values.astype(np.float32), numbers[1]


def _cut(values: Array, labels: Array, length: int) -> list[tuple[Array, int]]:
    """Windows inside runs of one label; -1 is no label, the others count from 1."""
    edges = np.concatenate([[0], np.flatnonzero(np.diff(labels)) + 1, [len(labels)]])
    return [
        (values[:, at : at + length], int(labels[first]) - 1)
        for first, last in pairwise(edges.tolist())
        if labels[first] > 0
        for at in range(first, last - length + 1, length // 2)
    ]
