"""HDF5 files of TensorFlow Federated's simulation data: examples/CLIENT/FEATURE, one file to train and one to test.

fed_emnist_{train,test}.h5       pixels (n, 28, 28) float32 in 0..1, label (n,)
fed_cifar100_{train,test}.h5     image (n, 32, 32, 3) uint8, label (n,), coarse_label (n,)
shakespeare_{train,test}.h5      snippets (n,) bytes
stackoverflow_{train,test}.h5    tokens, title, tags ("a|b") (n,) bytes; beside them stackoverflow.word_count
                                 ("word count" a line, or JSON) and stackoverflow.tag_count (JSON)
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neural.data import text
from neural.data.examples import Examples
from neural.data.formats.damage import broken, reading
from surrogate.kit.errors import problem

__all__ = ["cifar100", "emnist", "shakespeare", "tags", "words"]

Array = NDArray[Any]
TEST_MOST = 10_000  # texts to test on: the published test file of Stack Overflow has 16 million


def emnist(train: Path) -> Examples:
    """FEMNIST by writers (3,400 in the published file), 62 labels. White is 1, as published."""
    x, y, owner = _labelled(train, "pixels", "label")
    test_x, test_y, _ = _labelled(_test(train), "pixels", "label")
    return Examples(pixels(x)[:, None], y, pixels(test_x)[:, None], test_y, 62, owner)


def cifar100(train: Path) -> Examples:
    """CIFAR-100 as allocated to 500 clients (Pachinko)."""
    x, y, owner = _labelled(train, "image", "label")
    coarse = np.zeros(100, np.int64)
    coarse[y] = _labelled(train, "image", "coarse_label")[1]
    test_x, test_y, _ = _labelled(_test(train), "image", "label")
    return Examples(_planes(x), y, _planes(test_x), test_y, 100, owner, coarse)


def shakespeare(train: Path, window: int = text.WINDOW) -> Examples:
    """Shakespeare by roles, in windows of characters."""
    lines, owner = _texts(train, ("snippets",))
    x, y, which = text.windows([line[0] for line in lines], window)
    test_x, test_y, _ = text.windows([line[0] for line in _texts(_test(train), ("snippets",))[0]], window)
    return Examples(x, y, test_x, test_y, None, owner[which])


def words(
    train: Path, vocabulary: int = 10_000, length: int = 20, clients: int | None = None,
    per_client: int | None = 128, seed: int = 0,
) -> Examples:  # fmt: skip
    """Stack Overflow, next word: at most ``per_client`` posts of ``clients`` users drawn by ``seed``."""
    posts, owner = _texts(train, ("tokens",), clients, per_client, seed)
    known = _counted(train.with_name("stackoverflow.word_count"), vocabulary)
    texts = [post[0].split() for post in posts]
    known = known or text.frequent(texts, vocabulary)
    test, _ = _texts(_test(train), ("tokens",), clients, per_client, seed, TEST_MOST)
    x, y = text.sentences(texts, known, vocabulary, length)
    return Examples(x, y, *text.sentences([t[0].split() for t in test], known, vocabulary, length), None, owner)


def tags(
    train: Path, vocabulary: int = 10_000, tags: int = 500, clients: int | None = None,
    per_client: int | None = None, seed: int = 0,
) -> Examples:  # fmt: skip
    """Stack Overflow, tags: the words of title and text against the ``tags`` most frequent tags."""
    posts, owner = _texts(train, ("title", "tokens", "tags"), clients, per_client, seed)
    test, _ = _texts(_test(train), ("title", "tokens", "tags"), clients, per_client, seed, TEST_MOST)
    texts, test_texts = ([f"{title} {tokens}".split() for title, tokens, _ in some] for some in (posts, test))
    known = _counted(train.with_name("stackoverflow.word_count"), vocabulary) or text.frequent(texts, vocabulary)
    names = _counted(train.with_name("stackoverflow.tag_count"), tags)
    names = names or text.frequent([post[2].split("|") for post in posts], tags)
    y, test_y = (text.marks([post[2].split("|") for post in some], names) for some in (posts, test))
    return Examples(text.bag(texts, known), y, text.bag(test_texts, known), test_y, None, owner, None, vocabulary)


def pixels(x: Array) -> Array:
    """Grey values in 0..1 as bytes where bytes they were (a quarter of the memory), else as they are.

    >>> pixels(np.array([0, 1 / 255, 1.0])).tolist(), pixels(np.array([0.5])).dtype.name
    ([0, 1, 255], 'float32')
    """
    as_bytes = np.rint(x * 255)
    exact = x.size == 0 or (np.abs(as_bytes / 255 - x).max() < 1e-6 and 0 <= as_bytes.min() and as_bytes.max() <= 255)
    return as_bytes.astype(np.uint8) if exact else x.astype(np.float32)


def _planes(x: Array) -> Array:
    if x.ndim != 4 or x.shape[-1] != 3:
        raise broken("the images", f"of shape {x.shape}", "(N, height, width, 3)")
    return np.ascontiguousarray(np.moveaxis(x, -1, 1))


def _test(train: Path) -> Path:
    return train.with_name(train.name.replace("_train", "_test"))


@contextlib.contextmanager
def _clients(file: Path) -> Iterator[Any]:
    """The group of all clients in a file."""
    try:
        import h5py
    except ImportError as error:
        raise problem(
            f"h5py, which reads {file.name},", "not installed", "a package of the extra `neural`", "a smaller install",
            "run `pip install h5py`",
        ) from error  # fmt: skip
    with reading(file, "an HDF5 file with a group examples/CLIENT/FEATURE"), h5py.File(file, "r") as bundle:
        yield bundle["examples"]


def _labelled(file: Path, feature: str, label: str) -> tuple[Array, Array, Array]:
    """All of one feature, its labels, and the number of the client (in order of their names) of each."""
    x, y, sizes = [], [], []
    with _clients(file) as group:
        for name in sorted(group):
            x.append(group[name][feature][()])
            y.append(np.asarray(group[name][label][()]).ravel().astype(np.int64))
            sizes.append(len(y[-1]))
            if len(x[-1]) != len(y[-1]):
                raise broken(file, f"{len(x[-1])} {feature} and {len(y[-1])} {label} of client {name}", "equal numbers")
    if not x:
        raise broken(file, "a file without clients", "at least one group below examples/")
    return np.concatenate(x), np.concatenate(y), np.repeat(np.arange(len(sizes)), sizes)


def _texts(
    file: Path, features: Sequence[str], clients: int | None = None, per_client: int | None = None, seed: int = 0,
    most: int | None = None,
) -> tuple[list[tuple[str, ...]], Array]:  # fmt: skip
    """The texts of each example, and its client's number; of ``clients`` drawn at random, the first ``per_client``."""
    rows: list[tuple[str, ...]] = []
    owner: list[int] = []
    with _clients(file) as group:
        names = sorted(group)
        if clients is not None and clients < len(names):
            drawn = np.random.default_rng([seed, 0x7FF]).choice(len(names), clients, replace=False)
            names = [names[k] for k in sorted(drawn)]
        for i, name in enumerate(names):
            columns = [group[name][feature][slice(per_client)] for feature in features]
            mine = [tuple(_decoded(cell) for cell in row) for row in zip(*columns, strict=True)]
            rows += mine
            owner += [i] * len(mine)
            if most is not None and len(rows) >= most:
                break
    return rows[:most], np.array(owner[:most], np.int64)


def _decoded(cell: bytes | str) -> str:
    return cell.decode("utf-8", "replace") if isinstance(cell, bytes) else cell


def _counted(file: Path, most: int) -> list[str]:
    """The most frequent entries that a file of counts lists; none where there is no such file."""
    if not file.is_file():
        return []
    with reading(file, "counts: JSON, or lines of a word and a number"):
        content = file.read_text(encoding="utf-8")
        as_json = content.lstrip().startswith("{")
        pairs = json.loads(content) if as_json else dict(map(_pair, content.splitlines()))
        return [word for word, _ in Counter({str(k): int(v) for k, v in pairs.items()}).most_common(most)]


def _pair(line: str) -> tuple[str, int]:
    word, count = line.rsplit(maxsplit=1)
    return word, int(count)
