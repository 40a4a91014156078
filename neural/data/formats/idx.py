"""IDX, the format of MNIST: 0 0 type rank, the dimensions as big-endian int32, then the numbers. Gzipped or not."""

from __future__ import annotations

import gzip
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neural.data.examples import Examples
from neural.data.formats.damage import broken, reading

__all__ = ["NAMES", "examples", "folder", "parse", "read"]

# The four files as published, without .gz; some copies write the last dash as a dot.
NAMES = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")
_TYPES = {0x08: "u1", 0x09: "i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}


def parse(content: bytes, what: object) -> NDArray[Any]:
    """The array in an IDX file, called ``what`` in messages.

    >>> parse(bytes([0, 0, 8, 1, 0, 0, 0, 2, 7, 9]), "two").tolist()
    [7, 9]
    """
    if content[:2] == b"\x1f\x8b":
        with reading(what, "a whole gzip file"):
            content = gzip.decompress(content)
    if len(content) < 4 or content[:2] != b"\0\0" or content[2] not in _TYPES:
        raise broken(what, f"begun by {content[:4].hex(' ') or 'nothing'}", "an IDX file (00 00, a type, a rank)")
    kind, rank = np.dtype(_TYPES[content[2]]), content[3]
    start = 4 + 4 * rank
    if len(content) < start:
        raise broken(what, f"{len(content)} bytes long", f"a header of {start} bytes for {rank} dimensions")
    shape = tuple(int(n) for n in np.frombuffer(content, ">u4", rank, 4))
    expected = start + kind.itemsize * math.prod(shape)
    if len(content) != expected:
        raise broken(what, f"{len(content)} bytes long", f"{expected} bytes for the shape {shape} in its header")
    array = np.frombuffer(content, kind, offset=start).reshape(shape)
    return array.astype(kind.newbyteorder("="), copy=False)


def read(file: Path) -> NDArray[Any]:
    """The array in an IDX file, gzipped or not."""
    with reading(file, "a file that can be read"):
        content = file.read_bytes()
    return parse(content, file)


def examples(files: dict[str, bytes], classes: int) -> Examples:
    """The four files of MNIST's layout, by name, as examples (N, 1, height, width)."""
    x, y, test_x, test_y = (_named(files, name) for name in NAMES)
    for images in (x, test_x):
        if images.ndim != 3:
            raise broken("the images", f"of shape {images.shape}", "(N, height, width)")
    return Examples(x[:, None], y, test_x[:, None], test_y, classes)


def folder(home: Path) -> Examples:
    """The four files in a folder, gzipped or not, with 10 labels (MNIST, Fashion-MNIST)."""
    found = {}
    for file in sorted(home.glob("*ubyte*")):
        with reading(file, "a file that can be read"):
            found[str(file)] = file.read_bytes()
    return examples(found, classes=10)


def _named(files: dict[str, bytes], name: str) -> NDArray[Any]:
    ends = tuple(spelled + gz for spelled in (name, name.replace("-idx", ".idx")) for gz in ("", ".gz"))
    for path, content in files.items():
        if path.endswith(ends):
            return parse(content, path)
    raise broken(name, "not among the files", f"{name} or {name}.gz beside the other three")
