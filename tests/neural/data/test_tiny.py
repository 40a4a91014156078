"""TinyImageNet's published folder, made of a few images of its format."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from neural import data, tasks
from neural.data.formats import tiny
from surrogate.kit.errors import ProblemError

CLASSES = ("n02", "n01", "n03")  # the order of wnids.txt is not that of the alphabet
GREY = "n01"


def flat(shade: int, kind: str) -> Image.Image:
    """An image of one colour, which JPEG keeps."""
    return Image.fromarray(np.full((64, 64) if kind == "L" else (64, 64, 3), shade, np.uint8))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Four images a class to train on, two to test on, told apart by their shade; those of one class are grey."""
    root = tmp_path / "tiny-imagenet-200"
    (root / "val" / "images").mkdir(parents=True)
    (root / "wnids.txt").write_text("\n".join(CLASSES) + "\n")
    lines = []
    for k, name in enumerate(CLASSES):
        folder = root / "train" / name / "images"
        folder.mkdir(parents=True)
        (root / "train" / name / f"{name}_boxes.txt").write_text(f"{name}_0.JPEG\t0\t0\t63\t63\n")
        for j in range(4):
            flat(60 * k + 10 * j, "L" if name == GREY else "RGB").save(folder / f"{name}_{j}.JPEG")
        for j in range(2):
            file = f"val_{2 * k + j}.JPEG"
            flat(60 * k + 5, "RGB").save(root / "val" / "images" / file)
            lines.append(f"{file}\t{name}\t0\t0\t63\t63")
    (root / "val" / "val_annotations.txt").write_text("\n".join(reversed(lines)) + "\n")
    return root


def test_a_folder_is_read(home: Path) -> None:
    found = tiny.folder(home)
    assert found.x.shape == (12, 3, 64, 64) and found.x.dtype == np.uint8 and found.classes == 3
    assert found.y.tolist() == [0] * 4 + [1] * 4 + [2] * 4
    assert found.test_y.tolist() == [2, 2, 1, 1, 0, 0]
    shades = found.x.mean(axis=(1, 2, 3))
    np.testing.assert_allclose(shades, [60 * k + 10 * j for k in range(3) for j in range(4)], atol=1.5)
    np.testing.assert_allclose(found.test_x.mean(axis=(1, 2, 3)), 60 * found.test_y + 5, atol=1.5)


def test_the_task_finds_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SURROGATE_DATA", str(home.parent))
    loaded = data.load("tinyimagenet", clients=2)
    assert loaded.source.startswith("published: TinyImageNet") and loaded.sizes.tolist() == [6, 6]
    task = tasks.build("tinyimagenet-resnet18", clients=2)
    assert task.model()(task.data.x[:2]).shape == (2, 3)


def test_damage_is_named(home: Path) -> None:
    image = home / "train" / "n03" / "images" / "n03_2.JPEG"
    whole = image.read_bytes()
    for content in (whole[: len(whole) // 2], b"", b"no image"):
        image.write_bytes(content)
        with pytest.raises(ProblemError, match=r"n03_2\.JPEG"):
            tiny.folder(home)
    Image.new("RGB", (32, 64)).save(image)
    with pytest.raises(ProblemError, match="32 x 64"):
        tiny.folder(home)


def test_labels_that_fit_nothing_are_named(home: Path) -> None:
    (home / "val" / "val_annotations.txt").write_text("val_0.JPEG\tn09\t0\t0\t1\t1\n")
    with pytest.raises(ProblemError, match=r"val_annotations\.txt.*n09"):
        tiny.folder(home)
    (home / "wnids.txt").write_text("n77\n")
    with pytest.raises(ProblemError, match="n77"):
        tiny.folder(home)


def test_without_pillow_it_says_what_to_install(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ProblemError, match=r"quadratic-surrogates\[images\]"):
        tiny.folder(home)
