"""CIFAR-10 and CIFAR-100 as published for Python: pickles of rows of 3072 bytes (red, green, blue planes of 32x32)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neural.data import pickles
from neural.data.examples import Examples
from neural.data.formats.damage import broken, reading

__all__ = ["cifar10", "cifar100"]

Array = NDArray[Any]


def cifar10(folder: Path) -> Examples:
    """``folder`` holds data_batch_1 ... data_batch_5 and test_batch."""
    batches = [_batch(folder / f"data_batch_{k}", "labels") for k in range(1, 6)]
    x, y = (np.concatenate([batch[k] for batch in batches]) for k in (0, 1))
    return Examples(x, y, *_batch(folder / "test_batch", "labels"), classes=10)


def cifar100(folder: Path) -> Examples:
    """``folder`` holds train and test. The family of each label is read off the coarse labels."""
    x, y = _batch(folder / "train", "fine_labels")
    coarse_of = _batch(folder / "train", "coarse_labels")[1]
    test = _batch(folder / "test", "fine_labels")
    coarse = np.zeros(100, np.int64)
    coarse[y] = coarse_of
    if (coarse[y] != coarse_of).any():
        raise broken(folder / "train", "a fine label in two families", "one coarse label for each fine label")
    return Examples(x, y, *test, classes=100, coarse=coarse)


def _batch(file: Path, labels: str) -> tuple[Array, Array]:
    """(images (N, 3, 32, 32) uint8, labels (N,) int64) of one file."""
    with reading(file, "a pickle of CIFAR"):
        content = file.read_bytes()
    found = pickles.loads(content, str(file))
    if not isinstance(found, dict):
        raise broken(file, f"a pickle of a {type(found).__name__}", f"a dictionary with data and {labels}")
    found = {k.decode() if isinstance(k, bytes) else k: v for k, v in found.items()}
    with reading(file, f"a dictionary with data and {labels}"):
        x, y = np.asarray(found["data"]), np.asarray(found[labels], dtype=np.int64)
    if x.dtype != np.uint8 or x.ndim != 2 or x.shape[1] != 3072 or len(x) != len(y):
        got = f"{x.dtype} images of shape {x.shape} and {len(y)} labels"
        raise broken(file, got, "uint8 of shape (N, 3072) and N labels")
    return x.reshape(-1, 3, 32, 32), y
