"""Delicious: 16,105 web pages, 500 words, 983 tags. From the PyPI package scikit-multilearn; it names no users."""

from __future__ import annotations

import bz2
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neural.data import archives, pickles
from neural.data.examples import Examples
from neural.data.formats.damage import broken, reading

__all__ = ["tags"]

Array = NDArray[Any]


def tags(archive: Path, tags: int = 135) -> Examples:
    """Bags of words (which of 500 are there) against the ``tags`` most frequent tags; nobody's, so split by chance."""
    (x, y), (test_x, test_y) = (_half(archive, f"delicious-{part}.dump.bz2") for part in ("train", "test"))
    often = np.argsort(-y.sum(axis=0, dtype=np.int64), kind="stable")[:tags]
    return Examples(_bag(x), y[:, often], _bag(test_x), test_y[:, often], None, None, None, 500)


def _half(archive: Path, member: str) -> tuple[Array, Array]:
    ((name, content),) = archives.members(archive, member).items()
    with reading(name, "a bz2 pickle"):
        content = bz2.decompress(content)
    found = pickles.loads(content, name, encoding="latin1")
    with reading(name, "a dictionary with X and y"):
        x, y = np.asarray(found["X"]), np.asarray(found["y"])
    if x.ndim != 2 or y.ndim != 2 or len(x) != len(y) or x.shape[1] != 500:
        raise broken(name, f"X of shape {x.shape} and y of shape {y.shape}", "(N, 500) and (N, tags)")
    return (x > 0).astype(np.uint8), (y > 0).astype(np.uint8)


def _bag(present: Array) -> Array:
    """The numbers 1..V of the words that are there, padded by 0, as `neural.data.text.bag` writes them."""
    longest = int(present.sum(axis=1).max(initial=1))
    rows = np.zeros((len(present), longest), np.uint16)
    at, word = np.nonzero(present)
    place = np.arange(len(at)) - np.searchsorted(at, at)
    rows[at, place] = word + 1
    return rows
