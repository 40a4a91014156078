"""LEAF's JSON, in train/ and test/.

Each file: {"users": [...], "num_samples": [...], "user_data": {USER: {"x": [...], "y": [...]}}}.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neural.data import text
from neural.data.examples import Examples
from neural.data.formats.damage import broken, reading
from neural.data.formats.tff import pixels

__all__ = ["femnist", "shakespeare"]

Array = NDArray[Any]
_SIDE = 28


def femnist(home: Path) -> Examples:
    """FEMNIST by writers: x rows of 784 grey values, y labels of 62."""
    x, y, owner = _images(home / "train")
    test_x, test_y, _ = _images(home / "test")
    return Examples(x, y, test_x, test_y, 62, owner)


def shakespeare(home: Path) -> Examples:
    """Shakespeare by roles: x texts of 80 characters, y the character after them. Targets are x shifted by one."""
    x, y, owner = _windows(home / "train")
    test_x, test_y, _ = _windows(home / "test")
    return Examples(x, y, test_x, test_y, None, owner)


def _images(half: Path) -> tuple[Array, Array, Array]:
    x, y, sizes = [], [], []
    for file, user, xs, ys in _users(half):
        with reading(file, f"784 numbers an image and one label for user {user}"):
            x.append(np.array(xs, np.float32).reshape(len(ys), 1, _SIDE, _SIDE))
            y.append(np.array(ys, np.int64).reshape(len(ys)))
        sizes.append(len(ys))
    return pixels(np.concatenate(x)), np.concatenate(y), np.repeat(np.arange(len(sizes)), sizes)


def _windows(half: Path) -> tuple[Array, Array, Array]:
    x, y, sizes = [], [], []
    for file, user, xs, ys in _users(half):
        lengths = {len(a) for a in xs} | {text.WINDOW}
        if lengths != {text.WINDOW} or any(len(b) != 1 for b in ys):
            raise broken(file, f"texts of {sorted(lengths)} characters for user {user}", "80, and 1 as each target")
        rows = _characters("".join(a + b for a, b in zip(xs, ys, strict=True))).reshape(-1, text.WINDOW + 1)
        x.append(rows[:, :-1])
        y.append(rows[:, 1:])
        sizes.append(len(rows))
    return np.concatenate(x), np.concatenate(y), np.repeat(np.arange(len(sizes)), sizes)


def _characters(line: str) -> Array:
    table = {character: k + 1 for k, character in enumerate(text.CHARACTERS)}
    oov = text.special(len(text.CHARACTERS))["oov"]
    return np.array([table.get(character, oov) for character in line], np.uint8)


def _users(half: Path) -> Iterator[tuple[Path, str, list[Any], list[Any]]]:
    """(file, user, x, y) of every user of every file of train/ or test/; the counts in a file must agree."""
    for file in sorted(half.glob("*.json")):
        with reading(file, 'JSON with "users", "num_samples" and "user_data"'):
            content = json.loads(file.read_text(encoding="utf-8"))
            users, counts, found = content["users"], content["num_samples"], content["user_data"]
            for user, count in zip(users, counts, strict=True):
                xs, ys = found[user]["x"], found[user]["y"]
                if not len(xs) == len(ys) == count:
                    raise broken(file, f"{len(xs)} x and {len(ys)} y of user {user}", f"{count} of each")
                yield file, user, xs, ys
