"""A folder for SURROGATE_DATA with a few examples in each published format, the vocabularies at their full sizes."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from tests.helpers.neural import data_files as files

__all__ = ["write"]

RNG = np.random.default_rng(7)
WORDS = [f"word{k}" for k in range(10_000)]
TAGS = [f"tag{k}" for k in range(500)]


def write(folder: Path) -> None:
    """All of them, each in a folder of its own."""
    for name, make in {
        "emnist": _emnist,
        "cifar100": _cifar100,
        "shakespeare": _shakespeare,
        "stackoverflow": _stackoverflow,
        "mnist": files.mnist,
        "fashion-mnist": files.mnist,
        "cifar10": _cifar10,
        "tiny-imagenet-200": _tinyimagenet,
    }.items():
        home = folder / name
        home.mkdir(parents=True)
        make(home)


def _emnist(folder: Path) -> None:
    client = {"pixels": RNG.random((4, 28, 28)).astype(np.float32), "label": np.array([0, 9, 30, 61])}
    for part in ("train", "test"):
        files.hdf5(folder / f"fed_emnist_{part}.h5", {"f1": client})


def _cifar100(folder: Path) -> None:
    image = RNG.integers(0, 256, (4, 32, 32, 3)).astype(np.uint8)
    client = {"image": image, "label": [0, 7, 50, 99], "coarse_label": [4, 3, 1, 0]}
    for part in ("train", "test"):
        files.hdf5(folder / f"fed_cifar100_{part}.h5", {"0": client})


def _shakespeare(folder: Path) -> None:
    for part in ("train", "test"):
        files.hdf5(folder / f"shakespeare_{part}.h5", {"PLAY_A": {"snippets": ["To be, or not to be", "x" * 100]}})


def _stackoverflow(folder: Path) -> None:
    posts: dict[str, Any] = {
        "title": ["word1 word2", "word3"],
        "tokens": ["word1 word9999 word4", "word5 word6"],
        "tags": ["tag0|tag499", "tag7"],
    }
    for part in ("train", "test"):
        files.hdf5(folder / f"stackoverflow_{part}.h5", {"u0": posts})
    counts = "".join(f"{word} {20_000 - k}\n" for k, word in enumerate(WORDS))
    (folder / "stackoverflow.word_count").write_text(counts, encoding="utf-8")
    (folder / "stackoverflow.tag_count").write_text(json.dumps({tag: 900 - k for k, tag in enumerate(TAGS)}))


def _cifar10(folder: Path) -> None:
    for name in (*(f"data_batch_{k}" for k in range(1, 6)), "test_batch"):
        x = RNG.integers(0, 256, (2, 3072)).astype(np.uint8)
        (folder / name).write_bytes(pickle.dumps({b"data": x, b"labels": [3, 9]}, protocol=2))


def _tinyimagenet(folder: Path) -> None:
    """One image of each of the 200 classes to train on, one image to test on."""
    names = [f"n{k:08d}" for k in range(200)]
    (folder / "wnids.txt").write_text("\n".join(names) + "\n")
    (folder / "val" / "images").mkdir(parents=True)
    image = Image.fromarray(RNG.integers(0, 256, (64, 64, 3)).astype(np.uint8))
    for name in names:
        (folder / "train" / name / "images").mkdir(parents=True)
        image.save(folder / "train" / name / "images" / f"{name}_0.JPEG")
    image.save(folder / "val" / "images" / "val_0.JPEG")
    (folder / "val" / "val_annotations.txt").write_text(f"val_0.JPEG\t{names[7]}\t0\t0\t63\t63\n")
