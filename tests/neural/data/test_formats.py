"""The published formats, on small files in those formats; and what is said of truncated or damaged ones."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neural.data import pickles, text
from neural.data.formats import cifar, idx, leaf, png, tff
from surrogate.kit.errors import ProblemError
from tests.helpers.neural import data_files as files

RNG = np.random.default_rng(5)


@pytest.mark.parametrize("zipped", [False, True])
def test_idx_files(tmp_path: Path, zipped: bool) -> None:
    x, y = files.mnist(tmp_path, zipped)
    found = idx.folder(tmp_path)
    assert (found.x[:, 0] == x).all() and (found.y == y).all()
    assert found.x.shape == (30, 1, 28, 28) and found.test_x.shape == (10, 1, 28, 28)


@given(st.data())
def test_a_truncated_idx_file_is_named(data: st.DataObject) -> None:
    content = files.idx(np.arange(24).reshape(2, 3, 4))
    cut = data.draw(st.integers(0, len(content) - 1))
    with pytest.raises(ProblemError, match="some-file"):
        idx.parse(content[:cut], "some-file")


def test_idx_of_wide_numbers_and_wrong_types() -> None:
    wide = bytes([0, 0, 0x0C, 1, 0, 0, 0, 2]) + np.array([-1, 70_000], ">i4").tobytes()
    assert idx.parse(wide, "wide").tolist() == [-1, 70_000]
    with pytest.raises(ProblemError, match="begun by 00 00 07 01"):
        idx.parse(bytes([0, 0, 7, 1, 0, 0, 0, 0]), "odd")


def test_truncated_gzip_is_named(tmp_path: Path) -> None:
    files.mnist(tmp_path, zipped=True)
    target = tmp_path / "train-images-idx3-ubyte.gz"
    target.write_bytes(target.read_bytes()[:-9])
    with pytest.raises(ProblemError, match=r"train-images-idx3-ubyte\.gz is unreadable"):
        idx.folder(tmp_path)


def test_images_without_their_labels_are_refused(tmp_path: Path) -> None:
    files.mnist(tmp_path)
    (tmp_path / "train-labels-idx1-ubyte").write_bytes(files.idx(np.arange(29) % 10))
    with pytest.raises(ProblemError, match="training targets is 29"):
        idx.folder(tmp_path)


@given(
    shape=st.tuples(st.integers(1, 9), st.integers(1, 9), st.sampled_from([1, 2, 3, 4])),
    filters=st.lists(st.integers(0, 4), min_size=1, max_size=6),
    seed=st.integers(0, 999),
)
def test_png_of_every_filter(shape: tuple[int, int, int], filters: list[int], seed: int) -> None:
    image = np.random.default_rng(seed).integers(0, 256, shape).astype(np.uint8)
    assert (png.decode(files.png(image, filters), "p") == image).all()


def test_png_agrees_with_matplotlib(tmp_path: Path) -> None:
    from matplotlib import image as image_module

    image = RNG.integers(0, 256, (20, 30, 3)).astype(np.uint8)
    image_module.imsave(tmp_path / "a.png", image)
    assert (png.decode((tmp_path / "a.png").read_bytes(), "a")[..., :3] == image).all()
    (tmp_path / "b.png").write_bytes(files.png(image, [4, 3, 1, 2]))
    assert (np.rint(image_module.imread(tmp_path / "b.png") * 255) == image).all()


@given(st.data())
def test_a_damaged_png_is_named(data: st.DataObject) -> None:
    content = files.png(np.arange(60, dtype=np.uint8).reshape(4, 5, 3), [1, 4])
    at = data.draw(st.integers(0, len(content) - 1))
    damaged = (
        content[:at] if data.draw(st.booleans()) else content[:at] + bytes([content[at] ^ 0x15]) + content[at + 1 :]
    )
    with pytest.raises(ProblemError, match="sheet"):
        png.decode(damaged, "sheet")


def _batch(folder: Path, name: str, n: int, labels: dict[bytes, Any], protocol: int = 2) -> np.ndarray[Any, Any]:
    x = RNG.integers(0, 256, (n, 3072)).astype(np.uint8)
    (folder / name).write_bytes(pickle.dumps({b"data": x, **labels}, protocol=protocol))
    return x


@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_cifar10_pickles(tmp_path: Path, protocol: int) -> None:
    kept = [_batch(tmp_path, f"data_batch_{k}", 4, {b"labels": [k, 0, 9, 1]}, protocol) for k in range(1, 6)]
    _batch(tmp_path, "test_batch", 2, {b"labels": [3, 4]}, protocol)
    found = cifar.cifar10(tmp_path)
    assert (found.x.reshape(20, 3072) == np.concatenate(kept)).all()
    assert found.y[::4].tolist() == [1, 2, 3, 4, 5] and found.test_y.tolist() == [3, 4] and found.classes == 10


def test_cifar100_pickles_with_families(tmp_path: Path) -> None:
    fine = [5, 99, 5]
    _batch(tmp_path, "train", 3, {b"fine_labels": fine, b"coarse_labels": [1, 19, 1]})
    _batch(tmp_path, "test", 1, {b"fine_labels": [7], b"coarse_labels": [0]})
    found = cifar.cifar100(tmp_path)
    assert found.coarse is not None and found.coarse[[5, 99]].tolist() == [1, 19]
    _batch(tmp_path, "train", 3, {b"fine_labels": fine, b"coarse_labels": [1, 19, 2]})
    with pytest.raises(ProblemError, match="a fine label in two families"):
        cifar.cifar100(tmp_path)


def test_a_truncated_pickle_is_named(tmp_path: Path) -> None:
    _batch(tmp_path, "train", 3, {b"fine_labels": [1, 2, 3], b"coarse_labels": [0, 0, 0]})
    (tmp_path / "train").write_bytes((tmp_path / "train").read_bytes()[:500])
    with pytest.raises(ProblemError, match="train is unreadable"):
        cifar.cifar100(tmp_path)


class _Evil:
    def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
        return os.system, ("touch ran",)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_that_names_a_program_runs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, protocol: int
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ProblemError, match=r"posix.system|nt.system"):
        pickles.loads(pickle.dumps({"data": _Evil()}, protocol=protocol), "a file")
    assert not (tmp_path / "ran").exists()


def _writer(n: int, seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {"pixels": (rng.integers(0, 256, (n, 28, 28)) / 255).astype(np.float32), "label": rng.integers(0, 62, n)}


def test_tff_emnist_by_writers(tmp_path: Path) -> None:
    train = files.hdf5(tmp_path / "fed_emnist_train.h5", {"f2": _writer(3, 0), "f1": _writer(2, 1)})
    files.hdf5(tmp_path / "fed_emnist_test.h5", {"f1": _writer(2, 2)})
    found = tff.emnist(train)
    assert found.x.dtype == np.uint8 and found.x.shape == (5, 1, 28, 28)
    assert found.owner is not None and found.owner.tolist() == [0, 0, 1, 1, 1]  # f1, then f2
    assert np.allclose(found.x[2:, 0] / 255, _writer(3, 0)["pixels"], atol=1e-6)
    assert (found.y[:2] == _writer(2, 1)["label"]).all()


def test_tff_cifar100(tmp_path: Path) -> None:
    image = RNG.integers(0, 256, (2, 32, 32, 3)).astype(np.uint8)
    client = {"image": image, "label": [7, 8], "coarse_label": [3, 4]}
    train = files.hdf5(tmp_path / "fed_cifar100_train.h5", {"0": client, "1": client})
    files.hdf5(tmp_path / "fed_cifar100_test.h5", {"0": client})
    found = tff.cifar100(train)
    assert (found.x[0] == image[0].transpose(2, 0, 1)).all()
    assert found.coarse is not None and found.coarse[[7, 8]].tolist() == [3, 4]
    assert found.owner is not None and found.owner.tolist() == [0, 0, 1, 1]


def test_tff_shakespeare(tmp_path: Path) -> None:
    train = files.hdf5(tmp_path / "shakespeare_train.h5", {"PLAY_A": {"snippets": ["hi", "x" * 100]}})
    files.hdf5(tmp_path / "shakespeare_test.h5", {"PLAY_A": {"snippets": ["yo"]}})
    found = tff.shakespeare(train)
    assert found.x.shape == (3, 80)  # one window, and two for the long one
    assert found.x[0, 0] == 88 and found.y[0, :3].tolist() == [
        1 + text.CHARACTERS.index("h"),
        1 + text.CHARACTERS.index("i"),
        89,
    ]


def _posts(*posts: tuple[str, str, str]) -> dict[str, list[str]]:
    return {feature: [post[k] for post in posts] for k, feature in enumerate(("title", "tokens", "tags"))}


@pytest.fixture
def stackoverflow(tmp_path: Path) -> Path:
    users = {f"u{k}": _posts(("how", "to sort", "python|list"), ("why", "no sort", "c")) for k in range(6)}
    files.hdf5(tmp_path / "stackoverflow_test.h5", {"u0": _posts(("how", "to", "c|python"))})
    return files.hdf5(tmp_path / "stackoverflow_train.h5", users)


def test_tff_stackoverflow_words(stackoverflow: Path) -> None:
    stackoverflow.with_name("stackoverflow.word_count").write_text("sort 9\nto 5\nno 1\n", encoding="utf-8")
    found = tff.words(stackoverflow, vocabulary=2, length=4, clients=3, per_client=1)
    assert found.x.shape == (3, 4) and found.owner is not None and found.owner.tolist() == [0, 1, 2]
    assert found.x[0].tolist() == [4, 2, 1, 5] and found.y[0].tolist() == [2, 1, 5, 0]  # begin, to, sort, end
    with pytest.raises(ProblemError, match=r"stackoverflow\.word_count"):
        stackoverflow.with_name("stackoverflow.word_count").write_text("sort nine\n", encoding="utf-8")
        tff.words(stackoverflow)


def test_tff_stackoverflow_tags(stackoverflow: Path) -> None:
    counts = json.dumps({"c": 4, "python": 9, "list": 1})
    stackoverflow.with_name("stackoverflow.tag_count").write_text(counts, encoding="utf-8")
    found = tff.tags(stackoverflow, vocabulary=4, tags=2)
    assert found.y.shape == (12, 2) and found.y[:2].tolist() == [[1, 0], [0, 1]]  # python, c
    assert found.test_y.tolist() == [[1, 1]] and found.vocabulary == 4
    assert (found.x[0] > 0).sum() == 3  # how to sort


def test_damaged_hdf5_is_named(tmp_path: Path) -> None:
    train = files.hdf5(tmp_path / "fed_emnist_train.h5", {"a": {"pixels": np.zeros((2, 28, 28)), "label": [1]}})
    with pytest.raises(ProblemError, match="2 pixels and 1 label of client a"):
        tff.emnist(train)
    train.write_bytes(train.read_bytes()[:700])
    with pytest.raises(ProblemError, match=r"fed_emnist_train.h5 is unreadable"):
        tff.emnist(train)
    files.hdf5(train, {"a": {"label": [1]}})
    with pytest.raises(ProblemError, match="examples/CLIENT/FEATURE"):
        tff.emnist(train)


def test_leaf_femnist(tmp_path: Path) -> None:
    image = [k % 256 / 255 for k in range(784)]
    files.leaf(tmp_path / "train" / "a.json", {"w1": ([image, image], [3, 61])})
    files.leaf(tmp_path / "train" / "b.json", {"w2": ([image], [0])})
    files.leaf(tmp_path / "test" / "a.json", {"w1": ([image], [5])})
    found = leaf.femnist(tmp_path)
    assert found.owner is not None and found.owner.tolist() == [0, 0, 1] and found.y.tolist() == [3, 61, 0]
    assert found.x.dtype == np.uint8 and found.x[0].ravel()[:3].tolist() == [0, 1, 2]


def test_leaf_shakespeare(tmp_path: Path) -> None:
    for half in ("train", "test"):
        files.leaf(tmp_path / half / "a.json", {"w1": (["b" * 79 + "~"], ["c"])})
    found = leaf.shakespeare(tmp_path)
    b, c = (1 + text.CHARACTERS.index(k) for k in "bc")
    assert found.x[0, [0, 78, 79]].tolist() == [b, b, 87]  # ~ is not in the vocabulary
    assert found.y[0, [0, 78, 79]].tolist() == [b, 87, c]


def test_damaged_leaf_is_named(tmp_path: Path) -> None:
    target = files.leaf(tmp_path / "train" / "a.json", {"w1": ([[0.0] * 783], [3])})
    with pytest.raises(ProblemError, match="784 numbers an image and one label for user w1"):
        leaf.femnist(tmp_path)
    target.write_text(target.read_text(encoding="utf-8")[:-5], encoding="utf-8")
    with pytest.raises(ProblemError, match=r"a\.json is unreadable"):
        leaf.femnist(tmp_path)
    target.write_text(json.dumps({"users": ["w"], "num_samples": [2], "user_data": {"w": {"x": [], "y": []}}}))
    with pytest.raises(ProblemError, match="0 x and 0 y of user w"):
        leaf.femnist(tmp_path)
