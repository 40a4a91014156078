"""TinyImageNet as published: a folder with wnids.txt, train/WNID/images/*.JPEG and val/images with val_annotations.txt.

Its own test images have no labels: the 10,000 of val are those to test on, as in the papers. JPEG needs Pillow.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neural.data.examples import Examples
from neural.data.formats.damage import broken, reading
from surrogate.kit.errors import problem

__all__ = ["folder"]

Array = NDArray[Any]
SIDE = 64
_IMAGES = (".jpeg", ".jpg", ".png")


def folder(home: Path) -> Examples:
    """Labels are numbered in the order of wnids.txt."""
    index = {name: k for k, name in enumerate(_lines(home / "wnids.txt", "a name of a class a line"))}
    train = [(file, index[name]) for name in index for file in _images(home / "train" / name / "images")]
    test = list(_annotated(home / "val", index))
    if not train:
        raise broken(home / "train", "without images", "train/WNID/images/*.JPEG")
    x, test_x = (_decoded([file for file, _ in part]) for part in (train, test))
    y, test_y = (np.array([label for _, label in part], np.int64) for part in (train, test))
    return Examples(x, y, test_x, test_y, classes=len(index))


def _annotated(home: Path, index: dict[str, int]) -> list[tuple[Path, int]]:
    """The images of val and their labels, from lines FILE WNID LEFT TOP RIGHT BOTTOM."""
    file = home / "val_annotations.txt"
    rows = [line.split() for line in _lines(file, "lines of a file, its class and a box")]
    with reading(file, "lines of a file, its class (one of wnids.txt) and a box"):
        return [(home / "images" / row[0], index[row[1]]) for row in rows]


def _images(home: Path) -> list[Path]:
    with reading(home, "a folder of images"):
        return sorted(file for file in home.iterdir() if file.suffix.lower() in _IMAGES)


def _lines(file: Path, expected: str) -> list[str]:
    with reading(file, expected):
        return [line for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def _decoded(files: Sequence[Path]) -> Array:
    """(N, 3, 64, 64) bytes; the grey ones among them with three equal channels."""
    Image = _pillow()
    x = np.empty((len(files), 3, SIDE, SIDE), np.uint8)
    for k, file in enumerate(files):
        with reading(file, f"an image of {SIDE} x {SIDE}"), Image.open(file) as image:
            if image.size != (SIDE, SIDE):
                raise broken(file, f"an image of {image.size[0]} x {image.size[1]}", f"{SIDE} x {SIDE}")
            x[k] = np.asarray(image.convert("RGB")).transpose(2, 0, 1)
    return x


def _pillow() -> Any:
    try:
        from PIL import Image
    except ImportError:
        raise problem(
            "Pillow", "not installed", "a decoder of JPEG", "TinyImageNet's images, which are JPEG files",
            'run `pip install "quadratic-surrogates[images]"`',
        ) from None  # fmt: skip
    return Image
